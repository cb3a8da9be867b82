import type { FastifyInstance } from "fastify";
import { toE164 } from "../../domain/phone.ts";
import type { Tx } from "../../platform/db/client.ts";
import { addressId, formParams, registerSignedForms } from "../../platform/http/signed-forms.ts";
import {
  createEventInbox,
  createWorker,
  type EventInbox,
  type StoredEvent,
} from "../../platform/jobs/event-inbox.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import type { InboundSms, SmsProvider } from "../../ports/sms.ts";
import type { WebhookParams } from "../../ports/telephony.ts";
import { disownMessage, insertInbound, lockOutbound, settleInbound } from "./message-repository.ts";
import { findLeadOfNumber, isStopped } from "./number-repository.ts";
import { guessLanguage, isKeywordOnly, parseKeyword } from "./policy.ts";
import type { SmsContext } from "./types.ts";
import { applyMessageUpdate, optIn, optOut, publishMessages } from "./update-message.ts";

/** Receives Twilio's signed callbacks about SMS: stored by one insert, answered, and handled afterwards. */
export async function registerSmsWebhooks(app: FastifyInstance, context: SmsContext): Promise<void> {
  const { smsProvider } = context;
  if (!smsProvider) return;
  await registerSignedForms(
    app,
    { publicUrl: context.publicUrl, isSigned: smsProvider.isSigned },
    (scope) => {
      const inbox = messageInbox(context, smsProvider);
      const worker = createWorker(inbox.work, (error) =>
        context.log.error({ err: error }, "text events not worked"),
      );
      scope.addHook("onClose", worker.settled);
      for (const kind of messageEventKinds) {
        scope.post(`/api/twilio/sms/${kind}`, { schema: { hide: true } }, async (request, reply) => {
          const payload = { messageId: addressId(request, "message"), params: formParams(request) };
          await inbox.store({ key: messageEventKey(kind, payload), kind, payload });
          worker.wake();
          const { contentType, body } = smsProvider.acknowledge();
          return reply.type(contentType).send(body);
        });
      }
    },
  );
}

const messageEventKinds = ["status", "inbound"] as const;
type TextEventKind = (typeof messageEventKinds)[number];

interface EventPayload {
  /** ISO instant at which an SMS was sent, if it was found in the provider's list instead of a callback. */
  listedAt?: string | null;
  /** Our id of the SMS, from the callback address. */
  messageId: number | null;
  params: WebhookParams;
}

/** Key that is equal for repetitions of the same event. */
function messageEventKey(kind: TextEventKind, { messageId, params }: EventPayload): string {
  const { MessageSid, SmsSid, MessageStatus, SmsStatus } = params;
  const sid = String(MessageSid ?? SmsSid ?? "");
  if (kind === "inbound") return `${kind}:${sid}`;
  return [kind, messageId ?? "", sid, String(MessageStatus ?? SmsStatus ?? "")].join(":");
}

/** An SMS of the provider's list in the form of its callback; the first of the two counts. */
export function missedMessageEvent({
  sid,
  from,
  to,
  body,
  mediaCount,
  at,
}: InboundSms & { at: Date | null }) {
  const params = { MessageSid: sid, From: from, To: to, Body: body, NumMedia: String(mediaCount) };
  const payload = { messageId: null, params, listedAt: at?.toISOString() ?? null };
  return { key: messageEventKey("inbound", payload), kind: "inbound", payload };
}

async function applyStatus(
  context: SmsContext,
  tx: Tx,
  smsProvider: SmsProvider,
  { messageId, params }: EventPayload,
): Promise<string | null> {
  const reported = smsProvider.readSmsEvent(params);
  if (!reported) return "no text named";
  if (!reported.status) return "unknown type";
  const row = await lockOutbound(tx, messageId !== null ? { id: messageId } : { sid: reported.sid });
  if (!row) return "no such text";
  if (row.messageSid !== null && row.messageSid !== reported.sid) return "another text than the row's own";
  // Our id in the address is reliable; another row with this sid was only matched by body and time.
  if (row.messageSid === null) await disownMessage(tx, reported.sid);
  await applyMessageUpdate(context, tx, row, reported);
  return null;
}

async function applyEvent(
  context: SmsContext,
  tx: Tx,
  smsProvider: SmsProvider,
  { id, kind, payload }: StoredEvent<EventPayload>,
): Promise<string | null> {
  if (kind === "status") return applyStatus(context, tx, smsProvider, payload);
  const text = smsProvider.readInboundSms(payload.params);
  if (!text) return "no text named";
  return receiveMessage(context, tx, { ...text, eventId: id, listedAt: payload.listedAt });
}

/** The provider's callbacks about SMS, stored and then handled. */
export function messageInbox(context: SmsContext, smsProvider: SmsProvider): EventInbox<EventPayload> {
  return createEventInbox<EventPayload>(context, {
    source: "twilio-sms",
    apply: (tx, event) => applyEvent(context, tx, smsProvider, event),
  });
}

/**
 * Stores an inbound SMS once, with its lead or as one of an unknown number. A keyword blocks or unblocks the number and its leads, for all
 * of our numbers; `eventId` orders it among inbound SMS. One from the provider's list (`listedAt`) may be outdated, so it only blocks.
 * Returns why it had no effect, or null.
 */
async function receiveMessage(
  context: SmsContext,
  tx: Tx,
  text: InboundSms & { eventId: number; listedAt: string | null | undefined },
): Promise<string | null> {
  const from = toE164(text.from, context.defaultCountry) ?? text.from;
  const lead = await findLeadOfNumber(tx, from);
  const { sid, to, body, mediaCount, eventId, listedAt } = text;
  const at = listedAt ? new Date(listedAt) : null;
  const message = { sid, leadId: lead?.id ?? null, from, to, body, attachments: mediaCount, at };
  if (!(await insertInbound(tx, message))) return "known already";
  const keyword = text.optOut ?? parseKeyword(body);
  if (isKeywordOnly({ body, keyword }, { wasStopped: await isStopped(tx, from) }))
    await settleInbound(tx, sid);
  if (keyword === "stop") await optOut(context, tx, { number: from, by: "keyword", eventId });
  if (keyword === "start" && listedAt === undefined) await optIn(context, tx, { number: from, eventId });
  if (lead) {
    await guessLanguage(tx, lead.id);
    await publishMessages(tx, lead.id);
  } else await publishEvent(tx, { topic: "sms", id: 0, audience: "all" });
  return null;
}
