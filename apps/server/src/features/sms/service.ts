import type { Db, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import type { SmsProvider } from "../../ports/sms.ts";
import { recordAudit } from "../activity/service.ts";
import { lockLead } from "../leads/service.ts";
import { settleMissed } from "../telephony/inbound/repository.ts";
import { attachMessagesOfNumber, attachWaiting, dismissWaiting } from "./message-list-repository.ts";
import { findOwner, type MessageRow, markRead } from "./message-repository.ts";
import { guessLanguage } from "./policy.ts";
import type { SmsContext } from "./types.ts";
import { publishMessages } from "./update-message.ts";

/** Returns the SMS provider. Errors: `provider_off`. */
export function requireSmsProvider(context: Pick<SmsContext, "smsProvider">): SmsProvider {
  if (context.smsProvider) return context.smsProvider;
  throw new AppError("provider_off", "Texts are off: no telephony provider is configured.");
}

/** Callback address of an SMS, with its id. The fragment makes Twilio retry while the portal restarts. */
export function statusUrl(publicUrl: string, messageId: number): string {
  return `${publicUrl}/api/twilio/sms/status?message=${messageId}#rc=5&rp=5xx,ct,rt`;
}

/** Lets the assignee and administrators see a lead's texts. Errors: `not_found`, `not_your_lead`. */
export async function checkMaySee(
  db: Db,
  actor: AuthSession,
  leadId: number,
): Promise<{ assignedTo: number | null }> {
  const lead = await findOwner(db, leadId);
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  if (actor.role !== "admin" && lead.assignedTo !== actor.userId) throw new AppError("not_your_lead");
  return lead;
}

/** Whether the actor is the one whose reading marks a lead's SMS as read: its owner, or an administrator if it is unassigned. */
function isOwner(actor: AuthSession, lead: { assignedTo: number | null }): boolean {
  return lead.assignedTo === null ? actor.role === "admin" : lead.assignedTo === actor.userId;
}

/**
 * Marks a lead's SMS as read if its owner opens them; an administrator who opens another's lead leaves them unread. Returns how many.
 * Errors: `not_found`, `not_your_lead`.
 */
export async function markMessagesRead(
  context: Pick<SmsContext, "database">,
  { actor, leadId }: { actor: AuthSession; leadId: number },
): Promise<number> {
  const lead = await checkMaySee(context.database.db, actor, leadId);
  if (!isOwner(actor, lead)) return 0;
  return context.database.transaction(async (tx) => {
    const marked = await markRead(tx, leadId);
    if (marked > 0) await publishMessages(tx, leadId, actor.userId);
    return marked;
  });
}

/** Marks the lead's earlier SMS and missed calls as answered after a user wrote to it. An SMS that the provider refused answers nothing. */
export async function settleAnswered(
  { database }: Pick<SmsContext, "database">,
  { leadId, sent }: { leadId: number; sent: MessageRow },
): Promise<void> {
  if (sent.status === "failed" || sent.status === "undelivered") return;
  await database.transaction(async (tx) => {
    const marked = await markRead(tx, leadId, sent.createdAt);
    const calls = await settleMissed(tx, { leadId }, sent.createdAt);
    const owner = marked + calls.length > 0 ? await findOwner(tx, leadId) : undefined;
    if (marked > 0) await publishMessages(tx, leadId, sent.userId);
    const audience = audienceOf(owner?.assignedTo, sent.userId);
    for (const id of calls) await publishEvent(tx, { topic: "inbound-call", id, audience });
  });
}

type Context = Pick<SmsContext, "database">;
const gone = "This text does not wait any more.";

/** Attaches all waiting SMS of a number to a lead. Errors: `not_found`, `not_your_lead`. */
export async function attachUnknown(
  { database }: Context,
  { actor, messageId, leadId }: { actor: AuthSession; messageId: number; leadId: number },
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
    await guessLanguage(tx, leadId);
    await publishMessages(tx, leadId, actor.userId);
    await publishEvent(tx, { topic: "sms", id: 0, audience: "all" });
    return attached;
  });
}

/** Attaches the waiting SMS of an unknown number to the lead created from it; returns how many. */
export async function attachMessagesToNewLead(
  tx: Tx,
  { userId, leadId, number }: { userId: number; leadId: number; number: string },
): Promise<number> {
  const attached = await attachMessagesOfNumber(tx, { number, leadId });
  if (attached > 0) {
    await guessLanguage(tx, leadId);
    await publishMessages(tx, leadId, userId);
    await publishEvent(tx, { topic: "sms", id: 0, audience: "all" });
  }
  return attached;
}

/** Dismisses a waiting SMS. Errors: `not_found`. */
export async function dismissUnknown(
  { database }: Context,
  { actor, messageId }: { actor: AuthSession; messageId: number },
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
