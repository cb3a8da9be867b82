import type { Tx } from "../../db/client.ts";
import type { LegNews, Telephony, WebhookParams } from "../../ports/telephony.ts";
import { applyFacts } from "./apply-facts.ts";
import { lockCall } from "./data.ts";
import {
  claimEvent,
  closeEvent,
  type EventKind,
  failEvent,
  insertEvent,
  type StoredEvent,
} from "./data-events.ts";
import type { CallsContext } from "./service.ts";

/** One value of each field that makes an event what it is: a true repeat has them all alike. */
function keyOf(kind: EventKind, callId: number | null, params: WebhookParams): string {
  const { CallSid, CallStatus, SequenceNumber, AnsweredBy } = params;
  const parts = kind === "detection" ? [CallSid, AnsweredBy] : [CallSid, CallStatus, SequenceNumber];
  return [kind, callId ?? "", ...parts.map((part) => part ?? "")].join(":").slice(0, 500);
}

/** Stores what the provider tells; the answer needs no more than this one insert. */
export async function storeEvent(
  context: Pick<CallsContext, "database">,
  input: { kind: EventKind; callId: number | null; params: WebhookParams },
): Promise<void> {
  const { kind, callId, params } = input;
  await insertEvent(context.database.db, {
    key: keyOf(kind, callId, params),
    kind,
    payload: { callId, params },
  });
}

async function applyLegNews(tx: Tx, event: StoredEvent, news: LegNews): Promise<string | null> {
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

async function applyEvent(tx: Tx, telephony: Telephony, event: StoredEvent): Promise<string | null> {
  const news = telephony.readLegNews(event.payload.params);
  if (!news) return "no leg named";
  if (news.status === null && news.answeredBy === null) return "unknown type";
  return applyLegNews(tx, event, news);
}

/** Works the oldest open event; false where none is left for this worker. */
async function workOne(context: CallsContext, telephony: Telephony): Promise<boolean> {
  let claimed: StoredEvent | undefined;
  try {
    await context.database.transaction(async (tx) => {
      claimed = await claimEvent(tx);
      if (!claimed) return;
      const note = await applyEvent(tx, telephony, claimed);
      if (note)
        context.log.warn({ eventId: claimed.id, kind: claimed.kind, note }, "provider event without effect");
      await closeEvent(tx, claimed.id, note);
    });
  } catch (error) {
    if (!claimed) throw error;
    // The query layer's own error carries the values of the query, numbers among them.
    const err = (error as Error).cause ?? error;
    context.log.error({ err, eventId: claimed.id, kind: claimed.kind }, "provider event failed");
    await failEvent(context.database.db, claimed.id, String((error as Error).message).slice(0, 500));
  }
  return claimed !== undefined;
}

/** Works the stored events, oldest first, until none is due. Any number of processes share them; each is worked once. */
export async function workEvents(context: CallsContext): Promise<void> {
  if (!context.telephony) return;
  while (await workOne(context, context.telephony)) {
    // The next one.
  }
}
