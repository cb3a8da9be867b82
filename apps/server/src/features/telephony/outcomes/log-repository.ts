import type { CallDirection, CallLog, loggedOutcomes, TimeSource } from "@portal/contract/entities/call";
import type { RepFilter } from "@portal/contract/entities/fields";
import type { LeadStatus } from "@portal/contract/entities/lead";
import { and, eq, SQL } from "drizzle-orm";
import { foldText, likePattern } from "../../../domain/search-text.ts";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { allOf, query, queryFirst, queryOnly, sql } from "../../../platform/db/query.ts";
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

/** A log for lists. */
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
  /** Sort key at PostgreSQL's full precision. */
  keysetAt: string;
}

export interface LogSummary {
  totalCalls: number;
  answered: number;
  voicemails: number;
  totalSeconds: number;
}

/** Columns of a log `c` with its lead `l` and consultant `u`; `inbound` adds those of an inbound call. */
export const shownOfLog = (
  inbound: SQL,
  recording: SQL,
) => sql`c.id, c.lead_id as "leadId", l.name as "leadName", l.company as "leadCompany",
  c.outcome, c.call_type as "callType", c.call_date as "callDate", c.duration_seconds as "durationSeconds",
  c.reported_seconds as "reportedSeconds", c.notes, c.call_sid as "callSid", (${unmatchedSql}) as unmatched,
  (${checkingSql}) as checking, c.confirmed, c.direction, ${inbound},
  ${recording} as recording, u.name as "salesRepName", c.call_date::text as "keysetAt"`;
const view = sql`select ${shownOfLog(
  sql`ic.transcription, ${noTranscriptionSql} as "noTranscription", nullif(ic.from_number, 'anonymous') as "callerNumber",
  coalesce(ic.result in ('missed', 'voicemail') and ic.settled_at is null, false) as missed,
  (select s.name from users s where s.id = ic.settled_by) as "missedDoneBy"`,
  recordingOfLogSql,
)}`;
const joins = sql`left join leads l on l.id = c.lead_id left join users u on u.id = c.user_id
  left join inbound_calls ic on ic.id = c.inbound_call_id`;

/** The exact order of the indexes; plain `desc` means nulls first, and no index would be used. */
const newestFirst = sql`order by c.call_date desc nulls last, c.id desc nulls last`;
/** The same indexes, read backwards. */
const oldestFirst = sql`order by c.call_date asc nulls first, c.id asc nulls first`;
const union = sql` union `;

/** Logs of the filter in its order, after the keyset. */
export async function listLogs(
  db: Db,
  input: { filter: LogFilter; after: LogKeyset | null; limit: number },
): Promise<CallLogViewRow[]> {
  const limit = sql`limit ${input.limit}`;
  const order = input.filter.isOldestFirst ? oldestFirst : newestFirst;
  const first = selectsOf(input.filter, sql`c.*`, input.after).map(
    (select) => sql`(${select} ${order} ${limit})`,
  );
  return query<CallLogViewRow>(
    db,
    sql`${view} from (${sql.join(first, union)}) c ${joins} ${order} ${limit}`,
  );
}

