import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** The width of an element in px; 0 before layout. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const read = () => setWidth(current.clientWidth);
    read();
    const observer = new ResizeObserver(read);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** In px. */
const narrowPx = 540;

/** Whether the element `box` is too narrow for columns beside the first, which then shows their content. */
export function useNarrow(): { box: RefObject<HTMLDivElement | null>; isNarrow: boolean } {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  return { box, isNarrow: width > 0 && width < narrowPx };
}
