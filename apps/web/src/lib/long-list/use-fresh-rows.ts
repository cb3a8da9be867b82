import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import type { Page } from "../query-client.ts";
import { useKeyedState } from "../use-keyed-state.ts";
import { type ListSource, listPage, readPageNow, rereadFirstReads } from "./list-pages.ts";

const pauseMs = 2_000;

interface FreshRowsOptions {
  /** The pages that are read. */
  cursors: readonly (string | null)[];
  /** Changes with every change of the list's rows; 0 before it is known. */
  signal: number;
  /** What is new stands on top. */
  isNewestFirst: boolean;
}

/**
 * Keeps the rows on screen true while one reads: whenever `signal` changes, those that are read are fetched again and replaced where they
 * stand. Nothing moves; what would is counted, to be shown on request.
 */
export function useFreshRows<T extends { id: number }>(
  source: ListSource<T>,
  { cursors, signal, isNewestFirst }: FreshRowsOptions,
) {
  const client = useQueryClient();
  const [news, setNews] = useKeyedState<NewItems<T> | null>(JSON.stringify(source.query), null);
  const seen = useRef(signal);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const firstKey = listPage(source, null).queryKey;

  const refresh = useEffectEvent(async () => {
    try {
      rereadFirstReads(client, source.name);
      const first = await readPageNow(client, source, null);
      const known = client.getQueryData(firstKey);
      if (known) setNews(() => findNewItems(known, first, isNewestFirst));
      client.setQueryData(firstKey, (page) => page && freshenRows(page, first));
      for (const cursor of cursors.filter((each) => each !== null)) {
        const key = listPage(source, cursor).queryKey;
        const fresh = await readPageNow(client, source, cursor);
        const shown = client.getQueryData(key);
        if (shown && hasLeft(shown, fresh)) setNews((now) => now ?? { first, count: 0, isMany: false });
        client.setQueryData(key, (page) => page && freshenRows(page, fresh));
      }
    } catch {
      // The list stays as it is; the next event tries again.
    }
  });

  useEffect(() => {
    const before = seen.current;
    seen.current = signal;
    // 0: the first answer is no change.
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
    if (news) client.setQueryData(firstKey, news.first);
    setNews(() => null);
  }
  return { news, show };
}

interface Row {
  readonly id: number;
}

/** What a list that is being read does not show yet; `count` 0: rows changed their places. */
interface NewItems<T> {
  readonly first: Page<T[]>;
  readonly count: number;
  /** A page of them or more. */
  readonly isMany: boolean;
}

/** The page with its rows as they are now, each where it stands; nothing comes, goes or moves. */
export function freshenRows<T extends Row>(page: Page<T[]>, fresh: Page<T[]>): Page<T[]> {
  const byId = new Map(fresh.items.map((row) => [row.id, row]));
  return { ...page, items: page.items.map((row) => byId.get(row.id) ?? row) };
}

/** What the first page has that the one on screen has not; null where that is nothing. */
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

/** Whether a row of the page stands there no more: its filter or its order has another place for it. */
function hasLeft<T extends Row>(known: Page<T[]>, fresh: Page<T[]>): boolean {
  const ids = new Set(fresh.items.map(({ id }) => id));
  const last = known.items.findLastIndex(({ id }) => ids.has(id));
  // Those after the last known one may have been pushed to the next page.
  return known.items.slice(0, last + 1).some(({ id }) => !ids.has(id));
}
