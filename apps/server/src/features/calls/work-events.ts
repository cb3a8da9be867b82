import type { Tx } from "../../db/client.ts";
import { createEventInbox, type EventInbox, type StoredEvent } from "../../jobs/event-inbox.ts";
import type { LegNews, Telephony, WebhookParams } from "../../ports/telephony.ts";
import { applyFacts } from "./apply-facts.ts";
import { lockCall } from "./data.ts";
import type { CallsContext } from "./service.ts";

export const eventKinds = ["rep-status", "lead-status", "detection"] as const;
type EventKind = (typeof eventKinds)[number];

interface EventPayload {
  callId: number | null;
  params: WebhookParams;
}

/** One value of each field that makes an event what it is: a true repeat has them all alike. */
export function callEventKey(kind: EventKind, { callId, params }: EventPayload): string {
  const { CallSid, CallStatus, SequenceNumber, AnsweredBy } = params;
  const parts = kind === "detection" ? [CallSid, AnsweredBy] : [CallSid, CallStatus, SequenceNumber];
  return [kind, callId ?? "", ...parts.map((part) => part ?? "")].join(":").slice(0, 500);
}

async function applyLegNews(tx: Tx, event: StoredEvent<EventPayload>, news: LegNews): Promise<string | null> {
  // Detection callbacks may come without the parent: the call's id in the address tells whose they are.
  const repSid = event.kind === "rep-status" ? news.sid : news.parentSid;
  const { callId } = event.payload;
  const call =
    callId !== null
      ? await lockCall(tx, { id: callId })
      : repSid
        ? await lockCall(tx, { callSid: repSid })
        : undefined;
  if (!call) return "no such call";
  if (repSid && call.callSid !== null && call.callSid !== repSid) return "another leg than the call's own";
  if (event.kind === "rep-status") {
    await applyFacts(tx, call, { repLeg: news.status }, { callSid: news.sid, at: news.at });
  } else if (event.kind === "detection") {
    await applyFacts(tx, call, { answeredBy: news.answeredBy }, { leadCallSid: news.sid });
  } else {
    const { status: leadLeg, seconds, answeredBy } = news;
    await applyFacts(
      tx,
      call,
      { leadLeg, answeredBy, pressed: true, leadLegSeconds: leadLeg === "completed" ? seconds : null },
      { callSid: repSid, leadCallSid: news.sid, at: news.at },
    );
  }
  return null;
}

async function applyEvent(
  tx: Tx,
  telephony: Telephony,
  event: StoredEvent<EventPayload>,
): Promise<string | null> {
  const news = telephony.readLegNews(event.payload.params);
  if (!news) return "no leg named";
  if (news.status === null && news.answeredBy === null) return "unknown type";
  return applyLegNews(tx, event, news);
}

/** What the provider tells of calls without waiting for an answer, stored and then worked. */
export function callInbox(
  context: Pick<CallsContext, "database" | "log">,
  telephony: Telephony,
): EventInbox<EventPayload> {
  return createEventInbox<EventPayload>(context, {
    source: "twilio",
    apply: (tx, event) => applyEvent(tx, telephony, event),
  });
}
