import { useLayoutEffect } from "react";

type RootMark =
  | "hasBottomBar"
  | "hasMinimisedCall"
  | "hasActionBar"
  | "hasDialog"
  | "hasDock"
  | "hasLeadPanel"
  | "hasPhoneBar"
  | "isList"
  | "isUnconnected";

const marked = new Map<RootMark, number>();

function mark(name: RootMark, change: 1 | -1): void {
  const count = (marked.get(name) ?? 0) + change;
  marked.set(name, count);
  if (count > 0) document.documentElement.dataset[name] = "";
  else delete document.documentElement.dataset[name];
}

/**
 * Sets an attribute on `<html>` while the component is mounted, such as `data-has-bottom-bar`, so that styles.css can make room.
 * `:root:has()` would be evaluated at every change of the DOM.
 */
export function useRootMark(name: RootMark, isOn = true): void {
  useLayoutEffect(() => {
    if (!isOn) return;
    mark(name, 1);
    return () => mark(name, -1);
  }, [name, isOn]);
}
