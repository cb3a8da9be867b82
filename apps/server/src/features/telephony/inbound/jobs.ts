import type { Scheduler } from "../../../platform/jobs/scheduler.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { Telephony } from "../../../ports/telephony.ts";
import type { CallsContext } from "../types.ts";
import { claimSilentInbound, type InboundRow, lockInbound } from "./repository.ts";
import { applyInbound, factsOf } from "./update-inbound.ts";
import { inboundInbox, isOver } from "./webhook-routes.ts";

const eventsMs = 2_000;
const silentMs = 5_000;
const batch = 20;

/** What the provider knows of a silent call: one that it knows no more, or has ended, is over. */
async function askAbout(context: CallsContext, telephony: Telephony, call: InboundRow): Promise<void> {
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

/** Asks the provider about inbound calls that have been silent too long. No connection is held meanwhile. */
export async function reconcileInbound(
  context: CallsContext,
  telephony: Telephony,
  silenceMs: number,
): Promise<void> {
  for (const call of await claimSilentInbound(context.database.db, { silenceMs, limit: batch })) {
    try {
      await askAbout(context, telephony, call);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn(
        { inboundCallId: call.id, kind: error.kind },
        "provider could not be asked about a call",
      );
      if (error.kind !== "invalid" && error.kind !== "not-found") return;
    }
  }
}

/** Works the callbacks of inbound calls, and asks about calls without any. */
export function startInboundJobs(context: CallsContext, scheduler: Scheduler): void {
  const { telephony, timings } = context;
  if (!telephony) return;
  const inbox = inboundInbox(context, telephony);
  scheduler.every(eventsMs, inbox.work);
  scheduler.every(silentMs, () => reconcileInbound(context, telephony, timings.silenceMs));
}
