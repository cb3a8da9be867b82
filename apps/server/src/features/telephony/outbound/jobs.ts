import { pruneEvents } from "../../../platform/jobs/event-store.ts";
import type { Scheduler } from "../../../platform/jobs/jobs.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { dialStatuses, type LegStatus, type Telephony } from "../../../ports/telephony.ts";
import type { CallsContext } from "../types.ts";
import { findLine } from "./line-repository.ts";
import type { CallFacts } from "./machine.ts";
import { type CallRow, claimSilentCalls, lockCall, sidsOf } from "./repository.ts";
import { endAtProvider, matchLostLeg } from "./service.ts";
import { applyFacts, type CallMetadata } from "./update-call.ts";
import { callInbox } from "./webhook-routes.ts";

const batch = 20;

const texts = {
  notPlaced: "The call was not placed. You can call again.",
  unknown: "The telephony provider does not know this call any more.",
};

function isOver(status: LegStatus | null): boolean {
  return dialStatuses.some((end) => end === status);
}

async function apply(
  context: CallsContext,
  callId: number,
  facts: Partial<CallFacts>,
  more: CallMetadata = {},
): Promise<CallRow | undefined> {
  return context.database.transaction(async (tx) => {
    const call = await lockCall(tx, { id: callId });
    return call && applyFacts(tx, call, facts, more);
  });
}

/** Ends a call that was never requested from the provider, because its process died: it must not ring later. */
async function abandon(context: CallsContext, call: CallRow): Promise<void> {
  await context.database.transaction(async (tx) => {
    const locked = await lockCall(tx, { id: call.id });
    if (!locked || locked.askedAt) return;
    await applyFacts(tx, locked, { repLeg: "refused" }, { failure: texts.notPlaced });
  });
}

/** The answer to the call's request was lost: assigns the matching leg to the call, or gives the call up. */
async function adopt(context: CallsContext, telephony: Telephony, call: CallRow): Promise<string | null> {
  const askedAt = call.askedAt ?? call.requestedAt;
  const ours = await matchLostLeg(context, telephony, { call });
  if (ours) {
    await apply(context, call.id, { repLeg: ours.status }, { callSid: ours.sid });
    return ours.sid;
  }
  const waited = Date.now() - askedAt.getTime();
  if (waited > context.timings.giveUpMs && call.state !== "ended") {
    await apply(context, call.id, { repLeg: "refused" }, { failure: texts.notPlaced });
  }
  return null;
}

/** Whether the time for machine detection is over without a result. */
function isUndetected(context: CallsContext, { answeredAt, answeredBy }: CallRow): boolean {
  return (
    answeredBy === null &&
    answeredAt !== null &&
    Date.now() - answeredAt.getTime() > context.timings.detectionMs
  );
}

/** Reads both legs from the provider. */
async function askAbout(
  context: CallsContext,
  telephony: Telephony,
  call: CallRow & { callSid: string },
): Promise<void> {
  const rep = await telephony.findLeg(call.callSid);
  if (!rep) {
    await apply(context, call.id, { repLeg: "refused" }, { failure: texts.unknown });
    return;
  }
  const lead = await telephony.findLeadLeg(call.callSid);
  const endedLongAgo =
    isOver(rep.status) && Date.now() - (rep.at?.getTime() ?? Date.now()) > context.timings.unsettledMs;
  const facts: Partial<CallFacts> = lead
    ? {
        pressed: true,
        leadLeg: lead.status,
        answeredBy:
          lead.answeredBy ?? (isOver(lead.status) || isUndetected(context, call) ? "unknown" : null),
        leadLegDurationSeconds: lead.status === "completed" ? lead.durationSeconds : null,
      }
    : endedLongAgo
      ? { dialStatus: call.pressed ? "never" : null, answeredBy: "unknown" }
      : {};
  const settled = await apply(
    context,
    call.id,
    { repLeg: rep.status, ...facts },
    { leadCallSid: lead?.sid ?? null, at: lead?.at ?? rep.at },
  );
  if (settled?.endRequestedAt && settled.state !== "ended") await endAtProvider(context, telephony, call);
}

