import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { useKeyedState } from "../use-keyed-state.ts";
import { freshenRows, hasLeft, type ListNews, newsOf } from "./list-news.ts";
import { type ListSource, listPage, readPageNow } from "./list-pages.ts";

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
 * stand. Nothing moves; what would is told as news, to be shown on request.
 */
export function useFreshRows<T extends { id: number }>(
  source: ListSource<T>,
  { cursors, signal, isNewestFirst }: FreshRowsOptions,
) {
  const client = useQueryClient();
  const [news, setNews] = useKeyedState<ListNews<T> | null>(JSON.stringify(source.query), null);
  const seen = useRef(signal);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const firstKey = listPage(source, null).queryKey;

  const refresh = useEffectEvent(async () => {
    try {
      const first = await readPageNow(client, source, null);
      const known = client.getQueryData(firstKey);
      if (known) setNews(() => newsOf(known, first, isNewestFirst));
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
