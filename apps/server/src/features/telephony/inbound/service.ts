import type { InboundCall } from "@portal/contract/entities/call";
import type { Database } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import { recordAudit } from "../../activity/record-audit.ts";
import { recordLeadEvent } from "../../activity/service.ts";
import { lockLead } from "../../leads/service.ts";
import { type InboundRow, listLiveInbound, lockInboundOfLog, updateInbound } from "./repository.ts";
import { factsOf, listeners } from "./update-inbound.ts";

/** Who calls this person now, or talks with them; what stands on the office line for anybody is among them. */
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
 * Takes a missed call off the list without calling back, or puts it there again; who did it is kept. What is so already stays.
 * Errors: `not_found`, `not_your_lead`.
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
