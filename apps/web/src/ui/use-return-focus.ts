import { type RefObject, useRef } from "react";

interface FocusHandlers {
  onOpenAutoFocus: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/**
 * Gives the focus back to what had it before a dialog opened. Radix does so only for its own triggers; ours are opened by state.
 * `target` goes first, for an opener that is gone by then (an item of a menu).
 */
export function useReturnFocus(target?: RefObject<HTMLElement | null>): FocusHandlers {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      // Whoever moved it on meanwhile, to the heading of the next page say, meant it.
      if (document.activeElement !== document.body) return;
      const element = [target?.current, opener.current].find((each) => each?.isConnected);
      // Both may have left the screen meanwhile: keys go on in the page.
      const next = element && element !== document.body ? element : document.querySelector("main");
      if (next instanceof HTMLElement) next.focus();
    },
  };
}
