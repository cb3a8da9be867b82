import { type LeadStatus, leadStatuses, type Priority, priorities } from "@portal/contract/entities/lead";
import { leadSorts } from "@portal/contract/entities/lead-list";
import type { FirstCallBand } from "@portal/contract/entities/report";
import { limits } from "@portal/contract/limits";
import { assignmentFilters, type CalledFilter, calledFilters } from "@portal/contract/routes/all-leads";
import { isDay, parseColumns } from "../../lib/list-address.ts";
import { parseWorkFilters, type WorkFilters } from "../leads/lead-search.ts";

/** Statuses in the filter; others are only set by links of reports. */
export const offeredStatuses = ["new", "contacted", "interested", "not_interested", "converted"] as const;
const ranges = ["week", "month"] as const;
const calledRanges = ["today", ...ranges] as const;
const periods = [...ranges, "previous-week", "previous-month"] as const;
// Only types of the contract's reports are imported, as this file is part of the first load.
const bands: readonly FirstCallBand[] = ["5", "60", "1440", "later"];
const largestId = 2_147_483_647;
const sourceMaxLength = 200;
const sourceGroups = ["others", "none"] as const;

export type LeadSort = (typeof leadSorts)[number];
export type Assignment = Exclude<(typeof assignmentFilters)[number], "all">;

/** Filters, order and columns of All Leads in the address; absent ones mean all leads, newest first. */
export interface AllLeadsSearch extends Omit<WorkFilters, "unread"> {
  readonly search?: string | undefined;
  readonly status?: LeadStatus | undefined;
  readonly priority?: Priority | undefined;
  readonly assignment?: Assignment | undefined;
  /** Filters that reports set. */
  readonly rep?: number | undefined;
  readonly source?: string | undefined;
  /** All sources but those that the report names, or leads without one. */
  readonly sources?: "others" | "none" | undefined;
  readonly created?: (typeof periods)[number] | undefined;
  readonly converted?: (typeof periods)[number] | undefined;
  /** A day in the organization's zone, or the first and the last of several. */
  readonly convertedOn?: string | undefined;
  readonly convertedUntil?: string | undefined;
  readonly firstCall?: FirstCallBand | undefined;
  readonly called?: CalledFilter | undefined;
  readonly calledIn?: (typeof calledRanges)[number] | undefined;
  readonly sort?: LeadSort | undefined;
  /** Separated by commas. */
  readonly columns?: string | undefined;
}

/** Parses the address (the router's `validateSearch`); unknown values are dropped. */
export function parseAllLeadsSearch(search: Record<string, unknown>): AllLeadsSearch {
  const rep = Number(search.rep);
  const called = calledFilters.find((often) => often === search.called);
  const convertedOn = isDay(search.convertedOn) ? search.convertedOn : undefined;
  const { convertedUntil } = search;
  const { unread: _, ...work } = parseWorkFilters(search);
  return {
    search: messagesOf(search.search, limits.searchMaxLength),
    // Converted at any time is the same as the status.
    status:
      leadStatuses.find((status) => status === search.status) ??
      (search.converted === "all" ? "converted" : undefined),
    priority: priorities.find((priority) => priority === search.priority),
    assignment: assignmentFilters.find(
      (assignment): assignment is Assignment => assignment !== "all" && assignment === search.assignment,
    ),
    rep: Number.isInteger(rep) && rep > 0 && rep <= largestId ? rep : undefined,
    source: messagesOf(search.source, sourceMaxLength),
    sources: sourceGroups.find((group) => group === search.sources),
    created: periods.find((range) => range === search.created),
    converted: periods.find((range) => range === search.converted),
    convertedOn,
    convertedUntil:
      convertedOn && isDay(convertedUntil) && convertedUntil > convertedOn ? convertedUntil : undefined,
    firstCall: bands.find((band) => band === search.firstCall),
    called,
    calledIn: called && calledRanges.find((range) => range === search.calledIn),
    ...work,
    sort: leadSorts.find((sort) => sort !== "newest" && sort === search.sort),
    columns: parseColumns(search.columns),
  };
}

function messagesOf(value: unknown, maxLength: number): string | undefined {
  return typeof value === "string" ? value.slice(0, maxLength) || undefined : undefined;
}

/** The query of filters and order, for list and export; equal filters give equal queries. */
export function allLeadsQuery({ search, columns: _, ...others }: AllLeadsSearch): AllLeadsSearch {
  const words = search?.trim();
  return Object.fromEntries(
    Object.entries({ ...others, search: words || undefined }).filter(([, value]) => value !== undefined),
  );
}

export function hasActiveFilter({ sort: _, ...filters }: AllLeadsSearch): boolean {
  return Object.keys(allLeadsQuery(filters)).length > 0;
}
