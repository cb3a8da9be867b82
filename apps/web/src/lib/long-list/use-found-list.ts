import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { type ListSource, listPage, rereadFirstReads } from "./list-pages.ts";

/**
 * The first page of what the filters find, and whose rows stand: those of the filters before (`isOld`) stay until the new ones are there.
 * `signal` moves with every event about the rows: a list that shows some keeps them (`useFreshRows`), an empty one is read again.
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

  const onNews = useEffectEvent(() => {
    if (found.data === undefined || isOld) rereadFirstReads(client, sourceOf(query).name);
    else if (found.data.items.length === 0) void found.refetch();
  });
  useEffect(() => {
    if (signal > 0) onNews();
  }, [signal]);

  return { found, isOld, shownQuery: isOld ? shown : query };
}

/** The beginning of a list that scrolls with the page: where one is taken to (`toTop`), also when another list (`key`) takes its place. */
export function useListTop(key: string): { top: RefObject<HTMLDivElement | null>; toTop: () => void } {
  const top = useRef<HTMLDivElement>(null);
  const toTop = () => {
    const { current } = top;
    if (current && current.getBoundingClientRect().top < 0) current.scrollIntoView();
  };
  // Another list is read from its beginning.
  const shown = useRef(key);
  useLayoutEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    toTop();
  });
  return { top, toTop };
}
