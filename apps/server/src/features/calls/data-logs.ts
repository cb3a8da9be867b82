import { and, eq } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { callLogs } from "../../db/schema/calls.ts";
import { insertAuditSql, insertLeadEventsSql } from "../../db/sql/insert-history.ts";
import { recordingOfLogSql, recordingOfReportSql } from "../../db/sql/recording-of-log.ts";
import { foldText } from "../../values/search-text.ts";
import type { CallRow } from "./data.ts";
import { type LogFilter, type LogKeyset, selectsOf } from "./data-log-filter.ts";

export type CallLogRow = typeof callLogs.$inferSelect;
export type LoggedOutcome = NonNullable<CallLogRow["outcome"]>;

/** A log as the lists show it. */
export interface CallLogViewRow
  extends Omit<CallLogRow, "userId" | "callId" | "inboundCallId" | "confirmedAt" | "clientRef" | "search"> {
  leadName: string | null;
  leadCompany: string | null;
  salesRepName: string | null;
  recordingSid: string | null;
  transcription: string | null;
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
const shown = (
  inbound: string,
  recording: string,
) => `c.id, c.lead_id as "leadId", l.name as "leadName", l.company as "leadCompany",
  c.outcome, c.call_type as "callType", c.call_date as "callDate", c.duration_seconds as "durationSeconds", c.notes,
  c.call_sid as "callSid", c.confirmed, c.direction, ${inbound},
  ${recording} as "recordingSid", u.name as "salesRepName", c.call_date::text as "keysetAt"`;
const view = `select ${shown(
  `ic.transcription, nullif(ic.from_number, 'anonymous') as "callerNumber",
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

/** Figures of the whole filter, in seconds. A call that the recorded dialer wrote as `completed` is no answered one. */
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
  patch: Partial<
    Pick<CallLogRow, "outcome" | "notes" | "confirmed" | "confirmedAt" | "durationSeconds" | "callSid">
  >,
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

/** What is known of a call that the portal did not make. */
export interface Report {
  leadId: number;
  userId: number;
  /** Whether they may act on leads of others. */
  anyLead: boolean;
  outcome: LoggedOutcome;
  notes: string | null;
  callType: string;
  durationSeconds: number;
  clientRef: string | null;
}

const dataSql = `jsonb_build_object('callLogId', c.id, 'callId', null, 'before', null,
  'after', jsonb_build_object('outcome', c.outcome, 'notes', c.notes, 'confirmed', true))`;
const reportSql = (
  lock: string,
) => `with input as materialized (select * from json_to_recordset($1::json) as i(n int, lead_id int, user_id int,
      any_lead boolean, outcome text, call_type text, duration int, notes text, client_ref uuid, search text)),
  known as (select i.n, c.id from input i join call_logs c on c.client_ref = i.client_ref and c.user_id = i.user_id),
  lead as materialized (select i.*, l.name, l.company, l.assigned_to, nextval('call_logs_id_seq')::int as log_id
    from input i join leads l on l.id = i.lead_id where not exists (select 1 from known k where k.n = i.n) order by l.id for update of l ${lock}),
  log as (insert into call_logs
      (id, lead_id, user_id, outcome, confirmed, confirmed_at, call_type, duration_seconds, notes, client_ref, search)
    select l.log_id, l.lead_id, l.user_id, l.outcome, true, clock_timestamp(), l.call_type, l.duration, l.notes, l.client_ref, l.search
    from lead l where (l.any_lead or l.assigned_to = l.user_id) and l.duration > 0 returning *),
  event as (${insertLeadEventsSql(`select c.lead_id, c.user_id, 'call-logged', ${dataSql} from log c`)}),
  audit as (${insertAuditSql(`select c.user_id, 'call-outcome', 'call-log:' || c.id, ${dataSql} from log c`)})
  select i.n, k.id as "knownId", l.lead_id as "ofLead", l.assigned_to as "assignedTo", ${shown(
    `null as transcription, null as "callerNumber", false as missed, null as "missedDoneBy"`,
    recordingOfReportSql,
  )}
  from input i left join known k on k.n = i.n left join lead l on l.n = i.n left join log c on c.id = l.log_id
    left join users u on u.id = c.user_id`;

/** Waits for leads that somebody else is writing, or leaves them out as if they were not there. */
const reportSqls = { wait: reportSql(""), skip: reportSql("skip locked") };

/** What became of a report: known from an earlier request, of no lead, not allowed (`log` null), or written. */
export type Reported =
  | { knownId: number }
  | { knownId: null; leadExists: boolean; assignedTo: number | null; log: CallLogViewRow | null };

/**
 * Records calls that the portal did not make, with their timelines and audit, in one statement: each where the lead is the person's own or
 * they may act on any, and it took any time. Errors: the unique violation `call_logs_client_ref_unique`.
 */
export async function insertReports(
  db: Db,
  reports: readonly Report[],
  held: keyof typeof reportSqls,
): Promise<Reported[]> {
  type Row = {
    n: number;
    knownId: number | null;
    ofLead: number | null;
    assignedTo: number | null;
  } & CallLogViewRow;
  const input = reports.map((report, n) => ({
    n,
    lead_id: report.leadId,
    user_id: report.userId,
    any_lead: report.anyLead,
    outcome: report.outcome,
    call_type: report.callType,
    duration: report.durationSeconds,
    notes: report.notes,
    client_ref: report.clientRef,
    search: foldText(report.notes ?? ""),
  }));
  const { rows } = await db.$client.query<Row>(prepared(reportSqls[held], [JSON.stringify(input)]));
  const reported: Reported[] = [];
  for (const { n, knownId, ofLead, assignedTo, ...log } of rows)
    reported[n] =
      knownId === null
        ? { knownId, leadExists: ofLead !== null, assignedTo, log: log.id === null ? null : log }
        : { knownId };
  return reported;
}

/** The same for one call, waiting for its lead. */
export async function insertReport(db: Db, report: Report): Promise<Reported> {
  const [reported] = await insertReports(db, [report], "wait");
  if (!reported) throw new Error("a report without an answer");
  return reported;
}