/** Reads the lead's leg on an open line, and the line. If the id of the lead's leg is unknown it is found by number. */
async function askAboutJoined(
  context: CallsContext,
  telephony: Telephony,
  call: CallRow & { lineId: number },
): Promise<void> {
  const line = await findLine(context.database.db, call.lineId);
  const since = call.askedAt ?? call.requestedAt;
  const [found] =
    call.leadCallSid === null && line?.callSid
      ? await telephony.findDialledLegs({ parentSid: line.callSid, to: call.leadNumber, since })
      : [];
  const leg = call.leadCallSid ? await telephony.findLeg(call.leadCallSid) : (found ?? null);
  const lineIsOver = !line || line.state === "ended";
  const neverDialled = leg === null && Date.now() - since.getTime() > context.timings.giveUpMs;
  const settled = await apply(
    context,
    call.id,
    {
      ...(lineIsOver && { repLeg: "completed" as const }),
      ...(neverDialled && { dialStatus: "never" as const, answeredBy: "unknown" as const }),
      ...(leg && {
        leadLeg: leg.status,
        answeredBy: leg.answeredBy ?? (isOver(leg.status) || isUndetected(context, call) ? "unknown" : null),
        leadLegDurationSeconds: leg.status === "completed" ? leg.durationSeconds : null,
      }),
    },
    { ...sidsOf(call, { sid: leg?.sid ?? null, parentSid: null }), at: leg?.at ?? null },
  );
  const stillTalks = leg !== null && !isOver(leg.status) && (lineIsOver || settled?.endRequestedAt);
  if (stillTalks) await endAtProvider(context, telephony, { id: call.id, callSid: leg.sid });
}

async function reconcileOne(context: CallsContext, telephony: Telephony, call: CallRow): Promise<void> {
  if (!call.askedAt && !call.callSid) return abandon(context, call);
  const { lineId } = call;
  if (lineId !== null) return askAboutJoined(context, telephony, { ...call, lineId });
  const callSid = call.callSid ?? (await adopt(context, telephony, call));
  if (callSid) await askAbout(context, telephony, { ...call, callSid });
}

/** Returns false if the provider cannot be asked about other calls either. */
async function tryReconcile(context: CallsContext, telephony: Telephony, call: CallRow): Promise<boolean> {
  try {
    await reconcileOne(context, telephony, call);
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, providerCode } = error;
    context.log.warn({ callId: call.id, kind, providerCode }, "provider could not be asked about a call");
    // A detection result that arrives later still replaces this.
    if (isUndetected(context, call)) await apply(context, call.id, { answeredBy: "unknown" });
    return kind === "invalid" || kind === "not-found";
  }
}

/**
 * Asks the provider about calls without a callback for too long and stores the result. One process asks about a call at a time, and no
 * connection is held meanwhile. If the provider does not answer the task ends after its batch.
 */
export async function reconcileCalls(context: CallsContext): Promise<void> {
  const { telephony } = context;
  if (!telephony) return;
  for (;;) {
    const calls = await claimSilentCalls(context.database.db, context.timings, batch);
    let answered = true;
    // A failure for one call does not delay the others; during an outage the adapter's circuit breaker fails them at once.
    for (const call of calls) answered = (await tryReconcile(context, telephony, call)) && answered;
    if (!answered || calls.length < batch) return;
  }
}

const eventsMs = 2_000;
const silentCallsMs = 3_000;
const pruneMs = 60 * 60_000;

/**
 * Starts the scheduled tasks: events left after a crash, and calls without callbacks. The first run asks about every live call, since
 * callbacks may have come while no server ran.
 */
export function startCallJobs(context: CallsContext, scheduler: Scheduler): void {
  let started = false;
  if (context.telephony) scheduler.every(eventsMs, callInbox(context, context.telephony).work);
  scheduler.every(pruneMs, () => pruneEvents(context.database.db));
  scheduler.every(silentCallsMs, async () => {
    const silenceMs = started ? context.timings.silenceMs : 0;
    await reconcileCalls({ ...context, timings: { ...context.timings, silenceMs } });
    started = true;
  });
}
