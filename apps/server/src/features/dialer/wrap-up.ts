import type { SavedOutcome } from "@portal/contract/entities/call";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { FollowUpInput } from "../leads/change-follow-up.ts";
import { setOrProposeFollowUp } from "../leads/update-lead.ts";
import { findCall } from "../telephony/outbound/repository.ts";
import { confirmOutcome } from "../telephony/outcomes/record-outcome.ts";
import { runAfterSteps } from "./dial-lead.ts";
import { lockOwnSession } from "./service.ts";
import { stepByCall } from "./step-session.ts";
import type { DialerContext } from "./types.ts";

/** Its follow-up: what is left out stays as it is. */
export interface WrapUp extends FollowUpInput {
  actor: AuthSession;
  sessionId: number;
  callId: number;
  outcome: SavedOutcome;
  notes: string | null;
}

/**
 * Keeps the outcome, the notes and the follow-up of a session's call, and goes on: all of it or nothing. Where the lead has become
 * somebody else's meanwhile the call is still one's own, and the follow-up is a proposal. Errors: `not_found`, `invalid`, `call_live`.
 */
export async function wrapUp(context: DialerContext, input: WrapUp): Promise<{ followUpProposed: boolean }> {
  const { actor, sessionId, callId, outcome, nextFollowUpDate, nextFollowUpTime, nextFollowUpZone } = input;
  const kept = await context.database.transaction(async (tx) => {
    const row = await lockOwnSession(tx, { sessionId, actor });
    const call = await findCall(tx, callId);
    if (!call || call.userId !== actor.userId) throw new AppError("not_found", "This call does not exist.");
    if (call.state !== "ended") throw new AppError("call_live", "The call has not ended yet.");
    if (!call.callSid) throw new AppError("not_found", "This call was never placed: it has no outcome.");
    const { leadId, callSid } = call;
    const logId = await confirmOutcome(tx, callSid, {
      actor,
      leadId,
      outcome,
      notes: input.notes?.trim() || null,
      durationSeconds: call.durationSeconds ?? 0,
      callType: "browser",
      callSid,
      clientRef: null,
      contactPolicy: context.contactPolicy,
    });
    if (logId === null) throw new AppError("not_found", "This call does not exist.");
    const followUp =
      nextFollowUpDate === undefined && nextFollowUpTime === undefined
        ? null
        : await setOrProposeFollowUp(tx, context.jobs, {
            actor,
            leadId,
            followUp: { nextFollowUpDate, nextFollowUpTime, nextFollowUpZone },
          });
    const { after } = await stepByCall(context, tx, row, callId);
    return { after, followUpProposed: followUp === "proposed" };
  });
  runAfterSteps(context, sessionId, kept.after);
  return { followUpProposed: kept.followUpProposed };
}
