import type { Tx } from "../../db/client.ts";
import { createEventInbox, type EventInbox, type StoredEvent } from "../../jobs/event-inbox.ts";
import type { WebhookParams } from "../../ports/telephony.ts";
import type { Texting } from "../../ports/texting.ts";
import { applyTextNews } from "./apply-news.ts";
import { disownText, lockOutbound } from "./data.ts";
import { receiveText } from "./receive-text.ts";
import type { SmsContext } from "./service.ts";

export const textEventKinds = ["status", "inbound"] as const;
type TextEventKind = (typeof textEventKinds)[number];

interface EventPayload {
  /** Our own id of the text, from the address that we gave the provider. */
  messageId: number | null;
  params: WebhookParams;
}

/** What makes an event what it is: a true repeat has it alike. */
export function textEventKey(kind: TextEventKind, { messageId, params }: EventPayload): string {
  const { MessageSid, SmsSid, MessageStatus, SmsStatus } = params;
  const sid = String(MessageSid ?? SmsSid ?? "");
  if (kind === "inbound") return `${kind}:${sid}`;
  return [kind, messageId ?? "", sid, String(MessageStatus ?? SmsStatus ?? "")].join(":");
}

async function applyStatus(
  context: SmsContext,
  tx: Tx,
  texting: Texting,
  { messageId, params }: EventPayload,
): Promise<string | null> {
  const news = texting.readTextNews(params);
  if (!news) return "no text named";
  if (!news.status) return "unknown type";
  const row = await lockOutbound(tx, messageId !== null ? { id: messageId } : { sid: news.sid });
  if (!row) return "no such text";
  if (row.messageSid !== null && row.messageSid !== news.sid) return "another text than the row's own";
  // Our id in the address is certain; that another row has the sid was concluded from words and time.
  if (row.messageSid === null) await disownText(tx, news.sid);
  await applyTextNews(context, tx, row, news);
  return null;
}

async function applyEvent(
  context: SmsContext,
  tx: Tx,
  texting: Texting,
  { id, kind, payload }: StoredEvent<EventPayload>,
): Promise<string | null> {
  if (kind === "status") return applyStatus(context, tx, texting, payload);
  const text = texting.readInboundText(payload.params);
  return text ? receiveText(context, tx, { ...text, eventId: id }) : "no text named";
}

/** What the provider tells of texts, stored and then worked. */
export function textInbox(context: SmsContext, texting: Texting): EventInbox<EventPayload> {
  return createEventInbox<EventPayload>(context, {
    source: "twilio-sms",
    apply: (tx, event) => applyEvent(context, tx, texting, event),
  });
}
