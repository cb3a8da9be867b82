import type { DialerEvent, DialerVerdict } from "@portal/contract/dialer-machine";
import { type Tx, violatedConstraint } from "../../db/client.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { endCall } from "../calls/end-call.ts";
import { makeCall } from "../calls/make-call.ts";
import { getUser } from "../users/service.ts";
import { reasonAgainst } from "./against-dialling.ts";
import { findDialFacts, findItem, takeItem } from "./data-items.ts";
import {
  type DialerRow,
  findCallFacts,
  findLogOfCall,
  findSession,
  isCallInHand,
  lockSession,
} from "./data-sessions.ts";
import type { DialerContext } from "./service.ts";
import { type AfterStep, takeStep } from "./take-step.ts";
import { Refused, verdictOf } from "./verdict.ts";

/** Does what steps left to do, beside the request or round that took them. */
export function runAfterSteps(context: DialerContext, sessionId: number, after: AfterStep[]): void {
  for (const command of after) {
    context.ticker.once(() =>
      command.kind === "dial"
        ? dialLead(context, { sessionId, position: command.position })
        : endSkipped(context, { sessionId, callId: command.callId }),
    );
  }
}

/** Tells a session what happened, in a transaction of its own. */
export async function tellSession(
  context: DialerContext,
  sessionId: number,
  event: DialerEvent,
): Promise<void> {
  const after = await context.database.transaction(async (tx) => {
    const row = await lockSession(tx, { id: sessionId });
    return row ? (await takeStep(tx, row, event)).after : [];
  });
  runAfterSteps(context, sessionId, after);
}

/** Tells the session that has this call in hand, if any, how the call stands. */
export async function hearCall(context: DialerContext, callId: number): Promise<void> {
  // Every process hears of every call: one look, and a transaction only where there is something to tell.
  if (!(await isCallInHand(context.database.db, callId))) return;
  const heard = await context.database.transaction(async (tx) => {
    const row = await lockSession(tx, { callId });
    return row ? { sessionId: row.id, after: (await stepByCall(tx, row, callId)).after } : null;
  });
  if (heard) runAfterSteps(context, heard.sessionId, heard.after);
}

/** The same for a session that is locked already. Answers it as it stands then, and what is to be done after the commit. */
export async function stepByCall(tx: Tx, row: DialerRow, callId: number): ReturnType<typeof takeStep> {
  const facts = await findCallFacts(tx, callId);
  return facts ? takeStep(tx, row, { type: "call", facts, now: Date.now() }) : { row, after: [] };
}

/** Who a session calls as; null where the account may no longer. */
async function actorOf(context: DialerContext, userId: number): Promise<Session | null> {
  const user = await getUser(context.database.db, userId);
  if (!user || user.disabledAt) return null;
  return { sessionId: 0, userId, role: user.role, name: user.name, email: user.email };
}

async function endSkipped(
  context: DialerContext,
  { sessionId, callId }: { sessionId: number; callId: number },
): Promise<void> {
  const row = await findSession(context.database.db, sessionId);
  const actor = row && (await actorOf(context, row.userId));
  if (!actor) return;
  try {
    await endCall(context.calls, { actor, callId });
  } catch (error) {
    // It ended by itself meanwhile: that is what was wanted.
    if (!(error instanceof AppError && error.code === "call_not_live")) throw error;
  }
}

/**
 * Asks the gate about the session's current lead and requests its call: one transaction holds the session as it was when this was
 * asked for, the lead's lease, the call's row and the step. What speaks against it is the session's next event.
 */
async function dialLead(
  context: DialerContext,
  { sessionId, position }: { sessionId: number; position: number },
): Promise<void> {
  const { db } = context.database;
  const session = await findSession(db, sessionId);
  const item = await findItem(db, { sessionId, position });
  if (!session || !item) return;
  const { source, userId } = session;
  const { leadId } = item;

  const request = async (): Promise<DialerVerdict | null> => {
    const actor = await actorOf(context, userId);
    if (!actor) return { kind: "pause", reason: "account" };
    try {
      await makeCall(context.calls, {
        actor,
        leadId,
        to: null,
        together: {
          claim: async (tx) => {
            const row = await lockSession(tx, { id: sessionId });
            const current = row?.status === "active" && row.phase === "checking" && row.position === position;
            if (!current) throw new Refused(null);
            const callId = item.callId;
            if (callId !== null && (await findLogOfCall(tx, callId)))
              throw new Refused({ kind: "reached", callId });
            const facts = await findDialFacts(tx, { leadId, userId });
            const reason = facts ? reasonAgainst(facts, source) : "not_yours";
            if (reason) throw new Refused({ kind: "skip", reason });
          },
          requested: async (tx, callId) => {
            const row = await lockSession(tx, { id: sessionId });
            if (!row) throw new Refused(null);
            await takeItem(tx, { sessionId, position }, callId);
            const verdict = { kind: "requested", callId } as const;
            await takeStep(tx, row, { type: "verdict", position, verdict, now: Date.now() });
          },
        },
      });
      return null;
    } catch (error) {
      if (violatedConstraint(error) === "dialer_items_lease_key") return { kind: "skip", reason: "leased" };
      return verdictOf(error, Date.now());
    }
  };
  // Once the call has its row the session is past checking, and a verdict on what came later changes nothing: the call tells.
  const verdict = await request();
  if (verdict) await tellSession(context, sessionId, { type: "verdict", position, verdict, now: Date.now() });
}
