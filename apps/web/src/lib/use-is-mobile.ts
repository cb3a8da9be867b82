import { limits } from "@portal/contract/limits";
import { useSyncExternalStore } from "react";

/** Returns a hook that matches a media query. */
function windowIs(media: string): () => boolean {
  const list = window.matchMedia(media);
  const subscribe = (listener: () => void) => {
    list.addEventListener("change", listener);
    return () => list.removeEventListener("change", listener);
  };
  return () => useSyncExternalStore(subscribe, () => list.matches);
}

/** Whether the window is narrower than 768 px, where the sidebar is an overlay and cards are collapsed. */
export const useIsMobile = windowIs(`(max-width: ${limits.mobileBreakpointPx - 0.02}px)`);

/** Whether the window has room for a page beside an open sidebar (from 1024 px). */
export const useIsWide = windowIs("(min-width: 64rem)");
