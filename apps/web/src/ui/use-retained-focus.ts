import { useEffect } from "react";

/** Time for whoever removed the focused control to put the focus where it belongs: a dialog that closes, a page that comes. */
const graceMs = 120;
const tabbable =
  "a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled), summary, [tabindex='0']";

/** What had the focus when a key was last pressed, with what it stood in and where, for when it is gone. */
interface Place {
  element: HTMLElement;
  ancestors: HTMLElement[];
  box: DOMRect;
}

function placeOf(element: HTMLElement): Place {
  const ancestors: HTMLElement[] = [];
  for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) ancestors.push(up);
  return { element, ancestors, box: element.getBoundingClientRect() };
}

/** The control nearest to where the lost one was, of the closest part of the page that is still there and has any. */
function neighbourOf({ ancestors, box }: Place): HTMLElement | undefined {
  const distance = (other: HTMLElement) => {
    const { x, y } = other.getBoundingClientRect();
    return Math.hypot(x - box.x, y - box.y);
  };
  for (const ancestor of ancestors.filter(({ isConnected }) => isConnected)) {
    const around = [...ancestor.querySelectorAll<HTMLElement>(tabbable)].filter(
      (control) =>
        control.tabIndex >= 0 &&
        (control.checkVisibility?.() ?? true) &&
        !control.closest("[inert], [aria-hidden=true]"),
    );
    const [nearest] = around.sort((a, b) => distance(a) - distance(b));
    if (nearest) return nearest;
  }
  return undefined;
}

/**
 * A control that takes itself off the page when it is pressed (a filter's cross, the last row of a list) would leave whoever works by
 * keys at the top of the page: the focus goes to its neighbour. Pointers are left alone.
 */
export function useRetainedFocus(): void {
  useEffect(() => {
    let place: Place | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onKeyDown = () => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && activeElement !== document.body)
        place = placeOf(activeElement);
    };
    const onPointerDown = () => {
      place = null;
    };
    const isLost = () =>
      place !== null && !place.element.isConnected && document.activeElement === document.body;
    const observer = new MutationObserver(() => {
      if (!isLost()) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (place && isLost()) neighbourOf(place)?.focus();
      }, graceMs);
    });
    document.addEventListener("keydown", onKeyDown, true);
    document.addEventListener("pointerdown", onPointerDown, true);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("keydown", onKeyDown, true);
      document.removeEventListener("pointerdown", onPointerDown, true);
      observer.disconnect();
      clearTimeout(timer);
    };
  }, []);
}
