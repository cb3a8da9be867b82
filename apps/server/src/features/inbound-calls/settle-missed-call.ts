import type { Database } from "../../db/client.ts";
import { publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";
import { lockLead } from "../leads/service.ts";
import { recordLeadEvent } from "../timeline/service.ts";
import { listeners } from "./apply.ts";
import { lockInboundOfLog, updateInbound } from "./data.ts";

/**
 * Takes a missed call off the list without calling back, or puts it there again; who did it is kept. What is so already stays.
 * Errors: `not_found`, `not_your_lead`.
 */
export async function settleMissedCall(
  { database }: { database: Database },
  { actor, logId, done }: { actor: Session; logId: number; done: boolean },
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
