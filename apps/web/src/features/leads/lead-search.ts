import { priorities } from "@portal/contract/entities/lead";
import {
  attemptFilters,
  followUpFilters,
  languageFilters,
  lastContactFilters,
  leadSorts,
  localTimeFilters,
} from "@portal/contract/entities/lead-list";
import { limits } from "@portal/contract/limits";
import { parseColumns } from "../../lib/list-address.ts";

/** Statuses in the filter of the leads page. */
export const filterStatuses = ["new", "contacted", "interested", "not_interested"] as const;
export const filterPriorities = priorities;

/** Filters by the work on a lead, with their values. */
const workFilters = {
  attempts: attemptFilters,
  lastContact: lastContactFilters,
  followUp: followUpFilters,
  localTime: localTimeFilters,
  language: languageFilters,
  unread: ["yes"],
} as const;
type WorkFilter = keyof typeof workFilters;
export type WorkFilters = { readonly [K in WorkFilter]?: (typeof workFilters)[K][number] | undefined };

/** Parses the filters by the work on a lead from an address. */
export const parseWorkFilters = (search: Record<string, unknown>): WorkFilters =>
  Object.fromEntries(
    Object.entries(workFilters).map(([name, values]) => [
      name,
      (values as readonly unknown[]).find((value) => value === search[name]),
    ]),
  );

/** Orders; `newest` is the default. */
export const offeredSorts = leadSorts;

export type StatusFilter = (typeof filterStatuses)[number];
export type PriorityFilter = (typeof filterPriorities)[number];

/** Filters, order and columns of the leads page in the address; absent ones mean all and the defaults. */
export type LeadFilters = {
  readonly search?: string | undefined;
  readonly status?: StatusFilter | undefined;
  readonly priority?: PriorityFilter | undefined;
  readonly source?: string | undefined;
  readonly sort?: (typeof leadSorts)[number] | undefined;
  /** Separated by commas. */
  readonly columns?: string | undefined;
} & WorkFilters;

const words = (value: unknown, maxLength: number) =>
  typeof value === "string" ? value.slice(0, maxLength) || undefined : undefined;

/** Parses the address (the router's `validateSearch`); unknown values are dropped. */
export function parseLeadFilters(search: Record<string, unknown>): LeadFilters {
  return {
    search: words(search.search, limits.searchMaxLength),
    status: filterStatuses.find((status) => status === search.status),
    priority: filterPriorities.find((priority) => priority === search.priority),
    source: words(search.source, limits.sourceMaxLength),
    ...parseWorkFilters(search),
    sort: leadSorts.find((sort) => sort !== "newest" && sort === search.sort),
    columns: parseColumns(search.columns),
  };
}

/** Number of active filters that no control of the toolbar shows. */
export const countWorkFilters = (filters: WorkFilters & { source?: string | undefined }): number =>
  [...(Object.keys(workFilters) as WorkFilter[]), "source" as const].filter((name) => filters[name]).length;

export function hasActiveFilter(filters: LeadFilters): boolean {
  const { search, status, priority } = filters;
  return Boolean(search?.trim() || status || priority || countWorkFilters(filters) > 0);
}

/** The query of `GET /api/leads` for filters and order; equal filters give equal queries. */
export function leadListQuery({ columns: _, search, ...others }: LeadFilters) {
  return Object.fromEntries(
    Object.entries({ search: search?.trim(), ...others }).filter(([, value]) => value),
  );
}
