import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import type { Page } from "../query-client.ts";
import { type ListSource, listPage, readPageNow, rereadFirstReads } from "./list-pages.ts";
import { useKeyedState } from "./use-paged-rows.ts";

const pauseMs = 2_000;

interface FreshRowsOptions {
  /** Cursors of the pages on screen. */
  cursors: readonly (string | null)[];
  /** Changes with every change of the list's rows; 0 before it is known. */
  signal: number;
  /** New rows come first. */
  isNewestFirst: boolean;
}

/**
 * Keeps the rows on screen up to date without moving them: whenever `signal` changes, the visible pages are fetched and their rows replaced
 * in place. Rows that would move or are new are counted, to be shown on request.
 */
export function useFreshRows<T extends { id: number }>(
  source: ListSource<T>,
  { cursors, signal, isNewestFirst }: FreshRowsOptions,
) {
  const client = useQueryClient();
  const [newItems, setNewItems] = useKeyedState<NewItems<T> | null>(JSON.stringify(source.query), null);
  const seen = useRef(signal);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const firstKey = listPage(source, null).queryKey;

  const refresh = useEffectEvent(async () => {
    try {
      rereadFirstReads(client, source.name);
      const first = await readPageNow(client, source, null);
      const known = client.getQueryData(firstKey);
      if (known) setNewItems(() => findNewItems(known, first, isNewestFirst));
      client.setQueryData(firstKey, (page) => page && freshenRows(page, first));
      for (const cursor of cursors.filter((each) => each !== null)) {
        const key = listPage(source, cursor).queryKey;
        const fresh = await readPageNow(client, source, cursor);
        const shown = client.getQueryData(key);
        if (shown && hasLeft(shown, fresh)) setNewItems((now) => now ?? { first, count: 0, isMany: false });
        client.setQueryData(key, (page) => page && freshenRows(page, fresh));
      }
    } catch {
      // The list stays as it is; the next event tries again.
    }
  });

  useEffect(() => {
    const before = seen.current;
    seen.current = signal;
    // From 0 it is the first value, not a change.
    if (before === signal || before === 0) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void refresh();
    }, pauseMs);
  }, [signal]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );

  function show(): void {
    if (newItems) client.setQueryData(firstKey, newItems.first);
    setNewItems(() => null);
  }
  return { newItems, show };
}

interface Row {
  readonly id: number;
}

/** Changes that a list does not show yet; `count` 0 means that rows have moved. */
interface NewItems<T> {
  readonly first: Page<T[]>;
  readonly count: number;
  /** At least a page of new rows. */
  readonly isMany: boolean;
}

/** The page with updated rows in unchanged positions. */
export function freshenRows<T extends Row>(page: Page<T[]>, fresh: Page<T[]>): Page<T[]> {
  const byId = new Map(fresh.items.map((row) => [row.id, row]));
  return { ...page, items: page.items.map((row) => byId.get(row.id) ?? row) };
}

/** New rows of the first page compared to the one on screen; null if there are none. */
export function findNewItems<T extends Row>(
  known: Page<T[]>,
  first: Page<T[]>,
  isNewestFirst: boolean,
): NewItems<T> | null {
  const ids = new Set(known.items.map(({ id }) => id));
  const above = first.items.findIndex(({ id }) => ids.has(id));
  const count = above === -1 ? first.items.length : above;
  if (isNewestFirst && count > 0) return { first, count, isMany: above === -1 && first.nextCursor !== null };
  return first.total === known.total && !hasLeft(known, first) ? null : { first, count: 0, isMany: false };
}

/** Whether a row has left the page because it no longer matches the filter or order. */
function hasLeft<T extends Row>(known: Page<T[]>, fresh: Page<T[]>): boolean {
  const ids = new Set(fresh.items.map(({ id }) => id));
  const last = known.items.findLastIndex(({ id }) => ids.has(id));
  // Rows after the last known one may have moved to the next page.
  return known.items.slice(0, last + 1).some(({ id }) => !ids.has(id));
}
