import type { InboundCall } from "@portal/contract/entities/call";
import type { Database } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import type { Telephony } from "../../../ports/telephony.ts";
import { recordAudit, recordLeadEvent } from "../../activity/service.ts";
import { lockLead } from "../../leads/service.ts";
import { requireTelephony } from "../outbound/service.ts";
import type { CallsContext } from "../types.ts";
import {
  type InboundRow,
  listLiveInbound,
  lockInbound,
  lockInboundOfLog,
  updateInbound,
} from "./repository.ts";
import { applyInbound, factsOf, listeners } from "./update-inbound.ts";
import { isOver } from "./webhook-routes.ts";

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
