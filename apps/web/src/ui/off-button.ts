import type { SyntheticEvent } from "react";

function ignore(event: SyntheticEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Props, after all others, of a button that may not be pressed now: it says so, lets nothing through, and keeps the focus, which one that
 * is `disabled` loses.
 */
export const offButton = {
  "aria-disabled": true,
  onClick: ignore,
  onPointerDown: undefined,
  onKeyDown: undefined,
} as const;
