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
import { layoutOf, type RowLayout, type RowSizes, rowPx } from "./cell-text.tsx";
import { useRowWindow } from "./virtual-rows.tsx";

/** Where a row stands: its number, how it looks, px from the top of the list and its height. */
export interface RowPosition {
  readonly index: number;
  readonly layout: RowLayout;
  readonly top: number;
  readonly height: number;
}

interface LongTableProps<T> {
  rows: PagedRows<T>;
  /** As many rows as the list has; null where they were not all counted. */
  total: number | null;
  /** These are the rows of the filters before. */
  busy: boolean;
  label: string;
  sizes: RowSizes;
  renderHead: (layout: RowLayout) => ReactNode;
  /**
   * A row, placed by `transform` in an element with `data-row`; null while it is being read, or flies past. Arrow keys lead from row to row
   * between controls of the same `data-control`.
   */
  renderRow: (row: T | null, place: RowPosition) => ReactNode;
  /** The focus moved to a row by an arrow with Shift. */
  onShiftMove?: (index: number) => void;
}

/** Rows of any number, or cards where it is narrow, of which only those near the screen are in the page. The window scrolls. */
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
    // biome-ignore lint/a11y/useSemanticElements: rows are placed by hand, so that the roles are given by hand as well.
    <div
      ref={table}
      role="table"
      aria-label={label}
      aria-busy={busy}
      aria-rowcount={total === null ? -1 : total + 1}
      className="rounded-xl border bg-surface shadow-card"
    >
      {renderHead(layout)}
      {/* Rows of another height are other rows. */}
      <Rows key={layout} layout={layout} {...list} />
    </div>
  );
}

type RowsProps<T> = Pick<LongTableProps<T>, "rows" | "sizes" | "renderRow" | "onShiftMove"> & {
  layout: RowLayout;
};

/** From so many new rows at once on they are filled after they have come: a jump must not hold up the next. */
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

/** Arrows go from row to row, to the same control. */
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
