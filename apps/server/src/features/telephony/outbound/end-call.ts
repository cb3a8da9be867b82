import type { Tx } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import type { Telephony } from "../../../ports/telephony.ts";
import { recordAudit } from "../../activity/service.ts";
import { ownsCall } from "../policy.ts";
import type { CallsContext } from "../types.ts";
import { isDialled } from "./machine.ts";
import { type CallRow, lockCall, returnSlot, setEndRequested } from "./repository.ts";
import { paceOf, requireTelephony } from "./service.ts";
import { applyFacts } from "./update-call.ts";

/** Ends a call with all its legs at the provider, and stores the state that it reports. Errors: `ProviderError`. */
export async function endAtProvider(
  context: CallsContext,
  telephony: Telephony,
  call: { id: number; callSid: string },
): Promise<void> {
  const leg = await telephony.endCall(call.callSid);
  await context.database.transaction(async (tx) => {
    const locked = await lockCall(tx, { id: call.id });
    // On an open line only the lead's leg ends.
    const side = locked?.lineId == null ? "repLeg" : "leadLeg";
    if (locked) await applyFacts(tx, locked, { [side]: leg.status }, { at: leg.at });
  });
}

/** Prevents the lead from being dialed, regardless of later responses or key presses, and a pending call from being requested at all. */
async function requestEnd(tx: Tx, call: CallRow): Promise<CallRow> {
  await setEndRequested(tx, call.id);
  await publishEvent(tx, { topic: "call", id: call.id, audience: [call.userId] });
  return applyFacts(tx, call, { endRequested: true, ...(!call.askedAt && { repLeg: "canceled" }) });
}

/**
 * Requests the end of a call that has only the consultant's leg. Returns whether to end it at the provider after the commit (`endCall`);
 * if that fails, the scheduled task for silent calls does it.
 */
export async function withdrawCall(tx: Tx, callId: number): Promise<boolean> {
  const call = await lockCall(tx, { id: callId });
  if (!call || call.state === "ended" || isDialled(call)) return false;
  return (await requestEnd(tx, call)).state !== "ended";
}

/**
 * Ends a live call. A call that is not dialed yet is canceled; one without a sid is ended as soon as the sid is known. A repeated request
 * changes nothing. Errors: `not_found`, `forbidden`, `call_not_live`, `provider_unavailable`.
 */
export async function endCall(
  context: CallsContext,
  { actor, callId }: { actor: AuthSession; callId: number },
): Promise<void> {
  const telephony = requireTelephony(context);
  const call = await context.database.transaction(async (tx) => {
    const known = await lockCall(tx, { id: callId });
    if (!known) throw new AppError("not_found", "This call does not exist.");
    if (!ownsCall(actor, known)) throw new AppError("forbidden", "This call was made by another consultant.");
    if (known.state === "ended" && known.endRequestedAt) return known;
    if (known.state === "ended") throw new AppError("call_not_live", "This call has ended already.");
    if (!known.endRequestedAt) {
      if (!known.askedAt && known.dialsAt) await returnSlot(tx, { ...paceOf(telephony), at: known.dialsAt });
      await recordAudit(tx, {
        userId: actor.userId,
        action: "call-end",
        subject: `call:${callId}`,
        data: {},
      });
    }
    return requestEnd(tx, known);
  });
  if (call.callSid && call.state !== "ended") {
    await endAtProvider(context, telephony, { id: callId, callSid: call.callSid });
  }
}
