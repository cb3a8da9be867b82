import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Tx } from "../../../platform/db/client.ts";
import { addressId, formParams, registerSignedForms } from "../../../platform/http/signed-forms.ts";
import { createEventInbox, createWorker, type EventInbox } from "../../../platform/jobs/event-inbox.ts";
import {
  dialStatuses,
  type LegStatus,
  type Script,
  type Telephony,
  type WebhookParams,
} from "../../../ports/telephony.ts";
import type { CallsContext } from "../types.ts";
import {
  answerCaller,
  answerDone,
  answerPressedKey,
  answerWhisper,
  type InboundQuestion,
} from "./answer-caller.ts";
import { inboundSteps } from "./machine.ts";
import { lockInbound } from "./repository.ts";
import { applyInbound, saveTranscription } from "./update-inbound.ts";

function questionOf(request: FastifyRequest): InboundQuestion {
  const { step: named } = request.query as Record<string, unknown>;
  const step = inboundSteps.find((known) => known === named) ?? "voicemail";
  return { inboundCallId: addressId(request, "inbound") ?? 0, step, params: formParams(request) };
}

function register(
  scope: FastifyInstance,
  path: string,
  answer: (request: FastifyRequest) => Promise<Script>,
): void {
  scope.post(`/api/twilio/voice/${path}`, { schema: { hide: true } }, async (request, reply) => {
    const { contentType, body } = await answer(request);
    return reply.type(contentType).send(body);
  });
}

function questions(scope: FastifyInstance, context: CallsContext, telephony: Telephony): void {
  register(scope, "inbound", (request) => answerCaller(context, telephony, formParams(request)));
  register(scope, "inbound-whisper", (request) => answerWhisper(context, telephony, questionOf(request)));
  register(scope, "inbound-take", (request) => answerPressedKey(context, telephony, questionOf(request)));
  register(scope, "inbound-done", (request) => answerDone(context, telephony, questionOf(request)));
}

/** Twilio's requests and callbacks about calls to the shared number. Every request is signed; callbacks are stored first. */
export async function registerInboundWebhooks(app: FastifyInstance, context: CallsContext): Promise<void> {
  const { telephony, publicUrl } = context;
  if (!telephony) return;
  const inbox = inboundInbox(context, telephony);
  const worker = createWorker(inbox.work, (error) =>
    context.log.error({ err: error }, "inbound events not worked"),
  );
  await registerSignedForms(app, { publicUrl, isSigned: telephony.isSigned }, (scope) => {
    scope.addHook("onClose", worker.settled);
    questions(scope, context, telephony);
    for (const kind of inboundEventKinds) {
      register(scope, kind, async (request) => {
        const payload = { inboundCallId: addressId(request, "inbound"), params: formParams(request) };
        await inbox.store({ key: inboundKey(kind, payload), kind, payload });
        worker.wake();
        return telephony.acknowledge();
      });
    }
  });
}

/** Callbacks about inbound calls that need no response. */
const inboundEventKinds = ["inbound-status", "inbound-transcription"] as const;
type InboundEventKind = (typeof inboundEventKinds)[number];

export interface InboundEvent {
  /** Our id of the call from the address, or null. */
  inboundCallId: number | null;
  params: WebhookParams;
}

export function isOver(status: LegStatus | null): boolean {
  return dialStatuses.some((end) => end === status);
}

/** Key that is equal for repetitions of the same event. */
function inboundKey(kind: InboundEventKind, { params }: InboundEvent): string {
  const { CallSid = "", CallStatus = "", RecordingSid = "" } = params;
  return kind === "inbound-status" ? `${kind}:${CallSid}:${CallStatus}` : `${kind}:${RecordingSid}`;
}

async function applyEvent(
  tx: Tx,
  telephony: Telephony,
  event: { kind: string; payload: InboundEvent },
): Promise<string | null> {
  const { inboundCallId, params } = event.payload;
  if (event.kind === "inbound-transcription") {
    const said = telephony.readTranscription(params);
    if (inboundCallId === null) return "no call named";
    return (await saveTranscription(tx, { inboundCallId, text: said?.text ?? null })) ? null : "no such call";
  }
  const leg = telephony.readLegEvent(params);
  if (!leg) return "no leg named";
  const call = await lockInbound(tx, { callSid: leg.sid });
  if (!call) return "no such call";
  await applyInbound(tx, call, { gone: isOver(leg.status) });
  return null;
}

/** Callbacks of inbound calls, stored and then handled. */
export function inboundInbox(
  context: Pick<CallsContext, "database" | "log">,
  telephony: Telephony,
): EventInbox<InboundEvent> {
  return createEventInbox<InboundEvent>(context, {
    source: "twilio-inbound",
    apply: (tx, event) => applyEvent(tx, telephony, event),
  });
}
