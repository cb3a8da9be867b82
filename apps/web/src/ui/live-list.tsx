import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useMessages } from "../lib/i18n.ts";
import { type ListSource, listPage, rereadFirstReads } from "../lib/long-list/list-pages.ts";
import { useFreshRows } from "../lib/long-list/use-fresh-rows.ts";
import { type PagedRows, usePagedRows } from "../lib/long-list/use-paged-rows.ts";
import { type RowSelection, useRowSelection } from "../lib/long-list/use-row-selection.ts";
import { NewItemsPill, RowsFailed } from "./list-states.tsx";
import { ListTable, type ListTableProps } from "./list-table.tsx";
import { uiMessages } from "./messages.ts";

/** State of the rows for the elements around them. */
export interface ListedRows<T> {
  rows: PagedRows<T>;
  /** Number of rows in the list; null if not all were counted. */
  exact: number | null;
  selection: RowSelection;
}

interface LiveListProps<T extends { id: number }, S extends string>
  extends Omit<ListTableProps<T, S>, "rows" | "total" | "selection"> {
  source: ListSource<T>;
  /** Changes whenever the rows have to be reloaded; 0 before it is known. */
  signal: number;
  isNewestFirst: boolean;
  /** The server's count; it may end with '+'. */
  total: string | null;
  /** Text for the number of new rows; `isMany` for a page of them or more. */
  newItemsLabel: (count: number, isMany: boolean) => string;
  moreFailed: string;
  /** Rows have checkboxes. */
  isSelecting?: boolean;
  /** Elements above and below the rows. */
  before?: (list: ListedRows<T>) => ReactNode;
  after?: (list: ListedRows<T>) => ReactNode;
}

/** The rows of a list that changes while it is read: visible rows stay in place, and new ones appear on a press. */
export function LiveList<T extends { id: number }, S extends string = string>(props: LiveListProps<T, S>) {
  const {
    source,
    signal,
    isNewestFirst,
    total,
    newItemsLabel,
    moreFailed,
    isSelecting,
    before,
    after,
    ...table
  } = props;
  const t = useMessages(uiMessages);
  const key = JSON.stringify(source.query);
  const rows = usePagedRows(source);
  const { top, toTop } = useListTop(key);
  const selection = useRowSelection(key, {
    isLocked: table.busy,
    idAt: (index) => rows.rowAt(index)?.id ?? null,
  });
  const { newItems, show } = useFreshRows(source, { cursors: rows.cursors, signal, isNewestFirst });
  const exact = total !== null && /^\d+$/.test(total) ? Number(total) : null;
  const list = { rows, exact, selection };
  return (
    <div ref={top} className={table.busy ? "scroll-mt-20 opacity-60 transition-opacity" : "scroll-mt-20"}>
      {before?.(list)}
      {newItems ? (
        <NewItemsPill
          onShow={() => {
            show();
            toTop();
          }}
        >
          {newItems.count === 0 ? t("listChanged") : newItemsLabel(newItems.count, newItems.isMany)}
        </NewItemsPill>
      ) : null}
      <ListTable {...table} rows={rows} total={exact} {...(isSelecting && { selection })} />
      {rows.error ? <RowsFailed message={moreFailed} error={rows.error} onRetry={rows.retry} /> : null}
      {after?.(list)}
    </div>
  );
}

/**
 * The first page for the current filters. The previous rows (`isOld`) stay until the new ones arrive. `signal` changes with every event
 * about the rows: a list with rows updates them in place (`useFreshRows`), an empty one is fetched again.
 */
export function useFoundList<T, Q extends object>(input: {
  query: Q;
  sourceOf: (query: Q) => ListSource<T>;
  signal: number;
}) {
  const { query, sourceOf, signal } = input;
  const client = useQueryClient();
  const found = useQuery({ ...listPage(sourceOf(query), null), placeholderData: keepPreviousData });
  const [shown, setShown] = useState(query);
  const isOld = found.isPlaceholderData;
  if (!isOld && found.data && JSON.stringify(query) !== JSON.stringify(shown)) setShown(query);

  const onSignal = useEffectEvent(() => {
    if (found.data === undefined || isOld) rereadFirstReads(client, sourceOf(query).name);
    else if (found.data.items.length === 0) void found.refetch();
  });
  useEffect(() => {
    if (signal > 0) onSignal();
  }, [signal]);

  return { found, isOld, shownQuery: isOld ? shown : query };
}

/** A ref for the start of a list that scrolls with the page, and a function that scrolls there; also done when the list changes (`key`). */
function useListTop(key: string): { top: RefObject<HTMLDivElement | null>; toTop: () => void } {
  const top = useRef<HTMLDivElement>(null);
  const toTop = () => {
    const { current } = top;
    if (current && current.getBoundingClientRect().top < 0) current.scrollIntoView();
  };
  // Another list starts at its top.
  const shown = useRef(key);
  useLayoutEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    toTop();
  });
  return { top, toTop };
}