/** Number of logs of the filter, counted up to `cap`. */
export async function countLogs(db: Db, input: { filter: LogFilter; cap: number }): Promise<number> {
  const limit = sql`limit ${input.cap}`;
  const capped = selectsOf(input.filter, sql`c.id`).map((select) => sql`(${select} ${limit})`);
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (select * from (${sql.join(capped, union)}) c ${limit}) capped`,
  );
  return count;
}

/** Sums over the whole filter; durations in seconds. A log with the recorded dialer's outcome `completed` does not count as answered. */
export async function sumLogs(db: Db, filter: LogFilter): Promise<LogSummary> {
  const selects = selectsOf(filter, sql`c.id, c.outcome, c.duration_seconds`);
  return queryOnly<LogSummary>(
    db,
    sql`select count(*)::int as "totalCalls",
       count(*) filter (where outcome = 'answered')::int as "answered",
       count(*) filter (where outcome = 'voicemail')::int as "voicemails",
       coalesce(sum(duration_seconds), 0)::float8 as "totalSeconds"
     from (${sql.join(selects, union)}) filtered`,
  );
}

export async function findLogView(db: Db, logId: number): Promise<CallLogViewRow | undefined> {
  return queryFirst<CallLogViewRow>(db, sql`${view} from call_logs c ${joins} where c.id = ${logId}`, {
    prepared: true,
  });
}

/** The log of a call, locked. */
export async function lockLogOfCall(tx: Tx, callId: number): Promise<CallLogRow | undefined> {
  const [row] = await tx.select().from(callLogs).where(eq(callLogs.callId, callId)).for("update");
  return row;
}

/** The log of an inbound call by the caller's sid, locked. */
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

/** Columns of the log of a call made in the portal. */
export function logOfCall(call: CallRow): typeof callLogs.$inferInsert {
  return {
    leadId: call.leadId,
    userId: call.userId,
    callId: call.id,
    confirmed: false,
    callType: "browser",
    callDate: call.requestedAt,
    durationSeconds: call.durationSeconds ?? 0,
    callSid: call.callSid,
  };
}

export interface LogFilter {
  /**
   * Whose logs: those of a user's own calls and of leads assigned to them, or everyone's. Calls of unknown callers are in no user's own
   * list; they are listed only if requested (`unknown`, `missed`).
   */
  scope: { userId: number } | "everyone";
  /** Only calls of unknown callers. */
  unknown?: boolean | undefined;
  leadId?: number | undefined;
  /** True: only calls that wait for the consultant's own outcome. False: only confirmed ones. */
  needsOutcome?: boolean | undefined;
  /** Only inbound calls that nobody took or called back. */
  missed?: boolean | undefined;
  /** Words in the notes, in any order. */
  search?: string | undefined;
  /** `none`: without an outcome. */
  outcome?: (typeof loggedOutcomes)[number] | "none" | undefined;
  range?: ListRange | undefined;
  /** A day in the organization's zone, YYYY-MM-DD. */
  day?: string | undefined;
  /** Last of several days from `day`. */
  until?: string | undefined;
  /** Weekday (1 is Monday) and hour in the organization's zone. */
  weekday?: number | undefined;
  hour?: number | undefined;
  /** Who made or took the call. */
  rep?: RepFilter | undefined;
  direction?: CallDirection | undefined;
  /** The lead's current owner and status. */
  owner?: number | undefined;
  leadStatus?: LeadStatus | undefined;
  /** Where the duration comes from. */
  time?: TimeSource | undefined;
  /** Oldest first instead of newest first. */
  isOldestFirst?: boolean | undefined;
  /** The organization's zone, in which days are counted. */
  timeZone: string;
}

export interface LogKeyset {
  at: string;
  id: number;
}

/** Logs `c` of missed inbound calls that wait to be called back: few rows, with their own index. */
const missedSql = sql`c.inbound_call_id = any(array(select mc.id from inbound_calls mc
  where mc.result in ('missed', 'voicemail') and mc.settled_at is null))`;

const timeSql: Record<TimeSource, SQL> = {
  measured: sql`c.reported_seconds is null`,
  reported: sql`c.reported_seconds is not null`,
  // Few rows, with their own index.
  unmatched: sql`c.id = any(array(select c.id from call_logs c where ${unmatchedSql}))`,
};

/** Logs `c` of unknown callers. */
const isStranger = sql`c.lead_id is null`;

/**
 * The selects of a filter, each with its own index: own calls, calls with own leads, and unknown callers if requested. A log may be in two
 * of them, so join them by `union`. `columns` are columns of the log `c`.
 */
export function selectsOf(filter: LogFilter, columns: SQL, after: LogKeyset | null = null): SQL[] {
  const { leadId, needsOutcome, outcome, rep, time, direction, range, day, until } = filter;
  const { weekday, hour, owner, leadStatus, timeZone } = filter;
  const at = sql`c.call_date`;
  const localAt = sql`${at} at time zone ${timeZone}::text`;
  const words = foldText(filter.search ?? "")
    .split(" ")
    .filter(Boolean)
    .slice(0, 8);
  const shared = [
    leadId !== undefined && sql`c.lead_id = ${leadId}`,
    needsOutcome !== undefined && (needsOutcome ? sql`not c.confirmed` : sql`c.confirmed`),
    filter.missed && missedSql,
    filter.unknown && isStranger,
    outcome && (outcome === "none" ? sql`c.outcome is null` : sql`c.outcome = ${outcome}`),
    rep !== undefined && byRepSql(sql`c.user_id`, rep),
    time && timeSql[time],
    direction && sql`c.direction = ${direction}`,
    range && inRangeSql(at, range, timeZone),
    day && onDaySql(at, { day, until, timeZone }),
    weekday !== undefined && sql`extract(isodow from ${localAt}) = ${weekday}`,
    hour !== undefined && sql`extract(hour from ${localAt}) = ${hour}`,
    ...words.map((word) => sql`c.search like ${likePattern(word)}`),
    after &&
      (filter.isOldestFirst
        ? sql`(c.call_date, c.id) > (${after.at}::timestamptz, ${after.id}::int)`
        : sql`(c.call_date, c.id) < (${after.at}::timestamptz, ${after.id}::int)`),
  ];
  const ofLead = [
    owner !== undefined && sql`l.assigned_to = ${owner}`,
    leadStatus && sql`l.status = ${leadStatus}`,
  ].filter((condition) => condition instanceof SQL);
  const logs = (...own: SQL[]) => sql`select ${columns} from call_logs c where ${allOf(...own, ...shared)}`;
  const withLeads = (...own: SQL[]) =>
    sql`select ${columns} from leads l join call_logs c on c.lead_id = l.id where ${allOf(...own, ...ofLead, ...shared)}`;
  if (filter.scope === "everyone" || filter.unknown) return [ofLead.length > 0 ? withLeads() : logs()];
  const { userId } = filter.scope;
  const isOwn = sql`c.user_id = ${userId}`;
  const ownLeads = withLeads(sql`l.assigned_to = ${userId}`);
  if (ofLead.length > 0) {
    if (needsOutcome) return [withLeads(isOwn)];
    return owner === userId ? [ownLeads] : [withLeads(isOwn), ownLeads];
  }
  if (needsOutcome) return [logs(isOwn)];
  return filter.missed ? [logs(isOwn), ownLeads, logs(isStranger)] : [logs(isOwn), ownLeads];
}
