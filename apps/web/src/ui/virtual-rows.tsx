import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";

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

/** Rows from the end of what is loaded at which the next page is asked for. */
const nearEnd = 30;
const gapPx = 10;

interface VirtualRowsProps<T> {
  items: readonly T[];
  keyOf: (item: T) => number;
  label: string;
  busy: boolean;
  estimatePx: number;
  renderRow: (item: T) => ReactNode;
  /** The reader comes near the last row. */
  onNearEnd: () => void;
  /** A row that stays in the page wherever one scrolls, because something goes on in it; -1 for none. */
  keptIndex: number;
}

/** A list of any length of which only the rows near the screen are in the page. The window scrolls. */
export function VirtualRows<T>(props: VirtualRowsProps<T>) {
  const { items, keyOf, label, busy, estimatePx, renderRow, keptIndex } = props;
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const { current } = list;
    if (!current) return;
    const measure = () => setTop(Math.round(current.getBoundingClientRect().top + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => estimatePx,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    gap: gapPx,
    overscan: 6,
    scrollMargin: top,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      if (keptIndex < 0 || shown.includes(keptIndex)) return shown;
      return [...shown, keptIndex].sort((a, b) => a - b);
    },
  });
  const shown = rows.getVirtualItems();
  const last = shown.filter(({ index }) => index !== keptIndex).at(-1)?.index ?? -1;
  const isNearEnd = last >= items.length - nearEnd;
  const onNearEnd = useEffectEvent(props.onNearEnd);
  useEffect(() => {
    if (isNearEnd && items.length > 0) onNearEnd();
  }, [isNearEnd, items.length]);
  return (
    // Rows are placed by hand, so that the roles are given by hand as well.
    // biome-ignore lint/a11y/useSemanticElements: a <ul> with positioned items loses its role in Safari.
    <div
      ref={list}
      role="list"
      aria-label={label}
      aria-busy={busy}
      className="relative"
      style={{ height: rows.getTotalSize() }}
    >
      {shown.map(({ index, key, start }) => {
        const item = items[index];
        return item === undefined ? null : (
          // biome-ignore lint/a11y/useSemanticElements: as above.
          <div
            key={key}
            ref={rows.measureElement}
            data-index={index}
            role="listitem"
            aria-posinset={index + 1}
            aria-setsize={items.length}
            className="absolute inset-x-0 top-0 contain-layout"
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {renderRow(item)}
          </div>
        );
      })}
    </div>
  );
}
