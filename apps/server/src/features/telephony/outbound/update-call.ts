import type { Tx } from "../../../platform/db/client.ts";
import { type Audience, audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import type { LegStatus } from "../../../ports/telephony.ts";
import { recordLeadEvent, withdrawCallEvent } from "../../activity/service.ts";
import { settleMissed } from "../inbound/repository.ts";
import { applyOutcomeToLead } from "../outcomes/apply-outcome.ts";
import { insertLog, lockLogOfCall, logOfCall, updateLog } from "../outcomes/log-repository.ts";
import { deleteReport, lockReport, lockSid } from "../outcomes/report-repository.ts";
import {
  type AnswerFact,
  type CallFacts,
  type CallView,
  type Dial,
  deriveCall,
  mergeFacts,
  outcomeOf,
  type RepLeg,
} from "./machine.ts";
import { type CallRow, updateCall } from "./repository.ts";

/** Details that come with facts and are not part of the state machine. */
export interface CallMetadata {
  /** The provider's ids of the two legs; the first that is reported stays. */
  callSid?: string | null;
  leadCallSid?: string | null;
  /** When it happened, by the provider's clock. */
  at?: Date | null;
  /** A description of the failure for the consultant. */
  failure?: string;
}

function factsOf(call: CallRow): CallFacts {
  return {
    repLeg: call.repLeg as RepLeg | null,
    leadLeg: call.leadLeg as LegStatus | null,
    leadRang: call.leadRingingAt !== null,
    pressed: call.pressed,
    endRequested: call.endRequestedAt !== null,
    dialStatus: call.dialStatus as Dial | null,
    dialBridged: call.dialBridged,
    dialDurationSeconds: call.dialDurationSeconds,
    leadLegDurationSeconds: call.leadLegDurationSeconds,
    answeredBy: call.answeredBy as AnswerFact | null,
    leadSipCode: call.leadSipCode,
    leadAlone: call.leadAlone,
  };
}

/** Limits the provider's instant to between the request and now, because its clock may differ. */
function momentOf(call: CallRow, at: Date | null | undefined): Date {
  const now = Date.now();
  const moment = at?.getTime() ?? now;
  return new Date(Math.min(now, Math.max(moment, call.requestedAt.getTime())));
}

function wasAnswered(facts: CallFacts): boolean {
  return facts.leadLeg === "in-progress" || facts.leadLeg === "completed" || facts.dialStatus === "completed";
}

function rowOf(call: CallRow, facts: CallFacts, view: CallView, more: CallMetadata): Partial<CallRow> {
  const at = momentOf(call, more.at);
  const talkedSince = new Date(at.getTime() - (view.durationSeconds ?? 0) * 1000);
  const { leadRang, endRequested: _kept, ...columns } = facts;
  return {
    ...columns,
    state: view.state,
    result: view.result,
    durationSeconds: view.durationSeconds,
    settled: view.settled,
    callSid: call.callSid ?? more.callSid ?? null,
    leadCallSid: call.leadCallSid ?? more.leadCallSid ?? null,
    failure: call.failure ?? more.failure ?? null,
    leadRingingAt: call.leadRingingAt ?? (leadRang ? at : null),
    answeredAt: call.answeredAt ?? (wasAnswered(facts) ? momentOf(call, talkedSince) : null),
    endedAt: call.endedAt ?? (view.state === "ended" ? at : null),
  };
}

/** The columns that change. */
function changesOf(call: CallRow, next: Partial<CallRow>): Partial<CallRow> {
  const plain = (value: unknown) => (value instanceof Date ? value.getTime() : value);
  const changes = Object.entries(next).filter(
    ([key, value]) => plain(call[key as keyof CallRow]) !== plain(value),
  );
  return Object.fromEntries(changes);
}

/** Inserts or updates the log of an ended call. Returns the log's id if something changed. */
async function saveLog(tx: Tx, call: CallRow, view: CallView): Promise<{ id: number; made: boolean } | null> {
  const known = await lockLogOfCall(tx, call.id);
  const outcome = outcomeOf(call);
  if (!known) {
    if (!view.leadReached) return null;
    const log = await insertLog(tx, { ...logOfCall(call), outcome });
    return { id: log.id, made: true };
  }
  // The provider's talk time replaces the consultant's; the consultant's outcome stays.
  const patch = {
    durationSeconds: view.durationSeconds ?? known.durationSeconds,
    reportedSeconds: view.durationSeconds === null ? known.reportedSeconds : null,
    outcome: known.confirmed ? known.outcome : outcome,
    callSid: call.callSid,
  };
  const same = Object.entries(patch).every(([key, value]) => known[key as keyof typeof patch] === value);
  if (same) return null;
  await updateLog(tx, known.id, patch);
  return { id: known.id, made: false };
}

/** The result for the lead's row: the consultant's outcome takes precedence over the provider's detection. */
async function applyResultToLead(tx: Tx, call: CallRow): Promise<boolean> {
  const log = await lockLogOfCall(tx, call.id);
  const outcome = log?.confirmed ? log.outcome : outcomeOf(call);
  const reached = outcome === "answered" || outcome === "voicemail";
  return reached
    ? applyOutcomeToLead(tx, {
        leadId: call.leadId,
        userId: null,
        outcome,
        before: null,
        number: null,
        at: call.endedAt,
      })
    : false;
}

/**
 * Merges reported facts into a locked call, and writes the consequences in the same transaction: state, result, log, timeline, the lead's
 * last contact, and notifications. Order and repetition of events do not matter.
 */
export async function applyFacts(
  tx: Tx,
  call: CallRow,
  reported: Partial<CallFacts>,
  more: CallMetadata = {},
): Promise<CallRow> {
  const facts = mergeFacts(factsOf(call), reported);
  const view = deriveCall(facts);
  const changes = changesOf(call, rowOf(call, facts, view, more));
  const { row, assignedTo } = await updateCall(tx, call, changes);
  if (Object.keys(changes).length === 0) return row;

  const audience = audienceOf(call.userId, assignedTo);
  await publishEvent(tx, { topic: "call", id: call.id, audience });
  // Ringing the lead settles their earlier missed calls.
  if (call.leadRingingAt === null && row.leadRingingAt !== null)
    for (const id of await settleMissed(tx, { leadId: call.leadId }, call.requestedAt))
      await publishEvent(tx, { topic: "inbound-call", id, audience });
  if (call.callSid === null && row.callSid !== null)
    await joinReport(tx, { ...row, callSid: row.callSid }, audience);
  if (view.state !== "ended") return row;

  const log = await saveLog(tx, row, view);
  if (log) await publishEvent(tx, { topic: "call-log", id: log.id, audience });
  const endedNow = call.state !== "ended";
  if (log?.made && !endedNow)
    await withdrawCallEvent(tx, { leadId: call.leadId, callId: call.id, kind: "call-attempt" });
  if (log?.made || endedNow) {
    await recordLeadEvent(tx, {
      leadId: call.leadId,
      userId: call.userId,
      kind: view.leadReached ? "call-ended" : "call-attempt",
      data: {
        callId: call.id,
        result: view.result,
        talkSeconds: view.durationSeconds,
        ...(row.failure && { failure: row.failure }),
      },
    });
  }
  const contacted = await applyResultToLead(tx, row);
  if (endedNow || log || contacted) await publishEvent(tx, { topic: "lead", id: call.leadId, audience });
  return row;
}

/** Both notes, if they differ. */
function joined(own: string | null, reported: string | null): string | null {
  if (!own || !reported || own === reported) return own ?? reported;
  return `${own}\n${reported}`;
}

/**
 * Joins what the consultant reported under a sid, before the call was known to have it, into the call's log. Of two outcomes the later one
 * wins. Reports of other users or leads stay separate.
 */
async function joinReport(tx: Tx, call: CallRow & { callSid: string }, audience: Audience): Promise<void> {
  await lockSid(tx, call.callSid);
  const report = await lockReport(tx, call);
  if (!report) return;
  const own = await lockLogOfCall(tx, call.id);
  if (own) {
    const later =
      own.confirmedAt && report.confirmedAt && own.confirmedAt > report.confirmedAt ? own : report;
    await deleteReport(tx, report.id);
    await updateLog(tx, own.id, {
      outcome: later.outcome,
      confirmed: true,
      confirmedAt: later.confirmedAt,
      notes: joined(own.notes, report.notes),
      clientRef: report.clientRef,
    });
  } else {
    await updateLog(tx, report.id, { callId: call.id, callDate: call.requestedAt });
  }
  await publishEvent(tx, { topic: "call-log", id: own?.id ?? report.id, audience });
  // The lead's last attempt may have changed.
  await publishEvent(tx, { topic: "lead", id: call.leadId, audience });
}
