import type { Tx } from "../../../platform/db/client.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import type { Queue, Scheduler } from "../../../platform/jobs/jobs.ts";
import { audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { dialStatuses, type Script, type Telephony, type WebhookParams } from "../../../ports/telephony.ts";
import { recordLeadEvent, withdrawCallEvent } from "../../activity/service.ts";
import { mayContact, recordRefusal, refuseContact } from "../../contact-policy/service.ts";
import { type CallRow, findCall, lockCall, updateCall } from "../outbound/repository.ts";
import { requireTelephony } from "../outbound/service.ts";
import { ownsCall } from "../policy.ts";
import { type CallsContext, providerRetries } from "../types.ts";
import { isDropOn, listUnendedMessages } from "./repository.ts";
import { findMessageFor, mayLeave } from "./service.ts";

/** The lead's leg; on an open line it is the call's own sid. */
const leadSidOf = ({ leadCallSid, lineId, callSid }: CallRow) =>
  leadCallSid ?? (lineId === null ? null : callSid);

async function save(tx: Tx, call: CallRow, changes: Partial<CallRow>): Promise<void> {
  const { assignedTo } = await updateCall(tx, call, changes);
  await publishEvent(tx, { topic: "call", id: call.id, audience: audienceOf(call.userId, assignedTo) });
}

const refused = (why: string) => new AppError("message_refused", why);
const languageNames = { en: "English", es: "Spanish" };

/** Checks the request and stores that the message is requested; null if it was requested before. The provider is not asked yet. */
async function requestMessage(
  tx: Tx,
  context: CallsContext,
  { callId, actor }: { callId: number; actor: AuthSession | null },
): Promise<{ leadSid: string; token: string } | null> {
  const call = await lockCall(tx, { id: callId });
  if (!call) throw new AppError("not_found", "This call does not exist.");
  if (actor && !ownsCall(actor, call))
    throw new AppError("forbidden", "This call was made by another consultant.");
  if (call.messageAskedAt) return null;
  const leadSid = leadSidOf(call);
  if (!leadSid || !mayLeave(call)) throw refused("A message is left only while a voicemail is on the line.");
  if (!(await isDropOn(tx))) throw refused("Recorded messages are switched off.");
  const { leadId, userId, leadNumber: number } = call;
  const { language, message } = await findMessageFor(tx, context, call);
  if (!message)
    throw refused(`You have no recorded message in ${languageNames[language]}. Add one in Settings.`);
  const rules = context.contactPolicy;
  const decision = await mayContact(tx, { leadId, userId, channel: "voicemail_drop", number, rules });
  if (!decision.allowed) refuseContact(decision, "voicemail_drop");
  await save(tx, call, { messageId: message.id, messageName: message.name, messageAskedAt: new Date() });
  return { leadSid, token: message.token };
}

/** The provider did not accept the request, so the message may be requested again. */
async function withdraw(context: CallsContext, callId: number): Promise<void> {
  await context.database.transaction(async (tx) => {
    const call = await lockCall(tx, { id: callId });
    if (!call || call.messageEndedAt) return;
    await save(tx, call, { messageId: null, messageName: null, messageAskedAt: null });
  });
}

/** Twilio's error code for a leg that has ended. */
const legIsOver = 21_220;

/**
 * Leaves the consultant's recorded message at the voicemail that answered, requested by `actor` or automatically (null). The row is
 * committed before the provider is asked, which happens once. Errors: see the contract's `leaveMessage`.
 */
export async function leaveMessage(
  context: CallsContext,
  { callId, actor }: { callId: number; actor: AuthSession | null },
): Promise<void> {
  const telephony = requireTelephony(context);
  const known = await findCall(context.database.db, callId);
  if (!known) throw new AppError("not_found", "This call does not exist.");
  const attempt = { userId: known.userId, leadId: known.leadId, channel: "voicemail_drop" } as const;
  const asked = await context.database
    .transaction((tx) => requestMessage(tx, context, { callId, actor }))
    .catch((error: unknown) =>
      recordRefusal(context, { ...attempt, by: actor ? "person" : "dialer" }, error),
    );
  if (!asked) return;
  try {
    await telephony.leaveMessage({
      leadSid: asked.leadSid,
      sound: `${context.publicUrl}/api/voicemail-sound?token=${asked.token}`,
      done: `${context.publicUrl}/api/twilio/voice/message-left?call=${callId}${providerRetries}`,
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { kind, providerCode, ambiguous } = error;
    context.log.warn({ callId, kind, providerCode, ambiguous }, "message not left");
    // The message may be playing all the same; the callback at its end, or the end of the lead's leg, will tell.
    if (!ambiguous) await withdraw(context, callId);
    if (providerCode === legIsOver)
      throw new AppError("call_not_live", "The lead's side of the call has ended already.");
    throw error;
  }
}

/**
 * Stores the end of a message: it was played to its end, or the lead's leg ended without proof of that. Later proof replaces the other
 * result; repeating it changes nothing.
 */
export async function endMessage(tx: Tx, call: CallRow, { isWhole }: { isWhole: boolean }): Promise<void> {
  if (!call.messageAskedAt || call.messagePlayedAt || (call.messageEndedAt && !isWhole)) return;
  const now = new Date();
  const { id: callId, leadId, userId, messageName: name } = call;
  if (call.messageEndedAt) await withdrawCallEvent(tx, { leadId, callId, kind: "message-cut" });
  await save(tx, call, {
    messageEndedAt: call.messageEndedAt ?? now,
    ...(isWhole && { messagePlayedAt: now }),
  });
  const kind = isWhole ? "message-left" : "message-cut";
  await recordLeadEvent(tx, { leadId, userId, kind, data: { callId, name } });
  await publishEvent(tx, { topic: "lead", id: leadId, audience: [userId] });
}

/** The provider asks for the instruction after the message, which proves that it was played to its end. */
export async function answerMessageEnd(
  context: CallsContext,
  telephony: Telephony,
  { callId, params }: { callId: number | null; params: WebhookParams },
): Promise<Script> {
  const leg = telephony.readLegEvent(params);
  if (callId !== null && leg)
    await context.database.transaction(async (tx) => {
      const call = await lockCall(tx, { id: callId });
      if (call && leadSidOf(call) === leg.sid) await endMessage(tx, call, { isWhole: true });
    });
  return telephony.hangUp();
}

const queue = "voicemail-messages";

/** Queues leaving the message automatically: the session asked for it, and the machine's greeting is over. */
export function queueMessage(context: Pick<CallsContext, "jobs">, tx: Tx, callId: number): Promise<void> {
  return context.jobs.enqueue(tx, queue, { callId });
}

/** The queue that leaves messages automatically. Each is tried once, as the voicemail does not wait. */
export function messagesQueue(context: CallsContext): Queue<{ callId: number }> {
  return {
    name: queue,
    retryLimit: 0,
    retryDelay: 1,
    retryDelayMax: 1,
    expireInSeconds: 60,
    concurrency: 4,
    async work({ callId }) {
      try {
        await leaveMessage(context, { callId, actor: null });
      } catch (error) {
        // After a refusal the consultant can press the button, which shows the reason.
        if (!(error instanceof AppError || error instanceof ProviderError)) throw error;
      }
    },
  };
}

const everyMs = 10_000;
const batch = 20;
/** Playing a message never takes longer; after this its end is assumed. */
const givenUpMs = 10 * 60_000;

/** Asks the provider about messages without an end callback. A lost proof of playing cannot be recovered, and the timeline says so. */
export async function checkMessages(context: CallsContext): Promise<void> {
  const { telephony, database, timings, log } = context;
  if (!telephony) return;
  for (const { id, leadSid, askedAt } of await listUnendedMessages(database.db, {
    olderMs: timings.messageMs,
    limit: batch,
  })) {
    try {
      const leg = leadSid === null ? null : await telephony.findLeg(leadSid);
      const isOver = !leg || dialStatuses.some((end) => end === leg.status);
      if (!isOver && Date.now() - askedAt.getTime() < givenUpMs) continue;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      log.warn({ callId: id, kind: error.kind }, "provider could not be asked about a message");
      continue;
    }
    await database.transaction(async (tx) => {
      const call = await lockCall(tx, { id });
      if (call) await endMessage(tx, call, { isWhole: false });
    });
  }
}

/** Starts the scheduled task for messages without an end callback. */
export function startMessageJobs(context: CallsContext, scheduler: Scheduler): void {
  scheduler.every(everyMs, () => checkMessages(context));
}
