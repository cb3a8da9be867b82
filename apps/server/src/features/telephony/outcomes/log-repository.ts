import type { CallDirection, CallLog, loggedOutcomes, TimeSource } from "@portal/contract/entities/call";
import type { RepFilter } from "@portal/contract/entities/fields";
import type { LeadStatus } from "@portal/contract/entities/lead";
import { and, eq } from "drizzle-orm";
import { foldText, likePattern } from "../../../domain/search-text.ts";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { callLogs } from "../../../platform/db/schema/calls.ts";
import {
  checkingSql,
  noTranscriptionSql,
  type RecordingOfLog,
  recordingOfLogSql,
  unmatchedSql,
} from "../../../platform/db/sql/call-logs.ts";
import { byRepSql, inRangeSql, type ListRange, onDaySql } from "../../../platform/db/sql/filters.ts";
import type { CallRow } from "../outbound/repository.ts";

export type CallLogRow = typeof callLogs.$inferSelect;
export type LoggedOutcome = NonNullable<CallLogRow["outcome"]>;

/** A log as the lists show it. */
export interface CallLogViewRow
  extends Omit<CallLogRow, "userId" | "callId" | "inboundCallId" | "confirmedAt" | "clientRef" | "search"> {
  leadName: string | null;
  leadCompany: string | null;
  salesRepName: string | null;
  unmatched: boolean;
  checking: boolean;
  recording: RecordingOfLog | null;
  transcription: string | null;
  noTranscription: CallLog["noTranscription"];
  callerNumber: string | null;
  missed: boolean;
  missedDoneBy: string | null;
  /** The sort key with PostgreSQL's own precision. */
  keysetAt: string;
}

export interface LogSummary {
  totalCalls: number;
  answered: number;
  voicemails: number;
  totalSeconds: number;
}

/** What is shown of logs `c` of leads `l` by consultants `u`; `inbound` is what an inbound call adds. */
export const shownOfLog = (
  inbound: string,
  recording: string,
) => `c.id, c.lead_id as "leadId", l.name as "leadName", l.company as "leadCompany",
  c.outcome, c.call_type as "callType", c.call_date as "callDate", c.duration_seconds as "durationSeconds",
  c.reported_seconds as "reportedSeconds", c.notes, c.call_sid as "callSid", (${unmatchedSql}) as unmatched,
  (${checkingSql}) as checking, c.confirmed, c.direction, ${inbound},
  ${recording} as recording, u.name as "salesRepName", c.call_date::text as "keysetAt"`;
const view = `select ${shownOfLog(
  `ic.transcription, ${noTranscriptionSql} as "noTranscription", nullif(ic.from_number, 'anonymous') as "callerNumber",
  coalesce(ic.result in ('missed', 'voicemail') and ic.settled_at is null, false) as missed,
  (select s.name from users s where s.id = ic.settled_by) as "missedDoneBy"`,
  recordingOfLogSql,
)}`;
const joins =
  "left join leads l on l.id = c.lead_id left join users u on u.id = c.user_id left join inbound_calls ic on ic.id = c.inbound_call_id";

/** In the indexes' own words: `desc` alone means nulls first, and none of them would be walked. */
const newestFirst = "order by c.call_date desc nulls last, c.id desc nulls last";

/** Logs of the filter, newest first, after the keyset. */
export async function listLogs(
  db: Db,
  input: { filter: LogFilter; after: LogKeyset | null; limit: number },
): Promise<CallLogViewRow[]> {
  const { sqls, values } = selectsOf(input.filter, { columns: "c.*", after: input.after });
  const limit = `limit $${values.length + 1}`;
  const newest = sqls.map((sql) => `(${sql} ${newestFirst} ${limit})`);
  const { rows } = await db.$client.query<CallLogViewRow>(
    `${view} from (${newest.join(" union ")}) c ${joins} ${newestFirst} ${limit}`,
    [...values, input.limit],
  );
  return rows;
}

