import type { Scheduler } from "../../../platform/jobs/jobs.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { ProviderLeg, Telephony } from "../../../ports/telephony.ts";
import type { CallsContext } from "../types.ts";
import {
  claimSilentInbound,
  findCaller,
  findNewestInboundCall,
  insertInbound,
  knownInboundSids,
  lockInbound,
} from "./repository.ts";
import { askAbout } from "./service.ts";
import { applyInbound } from "./update-inbound.ts";
import { inboundInbox, isOver } from "./webhook-routes.ts";

const eventsMs = 2_000;
const silentMs = 5_000;
const missedCallsMs = 60_000;
const batch = 20;

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

/** The provider's list and its clock may lag behind, and a call that went on in the last round has ended since: by so much. */
const overlapMs = 2 * 3_600_000;
/** After a longer absence only the last days are asked for. */
const longestMs = 7 * 86_400_000;

/** Stores a call without callbacks: whoever answered the office line, to which the provider led the caller meanwhile, talked to them. */
async function takeIn(context: CallsContext, telephony: Telephony, leg: ProviderLeg): Promise<void> {
  const office = await telephony.findLeadLeg(leg.sid);
  const seconds = office?.status === "completed" ? office.durationSeconds : null;
  const isAnswered = (seconds ?? 0) > 0;
  await context.database.transaction(async (tx) => {
    if (await lockInbound(tx, { callSid: leg.sid })) return;
    const caller = leg.from === null ? undefined : await findCaller(tx, leg.from);
    await insertInbound(tx, {
      callSid: leg.sid,
      fromNumber: leg.from ?? "anonymous",
      leadId: caller?.leadId ?? null,
      ownerId: caller?.ownerId ?? null,
      ...(leg.createdAt && { startedAt: leg.createdAt }),
      ...(leg.at && { endedAt: leg.at }),
    });
    const call = await lockInbound(tx, { callSid: leg.sid });
    // Another process was faster.
    if (!call || call.stage === "ended") return;
    const talk = { taken: "office", office: { bridged: true, seconds } } as const;
    await applyInbound(tx, call, { asked: "office", gone: true, ...(isAnswered && talk) });
  });
}

/**
 * Fetches calls that came while portal or database was down: the provider leads them elsewhere then and sends no callback afterwards. Asks for
 * all since the last round that went well; the first one of a process since the newest call that was there when it started. Errors: `ProviderError`.
 */
export function createMissedCalls(context: CallsContext, telephony: Telephony): () => Promise<void> {
  const { db } = context.database;
  const startedAt = new Date();
  let readUntil: Date | null = null;

  return async () => {
    const began = new Date();
    const from = readUntil ?? (await findNewestInboundCall(db, startedAt)) ?? startedAt;
    const since = new Date(Math.max(from.getTime() - overlapMs, began.getTime() - longestMs));
    const found = await telephony.listInbound({
      since,
      address: `${context.publicUrl}/api/twilio/voice/inbound`,
    });
    const known = await knownInboundSids(
      db,
      found.map(({ sid }) => sid),
    );
    // Oldest first, as they came; one that goes on may still be asked about.
    for (const leg of found.toReversed())
      if (isOver(leg.status) && !known.has(leg.sid)) await takeIn(context, telephony, leg);
    readUntil = began;
  };
}

/** Handles the callbacks of inbound calls, asks about calls without any, and fetches calls that were never reported. */
export function startInboundJobs(context: CallsContext, scheduler: Scheduler): void {
  const { telephony, timings } = context;
  if (!telephony) return;
  const inbox = inboundInbox(context, telephony);
  scheduler.every(eventsMs, inbox.work);
  scheduler.every(silentMs, () => reconcileInbound(context, telephony, timings.silenceMs));
  const pullMissed = createMissedCalls(context, telephony);
  scheduler.every(missedCallsMs, async () => {
    await pullMissed().catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn({ kind: error.kind }, "provider could not be asked for missed calls");
    });
  });
}
