import { limits } from "@portal/contract/limits";
import { smsFailures } from "@portal/contract/sms-failures";
import { unfilledField } from "@portal/contract/sms-template";
import { type Tx, violatedConstraint } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { ProviderSms, SmsProvider } from "../../ports/sms.ts";
import { recordAudit } from "../activity/service.ts";
import {
  type ContactRequest,
  checkOverride,
  mayContact,
  recordRefusal,
  refreshOldFacts,
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
  /** The browser's id of the request. */
  clientRef: string | null;
  /** The template version that the message was made from. */
  templateVersionId?: number | null | undefined;
  /** An administrator's reason to override the contact policy. */
  overrideReason?: string | undefined;
  /** Called while the lead is locked, before an SMS is inserted; an error ends the request. */
  check?: ((tx: Tx, lead: { assignedTo: number | null }) => Promise<void>) | undefined;
  /** Facts about the lead that the caller has read just now. */
  facts?: ContactRequest["facts"];
}

/** The same message to the same lead within this time is a double click, a second tab or a retry after a lost answer. */
const repeatMs = 15_000;

const notSent =
  "The telephony provider cannot be reached. The text was not sent: please try again in a moment.";
const refused = "The telephony provider refused the text. Tell an administrator if it happens again.";

/** The trimmed message. Errors: `message_empty`, `message_too_long`, `message_unfilled`. */
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

/** The SMS of an earlier, equal request. Errors: `conflict` if its reference was used for another message. */
async function findEarlier(tx: Tx, request: MessageRequest, body: string): Promise<MessageRow | undefined> {
  const { actor, leadId, clientRef } = request;
  const known = clientRef ? await findByRef(tx, clientRef) : undefined;
  if (!known) return findRepeat(tx, { leadId, userId: actor.userId, body, withinMs: repeatMs });
  if (known.userId === actor.userId && known.leadId === leadId && known.body === body) return known;
  throw new AppError("conflict", "This request was used for another text already. Send it again.");
}

/** Checks the request and inserts the SMS before it is sent. The lead is locked, so that equal requests run one after the other. */
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
    // A lead who wrote from an alias number is answered there.
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

/** Two concurrent requests may use one reference for different leads; the second then finds the first one's row. */
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
  // The vendor's message may contain phone numbers, so it is not logged.
  context.log.warn({ messageId, kind, providerCode, ambiguous }, "text not sent");
  // The SMS may have been sent, so the row waits for the reconciliation with the provider.
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
 * Sends an SMS to a lead once: the row is committed before the provider is asked, and no connection is held meanwhile. A repeated request
 * returns the first one's SMS. If the provider's answer is lost the SMS is returned as `requested`. Errors: see the contract's
 * `sendMessage`; also `provider_refused`, `provider_unavailable`.
 */
export async function sendSms(context: SmsContext, request: MessageRequest): Promise<MessageViewRow> {
  const body = checkMessage(request.message);
  const smsProvider = requireSmsProvider(context);
  const { actor, leadId } = request;
  const { readLeadAgain } = context;
  const attempt = (facts?: MessageRequest["facts"]) =>
    requestOnce(context, smsProvider, { ...request, facts }, body);
  const requested = readLeadAgain
    ? attempt("ask").catch(async (error: unknown) =>
        attempt(await refreshOldFacts(readLeadAgain, leadId, error)),
      )
    : attempt();
  const { row, made } = await requested.catch((error: unknown) =>
    recordRefusal(context, { userId: actor.userId, leadId, channel: "text", by: "person" }, error),
  );
  if (made) await ask(context, smsProvider, row);
  const view = await findMessage(context.database.db, row.id);
  if (!view) throw new AppError("not_found");
  return view;
}
