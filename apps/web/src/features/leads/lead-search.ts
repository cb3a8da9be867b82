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

/** Statuses that the leads page filters by. */
export const filterStatuses = ["new", "contacted", "interested", "not_interested"] as const;
export const filterPriorities = priorities;

/** Filters by the work on a lead, each with its values. */
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

/** Reads the filters by the work on a lead from an address. */
export const parseWorkFilters = (search: Record<string, unknown>): WorkFilters =>
  Object.fromEntries(
    Object.entries(workFilters).map(([name, values]) => [
      name,
      (values as readonly unknown[]).find((value) => value === search[name]),
    ]),
  );

/** The orders; `newest` is the one of an address without. */
export const offeredSorts = leadSorts;

export type StatusFilter = (typeof filterStatuses)[number];
export type PriorityFilter = (typeof filterPriorities)[number];

/** Filters, order and columns of the leads page as they stand in the address; an absent one means all, and what the list begins with. */
export type LeadFilters = {
  readonly search?: string | undefined;
  readonly status?: StatusFilter | undefined;
  readonly priority?: PriorityFilter | undefined;
  readonly source?: string | undefined;
  readonly sort?: (typeof leadSorts)[number] | undefined;
  /** With commas between. */
  readonly columns?: string | undefined;
} & WorkFilters;

const words = (value: unknown, maxLength: number) =>
  typeof value === "string" ? value.slice(0, maxLength) || undefined : undefined;

/** Reads the filters from the address (the router's `validateSearch`); what it does not know is left out. */
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

/** How many of the filters that no control of the toolbar shows are in force. */
export const countWorkFilters = (filters: WorkFilters & { source?: string | undefined }): number =>
  [...(Object.keys(workFilters) as WorkFilter[]), "source" as const].filter((name) => filters[name]).length;

export function hasActiveFilter(filters: LeadFilters): boolean {
  const { search, status, priority } = filters;
  return Boolean(search?.trim() || status || priority || countWorkFilters(filters) > 0);
}

/** The query of `GET /api/leads` for these filters and this order; equal ones give equal queries. */
export function leadListQuery({ columns: _, search, ...others }: LeadFilters) {
  return Object.fromEntries(
    Object.entries({ search: search?.trim(), ...others }).filter(([, value]) => value),
  );
}
