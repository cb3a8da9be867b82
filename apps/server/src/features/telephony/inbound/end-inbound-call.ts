import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import type { Telephony } from "../../../ports/telephony.ts";
import { recordAudit } from "../../activity/record-audit.ts";
import { requireTelephony } from "../outbound/service.ts";
import type { CallsContext } from "../types.ts";
import { type InboundRow, lockInbound } from "./repository.ts";
import { applyInbound, factsOf } from "./update-inbound.ts";
import { isOver } from "./webhook-routes.ts";

/** What the provider knows of a call that came in: one that it knows no more, or has ended, is over. Errors: `ProviderError`. */
export async function askAbout(
  context: CallsContext,
  telephony: Telephony,
  call: Pick<InboundRow, "id" | "callSid" | "facts">,
): Promise<void> {
  const leg = await telephony.findLeg(call.callSid);
  if (leg && !isOver(leg.status)) return;
  const { taken } = factsOf(call);
  const ours = taken && leg ? await telephony.findLeadLeg(call.callSid) : null;
  await context.database.transaction(async (tx) => {
    const locked = await lockInbound(tx, { id: call.id });
    if (!locked) return;
    const talk = taken && ours ? { [taken]: { bridged: true, seconds: ours.durationSeconds } } : {};
    await applyInbound(tx, locked, { ...talk, gone: true });
  });
}

/**
 * Ends a call that a consultant took, with the caller's leg. One that still rings is declined on the phone itself, so that its caller is led on.
 * Errors: `not_found`, `forbidden`, `call_not_live`, `ProviderError`.
 */
export async function endInboundCall(
  context: CallsContext,
  { actor, inboundCallId }: { actor: AuthSession; inboundCallId: number },
): Promise<void> {
  const telephony = requireTelephony(context);
  const call = await context.database.transaction(async (tx) => {
    const known = await lockInbound(tx, { id: inboundCallId });
    if (!known) throw new AppError("not_found", "This call does not exist.");
    if (actor.role !== "admin" && known.takenBy !== actor.userId)
      throw new AppError("forbidden", "This call was taken by somebody else.");
    if (known.stage !== "talking") throw new AppError("call_not_live", "This call is not on.");
    const { userId } = actor;
    await recordAudit(tx, { userId, action: "call-end", subject: `inbound-call:${known.id}`, data: {} });
    return known;
  });
  await telephony.endCall(call.callSid);
  await askAbout(context, telephony, call);
}
