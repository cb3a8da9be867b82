import { type MouseEvent, memo, type ReactNode, useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { cn } from "../lib/cn.ts";
import { useMessages } from "../lib/i18n.ts";
import type { PagedRows } from "../lib/long-list/use-paged-rows.ts";
import type { RowSelection } from "../lib/long-list/use-row-selection.ts";
import { useWidth } from "../lib/use-width.ts";
import { SelectBox } from "./checkbox.tsx";
import { LongTable, type RowPosition } from "./long-table.tsx";
import { uiMessages } from "./messages.ts";
import { headClasses, type RowLayout, type RowSizes, SortButton } from "./table.tsx";

/** Sort orders of a column by their names in the address, and the one of the first press. */
interface ColumnSort<S extends string> {
  up?: S;
  down?: S;
  first: S;
}

export interface ListColumn<T, S extends string = string> {
  key: string;
  label: string;
  /** In rem: its minimum width. With `grow` it gets this share of the remaining width. */
  width: number;
  grow?: number;
  isEnd?: boolean;
  sort?: ColumnSort<S>;
  cell: (row: T, layout: RowLayout) => ReactNode;
  /** Content of more than one line, which truncates itself. */
  isFree?: boolean;
}

/** Layout of a row in a list that is too narrow for columns: the card's classes, and the position of each cell. */
export interface ListCard {
  classes: string;
  places: Readonly<Record<string, string>>;
}

export interface ListTableProps<T, S extends string> {
  rows: PagedRows<T>;
  /** Number of rows in the list; null if not all were counted. */
  total: number | null;
  /** The rows still belong to the previous filters. */
  busy: boolean;
  label: string;
  /** In the order of display; columns that do not fit are omitted, the first one never. */
  columns: readonly ListColumn<T, S>[];
  /** The last column, which is always shown. */
  actions?: ListColumn<T, S>;
  sizes: RowSizes;
  /** If given, all columns are shown once the list has their width (`sizes`), and cards below that; otherwise those that fit. */
  card?: ListCard | undefined;
  sort?: S;
  onSort?: (sort: S) => void;
  selection?: RowSelection;
  /** Name of the row's checkbox. */
  selectLabel?: (row: T) => string;
  /** Sticky position of the head. */
  headClasses?: string;
}

/** Rows of one line, in rem: 40 px, 44 on touch screens (like `pointer-coarse` in the styles); they have columns at any width. */
export const lineSizes = (): RowSizes => {
  const line = window.matchMedia("(pointer: coarse), (width < 40rem)").matches ? 2.75 : 2.5;
  return { tableMin: 0, height: { table: line, cards: line } };
};

const boxWidth = 2.75;
const gap = 0.75;

/** The columns that fit, in order. */
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
 * The rows of every list: a head that sorts, checkboxes (Shift selects from the last one to this one), as many columns as fit, or cards.
 * Arrow keys move between rows to controls with the same `data-control`.
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
    // Recorded tables show all of their columns from a certain width on.
    const fit = card ? columns : fitting(columns, room - taken);
    const all = actions ? [...fit, actions] : fit;
    const first = hasBoxes ? [`${boxWidth}rem`] : [];
    return { shown: all, tracks: [...first, ...all.map(trackOf)].join(" ") };
  }, [width, columns, actions, hasBoxes, card]);
  // One stable function, so that a selection rerenders only the rows that it changes.
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

/**
 * The column heads. Above cards they are for screen readers only, and also on a phone if only the first column is shown and nothing is
 * selected.
 */
function ListHead<S extends string>(props: ListHeadProps<S>) {
  const { layout, columns, tracks, hasBoxes, sort, onSort, className } = props;
  const t = useMessages(uiMessages);
  const isTable = layout === "table";
  return (
    // biome-ignore lint/a11y/useSemanticElements: the rows below are positioned elements, so these are no table's either.
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

/** The column's first order, then the other one. */
function nextOrder<S extends string>({ up, down, first }: ColumnSort<S>, sort: S | undefined): S {
  const second = (first === up ? down : up) ?? first;
  return sort === first ? second : first;
}

// Shift with a click would select the text in between.
const keepText = (event: MouseEvent) => {
  if (event.shiftKey) event.preventDefault();
};

interface ListRowProps<T> extends RowPosition {
  /** Null while it loads, or during fast scrolling. */
  row: T | null;
  columns: readonly Pick<ListColumn<T>, "key" | "cell" | "isEnd" | "isFree">[];
  tracks: string;
  card: ListCard | undefined;
  /** Undefined if rows cannot be selected. */
  isSelected: boolean | undefined;
  isLocked: boolean | undefined;
  selectLabel: string;
  onToggle: (index: number, isRange: boolean) => void;
}

/**
 * One row, or card. Single-line rows render only their cells, because the number of elements matters when a screen of them appears at once.
 */
function Row<T>(props: ListRowProps<T>) {
  const { index, row, layout, top, height, columns, tracks, card, isSelected } = props;
  const isTable = layout === "table";
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: rows are positioned; the controls inside have the focus.
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
