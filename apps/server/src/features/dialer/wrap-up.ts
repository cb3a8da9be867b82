import { loggedOutcomes, type SavedOutcome } from "@portal/contract/entities/call";
import type { Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { FollowUpInput, LeadChangeInput } from "../leads/decide-lead-change.ts";
import { setOrProposePlan } from "../leads/service.ts";
import { findCall } from "../telephony/outbound/repository.ts";
import type { LoggedOutcome } from "../telephony/outcomes/log-repository.ts";
import { confirmOutcome } from "../telephony/outcomes/record-outcome.ts";
import { runAfterSteps } from "./dial-lead.ts";
import { lockOwnSession } from "./service.ts";
import type { DialerRow } from "./session-repository.ts";
import { type AfterStep, stepByCall } from "./step-session.ts";
import type { DialerContext } from "./types.ts";

/** The wrap-up of a session's call. Omitted parts of the follow-up stay unchanged. */
interface SaidOfCall extends FollowUpInput {
  actor: AuthSession;
  callId: number;
  outcome: SavedOutcome;
  notes: string | null;
  /** The lead's new status, if it changes. */
  status: LeadChangeInput["status"];
  /** The outcome that the person saw, null for none; absent to replace any outcome. */
  seen?: LoggedOutcome | null | undefined;
}

export interface WrapUp extends SaidOfCall {
  sessionId: number;
}

interface Kept {
  followUpProposed: boolean;
  /** An outcome that was given first and stays. */
  outcomeKept: LoggedOutcome | null;
}

/** Saves the outcome; only the notes if another outcome than `seen` was given first. Returns that outcome, else null. */
async function confirmFirst(
  tx: Tx,
  callId: number,
  said: Parameters<typeof confirmOutcome>[2],
): Promise<LoggedOutcome | null> {
  const confirm = async (more: Pick<typeof said, "outcome" | "seen">) => {
    if ((await confirmOutcome(tx, { id: callId }, { ...said, ...more })) !== null) return;
    throw new AppError("not_found", "This call does not exist.");
  };
  try {
    await confirm(said);
    return null;
  } catch (error) {
    const isLate = error instanceof AppError && error.code === "changed_meanwhile";
    const given = isLate && loggedOutcomes.find((outcome) => outcome === error.extras.now?.outcome);
    if (!given) throw error;
    await confirm({ outcome: given, seen: given });
    return given;
  }
}

/**
 * Saves outcome, notes, status and follow-up of a locked session's call and continues the session, all in one transaction. If the lead was
 * reassigned meanwhile, the call still belongs to the consultant, and status and follow-up become a proposal. Errors: `not_found`, `invalid`, `call_live`.
 */
export async function saveWrapUp(
  context: DialerContext,
  tx: Tx,
  row: DialerRow,
  said: SaidOfCall,
): Promise<Kept & { row: DialerRow; after: AfterStep[] }> {
  const { actor, callId, status, nextFollowUpDate, nextFollowUpTime, nextFollowUpZone } = said;
  const call = await findCall(tx, callId);
  if (!call || call.userId !== actor.userId) throw new AppError("not_found", "This call does not exist.");
  if (call.state !== "ended") throw new AppError("call_live", "The call has not ended yet.");
  // On an open line, a leg that the provider refused has no sid.
  if (!call.callSid && call.lineId === null)
    throw new AppError("not_found", "This call was never placed: it has no outcome.");
  const { leadId, callSid } = call;
  const outcomeKept = await confirmFirst(tx, callId, {
    actor,
    leadId,
    outcome: said.outcome,
    seen: said.seen,
    notes: said.notes?.trim() || null,
    durationSeconds: call.durationSeconds ?? 0,
    callType: "browser",
    callSid,
    clientRef: null,
    contactPolicy: context.contactPolicy,
  });
  const hasPlan = status !== undefined || nextFollowUpDate !== undefined || nextFollowUpTime !== undefined;
  const plan = { status, nextFollowUpDate, nextFollowUpTime, nextFollowUpZone };
  const planned = hasPlan ? await setOrProposePlan(tx, context.jobs, { actor, leadId, plan }) : null;
  const stepped = await stepByCall(context, tx, row, callId);
  return { ...stepped, outcomeKept, followUpProposed: planned === "proposed" };
}

/** Saves the wrap-up from the consultant's screen: see `saveWrapUp`. */
export async function wrapUp(context: DialerContext, input: WrapUp): Promise<Kept> {
  const { actor, sessionId } = input;
  const {
    after,
    row: _row,
    ...kept
  } = await context.database.transaction(async (tx) => {
    const row = await lockOwnSession(tx, { sessionId, actor });
    return saveWrapUp(context, tx, row, input);
  });
  runAfterSteps(context, sessionId, after);
  return kept;
}
