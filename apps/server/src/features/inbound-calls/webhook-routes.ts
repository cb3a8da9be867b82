import type { FastifyInstance, FastifyRequest } from "fastify";
import { addressId, formParams, registerSignedForms } from "../../http/signed-forms.ts";
import { createNudge } from "../../jobs/event-inbox.ts";
import type { Script, Telephony } from "../../ports/telephony.ts";
import type { CallsContext } from "../calls/service.ts";
import { answerCaller, answerDone, answerTake, answerWhisper, type InboundQuestion } from "./answer.ts";
import { inboundSteps } from "./machine.ts";
import { inboundInbox, inboundKey, inboundNewsKinds } from "./news.ts";

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
  scope.post(
    `/api/twilio/voice/${path}`,
    { config: { access: "signed" }, schema: { hide: true } },
    async (request, reply) => {
      const { contentType, body } = await answer(request);
      return reply.type(contentType).send(body);
    },
  );
}

function questions(scope: FastifyInstance, context: CallsContext, telephony: Telephony): void {
  register(scope, "inbound", (request) => answerCaller(context, telephony, formParams(request)));
  register(scope, "inbound-whisper", (request) => answerWhisper(context, telephony, questionOf(request)));
  register(scope, "inbound-take", (request) => answerTake(context, telephony, questionOf(request)));
  register(scope, "inbound-done", (request) => answerDone(context, telephony, questionOf(request)));
}

/** What Twilio asks and tells of calls to the shared number; every request is signed, news is stored first. */
export async function registerInboundWebhooks(app: FastifyInstance, context: CallsContext): Promise<void> {
  const { telephony, publicUrl } = context;
  if (!telephony) return;
  const inbox = inboundInbox(context, telephony);
  const worker = createNudge(inbox.work, (error) =>
    context.log.error({ err: error }, "inbound events not worked"),
  );
  await registerSignedForms(app, { publicUrl, isSigned: telephony.isSigned }, (scope) => {
    scope.addHook("onClose", worker.settled);
    questions(scope, context, telephony);
    for (const kind of inboundNewsKinds) {
      register(scope, kind, async (request) => {
        const payload = { inboundCallId: addressId(request, "inbound"), params: formParams(request) };
        await inbox.store({ key: inboundKey(kind, payload), kind, payload });
        worker.nudge();
        return telephony.acknowledge();
      });
    }
  });
}
