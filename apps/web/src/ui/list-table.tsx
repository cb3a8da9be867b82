import { type MouseEvent, memo, type ReactNode, useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { cn } from "../lib/cn.ts";
import { useMessages } from "../lib/i18n.ts";
import type { PagedRows } from "../lib/long-list/use-paged-rows.ts";
import type { RowSelection } from "../lib/long-list/use-row-selection.ts";
import { useWidth } from "../lib/use-width.ts";
import type { RowLayout, RowSizes } from "./cell-text.tsx";
import { SelectBox } from "./checkbox.tsx";
import { LongTable, type RowPosition } from "./long-table.tsx";
import { uiMessages } from "./messages.ts";
import { headClasses, SortButton } from "./table.tsx";

/** How a column sorts: the orders it leads to, by what they are called in the address, and the one of the first press. */
interface ColumnSort<S extends string> {
  up?: S;
  down?: S;
  first: S;
}

export interface ListColumn<T, S extends string = string> {
  key: string;
  label: string;
  /** In rem: its narrowest width. With `grow` it takes so many parts of what is left. */
  width: number;
  grow?: number;
  isEnd?: boolean;
  sort?: ColumnSort<S>;
  cell: (row: T, layout: RowLayout) => ReactNode;
  /** More than a line: it is cut off by itself. */
  isFree?: boolean;
}

/** How a row stands where the list is too narrow for columns: the card's own classes, and where on it each cell is. */
export interface ListCard {
  classes: string;
  places: Readonly<Record<string, string>>;
}

export interface ListTableProps<T, S extends string> {
  rows: PagedRows<T>;
  /** As many rows as the list has; null where they were not all counted. */
  total: number | null;
  /** These are the rows of the filters before. */
  busy: boolean;
  label: string;
  /** From the first to the last; those for which there is no room are left out, the first one never. */
  columns: readonly ListColumn<T, S>[];
  /** The last column, for which there is always room. */
  actions?: ListColumn<T, S>;
  sizes: RowSizes;
  /** With it all columns stand as soon as the list has their width (`sizes`), and cards before; without, those for which there is room. */
  card?: ListCard | undefined;
  sort?: S;
  onSort?: (sort: S) => void;
  selection?: RowSelection;
  /** What its box is called. */
  selectLabel?: (row: T) => string;
  /** Where the head stands while one scrolls. */
  headClasses?: string;
}

/** Rows of one line, in rem: 40 px, 44 where fingers press (as `pointer-coarse` of the styles); they have columns however narrow the list is. */
export const lineSizes = (): RowSizes => {
  const line = window.matchMedia("(pointer: coarse), (width < 40rem)").matches ? 2.75 : 2.5;
  return { tableMin: 0, height: { table: line, cards: line } };
};

const boxWidth = 2.75;
const gap = 0.75;

/** The columns for which there is room, in order. */
function fitting<T, S extends string>(columns: readonly ListColumn<T, S>[], rem: number) {
  let left = rem;
  return columns.filter(({ width }, index) => {
    if (index > 0 && width + gap > left) return false;
    left -= width + gap;
    return true;
  });
}

const trackOf = ({ width, grow }: { width: number; grow?: number | undefined }) =>
  grow ? `minmax(${width}rem,${grow}fr)` : `${width}rem`;

/**
 * The rows of every list: a head that sorts, boxes that select (with Shift from the last one to this), columns as far as there is room, or
 * cards. Arrow keys lead from row to row between controls of the same `data-control`.
 */
export function ListTable<T extends { id: number }, S extends string = string>(props: ListTableProps<T, S>) {
  const { rows, total, busy, label, columns, actions, sizes, selection, card } = props;
  const hasBoxes = selection !== undefined;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const { shown, tracks } = useMemo(() => {
    const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const room = (width || window.innerWidth) / remPx - 1.5;
    const taken = (hasBoxes ? boxWidth : 0) + (actions ? actions.width + gap : 0);
    // Recorded tables have a width from which on all of their columns stand.
    const fit = card ? columns : fitting(columns, room - taken);
    const all = actions ? [...fit, actions] : fit;
    const first = hasBoxes ? [`${boxWidth}rem`] : [];
    return { shown: all, tracks: [...first, ...all.map(trackOf)].join(" ") };
  }, [width, columns, actions, hasBoxes, card]);
  // The rows keep one function, so that a selection draws only those anew that it changes.
  const latest = useRef(selection);
  useLayoutEffect(() => {
    latest.current = selection;
  });
  const onToggle = useCallback(
    (index: number, isRange: boolean) => latest.current?.toggle(index, { isRange }),
    [],
  );
  const { selectLabel } = props;
  return (
    <div ref={box}>
      <LongTable
        rows={rows}
        total={total}
        busy={busy}
        label={label}
        sizes={sizes}
        renderHead={(layout) => (
          <ListHead
            layout={layout}
            columns={shown}
            tracks={tracks}
            hasBoxes={hasBoxes}
            sort={props.sort}
            onSort={props.onSort}
            className={props.headClasses}
          />
        )}
        renderRow={(row, place) => (
          <ListRow
            {...place}
            row={row}
            columns={shown}
            tracks={tracks}
            card={card}
            isSelected={selection && row !== null && selection.ids.has(row.id)}
            isLocked={selection?.isLocked}
            selectLabel={row && selectLabel ? selectLabel(row) : ""}
            onToggle={onToggle}
          />
        )}
        onShiftMove={(index) => onToggle(index, true)}
      />
    </div>
  );
}

interface ListHeadProps<S extends string> {
  layout: RowLayout;
  columns: readonly Pick<ListColumn<never, S>, "key" | "label" | "isEnd" | "sort">[];
  tracks: string;
  hasBoxes: boolean;
  sort: S | undefined;
  onSort: ((sort: S) => void) | undefined;
  className: string | undefined;
}

/** The column heads; over cards they are for screen readers only, and on a phone where nothing but the first column stands and nothing is selected. */
function ListHead<S extends string>(props: ListHeadProps<S>) {
  const { layout, columns, tracks, hasBoxes, sort, onSort, className } = props;
  const t = useMessages(uiMessages);
  const isTable = layout === "table";
  return (
    // biome-ignore lint/a11y/useSemanticElements: the rows below are placed by hand, so that these are no table's either.
    <div
      role="rowgroup"
      className={
        isTable ? cn("sticky top-(--chrome) z-10", !hasBoxes && "max-sm:sr-only", className) : "sr-only"
      }
    >
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above. */}
      <div
        role="row"
        aria-rowindex={1}
        style={{ gridTemplateColumns: tracks }}
        className={cn(headClasses, "grid items-center gap-x-3 rounded-t-xl pr-3", !hasBoxes && "pl-4")}
      >
        {hasBoxes ? (
          // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above.
          <div role="columnheader">
            <span className="sr-only">{t("selectColumn")}</span>
          </div>
        ) : null}
        {columns.map(({ key, label, isEnd, sort: sorts }) => {
          const order = sorts && onSort && isTable ? sorts : null;
          const state = !order
            ? undefined
            : sort === order.up
              ? "ascending"
              : sort === order.down
                ? "descending"
                : "none";
          return (
            // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above.
            <div
              key={key}
              role="columnheader"
              aria-sort={state}
              className={cn("min-w-0 truncate", isEnd && "text-right")}
            >
              {order && state && onSort ? (
                <SortButton label={label} state={state} onPress={() => onSort(nextOrder(order, sort))} />
              ) : (
                label
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The column's first order, then its other one. */
function nextOrder<S extends string>({ up, down, first }: ColumnSort<S>, sort: S | undefined): S {
  const second = (first === up ? down : up) ?? first;
  return sort === first ? second : first;
}

// Shift with a click would select the text between.
const keepText = (event: MouseEvent) => {
  if (event.shiftKey) event.preventDefault();
};

interface ListRowProps<T> extends RowPosition {
  /** Null while it is being read, or flies past. */
  row: T | null;
  columns: readonly Pick<ListColumn<T>, "key" | "cell" | "isEnd" | "isFree">[];
  tracks: string;
  card: ListCard | undefined;
  /** Undefined where rows are not selected. */
  isSelected: boolean | undefined;
  isLocked: boolean | undefined;
  selectLabel: string;
  onToggle: (index: number, isRange: boolean) => void;
}

/** One row, or card. Single lines are the cells themselves: every element counts where a screen of them comes at once. */
function Row<T>(props: ListRowProps<T>) {
  const { index, row, layout, top, height, columns, tracks, card, isSelected } = props;
  const isTable = layout === "table";
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: rows are placed by hand; the focus is on what stands in them.
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-row={index}
      style={{
        transform: `translateY(${top}px)`,
        height,
        ...(isTable && { gridTemplateColumns: tracks }),
      }}
      onMouseDown={keepText}
      className={cn(
        "absolute inset-x-0 top-0 grid scroll-mt-40 border-b contain-strict",
        isTable ? "items-center gap-x-3 pr-3 text-[0.8125rem] leading-5" : card?.classes,
        isTable && isSelected === undefined && "pl-4",
        isSelected ? "bg-primary-soft/45" : row && "hover:bg-muted/60",
      )}
    >
      {isSelected === undefined ? null : (
        // biome-ignore lint/a11y/useSemanticElements: as the row.
        <div
          role="cell"
          className={cn("relative z-1 grid place-items-center", !isTable && "row-span-2 self-start")}
        >
          {row ? (
            <SelectBox
              data-control="select"
              aria-label={props.selectLabel}
              isOff={props.isLocked}
              checked={isSelected}
              onChange={(event) =>
                props.onToggle(index, (event.nativeEvent as PointerEvent).shiftKey === true)
              }
              className="h-full max-h-11 min-h-9 pointer-coarse:min-h-11"
            />
          ) : null}
        </div>
      )}
      {!row ? (
        // biome-ignore lint/a11y/useSemanticElements: as the row.
        <div role="cell" className={isTable ? undefined : "col-span-2"}>
          <div aria-hidden className="h-4 w-2/3 rounded-md bg-muted" />
        </div>
      ) : (
        columns.map(({ key, cell, isEnd, isFree }) => (
          // biome-ignore lint/a11y/useSemanticElements: as the row.
          <div
            key={key}
            role="cell"
            className={
              isTable
                ? cn("min-w-0", !isFree && "truncate", isEnd && "text-right tabular-nums")
                : cn("min-w-0", card?.places[key])
            }
          >
            {cell(row, layout)}
          </div>
        ))
      )}
    </div>
  );
}

const ListRow = memo(Row) as typeof Row;
