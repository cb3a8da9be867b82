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

/** `[path, query]`, the recorded form of a key; infinite lists add a third element so that the two never share a cache entry. */
export type ApiQueryKey = readonly [path: string, query?: QueryObject, kind?: "pages"];

/** The step that a session still requires, from the error of a request; null for other errors. */
export function pendingStepOf(error: unknown): "code" | "setup" | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === "second_factor_needed") return "code";
  return error.code === "second_factor_setup_needed" ? "setup" : null;
}

/** Fetches the address of a key. `on401: "null"` returns null for a missing session instead of throwing; one that waits for its second factor throws. */
function apiQueryFn<T>({ on401 }: { on401: "null" | "throw" }): QueryFunction<T> {
  return async ({ queryKey, signal }) => {
    const [path, query] = queryKey as unknown as ApiQueryKey;
    try {
      const { data } = await request("GET", toUrl(path, asQuery(query)), { signal });
      return data as T;
    } catch (error) {
      if (on401 === "null" && !pendingStepOf(error) && error instanceof ApiError && error.status === 401)
        return null as T;
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
  /** Number of matching rows as the server reports it; ends in '+' if capped. */
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

/** Whether the request for the page had a session, as the page's meta tag says; null if it does not say. */
export function pageSession(): boolean | null {
  const content = document.querySelector<HTMLMetaElement>('meta[name="has-session"]')?.content;
  return content === "true" || (content === "false" ? false : null);
}

/** The signed-in user, or null; stale after 60 s, cached for 5 min, never refetched automatically. */
export function currentUserQuery() {
  return queryOptions({
    queryKey: [getCurrentUser.path] as ApiQueryKey,
    queryFn: apiQueryFn<RouteResponse<typeof getCurrentUser> | null>({ on401: "null" }),
    staleTime: limits.currentUserStaleMs,
    gcTime: limits.currentUserKeptMs,
    // If the page was requested without a session nobody is signed in, and a request would only print a 401.
    ...(pageSession() === false ? { initialData: null } : {}),
    retry: false,
    refetchOnMount: false,
    // After a failed first read too: the page that says so offers to try again.
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Creates a client with the product's defaults: no automatic staleness, refetches or retries. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // A 401 of any other query makes the current user be fetched, which shows the login screen.
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
        // A portal in the local network is often reachable although the browser reports being offline.
        networkMode: "always",
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
  // The library cancels a pending fetch on invalidation only if the query has data. A pending first fetch may be outdated too, so it is
  // repeated.
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

/** Whether a query's path is one of these or below one. */
export function readsPath({ queryKey: [path] }: { queryKey: readonly unknown[] }, paths: readonly string[]) {
  return typeof path === "string" && paths.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

/** Invalidates all queries at or below these paths: mounted ones are fetched at once, others when mounted. */
export async function invalidatePaths(client: QueryClient, paths: readonly string[]): Promise<void> {
  await client.invalidateQueries({ predicate: (query) => readsPath(query, paths) });
}
