import { priorities } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";

/** Statuses that the leads page filters by. */
export const filterStatuses = ["new", "contacted", "interested", "not_interested"] as const;
export const filterPriorities = priorities;

export type StatusFilter = (typeof filterStatuses)[number];
export type PriorityFilter = (typeof filterPriorities)[number];

/** Filters of the leads page as they stand in the address; an absent one means all. */
export interface LeadFilters {
  readonly search?: string | undefined;
  readonly status?: StatusFilter | undefined;
  readonly priority?: PriorityFilter | undefined;
}

/** Reads the filters from the address (the router's `validateSearch`); what it does not know is left out. */
export function parseLeadFilters(search: Record<string, unknown>): LeadFilters {
  return {
    search:
      typeof search.search === "string"
        ? search.search.slice(0, limits.searchMaxLength) || undefined
        : undefined,
    status: filterStatuses.find((status) => status === search.status),
    priority: filterPriorities.find((priority) => priority === search.priority),
  };
}

export function hasActiveFilter(filters: LeadFilters): boolean {
  return Boolean(filters.search?.trim() || filters.status || filters.priority);
}

/** The query of `GET /api/leads` for these filters; equal filters give equal queries. */
export function leadListQuery(filters: LeadFilters) {
  const search = filters.search?.trim();
  return {
    ...(search ? { search } : {}),
    ...(filters.status ? { status: filters.status } : {}),
    ...(filters.priority ? { priority: filters.priority } : {}),
  };
}
