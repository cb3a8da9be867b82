import { type Tx, violatedConstraint } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import { isRequestDone, recordAudit, recordLeadEvent } from "../../activity/service.ts";
import type { ContactPolicyRules } from "../../contact-policy/decide-contact.ts";
import { applyRetryEnd } from "../../retry-rules/service.ts";
import { lockInbound, updateInbound } from "../inbound/repository.ts";
import { type CallRow, lockCall } from "../outbound/repository.ts";
import { actsOnAnyLead, ownsCall } from "../policy.ts";
import type { CallsContext } from "../types.ts";
import { applyOutcomeToLead, findAssignee } from "./apply-outcome.ts";

import {
  type CallLogRow,
  type CallLogViewRow,
  insertLog,
  type LoggedOutcome,
  lockInboundLog,
  lockLogOfCall,
  logOfCall,
  updateLog,
} from "./log-repository.ts";
import { insertReport, lockReport, lockSid } from "./report-repository.ts";

export interface Outcome {
  actor: AuthSession;
  leadId: number;
  durationSeconds: number;
  outcome: LoggedOutcome;
  /** Blank or null keeps the existing notes. */
  notes: string | null;
  callType: string;
  callSid: string | null;
  clientRef: string | null;
  /** The lead's hours, for the retry rules. */
  contactPolicy: ContactPolicyRules;
  /** The outcome that the user saw, null for none; undefined replaces any. */
  seen?: LoggedOutcome | null | undefined;
}

const clientRefKey = "call_logs_client_ref_unique";

async function publishOutcome(
  tx: Tx,
  input: Outcome,
  log: CallLogRow,
  assignee: number | null,
): Promise<void> {
  const audience = audienceOf(log.userId, assignee, input.actor.userId);
  await publishEvent(tx, { topic: "call-log", id: log.id, audience });
  if (log.callId) await publishEvent(tx, { topic: "call", id: log.callId, audience });
  await publishEvent(tx, { topic: "lead", id: input.leadId, audience });
}

/** Applies the consequences of an outcome in the transaction that saves it. */
async function recordEffects(
  tx: Tx,
  input: Outcome,
  log: CallLogRow,
  context: {
    before: CallLogRow | undefined;
    call: CallRow | undefined;
  },
): Promise<void> {
  const { before, call } = context;
  const { userId } = input.actor;
  const { leadId } = input;
  const { outcome, notes } = log;
  const { clientRef } = input;
  const data = {
    callLogId: log.id,
    callId: log.callId,
    before: before ? { outcome: before.outcome, notes: before.notes, confirmed: before.confirmed } : null,
    after: { outcome, notes, confirmed: true },
  };
  await recordLeadEvent(tx, {
    leadId,
    userId,
    kind: "outcome-confirmed",
    data: { ...data, ...(clientRef && { clientRef }) },
  });
  await recordAudit(tx, { userId, action: "call-outcome", subject: `call-log:${log.id}`, data });
  await applyOutcomeToLead(tx, {
    leadId,
    userId,
    outcome,
    before: before?.confirmed ? before.outcome : null,
    number: call?.leadNumber ?? null,
    at: call?.endedAt ?? new Date(),
  });
  await applyRetryEnd(tx, { leadId, userId, callLogId: log.id, contactPolicy: input.contactPolicy });
  await publishOutcome(tx, input, log, await findAssignee(tx, leadId));
}

/** Only the provider can say that a call could not be connected. */
function checkOutcome(outcome: LoggedOutcome, result: CallRow["result"]): void {
  if (outcome === "not_connected" && result !== "not_connected")
    throw new AppError(
      "invalid",
      "outcome: the provider does not say that this call could not be connected.",
    );
}

/** Whether the log stays unchanged: the same outcome is saved already, or was and has been replaced since. Errors: `changed_meanwhile`. */
async function isAnswered(
  tx: Tx,
  input: Outcome,
  before: CallLogRow,
  {
    notes,
    reportedSeconds = before.reportedSeconds,
  }: { notes: string | null; reportedSeconds?: number | null },
): Promise<boolean> {
  if (!before.confirmed) return false;
  const { actor, outcome, seen, ...asked } = input;
  const isSameTime = before.reportedSeconds === reportedSeconds;
  if (before.outcome === outcome && before.notes === notes && isSameTime) return true;
  if (await isRequestDone(tx, { ...asked, userId: actor.userId })) return true;
  if (seen !== undefined && before.outcome !== seen && before.outcome !== outcome)
    throw new AppError("changed_meanwhile", "Another outcome was given meanwhile. Choose which holds.", {
      now: { outcome: before.outcome },
    });
  return false;
}

