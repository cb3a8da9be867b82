import { type RefObject, useLayoutEffect, useRef } from "react";

/** The beginning of a list that scrolls with the page: where one is taken to (`toTop`), also when another list (`key`) takes its place. */
export function useListTop(key: string): { top: RefObject<HTMLDivElement | null>; toTop: () => void } {
  const top = useRef<HTMLDivElement>(null);
  const toTop = () => {
    const { current } = top;
    if (current && current.getBoundingClientRect().top < 0) current.scrollIntoView();
  };
  // Another list is read from its beginning.
  const shown = useRef(key);
  useLayoutEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    toTop();
  });
  return { top, toTop };
}
