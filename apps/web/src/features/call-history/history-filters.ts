import { limits } from "@portal/contract/limits";

/** Outcomes and ranges that the history filters by (specification §2). */
export const filterOutcomes = ["answered", "voicemail", "busy", "no_answer"] as const;
export const filterRanges = ["today", "week", "month"] as const;

export type OutcomeFilter = (typeof filterOutcomes)[number];
export type RangeFilter = (typeof filterRanges)[number];

/** Filters of the call history and the open tab, as they stand in the address; an absent one means all. */
export interface HistorySearch {
  readonly search?: string | undefined;
  readonly outcome?: OutcomeFilter | undefined;
  readonly range?: RangeFilter | undefined;
  readonly tab?: "recordings" | undefined;
}

/** Reads the address (the router's `validateSearch`); what it does not know is left out. */
export function parseHistorySearch(search: Record<string, unknown>): HistorySearch {
  return {
    search:
      typeof search.search === "string"
        ? search.search.slice(0, limits.searchMaxLength) || undefined
        : undefined,
    outcome: filterOutcomes.find((outcome) => outcome === search.outcome),
    range: filterRanges.find((range) => range === search.range),
    tab: search.tab === "recordings" ? "recordings" : undefined,
  };
}

export function hasActiveFilter({ search, outcome, range }: HistorySearch): boolean {
  return Boolean(search?.trim() || outcome || range);
}

/** The query of the filters, the same for list, figures and export; equal filters give equal queries. */
export function historyQuery(filters: HistorySearch) {
  const search = filters.search?.trim();
  return {
    ...(search ? { search } : {}),
    ...(filters.outcome ? { outcome: filters.outcome } : {}),
    ...(filters.range ? { range: filters.range } : {}),
  };
}