/** The provider's talk time once it is known; until then the duration that the consultant reports. */
function timeOf(call: CallRow, input: Outcome, known: CallLogRow | undefined) {
  if (call.state === "ended" && call.durationSeconds !== null)
    return { durationSeconds: call.durationSeconds, reportedSeconds: null };
  const earlier = call.state === "ended" ? known?.reportedSeconds : null;
  return { durationSeconds: 0, reportedSeconds: earlier ?? (input.durationSeconds || null) };
}

/**
 * Saves the consultant's outcome for a call made in the portal; it replaces the provider's, and a later one replaces it. Returns the log's
 * id, or null if the actor has no such call with this lead (an administrator may use any).
 */
export async function confirmOutcome(
  tx: Tx,
  by: Parameters<typeof lockCall>[1],
  input: Outcome,
): Promise<number | null> {
  const call = await lockCall(tx, by);
  if (!call) return "callSid" in by ? confirmInbound(tx, by.callSid, input) : null;
  if (!ownsCall(input.actor, call) || call.leadId !== input.leadId) return null;

  const before = await lockLogOfCall(tx, call.id);
  const patch = {
    outcome: input.outcome,
    notes: input.notes ?? before?.notes ?? null,
    confirmed: true,
    ...timeOf(call, input, before),
  };
  if (before && (await isAnswered(tx, input, before, { notes: patch.notes }))) return before.id;
  checkOutcome(input.outcome, call.result);
  const confirmedAt = new Date();
  const log = before
    ? await updateLog(tx, before.id, { ...patch, confirmedAt })
    : await insertLog(tx, { ...logOfCall(call), ...patch, confirmedAt, callType: input.callType });
  await recordEffects(tx, input, log, { before, call });
  return log.id;
}

/**
 * Saves notes and outcome of an inbound call by the user who took it, the lead's assignee or an administrator; returns null for others and
 * for another lead. During the call they are written into a new log, which the end of the call updates; the user who saves them for a call
 * on the office line is stored as the one who took it.
 */
async function confirmInbound(tx: Tx, callSid: string, input: Outcome): Promise<number | null> {
  const { actor, leadId, outcome, notes } = input;
  const call = await lockInbound(tx, { callSid });
  if (call?.leadId !== leadId) return null;
  const before = await lockInboundLog(tx, callSid);
  const takenBy = before?.userId ?? call.takenBy;
  const isTheirs = takenBy === actor.userId || (await findAssignee(tx, leadId)) === actor.userId;
  if (!isTheirs && !actsOnAnyLead(actor)) return null;
  if (before) return replaceOutcome(tx, input, before);
  // For a call that still rings it is saved as a report, which is joined when the call ends.
  if (call.stage !== "talking") return null;
  checkOutcome(outcome, null);
  const userId = takenBy ?? actor.userId;
  if (call.takenBy === null) await updateInbound(tx, call.id, { takenBy: userId });
  const log = await insertLog(tx, {
    leadId,
    userId,
    inboundCallId: call.id,
    outcome,
    notes,
    confirmed: true,
    confirmedAt: new Date(),
    direction: "inbound",
    callType: "inbound",
    callDate: call.startedAt,
    durationSeconds: 0,
    callSid,
  });
  await recordEffects(tx, input, log, { before: undefined, call: undefined });
  return log.id;
}

/** The duration of a report: the latest one. Calls of the provider have a measured one, and a repeated request changes nothing. */
function reportedTime(before: CallLogRow, input: Outcome): number | null {
  const isReport = before.callId === null && before.inboundCallId === null;
  const isSaidOnceMore = input.clientRef !== null && input.clientRef === before.clientRef;
  return isReport && !isSaidOnceMore && input.durationSeconds > 0
    ? input.durationSeconds
    : before.reportedSeconds;
}

