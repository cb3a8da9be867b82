import type { DialerDecision, DialerEvent } from "@portal/contract/dialer-machine";
import { type Tx, violatedConstraint } from "../../platform/db/client.ts";
import { databaseNow } from "../../platform/db/clock.ts";
import { AppError } from "../../platform/http/app-error.ts";
import { type CallRequest, makeCall } from "../telephony/outbound/make-call.ts";
import { endCall } from "../telephony/outbound/service.ts";
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

/** Runs the work that steps left for after the commit, in the background of the request or scheduled task. */
export function runAfterSteps(context: DialerContext, sessionId: number, after: AfterStep[]): void {
  for (const command of after) {
    context.scheduler.once(() =>
      command.kind === "dial"
        ? dialLead(context, { sessionId, position: command.position })
        : endSkipped(context, { sessionId, callId: command.callId }),
    );
  }
}

/** Applies an event to a session in its own transaction. */
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
 * Applies a call's state to the session that handles the call, if any. Returns the session whose open line is to join the lead, else null.
 */
export async function handleCallEvent(context: DialerContext, callId: number): Promise<number | null> {
  // Every process receives every call event, so a transaction starts only for a call of a session.
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
    // The call has ended by itself, as intended.
    if (!(error instanceof AppError && error.code === "call_not_live")) throw error;
  }
}

/** Requests the call to the session's current lead; with an open line the line requests it. */
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

/** Inserts a lead's call with further rows in its transaction, before and with the call's row. */
interface Writing {
  write(request: CallRequest): Promise<void>;
  claim?(tx: Tx): Promise<void>;
  requested?(tx: Tx, callId: number): Promise<void>;
}

/**
 * Checks the contact policy for the session's current lead and requests the call. One transaction locks the unchanged session and writes the
 * lead's lease, the call's row and the step. A refusal becomes the session's next event.
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
            const decision = { kind: "requested", callId } as const;
            await applyStep(tx, row, { type: "decision", position, decision, now: databaseNow() });
            await writing.requested?.(tx, callId);
          },
        },
      });
      return null;
    } catch (error) {
      if (violatedConstraint(error) === "dialer_items_lease_key") return { kind: "skip", reason: "leased" };
      const decision = decisionOf(error, databaseNow());
      const waits = decision?.kind === "skip" && isAwaited(decision.reason, item);
      return waits ? { kind: "later", at: databaseNow() + callerAgainMs } : decision;
    }
  };
  // Once the call has its row, later decisions do not change the session: the call's own facts count.
  const decision = await request();
  if (decision)
    await notifySession(context, sessionId, { type: "decision", position, decision, now: databaseNow() });
}

/** When to check again whether a lead's own call has ended, in ms. */
const callerAgainMs = 3_000;

/** Thrown in the call's transaction when the session refuses the call; null if the session has moved on. */
export class CallRefused extends Error {
  readonly decision: DialerDecision | null;

  constructor(decision: DialerDecision | null) {
    super("the session does not dial");
    this.decision = decision;
  }
}

/** The session waits for a cap that ends within this time, in ms. */
const longestWaitMs = 2 * 60_000;

/** The session's event for a refused call. Throws other errors. */
function decisionOf(error: unknown, now: number): DialerDecision | null {
  if (error instanceof CallRefused) return error.decision;
  if (!(error instanceof AppError)) throw error;
  const { reason, nextAllowedAt, retryAfterSeconds } = error.extras;
  switch (error.code) {
    case "contact_refused": {
      if (reason !== "rep_cap") return { kind: "skip", reason: reason ?? "invalid_phone" };
      const at = nextAllowedAt ? Date.parse(nextAllowedAt) : Number.POSITIVE_INFINITY;
      return at - now <= longestWaitMs ? { kind: "later", at } : { kind: "pause", reason: "rep_cap" };
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
      // The call already has its row, so the session gets the call's end as its event.
      return null;
  }
}
