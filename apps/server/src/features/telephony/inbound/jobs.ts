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

/** Asks the provider about inbound calls without a callback for too long. No connection is held meanwhile. */
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

/** The provider's list and clock may lag behind, and a call that was in progress at the last run has ended since; together at most this. */
const overlapMs = 2 * 3_600_000;
/** After a longer outage only the last days are read. */
const longestMs = 7 * 86_400_000;

/**
 * Stores a call that had no callbacks. Meanwhile the provider connects callers to the office line, so whoever answered it talked to them.
 */
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
    // Another process was first.
    if (!call || call.stage === "ended") return;
    const talk = { taken: "office", office: { bridged: true, seconds } } as const;
    await applyInbound(tx, call, { asked: "office", gone: true, ...(isAnswered && talk) });
  });
}

/**
 * Returns a function that fetches calls which came while the portal or the database was down: the provider forwards them then and sends no
 * callbacks later. It reads everything since its last successful run; the first run of a process since the newest stored call. Errors:
 * `ProviderError`.
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
    // Oldest first, in the order in which they came. A call in progress is read by a later run.
    for (const leg of found.toReversed())
      if (isOver(leg.status) && !known.has(leg.sid)) await takeIn(context, telephony, leg);
    readUntil = began;
  };
}

/** Starts the scheduled tasks: callbacks of inbound calls, calls without callbacks, and calls that were never reported. */
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
