/** Whether the server runs in demo mode, as it says in the page; test data is offered only then. */
export function isDemoMode(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="demo-mode"]')?.content === "true";
}
