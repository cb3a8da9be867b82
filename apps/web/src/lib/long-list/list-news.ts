import type { Page } from "../query-client.ts";

interface Row {
  readonly id: number;
}

/** What a list that is being read does not show yet; `count` 0: rows changed their places. */
export interface ListNews<T> {
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
export function newsOf<T extends Row>(
  known: Page<T[]>,
  first: Page<T[]>,
  isNewestFirst: boolean,
): ListNews<T> | null {
  const ids = new Set(known.items.map(({ id }) => id));
  const above = first.items.findIndex(({ id }) => ids.has(id));
  const count = above === -1 ? first.items.length : above;
  if (isNewestFirst && count > 0) return { first, count, isMany: above === -1 && first.nextCursor !== null };
  return first.total === known.total && !hasLeft(known, first) ? null : { first, count: 0, isMany: false };
}

/** Whether a row of the page stands there no more: its filter or its order has another place for it. */
export function hasLeft<T extends Row>(known: Page<T[]>, fresh: Page<T[]>): boolean {
  const ids = new Set(fresh.items.map(({ id }) => id));
  const last = known.items.findLastIndex(({ id }) => ids.has(id));
  // Those after the last known one may have been pushed to the next page.
  return known.items.slice(0, last + 1).some(({ id }) => !ids.has(id));
}
