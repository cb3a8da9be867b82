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

/** Maximum number of rows on the page: browsers render nothing beyond about ten million pixels. */
const segmentRows = 20_000;
/** By how many rows the segment moves near one of its ends, and how near that is. */
const slideRows = 10_000;
const nearRows = 2_000;
const overscan = 5;

interface RowWindow {
  /** Indexes of the rows to render, in order, and their positions: px from the top of the list. */
  rows: readonly { index: number; top: number }[];
  /** Height of the list, in px. */
  height: number;
  /** Visible rows. */
  first: number;
  last: number;
}

/**
 * Determines which rows of equal height to render while the window scrolls. The page is at most 20,000 rows high: near an end it moves on
 * by rows and scrolls back by as much, so that nothing moves on screen and a million rows can be scrolled through.
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

  // The list has become shorter.
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
      // After a jump to the top of the page the first row is shown; otherwise the visible rows stay in place.
      const back = window.scrollY <= top ? base : Math.min(slideRows, base);
      scrollBy.current = window.scrollY <= top ? 0 : back * rowPx;
      setBase(base - back);
    }
  }, [startIndex, endIndex, base, count, rowPx, top]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the rows have moved.
  useLayoutEffect(() => {
    if (scrollBy.current !== 0) window.scrollBy({ top: scrollBy.current, behavior: "instant" });
    scrollBy.current = 0;
  }, [base]);

  return {
    // The same rows are the same list, so that effects that depend on it do not wait for another one.
    rows: useMemo(
      () => items.map(({ index, start }) => ({ index: base + index, top: start - top })),
      [items, base, top],
    ),
    height: rows.getTotalSize(),
    first: base + startIndex,
    last: base + endIndex,
  };
}

/** The next page is requested this many rows before the end of the loaded ones. */
const nearEnd = 30;
const gapPx = 10;

interface VirtualRowsProps<T> {
  items: readonly T[];
  keyOf: (item: T) => number;
  label: string;
  busy: boolean;
  estimatePx: number;
  renderRow: (item: T) => ReactNode;
  /** The last row is near. */
  onNearEnd: () => void;
  /** A row that stays rendered at any scroll position, because it is playing; -1 for none. */
  keptIndex: number;
}

/** A list of any length of which only the rows near the screen are rendered. The window scrolls. */
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
    // Rows are positioned elements, so the roles are explicit.
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
