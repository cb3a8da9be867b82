import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { listCallLogs } from "@portal/contract/routes/calls";
import { getDashboardStats, getLead, listLeads } from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import type { QueryClient } from "@tanstack/react-query";
import { invalidatePaths, type Page, routePages, routeQuery } from "../../lib/query-client.ts";
import { type LeadFilters, leadListQuery } from "./lead-filters.ts";

/** Rows of the second page and those after it: whoever scrolls on wants many, and a refetch asks for every page again. */
const laterPageSize = 200;

/** The consultant's leads that match the filters, page by page; stale after 30 s (specification §7). */
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

/** A lead as it is now; live. */
export function leadQuery(id: number) {
  return { ...routeQuery(getLead, { params: { id } }), staleTime: 0, gcTime: 0 };
}

/** What happened to a lead, newest first; read anew whenever it is opened. */
export function timelinePages(leadId: number) {
  return { ...routePages(getTimeline, { params: { id: leadId } }), staleTime: 0 };
}

export function dashboardStatsQuery() {
  return { ...routeQuery(getDashboardStats), staleTime: limits.leadsStaleMs };
}

/** Ended calls that wait for the rep's outcome, newest first. */
export function needsOutcomeQuery() {
  return {
    ...routeQuery(listCallLogs, { query: { needsOutcome: "true", limit: limits.pageSize } }),
    staleTime: limits.leadsStaleMs,
  };
}

/** Reads the leads and their figures again. */
export function refreshLeads(client: QueryClient): Promise<void> {
  return invalidatePaths(client, [listLeads.path, getDashboardStats.path]);
}
