import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { listCallLogs } from "@portal/contract/routes/calls";
import { extractAllRecordings, getSyncRun, syncLeads } from "@portal/contract/routes/crm";
import { getDashboardStats, listLeads } from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import type { QueryClient } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { invalidatePaths, type Page, routePages, routeQuery } from "../../lib/query-client.ts";
import { type LeadFilters, leadListQuery } from "./lead-filters.ts";

/** Rows of the second page and those after it: whoever scrolls on wants many, and a refetch asks for every page again. */
const laterPageSize = 200;
const syncPollMs = 5_000;

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

/** A sync run that goes on at the server, looked at until it has ended; without an id it rests. */
export function syncRunQuery(id: number | null) {
  return {
    ...routeQuery(getSyncRun, { params: { id: id ?? 0 } }),
    enabled: id !== null,
    staleTime: 0,
    refetchInterval: syncPollMs,
  };
}

export function requestLeadSync() {
  return callRoute(syncLeads);
}

export function requestRecordings() {
  return callRoute(extractAllRecordings);
}

/** Reads the leads and their figures again. */
export function refreshLeads(client: QueryClient): Promise<void> {
  return invalidatePaths(client, [listLeads.path, getDashboardStats.path]);
}
