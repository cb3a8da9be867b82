import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { formParams, registerSignedForms } from "../../http/signed-forms.ts";
import { createNudge } from "../../jobs/event-inbox.ts";
import type { Script, Telephony } from "../../ports/telephony.ts";
import { answerDialEnd, answerKey, answerRep, type ProviderQuestion } from "./answer-provider.ts";
import type { CallsContext } from "./service.ts";
import { eventKinds, storeEvent, workEvents } from "./work-events.ts";

const idMax = 2_147_483_647;

/** Our own id of the call, from the address that we gave the provider. */
function callIdOf(request: FastifyRequest): number | null {
  const { call } = request.query as Record<string, unknown>;
  const id = typeof call === "string" && /^\d{1,10}$/.test(call) ? Number(call) : 0;
  return id > 0 && id <= idMax ? id : null;
}

function send(reply: FastifyReply, script: Script) {
  return reply.type(script.contentType).send(script.body);
}

/**
 * What Twilio asks and tells during a call. Every request is signed over the public address and all its fields; forms are
 * read in this scope only. Questions are answered with TwiML; news is stored with one insert and worked afterwards.
 */
export async function registerCallWebhooks(app: FastifyInstance, context: CallsContext): Promise<void> {
  const { telephony } = context;
  if (!telephony) return;
  await registerSignedForms(app, { publicUrl: context.publicUrl, isSigned: telephony.isSigned }, (scope) => {
    questions(scope, context, telephony);
    news(scope, context, telephony);
  });
}

function questions(scope: FastifyInstance, context: CallsContext, telephony: Telephony): void {
  const on = (path: string, answer: (question: ProviderQuestion & { again: boolean }) => Promise<Script>) =>
    scope.post(
      `/api/twilio/voice/${path}`,
      { config: { access: "signed" }, schema: { hide: true } },
      async (request, reply) => {
        const { again } = request.query as Record<string, unknown>;
        const question = {
          callId: callIdOf(request) ?? 0,
          params: formParams(request),
          again: again === "1",
        };
        return send(reply, await answer(question));
      },
    );
  on("answered", (question) => answerRep(context, telephony, question));
  on("confirm", (question) => answerKey(context, telephony, question));
  on("dial-done", (question) => answerDialEnd(context, telephony, question));
}

function news(scope: FastifyInstance, context: CallsContext, telephony: Telephony): void {
  const worker = createNudge(
    () => workEvents(context),
    (error) => context.log.error({ err: error }, "provider events not worked"),
  );
  scope.addHook("onClose", worker.settled);

  for (const kind of eventKinds) {
    scope.post(
      `/api/twilio/voice/${kind}`,
      { config: { access: "signed" }, schema: { hide: true } },
      async (request, reply) => {
        await storeEvent(context, { kind, callId: callIdOf(request), params: formParams(request) });
        worker.nudge();
        return send(reply, telephony.acknowledge());
      },
    );
  }
}
