import { limits } from "@portal/contract/limits";
import { useSyncExternalStore } from "react";

/** Whether the window is as `media` asks, while it changes too. */
function windowIs(media: string): () => boolean {
  const list = window.matchMedia(media);
  const subscribe = (listener: () => void) => {
    list.addEventListener("change", listener);
    return () => list.removeEventListener("change", listener);
  };
  return () => useSyncExternalStore(subscribe, () => list.matches);
}

/** Whether the screen is a phone's, under 768 px: the sidebar is an overlay there, and cards are closed. */
export const useIsMobile = windowIs(`(max-width: ${limits.mobileBreakpointPx - 0.02}px)`);

/** Whether an open sidebar leaves a page its room: from 1024 px on. */
export const useIsWide = windowIs("(min-width: 64rem)");
