import { type RefObject, useRef } from "react";

interface FocusHandlers {
  onOpenAutoFocus: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/**
 * Returns the focus to the element that had it before a dialog opened. Radix does so only for its own triggers, but our dialogs are opened
 * by state. `target` comes first, for an opener that no longer exists by then (a menu item).
 */
export function useReturnFocus(target?: RefObject<HTMLElement | null>): FocusHandlers {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      // If the focus was moved meanwhile, for example to the heading of the next page, it stays there.
      if (document.activeElement !== document.body) return;
      const element = [target?.current, opener.current].find((each) => each?.isConnected);
      // Both may have been removed meanwhile: the focus then moves to the page.
      const next = element && element !== document.body ? element : document.querySelector("main");
      if (next instanceof HTMLElement) next.focus();
    },
  };
}
