/** Page loads, apart from the router's navigations; one object, so that tests can watch it. */
export const page = {
  reload(): void {
    window.location.reload();
  },
  go(url: string): void {
    window.location.assign(url);
  },
};
