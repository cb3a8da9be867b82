import { type LeadStatus, leadStatuses } from "@portal/contract/entities/lead";

export const analyticsRanges = ["all", "today", "week", "month"] as const;
export type AnalyticsRange = (typeof analyticsRanges)[number];

/** Filters of the call analytics in the address; absent ones mean all. */
export interface AnalyticsSearch {
  readonly range?: Exclude<AnalyticsRange, "all"> | undefined;
  readonly status?: LeadStatus | undefined;
}

/** Parses the address; unknown values are dropped. */
export function parseAnalyticsSearch(search: Record<string, unknown>): AnalyticsSearch {
  const range = analyticsRanges.find((known) => known === search.range);
  return {
    range: range === "all" ? undefined : range,
    status: leadStatuses.find((status) => status === search.status),
  };
}
