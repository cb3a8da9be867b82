import { limits } from "@portal/contract/limits";
import { smsFailures } from "@portal/contract/sms-failures";
import { unfilledField } from "@portal/contract/sms-template";
import { type Tx, violatedConstraint } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { ProviderSms, SmsProvider } from "../../ports/sms.ts";
import { recordAudit } from "../activity/record-audit.ts";
import {
  type ContactRequest,
  checkOverride,
  mayContact,
  onCurrentFacts,
  recordingRefusal,
  refuseContact,
} from "../contact-policy/service.ts";
import { lockLead } from "../leads/service.ts";
import {
  findByRef,
  findFurtherNumber,
  findMessage,
  findRepeat,
  insertOutbound,
  type MessageRow,
  type MessageViewRow,
} from "./message-repository.ts";
import { requireSmsProvider, statusUrl } from "./service.ts";
import type { SmsContext } from "./types.ts";
import {
  applyMessageUpdate,
  markRefused,
  optedOutCode,
  publishMessages,
  withLockedMessage,
} from "./update-message.ts";

export interface MessageRequest {
  actor: AuthSession;
  leadId: number;
  message: string;
  /** The browser's own id of the request. */
  clientRef: string | null;
  /** The version of the template that it was made of. */
  templateVersionId?: number | null | undefined;
  /** An administrator's reason to text although the contact policy says no. */
  overrideReason?: string | undefined;
  /** Asked while the lead is held, before a new text is written; what it throws ends the request. */
  check?: ((tx: Tx, lead: { assignedTo: number | null }) => Promise<void>) | undefined;
  /** What was read of the lead just now (contact policy). */
  facts?: ContactRequest["facts"];
}

/** The same words to the same lead within this time are a second click, a second tab or a try after a lost answer. */
const repeatMs = 15_000;

const notSent =
  "The telephony provider cannot be reached. The text was not sent: please try again in a moment.";
const refused = "The telephony provider refused the text. Tell an administrator if it happens again.";

/** The words as they are sent. Errors: `message_empty`, `message_too_long`, `message_unfilled`. */
export function checkMessage(message: string): string {
  const body = message.trim();
  if (body === "") throw new AppError("message_empty", "Write a message first.");
  if (body.length > limits.smsMaxLength)
    throw new AppError("message_too_long", `A text has at most ${limits.smsMaxLength} characters.`);
  const place = unfilledField(body);
  if (!place) return body;
  throw new AppError(
    "message_unfilled",
    `Nothing is known for {{${place.name}}}. Write something in its place.`,
  );
}

/** The text that an earlier request of the same wish made. Errors: `conflict` where the reference was used for something else. */
async function findEarlier(tx: Tx, request: MessageRequest, body: string): Promise<MessageRow | undefined> {
  const { actor, leadId, clientRef } = request;
  const known = clientRef ? await findByRef(tx, clientRef) : undefined;
  if (!known) return findRepeat(tx, { leadId, userId: actor.userId, body, withinMs: repeatMs });
  if (known.userId === actor.userId && known.leadId === leadId && known.body === body) return known;
  throw new AppError("conflict", "This request was used for another text already. Send it again.");
}

/** Checks everything and writes the row; nothing has been sent yet. The lead stays locked, so that equal requests come one by one. */
async function requestMessage(
  context: SmsContext,
  smsProvider: SmsProvider,
  request: MessageRequest,
  body: string,
) {
  const { actor, leadId, clientRef } = request;
  return context.database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, leadId);
    const override = checkOverride(actor, request.overrideReason);
    const earlier = await findEarlier(tx, request, body);
    if (earlier) return { row: earlier, made: false };
    await request.check?.(tx, lead);
    const { userId } = actor;
    // Who wrote from a further number is answered there.
    const further = await findFurtherNumber(tx, leadId);
    const answer = await mayContact(tx, {
      leadId,
      userId,
      number: further ?? undefined,
      channel: "text",
      rules: context.contactPolicy,
      override,
      facts: request.facts,
    });
    if (!answer.allowed) return refuseContact(answer, "text");
    const to = further ?? lead.phoneE164 ?? refuseContact({ reason: "invalid_phone" }, "text");
    const row = await insertOutbound(tx, {
      leadId,
      userId,
      body,
      from: smsProvider.senderNumber,
      to,
      clientRef,
      templateVersionId: request.templateVersionId ?? null,
    });
    const data = { messageId: row.id };
    await recordAudit(tx, { userId, action: "text-request", subject: `lead:${leadId}`, data });
    await publishMessages(tx, leadId, userId);
    return { row, made: true };
  });
}

/** Two requests with one reference but to other leads at the same moment: the second finds the first one's row. */
async function requestOnce(
  context: SmsContext,
  smsProvider: SmsProvider,
  request: MessageRequest,
  body: string,
) {
  try {
    return await requestMessage(context, smsProvider, request, body);
  } catch (error) {
    if (violatedConstraint(error) !== "messages_client_ref_unique") throw error;
    return requestMessage(context, smsProvider, request, body);
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
  await withLockedMessage(context, messageId, (tx, row) => markRefused(context, tx, row, providerCode));
  throw refusal(error);
}

async function ask(context: SmsContext, smsProvider: SmsProvider, row: MessageRow): Promise<void> {
  let sent: ProviderSms;
  try {
    const url = statusUrl(context.publicUrl, row.id);
    sent = await smsProvider.sendSms({ to: row.toNumber, body: row.body, statusUrl: url });
  } catch (error) {
    return onFailure(context, row.id, error);
  }
  await withLockedMessage(context, row.id, (tx, locked) => applyMessageUpdate(context, tx, locked, sent));
}

/**
 * Sends a text to a lead, once: the row is committed before the provider is asked, and no connection is held meanwhile. A repeated
 * request answers the text that the first one made. Where the provider's answer is lost the text is answered as `requested`.
 * Errors: see the contract's `sendMessage`; also `provider_refused`, `provider_unavailable`.
 */
export async function sendSms(context: SmsContext, request: MessageRequest): Promise<MessageViewRow> {
  const body = checkMessage(request.message);
  const smsProvider = requireSmsProvider(context);
  const { actor, leadId } = request;
  const { row, made } = await recordingRefusal(
    context,
    { userId: actor.userId, leadId, channel: "text", by: "person" },
    () =>
      onCurrentFacts(context.readLeadAgain, leadId, (facts) =>
        requestOnce(context, smsProvider, { ...request, facts }, body),
      ),
  );
  if (made) await ask(context, smsProvider, row);
  const view = await findMessage(context.database.db, row.id);
  if (!view) throw new AppError("not_found");
  return view;
}
