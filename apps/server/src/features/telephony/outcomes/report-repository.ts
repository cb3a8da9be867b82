import { and, eq, isNull } from "drizzle-orm";
import { foldText } from "../../../domain/search-text.ts";
import { lockText } from "../../../platform/db/advisory-locks.ts";
import type { Tx } from "../../../platform/db/client.ts";
import { queryFirst, sql } from "../../../platform/db/query.ts";
import { callLogs } from "../../../platform/db/schema/calls.ts";
import { recordingOfLogSql } from "../../../platform/db/sql/call-logs.ts";
import { insertAuditSql, insertLeadEventsSql } from "../../../platform/db/sql/leads.ts";
import { type CallLogRow, type CallLogViewRow, type LoggedOutcome, shownOfLog } from "./log-repository.ts";

/** The report of a call that the portal did not make. */
export interface Report {
  leadId: number;
  userId: number;
  /** Whether the user may act on others' leads. */
  anyLead: boolean;
  outcome: LoggedOutcome;
  notes: string | null;
  callType: string;
  durationSeconds: number;
  /** The reported sid, if no such call is known. */
  callSid: string | null;
  clientRef: string | null;
}

const dataSql = sql`jsonb_build_object('callLogId', c.id, 'callId', null, 'before', null,
  'after', jsonb_build_object('outcome', c.outcome, 'notes', c.notes, 'confirmed', true))`;
const reportSql = (
  input: object,
) => sql`with input as materialized (select * from json_to_record(${JSON.stringify(input)}::json) as i(lead_id int, user_id int,
      any_lead boolean, outcome text, call_type text, duration int, notes text, call_sid text,
      client_ref uuid, search text)),
  known as (select c.id from input i join call_logs c on c.client_ref = i.client_ref and c.user_id = i.user_id),
  lead as materialized (select i.*, l.name, l.company, l.assigned_to, nextval('call_logs_id_seq')::int as log_id
    from input i join leads l on l.id = i.lead_id where not exists (select 1 from known) for update of l),
  log as (insert into call_logs
      (id, lead_id, user_id, outcome, confirmed, confirmed_at, call_type, duration_seconds, reported_seconds, notes, call_sid, client_ref, search)
    select l.log_id, l.lead_id, l.user_id, l.outcome, true, clock_timestamp(), l.call_type, 0, l.duration, l.notes, l.call_sid, l.client_ref, l.search
    from lead l where (l.any_lead or l.assigned_to = l.user_id) and (l.duration > 0 or l.call_sid is not null) returning *),
  event as (${insertLeadEventsSql(sql`select c.lead_id, c.user_id, 'call-logged', ${dataSql} from log c`)}),
  audit as (${insertAuditSql(sql`select c.user_id, 'call-outcome', 'call-log:' || c.id, ${dataSql} from log c`)})
  select k.id as "knownId", l.lead_id as "ofLead", l.assigned_to as "assignedTo", ${shownOfLog(
    sql`null as transcription, null as "noTranscription", null as "callerNumber", false as missed, null as "missedDoneBy"`,
    recordingOfLogSql,
  )}
  from input i left join known k on true left join lead l on true left join log c on c.id = l.log_id
    left join users u on u.id = c.user_id`;

/** Result of saving a report: known from an earlier request, no such lead, not allowed (`log` null), or saved. */
export type Reported =
  | { knownId: number }
  | { knownId: null; leadExists: boolean; assignedTo: number | null; log: CallLogViewRow | null };

/**
 * Saves a report with its timeline and audit entries in one statement, if the lead is the user's own or they may act on any, and if it has
 * a duration or a sid. Errors: the unique violation `call_logs_client_ref_unique`.
 */
export async function insertReport(tx: Tx, report: Report): Promise<Reported> {
  type Row = { knownId: number | null; ofLead: number | null; assignedTo: number | null } & CallLogViewRow;
  const input = {
    lead_id: report.leadId,
    user_id: report.userId,
    any_lead: report.anyLead,
    outcome: report.outcome,
    call_type: report.callType,
    duration: report.durationSeconds,
    notes: report.notes,
    call_sid: report.callSid,
    client_ref: report.clientRef,
    search: foldText(report.notes ?? ""),
  };
  const row = await queryFirst<Row>(tx, reportSql(input), { prepared: true });
  if (!row) throw new Error("a report without an answer");
  const { knownId, ofLead, assignedTo, ...log } = row;
  if (knownId !== null) return { knownId };
  return { knownId, leadExists: ofLead !== null, assignedTo, log: log.id === null ? null : log };
}

/** Locks a sid, so that a report under it and the call that turns out to have it do not miss each other. */
export async function lockSid(tx: Tx, callSid: string): Promise<void> {
  await lockText(tx, "callSid", callSid);
}

/** What a consultant reported about a lead under a sid that none of their calls has, locked. */
export async function lockReport(
  tx: Tx,
  { callSid, userId, leadId }: { callSid: string; userId: number; leadId: number },
): Promise<CallLogRow | undefined> {
  const [row] = await tx
    .select()
    .from(callLogs)
    .where(
      and(
        eq(callLogs.callSid, callSid),
        eq(callLogs.userId, userId),
        eq(callLogs.leadId, leadId),
        isNull(callLogs.callId),
        isNull(callLogs.inboundCallId),
      ),
    )
    .for("update");
  return row;
}

/** Deletes a report that was joined into another log. */
export async function deleteReport(tx: Tx, logId: number): Promise<void> {
  await tx.delete(callLogs).where(eq(callLogs.id, logId));
}
