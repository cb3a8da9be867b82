import type { CallOutcome } from "@portal/contract/entities/call";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { findCall } from "../calls/data.ts";
import { confirmOutcome } from "../calls/record-outcome.ts";
import { changeLead } from "../leads/update-lead.ts";
import { runAfterSteps, stepByCall } from "./run-steps.ts";
import { type DialerContext, lockOwnSession } from "./service.ts";

export interface WrapUp {
  actor: Session;
  sessionId: number;
  callId: number;
  outcome: CallOutcome;
  notes: string | null;
  /** Undefined leaves the follow-up as it is. */
  nextFollowUpDate: string | null | undefined;
}

/**
 * Keeps the outcome, the notes and the follow-up of a session's call, and goes on: all of it or nothing.
 * Errors: `not_found`, `forbidden`, `not_your_lead`, `invalid`, `call_live`.
 */
export async function wrapUp(context: DialerContext, input: WrapUp): Promise<void> {
  const { actor, sessionId, callId, outcome, nextFollowUpDate } = input;
  const after = await context.database.transaction(async (tx) => {
    const row = await lockOwnSession(tx, { sessionId, actor });
    const call = await findCall(tx, callId);
    if (!call || call.userId !== actor.userId) throw new AppError("not_found", "This call does not exist.");
    if (call.state !== "ended") throw new AppError("call_live", "The call has not ended yet.");
    if (!call.callSid) throw new AppError("not_found", "This call was never placed: it has no outcome.");
    const { leadId, callSid } = call;
    await confirmOutcome(tx, callSid, {
      actor,
      leadId,
      outcome,
      notes: input.notes?.trim() || null,
      durationSeconds: call.talkSeconds ?? 0,
      callType: "browser",
      callSid,
      clientRef: null,
    });
    if (nextFollowUpDate !== undefined)
      await changeLead(tx, context.jobs, { actor, leadId, changes: { nextFollowUpDate } });
    return (await stepByCall(tx, row, callId)).after;
  });
  runAfterSteps(context, sessionId, after);
}
