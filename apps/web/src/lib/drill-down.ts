import type { loggedOutcomes, TimeSource } from "@portal/contract/entities/call";
import { anyRep, type RepFilter } from "@portal/contract/entities/fields";
import type { LeadStatus } from "@portal/contract/entities/lead";
import type { FirstCallBand, PreviousRange, ReportRange } from "@portal/contract/entities/report";
import type { Role } from "@portal/contract/entities/user";
import type { CalledFilter } from "@portal/contract/routes/all-leads";

/** Address of the rows behind a figure, with the filters that add up to it. */
export interface DrillDownTarget {
  to: string;
  search: Record<string, string>;
}

/** Whose figures are shown: consultants see their own, administrators everyone's. */
export interface Viewer {
  id: number;
  role: Role;
}

function address(to: string, filters: Record<string, string | number | null | undefined>): DrillDownTarget {
  const search: Record<string, string> = {};
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined && value !== null && value !== "") search[name] = String(value);
  }
  return { to, search };
}

/** The period that a range is compared with; null for all time. */
export function previousOf(range: ReportRange): PreviousRange | null {
  return range === "all" ? null : `previous-${range}`;
}

interface CallFilters {
  range?: ReportRange | PreviousRange | "today" | undefined;
  /** `none`: without an outcome. */
  outcome?: (typeof loggedOutcomes)[number] | "none" | undefined;
  /** YYYY-MM-DD in the organization's zone; with `until` the first of several days. */
  day?: string | undefined;
  until?: string | undefined;
  weekday?: number | undefined;
  hour?: number | undefined;
  rep?: RepFilter | undefined;
  direction?: "outbound" | "inbound" | undefined;
  /** The leads' owner and status. */
  owner?: number | undefined;
  leadStatus?: LeadStatus | undefined;
  /** Where the duration comes from. */
  time?: TimeSource | undefined;
  /** Only unknown callers. */
  unknown?: "true" | undefined;
}

/** Link to calls in the call history, with the same scope as the figures. */
export function callsLink({ range, ...filters }: CallFilters): DrillDownTarget {
  return address("/call-history", { range: range === "all" ? undefined : range, ...filters });
}

interface LeadFilters {
  status?: LeadStatus | undefined;
  /** Null: leads without a source. */
  source?: string | null | undefined;
  /** Leads of all sources but the ones that the report names. */
  sources?: "others" | undefined;
  created?: ReportRange | PreviousRange | undefined;
  converted?: Exclude<ReportRange, "all"> | PreviousRange | undefined;
  /** Days, in the format of `CallFilters.day`. */
  convertedOn?: string | undefined;
  convertedUntil?: string | undefined;
  firstCall?: FirstCallBand | undefined;
  called?: CalledFilter | undefined;
  calledIn?: "today" | "week" | "month" | undefined;
}

/** Link to leads in All Leads; for a consultant only their own. */
export function leadsLink(viewer: Viewer, { created, source, ...filters }: LeadFilters): DrillDownTarget {
  return address("/all-leads", {
    created: created === "all" ? undefined : created,
    source,
    sources: source === null ? "none" : undefined,
    ...filters,
    rep: viewer.role === "admin" ? undefined : viewer.id,
  });
}

/**
 * Link to the conversions of the range, or of the days from `day` to `until`: everyone's clients, or a consultant's own converted leads.
 */
export function conversionsLink(
  viewer: Viewer,
  range: ReportRange | PreviousRange,
  days: { day?: string; until?: string | undefined } = {},
): DrillDownTarget {
  const converted = range === "all" ? undefined : range;
  if (viewer.role === "admin") return address("/contacts", { range: converted, ...days });
  const { day: convertedOn, until: convertedUntil } = days;
  return leadsLink(viewer, {
    status: converted || convertedOn ? undefined : "converted",
    converted,
    convertedOn,
    convertedUntil,
  });
}

interface SmsFilters {
  range: ReportRange;
  day?: string | undefined;
  until?: string | undefined;
  /** Who sent them. */
  rep?: RepFilter | undefined;
  direction?: "outbound" | "inbound" | undefined;
}

/** Link to SMS in their list, with the same scope as the figures. */
export function smsLink({ range, ...filters }: SmsFilters): DrillDownTarget {
  return address("/texts", { range: range === "all" ? undefined : range, ...filters });
}

/** Link to the leads now assigned to a consultant, or to anyone. */
export const leadsOfLink = (rep: RepFilter): DrillDownTarget =>
  address("/all-leads", rep === anyRep ? { assignment: "assigned" } : { rep });

/** Link to the clients converted by a consultant, or by anyone, in the range. */
export function convertedByLink(rep: RepFilter, range: ReportRange): DrillDownTarget {
  return address("/contacts", { range: range === "all" ? undefined : range, rep });
}
