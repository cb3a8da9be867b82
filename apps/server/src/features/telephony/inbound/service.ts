import type { InboundCall } from "@portal/contract/entities/call";
import type { Database } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import type { Scheduler } from "../../../platform/jobs/jobs.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { ProviderLeg, Telephony } from "../../../ports/telephony.ts";
import { recordAudit, recordLeadEvent } from "../../activity/service.ts";
import { lockLead } from "../../leads/service.ts";
import { requireTelephony } from "../outbound/service.ts";
import type { CallsContext } from "../types.ts";
import {
  claimSilentInbound,
  findCaller,
  findNewestInboundCall,
  type InboundRow,
  insertInbound,
  knownInboundSids,
  listLiveInbound,
  lockInbound,
  lockInboundOfLog,
  updateInbound,
} from "./repository.ts";
import { applyInbound, factsOf, listeners } from "./update-inbound.ts";
import { inboundInbox, isOver } from "./webhook-routes.ts";

/** Inbound calls that ring for this user or that they are on, including those on the shared office line. */
export async function listLiveInboundCalls(
  { database }: { database: Database },
  actor: AuthSession,
): Promise<InboundCall[]> {
  const rows = await listLiveInbound(database.db, actor.userId);
  return rows.map((row) => ({
    id: row.id,
    leadId: row.leadId,
    leadName: row.leadName ?? "",
    callerNumber: row.fromNumber === "anonymous" ? null : row.fromNumber,
    callSid: row.callSid,
    line: lineOf(row),
    standsInFor: row.ownerId === actor.userId || lineOf(row) === "office" ? null : row.ownerName,
    state: row.stage === "talking" ? "talking" : "ringing",
    startedAt: row.startedAt.toISOString(),
    answeredAt: row.answeredAt?.toISOString() ?? null,
    mayEnd: row.stage === "talking" && row.takenBy === actor.userId,
    now: new Date().toISOString(),
  }));
}

function lineOf(row: Pick<InboundRow, "facts">): InboundCall["line"] {
  const { taken, asked } = factsOf(row);
  return (taken ?? asked) === "office" ? "office" : "personal";
}

/**
 * Marks a missed call as done without calling back, or undoes that, and stores who did. Repeating it changes nothing. Errors: `not_found`,
 * `not_your_lead`.
 */
export async function settleMissedCall(
  { database }: { database: Database },
  { actor, logId, done }: { actor: AuthSession; logId: number; done: boolean },
): Promise<void> {
  await database.transaction(async (tx) => {
    const call = await lockInboundOfLog(tx, logId);
    if (!call || (call.result !== "missed" && call.result !== "voicemail"))
      throw new AppError("not_found", "There is no such missed call.");
    const { leadId } = call;
    if (leadId !== null) await lockLead(tx, actor, leadId);
    if (done === (call.settledAt !== null)) return;
    const { userId } = actor;
    await updateInbound(tx, call.id, {
      settledAt: done ? new Date() : null,
      settledBy: done ? userId : null,
    });
    const kind = done ? "missed-call-done" : "missed-call-reopened";
    const data = { inboundCallId: call.id, callLogId: logId };
    if (leadId !== null) await recordLeadEvent(tx, { leadId, userId, kind, data });
    await recordAudit(tx, { userId, action: kind, subject: `call-log:${logId}`, data });
    await publishEvent(tx, { topic: "call-log", id: logId, audience: listeners(call) });
  });
}

/** Reads an inbound call from the provider; one that it no longer knows, or reports as ended, is over. Errors: `ProviderError`. */
async function askAbout(
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
 * Ends a call that a consultant took, with the caller's leg. A ringing call is declined on the phone itself, so that its caller moves to
 * the next step. Errors: `not_found`, `forbidden`, `call_not_live`, `ProviderError`.
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
