import type { BulkReason } from "@portal/contract/entities/bulk-change";
import { AppError } from "../../platform/http/app-error.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { getUser } from "../identity/users/service.ts";
import { decideFate, type SmsFate } from "../sms/decide-fate.ts";
import { findByRef } from "../sms/message-repository.ts";
import { sendSms } from "../sms/send-message.ts";
import { type ChangeRow, claimSms, moveItems, putBack } from "./repository.ts";
import type { BulkContext } from "./types.ts";

type Fate = SmsFate | { sent: true } | { leftOut: BulkReason };

async function send(
  context: BulkContext,
  change: ChangeRow,
  { leadId, textRef }: { leadId: number; textRef: string },
): Promise<Fate> {
  const { db } = context.database;
  // Undone while a worker that died had claimed it: it counts as sent where that worker had asked the provider.
  if (change.state === "undone")
    return (await findByRef(db, textRef)) ? { sent: true } : { waitMs: 0, isAnew: true };
  const user = await getUser(db, change.userId);
  if (!user || user.disabledAt !== null) return { leftOut: "account_closed" };
  const { id: userId, role, name, email } = user;
  const message = change.edit.kind === "text" ? change.edit.message : "";
  try {
    // With the same reference as before a restart it answers the text that was asked for then, and asks for none.
    const text = await sendSms(context.sms, {
      actor: { sessionId: 0, userId, role, name, email },
      leadId,
      message,
      clientRef: textRef,
    });
    return text.status === "failed" ? { leftOut: "not_sent" } : { sent: true };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return decideFate(error, { since: change.at, againMs: context.timings.againMs });
  }
}

/** Sends the next text of an act, asking the contact policy then. Answers in how many ms the one after it is due; null where there is none. */
export async function sendNextSms(context: BulkContext, change: ChangeRow): Promise<number | null> {
  const { db } = context.database;
  const item = await claimSms(db, change.id);
  if (!item) return null;
  const fate = await send(context, change, item);
  const move = { from: ["sending"] as const, leadIds: [item.leadId] };
  if ("sent" in fate) await moveItems(db, change.id, { ...move, to: "sent" });
  else if ("leftOut" in fate)
    await moveItems(db, change.id, { ...move, to: "left_out", reason: fate.leftOut });
  else if (fate.isAnew) await putBack(db, change.id, item.leadId);
  else await moveItems(db, change.id, { ...move, to: "waiting" });
  await publishEvent(db, { topic: "bulk-change", id: change.id, audience: [change.userId] });
  if ("waitMs" in fate) return fate.waitMs;
  // Who was left out took nothing of the pace.
  return "sent" in fate ? context.timings.textEveryMs : 0;
}
