import { type LeadStatus, leadStatuses, type Priority, priorities } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import {
  allLeadSorts,
  assignmentFilters,
  type CalledFilter,
  calledFilters,
} from "@portal/contract/routes/all-leads";

/** Statuses that the filter offers (specification §2); the others come by a report's link. */
export const offeredStatuses = ["new", "contacted", "interested", "not_interested", "converted"] as const;
const ranges = ["week", "month"] as const;
const calledRanges = ["today", ...ranges] as const;
const largestId = 2_147_483_647;
const sourceMaxLength = 200;

export type LeadSort = (typeof allLeadSorts)[number];
export type Assignment = Exclude<(typeof assignmentFilters)[number], "all">;

/** Filters and order of All Leads as they stand in the address; an absent one means all, and the newest first. */
export interface AllLeadsSearch {
  readonly search?: string | undefined;
  readonly status?: LeadStatus | undefined;
  readonly priority?: Priority | undefined;
  readonly assignment?: Assignment | undefined;
  /** Those that reports open. */
  readonly rep?: number | undefined;
  readonly source?: string | undefined;
  readonly created?: (typeof ranges)[number] | undefined;
  readonly converted?: (typeof ranges)[number] | undefined;
  readonly called?: CalledFilter | undefined;
  readonly calledIn?: (typeof calledRanges)[number] | undefined;
  readonly sort?: LeadSort | undefined;
}

/** Reads the address (the router's `validateSearch`); what it does not know is left out. */
export function parseAllLeadsSearch(search: Record<string, unknown>): AllLeadsSearch {
  const rep = Number(search.rep);
  const called = calledFilters.find((often) => often === search.called);
  return {
    search: textOf(search.search, limits.searchMaxLength),
    // Converted at whatever time is the status, which converted leads keep.
    status:
      leadStatuses.find((status) => status === search.status) ??
      (search.converted === "all" ? "converted" : undefined),
    priority: priorities.find((priority) => priority === search.priority),
    assignment: assignmentFilters.find(
      (assignment): assignment is Assignment => assignment !== "all" && assignment === search.assignment,
    ),
    rep: Number.isInteger(rep) && rep > 0 && rep <= largestId ? rep : undefined,
    source: textOf(search.source, sourceMaxLength),
    created: ranges.find((range) => range === search.created),
    converted: ranges.find((range) => range === search.converted),
    called,
    calledIn: called && calledRanges.find((range) => range === search.calledIn),
    sort: allLeadSorts.find((sort) => sort !== "newest" && sort === search.sort),
  };
}

function textOf(value: unknown, maxLength: number): string | undefined {
  return typeof value === "string" ? value.slice(0, maxLength) || undefined : undefined;
}

/** The query of filters and order, the same for list and export; equal ones give equal queries. */
export function allLeadsQuery({ search, ...others }: AllLeadsSearch): AllLeadsSearch {
  const words = search?.trim();
  return Object.fromEntries(
    Object.entries({ ...others, search: words || undefined }).filter(([, value]) => value !== undefined),
  );
}

export function hasActiveFilter({ sort: _, ...filters }: AllLeadsSearch): boolean {
  return Object.keys(allLeadsQuery(filters)).length > 0;
}
