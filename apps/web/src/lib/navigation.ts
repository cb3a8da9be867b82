/** Page loads, apart from the router's navigations; one object, so that tests can watch it. */
export const page = {
  /** Another page was asked for: what is still heard here is not for this one any more. */
  isLeaving: false,
  reload(): void {
    window.location.reload();
  },
  go(url: string): void {
    page.isLeaving = true;
    window.location.assign(url);
  },
};

// Whoever comes back finds the page as it was left.
window.addEventListener("pageshow", () => {
  page.isLeaving = false;
});
