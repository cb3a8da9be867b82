import type { FastifyInstance, FastifyReply } from "fastify";
import type { Tx } from "../../../platform/db/client.ts";
import { addressId, formParams, registerSignedForms } from "../../../platform/http/signed-forms.ts";
import {
  createEventInbox,
  createWorker,
  type EventInbox,
  type StoredEvent,
} from "../../../platform/jobs/event-inbox.ts";
import {
  dialStatuses,
  type LegEvent,
  type Script,
  type Telephony,
  type WebhookParams,
} from "../../../ports/telephony.ts";
import type { CallsContext } from "../types.ts";
import { answerMessageEnd, endMessage, queueMessage } from "../voicemail-messages/leave-message.ts";
import { mayLeave } from "../voicemail-messages/service.ts";
import {
  answerDialEnd,
  answerKey,
  answerNotice,
  answerRep,
  type ProviderQuestion,
} from "./answer-provider.ts";
import { lockCall, mayBeLeadLeg, sidsOf } from "./repository.ts";
import { applyFacts } from "./update-call.ts";

function send(reply: FastifyReply, script: Script) {
  return reply.type(script.contentType).send(script.body);
}

/**
 * Twilio's requests and callbacks during a call. Every request is signed over the public address and all its fields; form bodies are parsed
 * in this scope only. Requests for instructions are answered with TwiML; callbacks are stored by one insert and handled afterwards.
 */
export async function registerCallWebhooks(app: FastifyInstance, context: CallsContext): Promise<void> {
  const { telephony } = context;
  if (!telephony) return;
  await registerSignedForms(app, { publicUrl: context.publicUrl, isSigned: telephony.isSigned }, (scope) => {
    questions(scope, context, telephony);
    callbacks(scope, context, telephony);
  });
}

/** From the URL: whether the key is requested again, and whether the call is recorded. */
type Question = ProviderQuestion & { again: boolean; recorded: boolean };

function questions(scope: FastifyInstance, context: CallsContext, telephony: Telephony): void {
  const on = (path: string, answer: (question: Question) => Promise<Script>) =>
    scope.post(`/api/twilio/voice/${path}`, { schema: { hide: true } }, async (request, reply) => {
      const { again, recorded } = request.query as Record<string, unknown>;
      const question = {
        callId: addressId(request, "call"),
        params: formParams(request),
        again: again === "1",
        recorded: recorded !== "no",
      };
      return send(reply, await answer(question));
    });
  on("answered", (question) => answerRep(context, telephony, question));
  on("confirm", (question) => answerKey(context, telephony, question));
  on("notice", (question) => answerNotice(context, telephony, question));
  on("dial-done", (question) => answerDialEnd(context, telephony, question));
  on("message-left", (question) => answerMessageEnd(context, telephony, question));
}

function callbacks(scope: FastifyInstance, context: CallsContext, telephony: Telephony): void {
  const inbox = callInbox(context, telephony);
  const worker = createWorker(inbox.work, (error) =>
    context.log.error({ err: error }, "provider events not worked"),
  );
  scope.addHook("onClose", worker.settled);

  for (const kind of eventKinds) {
    scope.post(`/api/twilio/voice/${kind}`, { schema: { hide: true } }, async (request, reply) => {
      const payload = { callId: addressId(request, "call"), params: formParams(request) };
      await inbox.store({ key: callEventKey(kind, payload), kind, payload });
      worker.wake();
      return send(reply, telephony.acknowledge());
    });
  }
}

const eventKinds = ["rep-status", "lead-status", "detection"] as const;
type EventKind = (typeof eventKinds)[number];

interface EventPayload {
  callId: number | null;
  params: WebhookParams;
}

/** Key that is equal for repetitions of the same event. */
function callEventKey(kind: EventKind, { callId, params }: EventPayload): string {
  const { CallSid, CallStatus, SequenceNumber, AnsweredBy } = params;
  const parts = kind === "detection" ? [CallSid, AnsweredBy] : [CallSid, CallStatus, SequenceNumber];
  return [kind, callId ?? "", ...parts.map((part) => part ?? "")].join(":").slice(0, 500);
}

async function applyLegEvent(
  context: Pick<CallsContext, "jobs">,
  tx: Tx,
  event: StoredEvent<EventPayload>,
  leg: LegEvent,
): Promise<string | null> {
  // Callbacks of the lead's leg may lack the parent; then the call's id in the address identifies the call.
  const repSid = event.kind === "rep-status" ? leg.sid : leg.parentSid;
  const { callId } = event.payload;
  const call =
    callId !== null
      ? await lockCall(tx, { id: callId })
      : repSid
        ? await lockCall(tx, { callSid: repSid })
        : undefined;
  if (!call) return "no such call";
  const isLeads = event.kind !== "rep-status";
  const byRep = repSid !== null && call.lineId === null;
  if (byRep && call.callSid !== null && call.callSid !== repSid) return "another leg than the call's own";
  if (isLeads && !byRep && !mayBeLeadLeg(call, leg.sid)) return "another leg than the call's own";
  if (event.kind === "rep-status") {
    await applyFacts(tx, call, { repLeg: leg.status }, { callSid: leg.sid, at: leg.at });
  } else if (event.kind === "detection") {
    const facts = await applyFacts(tx, call, { answeredBy: leg.answeredBy }, { leadCallSid: leg.sid });
    // Never after a person answered, regardless of a later detection.
    if (leg.atBeep && call.leaveMessage && call.answeredBy !== "human" && mayLeave(facts))
      await queueMessage(context, tx, call.id);
  } else {
    const { status: leadLeg, durationSeconds, answeredBy, sipCode: leadSipCode } = leg;
    const leadLegDurationSeconds = leadLeg === "completed" ? durationSeconds : null;
    const facts = await applyFacts(
      tx,
      call,
      { leadLeg, answeredBy, pressed: true, leadLegDurationSeconds, leadSipCode },
      { ...sidsOf(call, leg), at: leg.at },
    );
    if (dialStatuses.some((end) => end === leadLeg)) await endMessage(tx, facts, { isWhole: false });
  }
  return null;
}

async function applyEvent(
  context: Pick<CallsContext, "jobs">,
  tx: Tx,
  telephony: Telephony,
  event: StoredEvent<EventPayload>,
): Promise<string | null> {
  const leg = telephony.readLegEvent(event.payload.params);
  if (!leg) return "no leg named";
  if (leg.status === null && leg.answeredBy === null) return "unknown type";
  return applyLegEvent(context, tx, event, leg);
}

/** Callbacks about calls that need no response, stored and then handled. */
export function callInbox(
  context: Pick<CallsContext, "database" | "log" | "jobs">,
  telephony: Telephony,
): EventInbox<EventPayload> {
  return createEventInbox<EventPayload>(context, {
    source: "twilio",
    apply: (tx, event) => applyEvent(context, tx, telephony, event),
  });
}
