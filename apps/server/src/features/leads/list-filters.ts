import type { LeadSort } from "@portal/contract/entities/lead-list";
import type { RouteRequest } from "@portal/contract/route";
import type { exportLeads } from "@portal/contract/routes/all-leads";
import type { listLeads } from "@portal/contract/routes/leads";
import { filterValue } from "../../platform/http/list.ts";
import type { LeadFilter } from "./lead-list-repository.ts";

type OwnFilters = RouteRequest<typeof listLeads>["query"];
export type AllFilters = Omit<RouteRequest<typeof exportLeads>["query"], "format">;

/** Filters that both lists share. */
const sharedFilters = (query: OwnFilters | AllFilters): LeadFilter => ({
  search: query.search,
  status: filterValue(query.status),
  priority: filterValue(query.priority),
  attempts: filterValue(query.attempts),
  lastContact: filterValue(query.lastContact),
  followUp: filterValue(query.followUp),
  localTime: filterValue(query.localTime),
  language: filterValue(query.language),
});

/** The filter of the leads page. */
export const leadFilterOf = (query: OwnFilters): LeadFilter => ({
  ...sharedFilters(query),
  source: query.source || undefined,
  unread: query.unread === "yes" || undefined,
});

/** The filter of All Leads. `notSources` are the sources that the report names when "all others" is asked for. */
export const allLeadsFilterOf = (filters: AllFilters, notSources: string[] | undefined): LeadFilter => ({
  ...sharedFilters(filters),
  assignment: filterValue(filters.assignment),
  source: filters.sources === "none" ? "" : filters.source || undefined,
  notSources,
  created: filterValue(filters.created),
  converted: filterValue(filters.converted),
  convertedOn: filters.convertedOn
    ? { day: filters.convertedOn, until: filters.convertedUntil || undefined }
    : undefined,
  firstCall: filters.firstCall || undefined,
  called: filterValue(filters.called),
  calledIn: filterValue(filters.calledIn),
  ids: filters.ids,
});

export const leadSortOf = (sort: OwnFilters["sort"]): LeadSort =>
  !sort || sort === "createdAt" ? "newest" : sort;
