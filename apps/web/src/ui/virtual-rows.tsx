import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";

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
