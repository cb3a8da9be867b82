import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { type ListSource, listPage, rereadFirstReads } from "./list-pages.ts";

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
export function useListTop(key: string): { top: RefObject<HTMLDivElement | null>; toTop: () => void } {
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
