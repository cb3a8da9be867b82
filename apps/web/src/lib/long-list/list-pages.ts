import { pageHeaders } from "@portal/contract/entities/fields";
import { limits } from "@portal/contract/limits";
import type { Route, RouteResponse } from "@portal/contract/route";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { type QueryObject, request, toUrl } from "../api.ts";
import type { Page } from "../query-client.ts";

/** Page size from the second page on. */
const laterPageSize = 200;

/** A list of any length that is fetched page by page: its cache name, its filters and order, and how to fetch a page. */
export interface ListSource<T> {
  readonly name: string;
  readonly query: QueryObject;
  readonly read: (cursor: string | null, signal: AbortSignal) => Promise<Page<T[]>>;
}

type RowOf<R extends Route> = RouteResponse<R> extends readonly (infer T)[] ? T : never;

/** The list of a route with keyset pages (`limit`, `cursor`); equal queries share the cache. */
export function listSource<R extends Route>(name: string, route: R, query: object): ListSource<RowOf<R>> {
  return {
    name,
    query: { ...query },
    read: async (cursor, signal) => {
      const limit = cursor === null ? limits.pageSize : laterPageSize;
      const url = toUrl(route.path, { ...query, limit, cursor });
      const { data, headers } = await request(route.method, url, { signal });
      return {
        items: data as RowOf<R>[],
        total: headers.get(pageHeaders.total),
        nextCursor: headers.get(pageHeaders.cursor),
      };
    },
  };
}

/**
 * Query options of one page. The key is not the route's path, so that an event does not refetch every page (`useFreshRows`). Unmounted
 * pages are removed at once, so that a list of a million rows needs no more memory than a short one.
 */
export function listPage<T>({ name, query, read }: ListSource<T>, cursor: string | null) {
  return queryOptions({
    queryKey: [name, query, cursor] as const,
    queryFn: ({ signal }) => read(cursor, signal),
    gcTime: 0,
  });
}

/** Fetches the current version of a page without showing it. An earlier fetch is canceled. */
export async function readPageNow<T>(
  client: QueryClient,
  { name, query, read }: ListSource<T>,
  cursor: string | null,
): Promise<Page<T[]>> {
  const queryKey = [`${name}-now`, query, cursor];
  await client.cancelQueries({ queryKey, exact: true });
  return client.fetchQuery({
    queryKey,
    queryFn: ({ signal }) => read(cursor, signal),
    gcTime: 0,
    staleTime: 0,
  });
}

/** Fetches pages again whose first fetch is pending, as its response may be older than the latest event. */
export function rereadFirstReads(client: QueryClient, name: string): void {
  void client.invalidateQueries({ queryKey: [name], predicate: ({ state }) => state.data === undefined });
}

/** Fetches the pages on screen again; rows may move. */
export function reloadPages(client: QueryClient, name: string): Promise<void> {
  return client.invalidateQueries({ queryKey: [name] });
}
