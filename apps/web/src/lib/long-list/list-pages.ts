import { pageHeaders } from "@portal/contract/entities/fields";
import { limits } from "@portal/contract/limits";
import type { Route, RouteResponse } from "@portal/contract/route";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { type QueryObject, request, toUrl } from "../api.ts";
import type { Page } from "../query-client.ts";

/** Rows of the second page and those after it. */
const laterPageSize = 200;

/** A list of any length, read page by page: its name in the cache, its filters and order, and how a page of it is read. */
export interface ListSource<T> {
  readonly name: string;
  readonly query: QueryObject;
  readonly read: (cursor: string | null, signal: AbortSignal) => Promise<Page<T[]>>;
}

type RowOf<R extends Route> = RouteResponse<R> extends readonly (infer T)[] ? T : never;

/** The list of a route with keyset pages (`limit`, `cursor`), by equal queries the same one. */
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
 * One page of the list. The key is its own and not the path, so that an event does not read every page again (`useFreshRows`); pages
 * that nobody looks at are forgotten at once, so that a list of a million rows costs no more memory than a short one.
 */
export function listPage<T>({ name, query, read }: ListSource<T>, cursor: string | null) {
  return queryOptions({
    queryKey: [name, query, cursor] as const,
    queryFn: ({ signal }) => read(cursor, signal),
    gcTime: 0,
  });
}

/** A page as the server has it now; the one that is shown stays. A reading that began earlier is given up. */
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

/** Pages whose first read is under way are read once more when they are there: they may be older than what has just come. */
export function rereadFirstReads(client: QueryClient, name: string): void {
  void client.invalidateQueries({ queryKey: [name], predicate: ({ state }) => state.data === undefined });
}

/** Reads the pages on screen again; rows may move. */
export function reloadPages(client: QueryClient, name: string): Promise<void> {
  return client.invalidateQueries({ queryKey: [name] });
}
