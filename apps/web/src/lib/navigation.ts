import { useEffect } from "react";

export const PRODUCT_NAME = "Lead Desk";

/** Names the browser tab: 'Reports · Lead Desk'. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
  }, [title]);
}

/** Runs at once, or when the network is back: loading a page without one would put the browser's own in place of the product. */
function withNetwork(load: () => void): void {
  if (navigator.onLine) load();
  else window.addEventListener("online", load, { once: true });
}

/** Page loads, apart from the router's navigations; without a network they wait for it. One object, so that tests can watch it. */
export const page = {
  /** Navigation to another page has begun: keys are no longer for this one. */
  isLeaving: false,
  reload(): void {
    withNetwork(() => window.location.reload());
  },
  go(url: string): void {
    withNetwork(() => {
      page.isLeaving = true;
      window.location.assign(url);
    });
  },
};

// Whoever comes back finds the page as it was left.
window.addEventListener("pageshow", () => {
  page.isLeaving = false;
});
