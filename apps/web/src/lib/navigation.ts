import { useEffect } from "react";

export const PRODUCT_NAME = "Lead Desk";

/** Sets the title of the browser tab: 'Reports · Lead Desk'. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
  }, [title]);
}

/** Runs at once or when the network is back, as loading without a network would show the browser's error page. */
function withNetwork(load: () => void): void {
  if (navigator.onLine) load();
  else window.addEventListener("online", load, { once: true });
}

/** Page loads outside of the router; without a network they wait for it. An object, so that tests can spy on it. */
export const page = {
  /** A page load has begun, so that keys and events are ignored. */
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

// A page restored from the back/forward cache is in use again.
window.addEventListener("pageshow", () => {
  page.isLeaving = false;
});