/** Replaces the outcome of a log. Returns the log's id. */
async function replaceOutcome(tx: Tx, input: Outcome, before: CallLogRow): Promise<number> {
  const { outcome } = input;
  const said = { notes: input.notes ?? before.notes, reportedSeconds: reportedTime(before, input) };
  if (await isAnswered(tx, input, before, said)) return before.id;
  checkOutcome(outcome, null);
  const log = await updateLog(tx, before.id, { ...said, outcome, confirmed: true, confirmedAt: new Date() });
  await recordEffects(tx, input, log, { before, call: undefined });
  return log.id;
}

/** The log's id, and its row for lists if it has been read already. */
interface Recorded {
  logId: number;
  view?: CallLogViewRow;
}

/** Format of the provider's call ids (twilio.com/docs/glossary/what-is-a-sid). */
const sidPattern = /^CA[0-9a-fA-F]{32}$/;

/** Saves the report of a call that the portal did not make. */
async function recordCall({ database, events }: RecordContext, input: Outcome): Promise<Recorded> {
  const { actor, leadId, outcome, callSid } = input;
  const { userId } = actor;
  const reported = await database.transaction(async (tx) => {
    const knownId = callSid && (await confirmByCallSid(tx, callSid, input));
    if (knownId) return { knownId };
    if (callSid && !sidPattern.test(callSid))
      throw new AppError(
        "invalid",
        "twilioCallSid: is no call of the provider. Use CA and 32 hexadecimal digits, or leave it out.",
      );
    checkOutcome(outcome, null);
    const made = await insertReport(tx, { ...input, userId, anyLead: actsOnAnyLead(actor) });
    if (made.knownId !== null) return made;
    if (input.durationSeconds === 0 && !callSid)
      throw new AppError("invalid", "duration: must be above zero");
    if (!made.leadExists) throw new AppError("not_found", "This lead does not exist.");
    if (!made.log) throw new AppError("not_your_lead");
    await applyOutcomeToLead(tx, { leadId, userId, outcome, before: null, number: null, at: new Date() });
    await applyRetryEnd(tx, { leadId, userId, callLogId: made.log.id, contactPolicy: input.contactPolicy });
    return { ...made, log: made.log };
  });
  if (reported.knownId !== null) return { logId: reported.knownId };
  const { log, assignedTo } = reported;
  const audience = audienceOf(userId, assignedTo);
  events.notify({ topic: "call-log", id: log.id, audience });
  events.notify({ topic: "lead", id: leadId, audience });
  return { logId: log.id, view: log };
}

/**
 * Saves the outcome of a call by its sid: of the actor's call with this lead, else of what they reported under it before. Returns the log's
 * id, or null if there is neither.
 */
async function confirmByCallSid(tx: Tx, callSid: string, input: Outcome): Promise<number | null> {
  await lockSid(tx, callSid);
  const logId = await confirmOutcome(tx, { callSid }, input);
  if (logId !== null) return logId;
  const { leadId, actor } = input;
  const report = await lockReport(tx, { callSid, leadId, userId: actor.userId });
  return report ? replaceOutcome(tx, input, report) : null;
}

type RecordContext = Pick<CallsContext, "database" | "events" | "contactPolicy">;

/**
 * Saves the outcome of a call: of a known call of the actor with this lead, else as a report. Returns the log's id, and its row if it is
 * new. Errors: `not_found`, `not_your_lead`, `invalid`, `conflict` (another user's `clientRef`).
 */
export async function recordOutcome(
  context: RecordContext,
  outcome: Omit<Outcome, "contactPolicy">,
): Promise<Recorded> {
  const { contactPolicy } = context;
  const input = { ...outcome, notes: outcome.notes?.trim() || null, contactPolicy };
  try {
    return await recordCall(context, input);
  } catch (error) {
    if (violatedConstraint(error) !== clientRefKey) throw error;
  }
  try {
    // A concurrent equal request may have been first; then its log is returned.
    return await recordCall(context, input);
  } catch (error) {
    if (violatedConstraint(error) !== clientRefKey) throw error;
    throw new AppError("conflict", "This call was recorded under another account. It was not saved.");
  }
}
