import type { DialerDecision, DialerEvent } from "@portal/contract/dialer-machine";
import { type Tx, violatedConstraint } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { endCall } from "../telephony/outbound/end-call.ts";
import { type CallRequest, makeCall } from "../telephony/outbound/make-call.ts";
import { skipReasonOf } from "./check-candidate.ts";
import { claimItem, findDialFacts, findItem } from "./item-repository.ts";
import { findLogOfCall, findSession, findSessionOfCall, lockSession } from "./session-repository.ts";
import {
  type AfterStep,
  actorOf,
  applyStep,
  isAwaited,
  rulesOf,
  stepByCall,
  stepSession,
  wishOf,
} from "./step-session.ts";
import type { DialerContext } from "./types.ts";

/** Does what steps left to do, beside the request or round that took them. */
export function runAfterSteps(context: DialerContext, sessionId: number, after: AfterStep[]): void {
  for (const command of after) {
    context.scheduler.once(() =>
      command.kind === "dial"
        ? dialLead(context, { sessionId, position: command.position })
        : endSkipped(context, { sessionId, callId: command.callId }),
    );
  }
}

/** Notifies a session of what happened, in a transaction of its own. */
export async function notifySession(
  context: DialerContext,
  sessionId: number,
  event: DialerEvent,
): Promise<void> {
  const after = await context.database.transaction(async (tx) => {
    const row = await lockSession(tx, { id: sessionId });
    return row ? (await stepSession(context, tx, row, event)).after : [];
  });
  runAfterSteps(context, sessionId, after);
}

/**
 * Notifies the session that has this call in hand, if any, of how the call stands. Answers the session whose line is to join the call's lead, else
 * null.
 */
export async function handleCallEvent(context: DialerContext, callId: number): Promise<number | null> {
  // Every process receives every call: one look, and a transaction only where a session has it.
  const found = await findSessionOfCall(context.database.db, callId);
  if (!found) return null;
  if (!found.inHand) return found.id;
  const handled = await context.database.transaction(async (tx) => {
    const row = await lockSession(tx, { callId });
    return row ? { sessionId: row.id, after: (await stepByCall(context, tx, row, callId)).after } : null;
  });
  if (handled) runAfterSteps(context, handled.sessionId, handled.after);
  return null;
}

async function endSkipped(
  context: DialerContext,
  { sessionId, callId }: { sessionId: number; callId: number },
): Promise<void> {
  const row = await findSession(context.database.db, sessionId);
  const actor = row && (await actorOf(context.database.db, row.userId));
  if (!actor) return;
  try {
    await endCall(context.calls, { actor, callId });
  } catch (error) {
    // It ended by itself meanwhile: that is what was wanted.
    if (!(error instanceof AppError && error.code === "call_not_live")) throw error;
  }
}

/** Requests the call of the session's current lead; a consultant's open line asks for it by itself. */
async function dialLead(
  context: DialerContext,
  place: { sessionId: number; position: number },
): Promise<void> {
  const session = await findSession(context.database.db, place.sessionId);
  if (session?.lineMode === "open_line") return;
  await requestLead(context, place, {
    write: async (request) => void (await makeCall(context.calls, request)),
  });
}

/** How a lead's call is written, and what besides in its transaction: first of all, and with the call. */
interface Writing {
  write(request: CallRequest): Promise<void>;
  claim?(tx: Tx): Promise<void>;
  requested?(tx: Tx, callId: number): Promise<void>;
}

/**
 * Asks the contact policy about the session's current lead and requests its call: one transaction holds the session as it was when this was
 * asked for, the lead's lease, the call's row and the step. What speaks against it is the session's next event.
 */
