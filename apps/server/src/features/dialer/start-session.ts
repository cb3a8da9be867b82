import { startDialer } from "@portal/contract/dialer-machine";
import { violatedConstraint } from "../../db/client.ts";
import { publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import { recordAudit } from "../audit/service.ts";
import { requestedPhone } from "../calls/make-call.ts";
import { requireTelephony } from "../calls/service.ts";
import { holdOpenAccount } from "../users/service.ts";
import { listLeadIds } from "./data-candidates.ts";
import { insertItems } from "./data-items.ts";
import { findLiveSession, insertSession, insertStep } from "./data-sessions.ts";
import { type ListInput, listRequest } from "./preview.ts";
import { runAfterSteps } from "./run-steps.ts";
import type { DialerContext } from "./service.ts";
import { columnsOf } from "./take-step.ts";

/**
 * Starts a session and rings for its first lead at once. One that is live already is answered as it is, also where two requests of
 * one moment want to start. Answers the session's id. Errors: `no_leads`, `rep_without_phone`, `provider_off`.
 */
export async function startSession(
  context: DialerContext,
  input: ListInput & { delaySeconds: number },
): Promise<number> {
  const { actor, source, order, delaySeconds } = input;
  const { userId } = actor;
  const telephony = requireTelephony(context.calls);
  const live = await findLiveSession(context.database.db, userId);
  if (live) return live.id;
  try {
    const { sessionId, commands } = await context.database.transaction(async (tx) => {
      await requestedPhone(tx, context.calls, telephony, userId);
      const leadIds = await listLeadIds(tx, listRequest(context, input));
      if (leadIds.length === 0) throw new AppError("no_leads", "No hay leads disponibles para llamar");
      // Whoever closes the account finds the session, or the session finds it closed.
      const { autoDial } = await holdOpenAccount(tx, userId);
      const start = startDialer({ total: leadIds.length, delaySeconds, autoDial });
      const row = await insertSession(tx, { ...columnsOf(start.state), userId, order, source });
      await insertItems(tx, row.id, leadIds);
      const data = { leads: leadIds.length, source: source.kind, order, delaySeconds };
      await insertStep(tx, { sessionId: row.id, position: 0, kind: "start", data });
      await recordAudit(tx, { userId, action: "dialer-start", subject: `dialer:${row.id}`, data });
      await publishEvent(tx, { topic: "dialer", id: row.id, audience: [userId] });
      return { sessionId: row.id, commands: start.commands };
    });
    runAfterSteps(context, sessionId, commands);
    return sessionId;
  } catch (error) {
    if (violatedConstraint(error) !== "dialer_sessions_live_key") throw error;
    const first = await findLiveSession(context.database.db, userId);
    if (!first) throw error;
    return first.id;
  }
}
