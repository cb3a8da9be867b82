import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";

/** Rows that one page holds at most: browsers draw nothing beyond some ten million pixels. */
const segmentRows = 20_000;
/** How far the segment moves when one comes near its end, and what near means. */
const slideRows = 10_000;
const nearRows = 2_000;
const overscan = 5;

interface RowWindow {
  /** Numbers of the rows to draw, in order, and where: px from the top of the list. */
  rows: readonly { index: number; top: number }[];
  /** Height of the list. */
  height: number;
  /** Rows on screen. */
  first: number;
  last: number;
}

/**
 * Which of a list's equally high rows to draw while the window scrolls. The page is as high as 20,000 rows at most: near the end of them
 * it slides on by rows and scrolls back by as much, so that nothing moves on screen and a million rows can be scrolled through.
 */
export function useRowWindow(
  list: RefObject<HTMLElement | null>,
  { count, rowPx, keptRow }: { count: number; rowPx: number; keptRow: number | null },
): RowWindow {
  const [top, setTop] = useState(0);
  const [base, setBase] = useState(0);
  const scrollBy = useRef(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current) setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);

  // A list that became shorter.
  const lowest = Math.min(base, Math.max(0, count - 1));
  if (lowest !== base) setBase(lowest);
  const kept = keptRow === null ? -1 : keptRow - base;
  const held = Math.min(count - base, segmentRows);
  const rows = useWindowVirtualizer({
    count: held,
    estimateSize: () => rowPx,
    overscan,
    scrollMargin: top,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return kept < 0 || kept >= held || shown.includes(kept)
        ? shown
        : [...shown, kept].sort((a, b) => a - b);
    },
  });
  const { startIndex = 0, endIndex = 0 } = rows.range ?? {};
  const items = rows.getVirtualItems();

  useLayoutEffect(() => {
    if (endIndex > segmentRows - nearRows && base + segmentRows < count) {
      scrollBy.current = -slideRows * rowPx;
      setBase(base + slideRows);
    } else if (base > 0 && startIndex < nearRows) {
      // Whoever jumped to the top of the page wants the first row; others are to see what they saw.
      const back = window.scrollY <= top ? base : Math.min(slideRows, base);
      scrollBy.current = window.scrollY <= top ? 0 : back * rowPx;
      setBase(base - back);
    }
  }, [startIndex, endIndex, base, count, rowPx, top]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after the rows have slid.
  useLayoutEffect(() => {
    if (scrollBy.current !== 0) window.scrollBy({ top: scrollBy.current, behavior: "instant" });
    scrollBy.current = 0;
  }, [base]);

  return {
    // The same rows are the same list: whoever waits for another one does not wait for ever.
    rows: useMemo(
      () => items.map(({ index, start }) => ({ index: base + index, top: start - top })),
      [items, base, top],
    ),
    height: rows.getTotalSize(),
    first: base + startIndex,
    last: base + endIndex,
  };
}