/** How many logs the filter holds, counted up to `cap`. */
export async function countLogs(db: Db, input: { filter: LogFilter; cap: number }): Promise<number> {
  const { sqls, values } = selectsOf(input.filter, { columns: "c.id" });
  const limit = `limit $${values.length + 1}`;
  const capped = sqls.map((sql) => `(${sql} ${limit})`);
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from (select * from (${capped.join(" union ")}) c ${limit}) capped`,
    [...values, input.cap],
  );
  return rows[0]?.count ?? 0;
}

/** Figures of the whole filter, in seconds of the provider's. A call that the recorded dialer wrote as `completed` is no answered one. */
export async function sumLogs(db: Db, filter: LogFilter): Promise<LogSummary> {
  const { sqls, values } = selectsOf(filter, { columns: "c.id, c.outcome, c.duration_seconds" });
  const { rows } = await db.$client.query<LogSummary>(
    `select count(*)::int as "totalCalls",
       count(*) filter (where outcome = 'answered')::int as "answered",
       count(*) filter (where outcome = 'voicemail')::int as "voicemails",
       coalesce(sum(duration_seconds), 0)::float8 as "totalSeconds"
     from (${sqls.join(" union ")}) filtered`,
    values,
  );
  const [figures] = rows;
  if (!figures) throw new Error("an aggregate without a row");
  return figures;
}

export async function findLogView(db: Db, logId: number): Promise<CallLogViewRow | undefined> {
  const { rows } = await db.$client.query<CallLogViewRow>(
    prepared(`${view} from call_logs c ${joins} where c.id = $1`, [logId]),
  );
  return rows[0];
}

/** The log of a call, held until the transaction ends. */
export async function lockLogOfCall(tx: Tx, callId: number): Promise<CallLogRow | undefined> {
  const [row] = await tx.select().from(callLogs).where(eq(callLogs.callId, callId)).for("update");
  return row;
}

/** The log of an inbound call by the caller's leg, held until the transaction ends. */
export async function lockInboundLog(tx: Tx, callSid: string): Promise<CallLogRow | undefined> {
  const [row] = await tx
    .select()
    .from(callLogs)
    .where(and(eq(callLogs.callSid, callSid), eq(callLogs.direction, "inbound")))
    .for("update");
  return row;
}

export async function insertLog(tx: Tx, values: typeof callLogs.$inferInsert): Promise<CallLogRow> {
  const search = foldText(values.notes ?? "");
  const [row] = await tx
    .insert(callLogs)
    .values({ ...values, search })
    .returning();
  if (!row) throw new Error("no call log was written");
  return row;
}

export async function updateLog(
  tx: Tx,
  logId: number,
  patch: Partial<Omit<CallLogRow, "id" | "leadId" | "userId" | "search">>,
): Promise<CallLogRow> {
  const search = patch.notes === undefined ? {} : { search: foldText(patch.notes ?? "") };
  const [row] = await tx
    .update(callLogs)
    .set({ ...patch, ...search })
    .where(eq(callLogs.id, logId))
    .returning();
  if (!row) throw new Error(`no call log ${logId}`);
  return row;
}

/** A log of a call that the rep made with the portal, as the first of its facts has it. */
export function logOfCall(call: CallRow): typeof callLogs.$inferInsert {
  return {
    leadId: call.leadId,
    userId: call.userId,
    callId: call.id,
    confirmed: false,
    callType: "browser",
    callDate: call.requestedAt,
    durationSeconds: call.talkSeconds ?? 0,
    callSid: call.callSid,
  };
}

export interface LogFilter {
  /**
   * Whose logs: of one's own calls and of the leads assigned to one; everyone's for an administrator. Callers who are no lead are
   * everybody's: they stand in nobody's own list and figures, and are asked for (`unknown`, `missed`).
   */
  scope: { userId: number } | "everyone";
  /** Only calls of callers who are no lead. */
  unknown?: boolean | undefined;
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
  /** Where the duration comes from. */
  time?: TimeSource | undefined;
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

const timeSql: Record<TimeSource, string> = {
  measured: "c.reported_seconds is null",
  reported: "c.reported_seconds is not null",
  // Few of many, with an index of their own.
  unmatched: `c.id = any(array(select c.id from call_logs c where ${unmatchedSql}))`,
};

/** Log `c` is of a caller who is no lead. */
const isStranger = "c.lead_id is null";

/**
 * The selects of a filter, each with its own index: own calls, calls with own leads, and where asked for callers who are no lead; a log may
 * stand in two, so they are to be joined by `union`. `columns` are those of `c`, the log; `values` those that the
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
  if (filter.unknown) shared.push(isStranger);
  if (filter.outcome === "none") shared.push("c.outcome is null");
  else if (filter.outcome) shared.push(`c.outcome = ${place(filter.outcome)}`);
  if (filter.rep !== undefined) shared.push(byRepSql("c.user_id", filter.rep, place));
  if (filter.time) shared.push(timeSql[filter.time]);
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
  if (filter.scope === "everyone" || filter.unknown) {
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
  if (filter.needsOutcome) return { sqls: [own], values };
  const strangers = `select ${columns} from call_logs c where ${where([isStranger])}`;
  return { sqls: filter.missed ? [own, ownLeads, strangers] : [own, ownLeads], values };
}