export async function requestLead(
  context: DialerContext,
  { sessionId, position }: { sessionId: number; position: number },
  writing: Writing,
): Promise<void> {
  const { db } = context.database;
  const session = await findSession(db, sessionId);
  const item = await findItem(db, { sessionId, position });
  if (!session || !item) return;
  const { userId } = session;
  const { leadId } = item;

  const request = async (): Promise<DialerDecision | null> => {
    const actor = await actorOf(db, userId);
    if (!actor) return { kind: "pause", reason: "account" };
    try {
      await writing.write({
        actor,
        leadId,
        to: null,
        leaveMessage: session.leaveMessage,
        together: {
          claim: async (tx) => {
            const row = await lockSession(tx, { id: sessionId });
            const current = row?.status === "active" && row.phase === "checking" && row.position === position;
            if (!current) throw new CallRefused(null);
            await writing.claim?.(tx);
            const callId = item.callId;
            if (callId !== null && (await findLogOfCall(tx, callId)))
              throw new CallRefused({ kind: "reached", callId });
            const facts = await findDialFacts(tx, { leadId, userId });
            const asked = { wish: wishOf(session, item), rules: await rulesOf(context, tx), now: new Date() };
            const reason = facts ? skipReasonOf(facts, asked) : "not_yours";
            if (reason) throw new CallRefused({ kind: "skip", reason });
          },
          requested: async (tx, callId) => {
            const row = await lockSession(tx, { id: sessionId });
            if (!row) throw new CallRefused(null);
            await claimItem(tx, { sessionId, position }, callId);
            const verdict = { kind: "requested", callId } as const;
            await applyStep(tx, row, { type: "verdict", position, verdict, now: Date.now() });
            await writing.requested?.(tx, callId);
          },
        },
      });
      return null;
    } catch (error) {
      if (violatedConstraint(error) === "dialer_items_lease_key") return { kind: "skip", reason: "leased" };
      const decision = decisionOf(error, Date.now());
      const waits = decision?.kind === "skip" && isAwaited(decision.reason, item);
      return waits ? { kind: "later", at: Date.now() + callerAgainMs } : decision;
    }
  };
  // Once the call has its row the session is past checking, and a decision on what came later changes nothing: the call's own facts count.
  const verdict = await request();
  if (verdict)
    await notifySession(context, sessionId, { type: "verdict", position, verdict, now: Date.now() });
}

/** A caller who is still on their own call is looked at again after this. */
const callerAgainMs = 3_000;

/** Thrown inside the call's transaction where the session itself speaks against the call; null where it has moved on. */
export class CallRefused extends Error {
  readonly decision: DialerDecision | null;

  constructor(decision: DialerDecision | null) {
    super("the session does not dial");
    this.decision = decision;
  }
}

/** A cap that lets go within this time is waited for. */
const patienceMs = 2 * 60_000;

/** What a refused call means for the session. Errors: whatever is no refusal. */
function decisionOf(error: unknown, now: number): DialerDecision | null {
  if (error instanceof CallRefused) return error.decision;
  if (!(error instanceof AppError)) throw error;
  const { reason, nextAllowedAt, retryAfterSeconds } = error.extras;
  switch (error.code) {
    case "contact_refused": {
      if (reason !== "rep_cap") return { kind: "skip", reason: reason ?? "invalid_phone" };
      const at = nextAllowedAt ? Date.parse(nextAllowedAt) : Number.POSITIVE_INFINITY;
      return at - now <= patienceMs ? { kind: "later", at } : { kind: "pause", reason: "rep_cap" };
    }
    case "lead_without_phone":
      return { kind: "skip", reason: "no_phone" };
    case "not_your_lead":
    case "not_found":
      return { kind: "skip", reason: "not_yours" };
    case "lead_on_call":
      return { kind: "skip", reason: "lead_on_call" };
    case "rep_on_call":
      return { kind: "pause", reason: "rep_on_call" };
    case "rep_without_phone":
      return { kind: "pause", reason: "rep_without_phone" };
    case "rate_limited":
      return { kind: "later", at: now + (retryAfterSeconds ?? 2) * 1000 };
    case "provider_off":
      return { kind: "pause", reason: "provider" };
    default:
      // The call has its row already, and its own end is what the session is notified of.
      return null;
  }
}
