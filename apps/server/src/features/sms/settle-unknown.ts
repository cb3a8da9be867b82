import { publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";
import { lockLead } from "../leads/service.ts";
import { announceTexts } from "./apply-news.ts";
import { attachWaiting, dismissWaiting } from "./data-inbox.ts";
import type { SmsContext } from "./service.ts";

type Context = Pick<SmsContext, "database">;
const gone = "This text does not wait any more.";

/** Gives all waiting texts of a number to a lead. Errors: `not_found`, `not_your_lead`. */
export async function attachUnknown(
  { database }: Context,
  { actor, messageId, leadId }: { actor: Session; messageId: number; leadId: number },
): Promise<number> {
  return database.transaction(async (tx) => {
    await lockLead(tx, actor, leadId);
    const attached = await attachWaiting(tx, { messageId, leadId });
    if (attached === 0) throw new AppError("not_found", gone);
    const data = { messageId, attached };
    await recordAudit(tx, {
      userId: actor.userId,
      action: "texts-attached",
      subject: `lead:${leadId}`,
      data,
    });
    await announceTexts(tx, leadId, actor.userId);
    await publishEvent(tx, { topic: "sms", id: 0, audience: "all" });
    return attached;
  });
}

/** Takes a waiting text off the inbox. Errors: `not_found`. */
export async function dismissUnknown(
  { database }: Context,
  { actor, messageId }: { actor: Session; messageId: number },
): Promise<number> {
  return database.transaction(async (tx) => {
    const dismissed = await dismissWaiting(tx, messageId);
    if (dismissed === 0) throw new AppError("not_found", gone);
    const subject = `message:${messageId}`;
    await recordAudit(tx, { userId: actor.userId, action: "text-dismissed", subject, data: {} });
    await publishEvent(tx, { topic: "sms", id: 0, audience: "all" });
    return dismissed;
  });
}
