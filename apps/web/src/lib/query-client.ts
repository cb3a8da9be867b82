import { pageHeaders } from "@portal/contract/entities/fields";
import { limits } from "@portal/contract/limits";
import type { Route, RouteResponse } from "@portal/contract/route";
import { getCurrentUser } from "@portal/contract/routes/auth";
import {
  infiniteQueryOptions,
  QueryCache,
  QueryClient,
  type QueryFunction,
  queryOptions,
} from "@tanstack/react-query";
import { ApiError, type InputArgument, type QueryObject, request, routePath, toUrl } from "./api.ts";

/** `[path, query]`, the recorded form of a key; infinite lists add a third element so that they never share a cache entry. */
export type ApiQueryKey = readonly [path: string, query?: QueryObject, kind?: "pages"];

/** Reads the address that the key names. `on401: "null"` turns a missing session into null instead of an error. */
function apiQueryFn<T>({ on401 }: { on401: "null" | "throw" }): QueryFunction<T> {
  return async ({ queryKey, signal }) => {
    const [path, query] = queryKey as unknown as ApiQueryKey;
    try {
      const { data } = await request("GET", toUrl(path, asQuery(query)), { signal });
      return data as T;
    } catch (error) {
      if (on401 === "null" && error instanceof ApiError && error.status === 401) return null as T;
      throw error;
    }
  };
}

function asQuery(value: unknown): QueryObject | undefined {
  return typeof value === "object" && value !== null ? (value as QueryObject) : undefined;
}

/** Query options of a GET route of the contract: `useQuery(routeQuery(listLeads, { query: { status } }))`. */
export function routeQuery<R extends Route>(route: R, ...[input]: InputArgument<R>) {
  const { params, query } = (input ?? {}) as { params?: object; query?: QueryObject };
  const path = routePath(route, params);
  const queryKey: ApiQueryKey = query === undefined ? [path] : [path, query];
  return queryOptions<RouteResponse<R>>({
    queryKey,
    queryFn: apiQueryFn<RouteResponse<R>>({ on401: "throw" }),
  });
}

/** One page of a list, with the values of its headers. */
export interface Page<T> {
  items: T;
  /** Rows of the filter as the server counts them; it may end in '+', where the count was capped. */
  total: string | null;
  nextCursor: string | null;
}

/** Infinite-query options of a list route with `limit` and `cursor`: `useInfiniteQuery(routePages(listLeads, { query }))`. */
export function routePages<R extends Route>(route: R, ...[input]: InputArgument<R>) {
  const { params, query } = (input ?? {}) as { params?: object; query?: QueryObject };
  const path = routePath(route, params);
  const paged: QueryObject = { limit: limits.pageSize, ...query };
  return infiniteQueryOptions({
    queryKey: [path, paged, "pages"] as const,
    queryFn: async ({ pageParam, signal }): Promise<Page<RouteResponse<R>>> => {
      const { data, headers } = await request("GET", toUrl(path, { ...paged, cursor: pageParam }), {
        signal,
      });
      return {
        items: data as RouteResponse<R>,
        total: headers.get(pageHeaders.total),
        nextCursor: headers.get(pageHeaders.cursor),
      };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Whether the request for the page carried a session, as the page says; null where it does not know. */
export function pageSession(): boolean | null {
  const content = document.querySelector<HTMLMetaElement>('meta[name="has-session"]')?.content;
  return content === "true" || (content === "false" ? false : null);
}

/** The signed-in user, or null; stale after 60 s, kept for 5 min, never read again by itself. Authenticated means that data exists. */
export function currentUserQuery() {
  return queryOptions({
    queryKey: [getCurrentUser.path] as ApiQueryKey,
    queryFn: apiQueryFn<RouteResponse<typeof getCurrentUser> | null>({ on401: "null" }),
    staleTime: limits.currentUserStaleMs,
    gcTime: limits.currentUserKeptMs,
    // The page says when the request for it carried no session: then nobody is signed in, and asking would only print a 401.
    ...(pageSession() === false ? { initialData: null } : {}),
    retry: false,
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Makes a client with the product's defaults: nothing goes stale, is refetched or retried by itself. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // A read that finds the session gone asks who is signed in, and so brings the login screen.
      onError: (error, query) => {
        if (!(error instanceof ApiError) || error.status !== 401) return;
        if (query.queryKey[0] !== getCurrentUser.path) void invalidatePaths(client, [getCurrentUser.path]);
      },
    }),
    defaultOptions: {
      queries: {
        queryFn: apiQueryFn({ on401: "throw" }),
        staleTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
        // A rep's own server is often reachable where the browser believes itself offline.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  // A first read that is under way may have been answered before what makes it out of date; the library breaks off later reads only.
  client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "invalidate") return;
    const { queryKey, state, promise } = event.query;
    if (state.data !== undefined || state.fetchStatus === "idle") return;
    promise?.then(
      () => client.invalidateQueries({ queryKey, exact: true }),
      () => undefined,
    );
  });
  return client;
}

/** Whether a query reads one of these paths or something below them. */
export function readsPath({ queryKey: [path] }: { queryKey: readonly unknown[] }, paths: readonly string[]) {
  return typeof path === "string" && paths.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

/** Refetches every query at these paths or below them; those on screen at once, others when shown again. */
export async function invalidatePaths(client: QueryClient, paths: readonly string[]): Promise<void> {
  await client.invalidateQueries({ predicate: (query) => readsPath(query, paths) });
}
