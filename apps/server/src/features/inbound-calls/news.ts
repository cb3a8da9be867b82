import type { Tx } from "../../db/client.ts";
import { createEventInbox, type EventInbox } from "../../jobs/event-inbox.ts";
import { dialStatuses, type LegStatus, type Telephony, type WebhookParams } from "../../ports/telephony.ts";
import type { CallsContext } from "../calls/service.ts";
import { applyInbound, keepTranscription } from "./apply.ts";
import { lockInbound } from "./data.ts";

/** What the provider tells of inbound calls without waiting for an answer. */
export const inboundNewsKinds = ["inbound-status", "inbound-transcription"] as const;
type InboundNewsKind = (typeof inboundNewsKinds)[number];

export interface InboundEvent {
  /** Our id of the call, from the address; null where it names none. */
  inboundCallId: number | null;
  params: WebhookParams;
}

export function isOver(status: LegStatus | null): boolean {
  return dialStatuses.some((end) => end === status);
}

/** What makes news what it is: a true repeat has the same. */
export function inboundKey(kind: InboundNewsKind, { params }: InboundEvent): string {
  const { CallSid = "", CallStatus = "", RecordingSid = "" } = params;
  return kind === "inbound-status" ? `${kind}:${CallSid}:${CallStatus}` : `${kind}:${RecordingSid}`;
}

async function applyNews(
  tx: Tx,
  telephony: Telephony,
  event: { kind: string; payload: InboundEvent },
): Promise<string | null> {
  const { inboundCallId, params } = event.payload;
  if (event.kind === "inbound-transcription") {
    const said = telephony.readTranscription(params);
    if (!said || inboundCallId === null) return "nothing was understood";
    return (await keepTranscription(tx, { inboundCallId, text: said.text })) ? null : "no such call";
  }
  const news = telephony.readLegNews(params);
  if (!news) return "no leg named";
  const call = await lockInbound(tx, { callSid: news.sid });
  if (!call) return "no such call";
  await applyInbound(tx, call, { gone: isOver(news.status) });
  return null;
}

/** News of inbound calls, stored and then worked. */
export function inboundInbox(
  context: Pick<CallsContext, "database" | "log">,
  telephony: Telephony,
): EventInbox<InboundEvent> {
  return createEventInbox<InboundEvent>(context, {
    source: "twilio-inbound",
    apply: (tx, event) => applyNews(tx, telephony, event),
  });
}
