import { callDirections, loggedOutcomes, type TimeSource, timeSources } from "@portal/contract/entities/call";
import { anyRep, type RepFilter } from "@portal/contract/entities/fields";
import { type LeadStatus, leadStatuses } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import type { callLogSorts } from "@portal/contract/routes/calls";
import { isDay, parseColumns } from "../../lib/list-address.ts";

/** Outcomes in the filter: the recorded ones first; `none` is without an outcome. */
export const filterOutcomes = [
  ...(["answered", "voicemail", "busy", "no_answer"] as const),
  ...(["wrong_number", "disconnected", "not_connected", "none"] as const),
];
export const filterRanges = ["today", "week", "month"] as const;

/** Ranges in the filter, and the previous periods that reports set. */
const knownRanges = [...filterRanges, "previous-week", "previous-month"] as const;

/** Outcomes in the filter, and `completed`, which the recorded dialer wrote. */
const knownOutcomes = [...loggedOutcomes, "none"] as const;
export type OutcomeFilter = (typeof knownOutcomes)[number];
export type RangeFilter = (typeof knownRanges)[number];

export type CallLogSort = (typeof callLogSorts)[number];

const largestId = 2_147_483_647;

/** Filters of the call history and its open tab in the address; absent ones mean all. */
export interface HistorySearch {
  readonly search?: string | undefined;
  readonly outcome?: OutcomeFilter | undefined;
  readonly range?: RangeFilter | undefined;
  readonly tab?: "recordings" | undefined;
  /** Filters that reports set: a day, or a weekday (1 is Monday) and hour, in the organization's zone. */
  readonly day?: string | undefined;
  /** Last of several days from `day`. */
  readonly until?: string | undefined;
  readonly weekday?: number | undefined;
  readonly hour?: number | undefined;
  readonly rep?: RepFilter | undefined;
  readonly direction?: (typeof callDirections)[number] | undefined;
  /** The leads' owner and status. */
  readonly owner?: number | undefined;
  readonly leadStatus?: LeadStatus | undefined;
  /** Where the duration comes from. */
  readonly time?: TimeSource | undefined;
  /** Only unknown callers, who are in no user's own list. */
  readonly unknown?: "true" | undefined;
  /** Order of single-line rows; absent is newest first. */
  readonly sort?: Exclude<CallLogSort, "newest"> | undefined;
  /** Columns of single-line rows, separated by commas. */
  readonly columns?: string | undefined;
}

/** Parses the address (the router's `validateSearch`); unknown values are dropped. */
export function parseHistorySearch(search: Record<string, unknown>): HistorySearch {
  const day = isDay(search.day) ? search.day : undefined;
  return {
    search:
      typeof search.search === "string"
        ? search.search.slice(0, limits.searchMaxLength) || undefined
        : undefined,
    outcome: knownOutcomes.find((outcome) => outcome === search.outcome),
    range: knownRanges.find((range) => range === search.range),
    tab: search.tab === "recordings" ? "recordings" : undefined,
    day,
    until: day && isDay(search.until) && search.until > day ? search.until : undefined,
    weekday: wholeNumber(search.weekday, 1, 7),
    hour: wholeNumber(search.hour, 0, 23),
    rep: search.rep === anyRep ? anyRep : wholeNumber(search.rep, 1, largestId),
    direction: callDirections.find((direction) => direction === search.direction),
    owner: wholeNumber(search.owner, 1, largestId),
    leadStatus: leadStatuses.find((status) => status === search.leadStatus),
    time: timeSources.find((source) => source === search.time),
    unknown: String(search.unknown) === "true" ? "true" : undefined,
    sort: search.sort === "oldest" ? "oldest" : undefined,
    columns: parseColumns(search.columns),
  };
}

function wholeNumber(value: unknown, min: number, max: number): number | undefined {
  if (value === undefined || value === "") return undefined;
  const number = Number(value);
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined;
}

export function hasActiveFilter(filters: HistorySearch): boolean {
  return Object.keys(historyQuery(filters)).length > 0;
}

/** The query of the filters, for list, figures and export; equal filters give equal queries. */
export function historyQuery({
  tab: _,
  columns: __,
  sort: ___,
  search,
  ...others
}: HistorySearch): Omit<HistorySearch, "tab" | "columns" | "sort"> {
  return Object.fromEntries(
    Object.entries({ search: search?.trim() || undefined, ...others }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}
