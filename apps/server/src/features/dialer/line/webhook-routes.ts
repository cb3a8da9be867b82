import type { FastifyInstance } from "fastify";
import { addressId, formParams, registerSignedForms } from "../../../platform/http/signed-forms.ts";
import { createEventInbox, createWorker, type EventInbox } from "../../../platform/jobs/event-inbox.ts";
import type { Script, Telephony, WebhookParams } from "../../../ports/telephony.ts";
import type { DialerContext } from "../types.ts";
import { answerKey } from "./answer-key.ts";
import { answerConfirm, answerDone, answerNext, answerRing, type LineQuestion } from "./answer-line.ts";
import { lockOnLine } from "./repository.ts";
import { applyLeg } from "./update-line.ts";

interface StatusPayload {
  lineId: number | null;
  params: WebhookParams;
}

/**
 * Twilio's requests and callbacks of an open line. Every request is signed over the public address and all its fields. Requests of the
 * consultant's leg are answered with TwiML, some of them only when there is something to do; its status is stored and handled afterwards.
 */
export async function registerLineWebhooks(app: FastifyInstance, context: DialerContext): Promise<void> {
  const { telephony, publicUrl } = context.calls;
  if (!telephony) return;
  await registerSignedForms(app, { publicUrl, isSigned: telephony.isSigned }, (scope) => {
    questions(scope, context, telephony);
    statuses(scope, context, telephony);
  });
}

type Question = LineQuestion & {
  again: boolean;
  said: number | null;
  callId: number | null;
  about: string;
};

function questions(scope: FastifyInstance, context: DialerContext, telephony: Telephony): void {
  const on = (
    path: string,
    answer: (context: DialerContext, telephony: Telephony, question: Question) => Promise<Script>,
  ) =>
    scope.post(`/api/twilio/line/${path}`, { schema: { hide: true } }, async (request, reply) => {
      const { again, said, about } = request.query as Record<string, unknown>;
      const script = await answer(context, telephony, {
        lineId: addressId(request, "line"),
        callId: addressId(request, "call"),
        params: formParams(request),
        again: again === "1",
        said: typeof said === "string" && /^\d{1,6}$/.test(said) ? Number(said) : null,
        about: typeof about === "string" ? about : "",
      });
      return reply.type(script.contentType).send(script.body);
    });
  on("answered", answerRing);
  on("confirm", answerConfirm);
  on("next", answerNext);
  on("key", answerKey);
  on("done", answerDone);
}

function statuses(scope: FastifyInstance, context: DialerContext, telephony: Telephony): void {
  const inbox = lineInbox(context, telephony);
  const worker = createWorker(inbox.work, (error) =>
    context.log.error({ err: error }, "events of lines not worked"),
  );
  scope.addHook("onClose", worker.settled);
  scope.post("/api/twilio/line/status", { schema: { hide: true } }, async (request, reply) => {
    const payload = { lineId: addressId(request, "line"), params: formParams(request) };
    const { CallSid, CallStatus, SequenceNumber } = payload.params;
    const key = [payload.lineId, CallSid, CallStatus, SequenceNumber].join(":").slice(0, 500);
    await inbox.store({ key, kind: "line-status", payload });
    worker.wake();
    const script = telephony.acknowledge();
    return reply.type(script.contentType).send(script.body);
  });
}

/** Callbacks about lines that need no response. Work outside of the transaction is done by the scheduled task in `jobs.ts`. */
export function lineInbox(context: DialerContext, telephony: Telephony): EventInbox<StatusPayload> {
  return createEventInbox<StatusPayload>(context, {
    source: "twilio-lines",
    apply: async (tx, { payload }) => {
      const leg = telephony.readLegEvent(payload.params);
      const on = leg && payload.lineId !== null ? await lockOnLine(tx, payload.lineId) : undefined;
      if (!leg || !on) return "no such line";
      if (on.line.callSid !== null && on.line.callSid !== leg.sid) return "another leg than the line's own";
      await applyLeg(context, tx, on, leg);
      return null;
    },
  });
}
