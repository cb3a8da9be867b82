import type { Lead } from "@portal/contract/entities/lead";
import type { CurrentUser } from "@portal/contract/entities/user";
import { limits } from "@portal/contract/limits";
import { type FollowUpGroup, listFollowUps } from "@portal/contract/routes/assignment";
import { listCallLogs } from "@portal/contract/routes/calls";
import { getDashboardStats, getLead, listLeads } from "@portal/contract/routes/leads";
import { keepPreviousData, type QueryClient } from "@tanstack/react-query";
import { type Page, routePages, routeQuery } from "../../lib/query-client.ts";
import { type LeadFilters, leadListQuery } from "./lead-search.ts";

/** Page size from the second page on; large, as a refetch requests every page again. */
const laterPageSize = 200;

/** The filtered leads in pages; stale after 30 s. */
export function leadPages(filters: LeadFilters) {
  const query = leadListQuery(filters);
  const first = routePages(listLeads, { query });
  const later = routePages(listLeads, { query: { ...query, limit: laterPageSize } });
  return {
    ...first,
    staleTime: limits.leadsStaleMs,
    queryFn: async (context: Parameters<NonNullable<Exclude<typeof first.queryFn, symbol>>>[0]) => {
      const source = context.pageParam === null ? first.queryFn : later.queryFn;
      return (source as (of: typeof context) => Promise<Page<Lead[]>>)(context);
    },
  };
}

/** A single lead; live. What was read before is for a panel that opens without a network (`isFetchedAfterMount`). */
export function leadQuery(id: number) {
  return { ...routeQuery(getLead, { params: { id } }), staleTime: 0 };
}

export function dashboardStatsQuery() {
  return { ...routeQuery(getDashboardStats), staleTime: limits.leadsStaleMs };
}

/** Ended calls that wait for the consultant's outcome, newest first. */
export function needsOutcomeQuery() {
  return {
    ...routeQuery(listCallLogs, { query: { needsOutcome: "true", limit: limits.pageSize } }),
    staleTime: limits.leadsStaleMs,
  };
}

/**
 * Requests what the leads page shows first, unless it is cached. On a first visit this consumes what the HTML preloaded, before the event
 * stream opens, so that it is fetched again if an event was missed. Rows have a list of their own, which fetches itself.
 */
export function prefetchLeads(client: QueryClient, user: CurrentUser, filters: LeadFilters): void {
  void client.prefetchQuery(needsOutcomeQuery());
  if (user.lists.leads?.layout !== "rows") void client.prefetchInfiniteQuery(leadPages(filters));
}

/** The follow-ups of a group, and the number of each group; fetched whenever they are opened. */
export function followUpsQuery(group: FollowUpGroup) {
  return {
    ...routeQuery(listFollowUps, { query: { group } }),
    staleTime: 0,
    // The numbers of the other groups stay on screen while a group loads.
    placeholderData: keepPreviousData,
  };
}
