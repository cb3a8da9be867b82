import { type RefObject, useRef } from "react";
import { useWidth } from "./use-width.ts";

/** In px. */
const narrowPx = 540;

/** Whether the element `box` has no room for columns beside the first, which says then what others would. */
export function useNarrow(): { box: RefObject<HTMLDivElement | null>; isNarrow: boolean } {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  return { box, isNarrow: width > 0 && width < narrowPx };
}
