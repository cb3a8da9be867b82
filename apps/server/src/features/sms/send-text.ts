import { limits } from "@portal/contract/limits";
import { smsFailures } from "@portal/contract/sms-failures";
import { type Tx, violatedConstraint } from "../../db/client.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { ProviderText, Texting } from "../../ports/texting.ts";
import { recordAudit } from "../audit/service.ts";
import { keepingRefusal } from "../gate/keep-refusal.ts";
import { checkOverride, mayContact, refuseContact } from "../gate/service.ts";
import { lockLead } from "../leads/service.ts";
import { announceTexts, applyRefusal, applyTextNews, optedOutCode } from "./apply-news.ts";
import {
  findByRef,
  findMessage,
  findRepeat,
  insertOutbound,
  type MessageRow,
  type MessageViewRow,
} from "./data.ts";
import { withLockedText } from "./locked-text.ts";
import { requireTexting, type SmsContext, statusUrl } from "./service.ts";

export interface TextRequest {
  actor: Session;
  leadId: number;
  message: string;
  /** The browser's own id of the request. */
  clientRef: string | null;
  /** An administrator's reason to text although the gate says no. */
  overrideReason?: string | undefined;
}

/** The same words to the same lead within this time are a second click, a second tab or a try after a lost answer. */
const repeatMs = 15_000;

const notSent =
  "The telephony provider cannot be reached. The text was not sent: please try again in a moment.";
const refused = "The telephony provider refused the text. Tell an administrator if it happens again.";

function checkMessage(message: string): string {
  const body = message.trim();
  if (body === "") throw new AppError("message_empty", "Write a message first.");
  if (body.length <= limits.smsMaxLength) return body;
  throw new AppError("message_too_long", `A text has at most ${limits.smsMaxLength} characters.`);
}

/** The text that an earlier request of the same wish made. Errors: `conflict` where the reference was used for something else. */
async function findEarlier(tx: Tx, request: TextRequest, body: string): Promise<MessageRow | undefined> {
  const { actor, leadId, clientRef } = request;
  const known = clientRef ? await findByRef(tx, clientRef) : undefined;
  if (!known) return findRepeat(tx, { leadId, userId: actor.userId, body, withinMs: repeatMs });
  if (known.userId === actor.userId && known.leadId === leadId && known.body === body) return known;
  throw new AppError("conflict", "This request was used for another text already. Send it again.");
}

/** Checks everything and writes the row; nothing has been sent yet. The lead stays locked, so that equal requests come one by one. */
async function requestText(context: SmsContext, texting: Texting, request: TextRequest, body: string) {
  const { actor, leadId, clientRef } = request;
  return context.database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, leadId);
    const override = checkOverride(actor, request.overrideReason);
    const earlier = await findEarlier(tx, request, body);
    if (earlier) return { row: earlier, made: false };
    const { userId } = actor;
    const answer = await mayContact(tx, { leadId, userId, channel: "text", rules: context.gate, override });
    if (!answer.allowed) return refuseContact(answer, "text");
    const to = lead.phoneE164 ?? refuseContact({ reason: "invalid_phone" }, "text");
    const row = await insertOutbound(tx, { leadId, userId, body, from: texting.senderNumber, to, clientRef });
    const data = { messageId: row.id };
    await recordAudit(tx, { userId, action: "text-request", subject: `lead:${leadId}`, data });
    await announceTexts(tx, leadId, userId);
    return { row, made: true };
  });
}

/** Two requests with one reference but to other leads at the same moment: the second finds the first one's row. */
async function requestOnce(context: SmsContext, texting: Texting, request: TextRequest, body: string) {
  try {
    return await requestText(context, texting, request, body);
  } catch (error) {
    if (violatedConstraint(error) !== "messages_client_ref_unique") throw error;
    return requestText(context, texting, request, body);
  }
}

function refusal({ kind, providerCode, retryAfterSeconds }: ProviderError): AppError {
  if (providerCode === optedOutCode) {
    const [words] = smsFailures[optedOutCode] ?? [];
    return new AppError("contact_refused", words, { reason: "opted_out" });
  }
  const extras = retryAfterSeconds ? { retryAfterSeconds } : {};
  if (kind === "unavailable" || kind === "rate-limited")
    return new AppError("provider_unavailable", notSent, extras);
  return new AppError("provider_refused", smsFailures[providerCode ?? 0]?.[0] ?? refused);
}

async function onFailure(context: SmsContext, messageId: number, error: unknown): Promise<void> {
  if (!(error instanceof ProviderError)) throw error;
  const { kind, providerCode, ambiguous } = error;
  // The vendor's own text may hold numbers: it stays out of the log.
  context.log.warn({ messageId, kind, providerCode, ambiguous }, "text not sent");
  // It may have been sent all the same: the row waits until the provider is asked again.
  if (ambiguous) return;
  await withLockedText(context, messageId, (tx, row) => applyRefusal(context, tx, row, providerCode));
  throw refusal(error);
}

async function ask(context: SmsContext, texting: Texting, row: MessageRow): Promise<void> {
  let sent: ProviderText;
  try {
    const url = statusUrl(context.publicUrl, row.id);
    sent = await texting.sendText({ to: row.toNumber, body: row.body, statusUrl: url });
  } catch (error) {
    return onFailure(context, row.id, error);
  }
  await withLockedText(context, row.id, (tx, locked) => applyTextNews(context, tx, locked, sent));
}

/**
 * Sends a text to a lead, once: the row is committed before the provider is asked, and no connection is held meanwhile. A repeated
 * request answers the text that the first one made. Where the provider's answer is lost the text is answered as `requested`.
 * Errors: see the contract's `sendMessage`; also `provider_refused`, `provider_unavailable`.
 */
export async function sendText(context: SmsContext, request: TextRequest): Promise<MessageViewRow> {
  const body = checkMessage(request.message);
  const texting = requireTexting(context);
  const { actor, leadId } = request;
  const { row, made } = await keepingRefusal(
    context,
    { userId: actor.userId, leadId, channel: "text", by: "person" },
    () => requestOnce(context, texting, request, body),
  );
  if (made) await ask(context, texting, row);
  const view = await findMessage(context.database.db, row.id);
  if (!view) throw new AppError("not_found");
  return view;
}
