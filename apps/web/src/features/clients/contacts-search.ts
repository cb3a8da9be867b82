import { anyRep, type RepFilter } from "@portal/contract/entities/fields";
import { limits } from "@portal/contract/limits";
import type { clientFilters, clientSorts } from "@portal/contract/routes/clients";
import { isDay, parseColumns } from "../../lib/list-address.ts";

const ranges = ["week", "month", "previous-week", "previous-month"] as const;
const largestId = 2_147_483_647;

export type ClientSort = (typeof clientSorts)[number];
export type ClientFilter = Exclude<(typeof clientFilters)[number], "all">;

// Only types of the contract are imported, as this file is part of the first load.
const sorts: readonly ClientSort[] = ["name", "value", "calls"];
const filters: readonly ClientFilter[] = ["high_value", "recent"];

/** Filters, order and columns of Contact Lists in the address; absent ones mean all clients, latest first. */
export interface ContactsSearch {
  readonly search?: string | undefined;
  readonly filter?: ClientFilter | undefined;
  readonly sort?: ClientSort | undefined;
  /** Filters that reports and figures set: days in the organization's zone, and who converted the lead. */
  readonly range?: (typeof ranges)[number] | undefined;
  readonly day?: string | undefined;
  readonly until?: string | undefined;
  readonly rep?: RepFilter | undefined;
  /** Separated by commas. */
  readonly columns?: string | undefined;
}

/** Parses the address (the router's `validateSearch`); unknown values are dropped. */
export function parseContactsSearch(search: Record<string, unknown>): ContactsSearch {
  const rep = Number(search.rep);
  const day = isDay(search.day) ? search.day : undefined;
  return {
    search:
      typeof search.search === "string"
        ? search.search.slice(0, limits.searchMaxLength) || undefined
        : undefined,
    filter: filters.find((filter) => filter === search.filter),
    sort: sorts.find((sort) => sort === search.sort),
    range: ranges.find((range) => range === search.range),
    day,
    until: day && isDay(search.until) && search.until > day ? search.until : undefined,
    rep:
      search.rep === anyRep ? anyRep : Number.isInteger(rep) && rep > 0 && rep <= largestId ? rep : undefined,
    columns: parseColumns(search.columns),
  };
}

/** The query of filters and order, for list and export; equal filters give equal queries. */
export function contactsQuery({ search, columns: _, ...others }: ContactsSearch): ContactsSearch {
  return Object.fromEntries(
    Object.entries({ ...others, search: search?.trim() || undefined }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

export function hasActiveFilter({ sort: _, ...filters }: ContactsSearch): boolean {
  return Object.keys(contactsQuery(filters)).length > 0;
}
