import { useQueries } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { type ListSource, listPage } from "./list-pages.ts";

/** Start of a page: its cursor, and the number of rows before it. */
interface PageStart {
  readonly cursor: string | null;
  readonly from: number;
}

/** The pages of a list as far as it was fetched, without their rows; `end` is the number of rows once the last page is known. */
interface PageChain {
  readonly starts: readonly PageStart[];
  readonly end: number | null;
}

export const unreadChain: PageChain = { starts: [{ cursor: null, from: 0 }], end: null };

/**
 * Adds the start of the page after `index`. If a page that was fetched again ends elsewhere than before, the known pages after it are
 * dropped.
 */
export function linkPage(
  chain: PageChain,
  index: number,
  page: { rows: number; nextCursor: string | null },
): PageChain {
  const start = chain.starts[index];
  if (!start) return chain;
  const end = start.from + page.rows;
  const upTo = chain.starts.slice(0, index + 1);
  if (page.nextCursor === null) {
    return chain.end === end && upTo.length === chain.starts.length ? chain : { starts: upTo, end };
  }
  const next = chain.starts[index + 1];
  if (next?.cursor === page.nextCursor && next.from === end) return chain;
  return { starts: [...upTo, { cursor: page.nextCursor, from: end }], end: null };
}

/** Indexes of the known pages with rows from `first` to `last`. */
export function pagesBetween({ starts }: PageChain, first: number, last: number): readonly number[] {
  const pages: number[] = [];
  for (let index = pageOf(starts, first); index < starts.length; index += 1) {
    if (pages.length > 0 && (starts[index]?.from ?? 0) > last) break;
    pages.push(index);
  }
  return pages;
}

/** The page that contains a row; the last known one for rows beyond. */
function pageOf(starts: readonly PageStart[], row: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle]?.from ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Rows beyond the screen that are fetched ahead, and rows whose pages are kept. */
const readAhead = 400;
const kept = 2_000;
/** Placeholder rows at the end for rows that are not fetched yet. */
const unreadRows = 12;
/** The visible range is reported in steps of this many rows, as most scrolling needs no other pages. */
const step = 50;
const top = { first: 0, last: 0 };

export interface PagedRows<T> {
  /** Number of known rows, and placeholders at the end while there are more. */
  readonly count: number;
  /** Null for a row that is being fetched. */
  rowAt(index: number): T | null;
  /** The loaded rows, in order. */
  known(): readonly T[];
  /** All rows of the list are known. */
  readonly isWhole: boolean;
  /** Why a page near the screen could not be read, or null. */
  readonly error: Error | null;
  readonly retry: () => void;
  /** Reports the visible rows. */
  readonly onView: (first: number, last: number) => void;
  /** Cursors of the loaded pages in view. */
  readonly cursors: readonly (string | null)[];
}

/**
 * The rows of a list of any length. Pages near the screen are fetched and kept; of all others only the start is stored, so that they can be
 * fetched again. Memory does not grow with scrolling.
 */
export function usePagedRows<T>(source: ListSource<T>): PagedRows<T> {
  const key = JSON.stringify(source.query);
  const [chain, setChain] = useKeyedState(key, unreadChain);
  const [view, setView] = useKeyedState(key, top);
  const keptPages = pagesBetween(chain, Math.max(0, view.first - kept), view.last + kept);
  const wanted = pagesBetween(chain, Math.max(0, view.first - readAhead), view.last + readAhead);
  const results = useQueries({
    queries: keptPages.map((index) => ({
      ...listPage(source, chain.starts[index]?.cursor ?? null),
      enabled: wanted.includes(index),
    })),
  });

  let linked = chain;
  const pages: { from: number; items: readonly T[] }[] = [];
  for (const [at, index] of keptPages.entries()) {
    const data = results[at]?.data;
    const start = linked.starts[index];
    if (!data || !start) continue;
    pages.push({ from: start.from, items: data.items });
    linked = linkPage(linked, index, { rows: data.items.length, nextCursor: data.nextCursor });
  }
  if (linked !== chain) setChain(() => linked);

  const failed = results.filter(({ isError, data }) => isError && !data);
  const onView = useCallback(
    (first: number, last: number) => {
      const next = { first: Math.floor(first / step) * step, last: Math.ceil(last / step) * step };
      setView((now) => (now.first === next.first && now.last === next.last ? now : next));
    },
    [setView],
  );
  return {
    count: linked.end ?? (linked.starts.at(-1)?.from ?? 0) + unreadRows,
    rowAt: (row) => {
      const page = pages.find(({ from, items }) => row >= from && row < from + items.length);
      return page?.items[row - page.from] ?? null;
    },
    known: () => pages.flatMap(({ items }) => items),
    isWhole: linked.end !== null,
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const { refetch } of failed) void refetch();
    },
    onView,
    cursors: wanted.map((index) => linked.starts[index]?.cursor ?? null),
  };
}

/** State that is reset when the key changes, without remounting the component (which would lose the focus). */
export function useKeyedState<T extends object | null>(key: string, initial: T) {
  const [held, setHeld] = useState({ key, value: initial });
  const value = held.key === key ? held.value : initial;
  const set = useCallback(
    (change: (now: T) => T) =>
      setHeld((now) => {
        const current = now.key === key ? now.value : initial;
        const next = change(current);
        return now.key === key && next === current ? now : { key, value: next };
      }),
    [key, initial],
  );
  return [value, set] as const;
}
