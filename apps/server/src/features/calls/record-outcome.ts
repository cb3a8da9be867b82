import { type Tx, violatedConstraint } from "../../db/client.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";
import { recordLeadEvent } from "../timeline/service.ts";
import { type CallRow, lockCall } from "./data.ts";
import { findAssignee } from "./data-leads.ts";
import {
  type CallLogRow,
  type CallLogViewRow,
  insertLog,
  insertReport,
  type LoggedOutcome,
  lockInboundLog,
  lockLogOfCall,
  logOfCall,
  updateLog,
} from "./data-logs.ts";
import type { ReportKeeper } from "./keep-report.ts";
import { applyOutcomeToLead } from "./outcome-effects.ts";
import { actsOnAnyLead, ownsCall } from "./policy.ts";
import type { CallsContext } from "./service.ts";

export interface Outcome {
  actor: Session;
  leadId: number;
  durationSeconds: number;
  outcome: LoggedOutcome;
  /** Blank or null keeps the notes that are there. */
  notes: string | null;
  callType: string;
  callSid: string | null;
  clientRef: string | null;
}

const clientRefKey = "call_logs_client_ref_unique";

async function tell(tx: Tx, input: Outcome, log: CallLogRow, assignee: number | null): Promise<void> {
  const audience = audienceOf(log.userId, assignee, input.actor.userId);
  await publishEvent(tx, { topic: "call-log", id: log.id, audience });
  if (log.callId) await publishEvent(tx, { topic: "call", id: log.callId, audience });
  await publishEvent(tx, { topic: "lead", id: input.leadId, audience });
}

/** Everything a given outcome brings with it, in the transaction that keeps it. */
async function keep(
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
  const data = {
    callLogId: log.id,
    callId: log.callId,
    before: before ? { outcome: before.outcome, notes: before.notes, confirmed: before.confirmed } : null,
    after: { outcome, notes, confirmed: true },
  };
  await recordLeadEvent(tx, { leadId, userId, kind: "outcome-confirmed", data });
  await recordAudit(tx, { userId, action: "call-outcome", subject: `call-log:${log.id}`, data });
  await applyOutcomeToLead(tx, {
    leadId,
    userId,
    outcome,
    before: before?.confirmed ? before.outcome : null,
    number: call?.leadNumber ?? null,
    at: call?.endedAt ?? new Date(),
  });
  await tell(tx, input, log, await findAssignee(tx, leadId));
}

/** The provider's talk time where it is known; the browser's until then. */
function durationOf(call: CallRow, input: Outcome, known: CallLogRow | undefined): number {
  if (call.state === "ended") return call.talkSeconds ?? known?.durationSeconds ?? input.durationSeconds;
  return input.durationSeconds;
}

/**
 * The rep's answer for a call of the portal: it replaces the provider's suggestion, and a later one replaces it. Answers the log's id.
 * Errors: `not_found`, `forbidden`, `invalid`.
 */
export async function confirmOutcome(tx: Tx, callSid: string, input: Outcome): Promise<number> {
  const call = await lockCall(tx, { callSid });
  if (!call) return confirmInbound(tx, callSid, input);
  if (!ownsCall(input.actor, call))
    throw new AppError("forbidden", "This call was made by another consultant.");
  if (call.leadId !== input.leadId)
    throw new AppError("invalid", "leadId: this call was made to another lead");

  const before = await lockLogOfCall(tx, call.id);
  const patch = {
    outcome: input.outcome,
    notes: input.notes ?? before?.notes ?? null,
    confirmed: true,
    durationSeconds: durationOf(call, input, before),
  };
  if (before?.confirmed && before.outcome === patch.outcome && before.notes === patch.notes) return before.id;
  const confirmedAt = new Date();
  const log = before
    ? await updateLog(tx, before.id, { ...patch, confirmedAt })
    : await insertLog(tx, { ...logOfCall(call), ...patch, confirmedAt, callType: input.callType });
  await keep(tx, input, log, { before, call });
  return log.id;
}

