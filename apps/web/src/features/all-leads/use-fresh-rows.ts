import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import type { AllLeadsSearch } from "./all-leads-search.ts";
import { freshenRows, hasLeft, type ListNews, newsOf } from "./list-news.ts";
import { leadPage, readPageNow } from "./queries.ts";
import { useKeyedState } from "./use-keyed-state.ts";

const pauseMs = 2_000;

/**
 * Keeps the rows on screen true while one reads: whenever `signal` changes, those that are read are fetched again and replaced where they
 * stand. Nothing moves; what would is told as news, to be shown on request.
 */
export function useFreshRows(query: AllLeadsSearch, cursors: readonly (string | null)[], signal: number) {
  const client = useQueryClient();
  const [news, setNews] = useKeyedState<ListNews | null>(JSON.stringify(query), null);
  const seen = useRef(signal);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const firstKey = leadPage(query, null).queryKey;

  const refresh = useEffectEvent(async () => {
    try {
      const first = await readPageNow(client, query, null);
      const known = client.getQueryData(firstKey);
      if (known) setNews(() => newsOf(known, first, query.sort === undefined));
      client.setQueryData(firstKey, (page) => page && freshenRows(page, first));
      for (const cursor of cursors.filter((each) => each !== null)) {
        const key = leadPage(query, cursor).queryKey;
        const fresh = await readPageNow(client, query, cursor);
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
