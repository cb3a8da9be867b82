import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { PagedRows } from "../lib/long-list/use-paged-rows.ts";
import { layoutOf, type RowLayout, type RowSizes, rowPx } from "./table.tsx";
import { useRowWindow } from "./virtual-rows.tsx";

/** A row's position: its index, layout, px from the top of the list, and height. */
export interface RowPosition {
  readonly index: number;
  readonly layout: RowLayout;
  readonly top: number;
  readonly height: number;
}

interface LongTableProps<T> {
  rows: PagedRows<T>;
  /** Number of rows in the list; null if not all were counted. */
  total: number | null;
  /** The rows still belong to the previous filters. */
  busy: boolean;
  label: string;
  sizes: RowSizes;
  renderHead: (layout: RowLayout) => ReactNode;
  /**
   * Renders a row, positioned by `transform` in an element with `data-row`; null while it loads, or during fast scrolling. Arrow keys move
   * between rows to controls with the same `data-control`.
   */
  renderRow: (row: T | null, place: RowPosition) => ReactNode;
  /** An arrow key with Shift moved the focus to a row. */
  onShiftMove?: (index: number) => void;
}

/** Any number of rows, or cards on narrow screens, of which only those near the screen are rendered. The window scrolls. */
export function LongTable<T>({ label, total, busy, renderHead, ...list }: LongTableProps<T>) {
  const table = useRef<HTMLDivElement>(null);
  const [layout, setLayout] = useState<RowLayout>("table");
  const { sizes } = list;
  useLayoutEffect(() => {
    const { current } = table;
    if (!current) return;
    const measure = () =>
      setLayout(layoutOf(current.getBoundingClientRect().width || window.innerWidth, sizes));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [sizes]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are positioned elements, so the roles are explicit.
    <div
      ref={table}
      role="table"
      aria-label={label}
      aria-busy={busy}
      aria-rowcount={total === null ? -1 : total + 1}
      className="rounded-xl border bg-surface shadow-card"
    >
      {renderHead(layout)}
      {/* Remounted if the height of the rows changes. */}
      <Rows key={layout} layout={layout} {...list} />
    </div>
  );
}

type RowsProps<T> = Pick<LongTableProps<T>, "rows" | "sizes" | "renderRow" | "onShiftMove"> & {
  layout: RowLayout;
};

/** With more than this many new rows at once their content is rendered afterwards, so that a jump does not delay the next one. */
const jumpRows = 8;

function Rows<T>({ layout, rows, sizes, renderRow, onShiftMove }: RowsProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  const [focusedRow, setFocusedRow] = useState<number | null>(null);
  const height = rowPx(layout, sizes);
  const shown = useRowWindow(list, { count: rows.count, rowPx: height, keptRow: focusedRow });
  const filled = new Set(useDeferredValue(shown.rows).map(({ index }) => index));
  const isJump = shown.rows.filter(({ index }) => !filled.has(index)).length > jumpRows;
  const { onView } = rows;
  const { first, last } = shown;
  useEffect(() => onView(first, last), [onView, first, last]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the table.
    <div
      ref={list}
      role="rowgroup"
      className="relative overflow-clip rounded-b-xl"
      style={{ height: shown.height }}
      onFocus={({ target }) => setFocusedRow(rowOf(target))}
      onBlur={({ relatedTarget }) => relatedTarget || setFocusedRow(null)}
      onKeyDown={(event) => moveFocus(event, onShiftMove)}
    >
      {shown.rows.map(({ index, top }) => (
        <Fragment key={index}>
          {renderRow(isJump && !filled.has(index) ? null : rows.rowAt(index), { index, layout, top, height })}
        </Fragment>
      ))}
    </div>
  );
}

function rowOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  return row ? Number(row.dataset.row) : null;
}

/** Arrow keys move between rows to the same control. */
function moveFocus(event: KeyboardEvent<HTMLElement>, onShiftMove?: (index: number) => void) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const control = event.target instanceof HTMLElement ? event.target.dataset.control : undefined;
  const from = rowOf(event.target);
  if (step === undefined || control === undefined || from === null) return;
  const next = event.currentTarget.querySelector<HTMLElement>(
    `[data-row="${from + step}"] [data-control="${control}"]`,
  );
  if (!next) return;
  event.preventDefault();
  next.focus();
  if (event.shiftKey) onShiftMove?.(from + step);
}
