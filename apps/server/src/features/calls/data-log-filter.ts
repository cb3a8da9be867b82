import type { CallDirection, loggedOutcomes } from "@portal/contract/entities/call";
import type { RepFilter } from "@portal/contract/entities/fields";
import type { LeadStatus } from "@portal/contract/entities/lead";
import { byRepSql } from "../../db/sql/by-rep.ts";
import { onDaySql } from "../../db/sql/on-day.ts";
import { inRangeSql, type ListRange } from "../../db/sql/range-start.ts";
import { foldText, likePattern } from "../../values/search-text.ts";

export interface LogFilter {
  /** Whose logs: of one's own calls, of the leads assigned to one, and of callers who are no lead; everyone's for an administrator. */
  scope: { userId: number } | "everyone";
  leadId?: number | undefined;
  /** True: only those that wait for the rep's outcome, which are the caller's own to answer. False: only the confirmed. */
  needsOutcome?: boolean | undefined;
  /** Only inbound calls that nobody took and nobody called back. */
  missed?: boolean | undefined;
  /** Words that the notes hold, in any order. */
  search?: string | undefined;
  /** `none`: nobody knows it yet. */
  outcome?: (typeof loggedOutcomes)[number] | "none" | undefined;
  range?: ListRange | undefined;
  /** One day of the organisation's clock, YYYY-MM-DD. */
  day?: string | undefined;
  /** The last of several days from `day`. */
  until?: string | undefined;
  /** Weekday (1 is Monday) and hour of the organisation's clock. */
  weekday?: number | undefined;
  hour?: number | undefined;
  /** Who made or took the call. */
  rep?: RepFilter | undefined;
  direction?: CallDirection | undefined;
  /** Whose the lead is now, and its status now. */
  owner?: number | undefined;
  leadStatus?: LeadStatus | undefined;
  /** The organisation's zone, in which its days are counted. */
  timeZone: string;
}

export interface LogKeyset {
  at: string;
  id: number;
}

/** Log `c` is of an inbound call that waits to be called back: few of many, with an index of their own. */
const missedSql = `c.inbound_call_id = any(array(select mc.id from inbound_calls mc
  where mc.result in ('missed', 'voicemail') and mc.settled_at is null))`;

/**
 * The selects of a filter, each with its own index: own calls, calls with own leads, and callers who are no lead; a log may stand in
 * two, so they are to be joined by `union`. `columns` are those of `c`, the log; `values` those that the
 * statement has already.
 */
export function selectsOf(
  filter: LogFilter,
  { columns, after = null, values = [] }: { columns: string; after?: LogKeyset | null; values?: unknown[] },
): { sqls: string[]; values: unknown[] } {
  const place = (value: unknown) => `$${values.push(value)}`;
  const shared: string[] = [];
  if (filter.leadId !== undefined) shared.push(`c.lead_id = ${place(filter.leadId)}`);
  if (filter.needsOutcome !== undefined) shared.push(filter.needsOutcome ? "not c.confirmed" : "c.confirmed");
  if (filter.missed) shared.push(missedSql);
  if (filter.outcome === "none") shared.push("c.outcome is null");
  else if (filter.outcome) shared.push(`c.outcome = ${place(filter.outcome)}`);
  if (filter.rep !== undefined) shared.push(byRepSql("c.user_id", filter.rep, place));
  if (filter.direction) shared.push(`c.direction = ${place(filter.direction)}`);
  const zone = () => `${place(filter.timeZone)}::text`;
  if (filter.range) shared.push(inRangeSql("c.call_date", filter.range, zone()));
  if (filter.day)
    shared.push(
      onDaySql("c.call_date", place(filter.day), zone(), filter.until ? place(filter.until) : undefined),
    );
  if (filter.weekday !== undefined)
    shared.push(`extract(isodow from c.call_date at time zone ${zone()}) = ${place(filter.weekday)}`);
  if (filter.hour !== undefined)
    shared.push(`extract(hour from c.call_date at time zone ${zone()}) = ${place(filter.hour)}`);
  for (const word of foldText(filter.search ?? "")
    .split(" ")
    .filter(Boolean)
    .slice(0, 8))
    shared.push(`c.search like ${place(likePattern(word))}`);
  const ofLead: string[] = [];
  if (filter.owner !== undefined) ofLead.push(`l.assigned_to = ${place(filter.owner)}`);
  if (filter.leadStatus) ofLead.push(`l.status = ${place(filter.leadStatus)}`);
  if (after) shared.push(`(c.call_date, c.id) < (${place(after.at)}::timestamptz, ${place(after.id)}::int)`);
  const where = (own: string[]) => [...own, ...shared].join(" and ") || "true";
  const withLeads = (own: string[]) =>
    `select ${columns} from leads l join call_logs c on c.lead_id = l.id where ${where([...own, ...ofLead])}`;
  if (filter.scope === "everyone") {
    const all = ofLead.length > 0 ? withLeads([]) : `select ${columns} from call_logs c where ${where([])}`;
    return { sqls: [all], values };
  }
  const user = place(filter.scope.userId);
  const ownLeads = withLeads([`l.assigned_to = ${user}`]);
  if (ofLead.length > 0) {
    const ownCalls = withLeads([`c.user_id = ${user}`]);
    if (filter.needsOutcome) return { sqls: [ownCalls], values };
    return { sqls: filter.owner === filter.scope.userId ? [ownLeads] : [ownCalls, ownLeads], values };
  }
  const own = `select ${columns} from call_logs c where ${where([`c.user_id = ${user}`])}`;
  const strangers = `select ${columns} from call_logs c where ${where(["c.lead_id is null"])}`;
  return { sqls: filter.needsOutcome ? [own] : [own, ownLeads, strangers], values };
}
