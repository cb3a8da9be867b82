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
 * Marks the page, `<html data-has-bottom-bar>`, while the component is on screen, so that the rest of it makes room (styles.css). In CSS
 * alone it would be `:root:has()`, which the browser asks anew at every change of anything.
 */
export function useRootMark(name: RootMark, isOn = true): void {
  useLayoutEffect(() => {
    if (!isOn) return;
    mark(name, 1);
    return () => mark(name, -1);
  }, [name, isOn]);
}
