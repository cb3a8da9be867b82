import type { FastifyInstance, FastifyReply } from "fastify";
import { addressId, formParams, registerSignedForms } from "../../http/signed-forms.ts";
import { createNudge } from "../../jobs/event-inbox.ts";
import type { Script, Telephony } from "../../ports/telephony.ts";
import {
  answerDialEnd,
  answerKey,
  answerNotice,
  answerRep,
  type ProviderQuestion,
} from "./answer-provider.ts";
import type { CallsContext } from "./service.ts";
import { callEventKey, callInbox, eventKinds } from "./work-events.ts";

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

/** What the address says besides: the key is asked for again; the call is recorded. */
type Question = ProviderQuestion & { again: boolean; recorded: boolean };

function questions(scope: FastifyInstance, context: CallsContext, telephony: Telephony): void {
  const on = (path: string, answer: (question: Question) => Promise<Script>) =>
    scope.post(
      `/api/twilio/voice/${path}`,
      { config: { access: "signed" }, schema: { hide: true } },
      async (request, reply) => {
        const { again, recorded } = request.query as Record<string, unknown>;
        const question = {
          callId: addressId(request, "call") ?? 0,
          params: formParams(request),
          again: again === "1",
          recorded: recorded !== "no",
        };
        return send(reply, await answer(question));
      },
    );
  on("answered", (question) => answerRep(context, telephony, question));
  on("confirm", (question) => answerKey(context, telephony, question));
  on("notice", (question) => answerNotice(context, telephony, question));
  on("dial-done", (question) => answerDialEnd(context, telephony, question));
}

function news(scope: FastifyInstance, context: CallsContext, telephony: Telephony): void {
  const inbox = callInbox(context, telephony);
  const worker = createNudge(inbox.work, (error) =>
    context.log.error({ err: error }, "provider events not worked"),
  );
  scope.addHook("onClose", worker.settled);

  for (const kind of eventKinds) {
    scope.post(
      `/api/twilio/voice/${kind}`,
      { config: { access: "signed" }, schema: { hide: true } },
      async (request, reply) => {
        const payload = { callId: addressId(request, "call"), params: formParams(request) };
        await inbox.store({ key: callEventKey(kind, payload), kind, payload });
        worker.nudge();
        return send(reply, telephony.acknowledge());
      },
    );
  }
}