/** Notes and outcome of an inbound call, from who took it, the lead's assignee or an administrator. */
async function confirmInbound(tx: Tx, callSid: string, input: Outcome): Promise<number> {
  const before = await lockInboundLog(tx, callSid);
  if (!before) throw new AppError("not_found", "This call is not known. It was not saved.");
  const { actor, outcome } = input;
  const assignee = before.leadId === null ? null : await findAssignee(tx, before.leadId);
  const theirs = before.userId === actor.userId || assignee === actor.userId;
  if (!theirs && !actsOnAnyLead(actor))
    throw new AppError("forbidden", "This call was taken by another consultant.");
  if (before.leadId !== input.leadId)
    throw new AppError("invalid", "leadId: this call came from another lead");
  const notes = input.notes ?? before.notes;
  if (before.confirmed && before.outcome === outcome && before.notes === notes) return before.id;
  const log = await updateLog(tx, before.id, { outcome, notes, confirmed: true, confirmedAt: new Date() });
  await keep(tx, input, log, { before, call: undefined });
  return log.id;
}

/** The log, and how the lists show it where that is known already. */
interface Recorded {
  logId: number;
  view?: CallLogViewRow;
}

/** Outcomes that say nothing of the lead or its number. */
const quiet = new Set<LoggedOutcome>(["no_answer", "busy", "completed"]);

/** A call that was made otherwise, as the rep reports it. */
async function recordCall(
  { database, events, keepReport }: RecordContext,
  input: Outcome,
): Promise<Recorded> {
  const { actor, leadId, outcome } = input;
  const { userId } = actor;
  const report = async (keep: ReportKeeper) => {
    const reported = await keep({ ...input, userId, anyLead: actsOnAnyLead(actor) });
    if (reported.knownId !== null) return reported;
    if (input.durationSeconds === 0) throw new AppError("invalid", "duration: must be above zero");
    if (!reported.leadExists) throw new AppError("not_found", "This lead does not exist.");
    if (!reported.log) throw new AppError("not_your_lead");
    return { ...reported, log: reported.log };
  };
  const reported = quiet.has(outcome)
    ? await report(keepReport)
    : await database.transaction(async (tx) => {
        const made = await report((one) => insertReport(tx, one));
        const effects = { leadId, userId, outcome, before: null, number: null, at: new Date() };
        if (made.knownId === null) await applyOutcomeToLead(tx, effects);
        return made;
      });
  if (reported.knownId !== null) return { logId: reported.knownId };
  const { log, assignedTo } = reported;
  const audience = audienceOf(userId, assignedTo);
  events.tell({ topic: "call-log", id: log.id, audience });
  events.tell({ topic: "lead", id: leadId, audience });
  return { logId: log.id, view: log };
}

type RecordContext = Pick<CallsContext, "database" | "events" | "keepReport">;

/**
 * Keeps what the rep says of a call. Answers the log's id, and the log where it is new.
 * Errors: `not_found`, `forbidden`, `not_your_lead`, `invalid`, `conflict` (another person's `clientRef`).
 */
export async function recordOutcome(context: RecordContext, outcome: Outcome): Promise<Recorded> {
  const input = { ...outcome, notes: outcome.notes?.trim() || null };
  const write = async (): Promise<Recorded> => {
    const { callSid } = input;
    if (!callSid) return recordCall(context, input);
    return { logId: await context.database.transaction((tx) => confirmOutcome(tx, callSid, input)) };
  };
  try {
    return await write();
  } catch (error) {
    if (violatedConstraint(error) !== clientRefKey) throw error;
  }
  try {
    // The same request at the same moment was first: its log is the answer.
    return await write();
  } catch (error) {
    if (violatedConstraint(error) !== clientRefKey) throw error;
    throw new AppError("conflict", "This call was recorded under another account. It was not saved.");
  }
}
