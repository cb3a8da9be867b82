import type { Call, CallLog } from "@portal/contract/entities/call";
import type { CallViewRow } from "./data.ts";
import type { CallLogViewRow } from "./data-logs.ts";

const iso = (instant: Date | null) => instant?.toISOString() ?? null;

/** A call as the API answers it, field by field. */
export function presentCall(row: CallViewRow, now = new Date()): Call {
  const waits =
    row.state === "requested" && row.askedAt === null && row.dialsAt !== null && row.dialsAt > now;
  return {
    id: row.id,
    leadId: row.leadId,
    leadName: row.leadName,
    leadCompany: row.leadCompany,
    leadPhone: row.leadNumber,
    callSid: row.callSid,
    state: row.state,
    result: row.result,
    repLine: row.repLine,
    requestedAt: row.requestedAt.toISOString(),
    leadRingingAt: iso(row.leadRingingAt),
    answeredAt: iso(row.answeredAt),
    endedAt: iso(row.endedAt),
    ending: row.endRequestedAt !== null && row.state !== "ended",
    talkSeconds: row.talkSeconds,
    dialsAt: waits ? iso(row.dialsAt) : null,
    failure: row.failure,
    callLogId: row.callLogId,
    now: now.toISOString(),
  };
}

/** A logged call as the API answers it, field by field. */
export function presentLog(row: CallLogViewRow): CallLog {
  return {
    id: row.id,
    leadId: row.leadId,
    leadName: row.leadName ?? "",
    leadCompany: row.leadCompany,
    outcome: row.outcome,
    callType: row.callType,
    callDate: row.callDate.toISOString(),
    duration: row.durationSeconds,
    notes: row.notes,
    twilioCallSid: row.callSid,
    confirmed: row.confirmed,
    salesRepName: row.salesRepName,
    direction: row.direction,
    recordingSid: row.recordingSid,
    transcription: row.transcription,
    callerNumber: row.callerNumber,
    missed: row.missed,
    missedDoneBy: row.missedDoneBy,
  };
}
