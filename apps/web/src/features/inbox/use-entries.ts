import type { InboxEntry } from "@portal/contract/entities/inbox";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { InboxSearch } from "./inbox-search.ts";
import { entryPages, newestQuery, pageSize } from "./queries.ts";

/** An entry as shown in the list. */
export interface ShownEntry extends InboxEntry {
  /** No longer waiting; it keeps its place until the list is reloaded. */
  isDone: boolean;
}

/** Merges the loaded entries with the newest ones, and counts new entries. */
export function mergeEntries(
  read: readonly InboxEntry[],
  newest: readonly InboxEntry[] | undefined,
): { entries: ShownEntry[]; newCount: number } {
  const now = new Map(newest?.map((entry) => [entry.id, entry]));
  const known = new Set(read.map(({ id }) => id));
  // Entries older than all refetched ones may still be waiting.
  const oldest = newest && newest.length >= pageSize ? newest.at(-1)?.at : "";
  const entries = read.map((entry) => {
    const current = now.get(entry.id);
    if (current) return { ...current, isDone: false };
    return { ...entry, isDone: newest !== undefined && (oldest === undefined || entry.at > oldest) };
  });
  return { entries, newCount: newest?.filter(({ id }) => !known.has(id)).length ?? 0 };
}

/**
 * The list while the user works on it: new entries are only counted and offered by a button, answered ones keep their place. An empty list
 * shows new entries at once.
 */
export function useEntries(of: InboxSearch["of"]) {
  const pages = useInfiniteQuery(entryPages(of));
  const newest = useQuery(newestQuery(of));
  const read = pages.data?.pages.flatMap(({ items }) => items);
  const seen = new Map(read?.map((entry) => [entry.id, entry]));
  const { entries, newCount } = mergeEntries([...seen.values()], newest.data);
  const { refetch, isFetching } = pages;
  const isEmpty = pages.data !== undefined && entries.length === 0;
  useEffect(() => {
    if (isEmpty && newCount > 0 && !isFetching) void refetch();
  }, [isEmpty, newCount, isFetching, refetch]);
  return { pages, entries: pages.data ? entries : undefined, newCount };
}
