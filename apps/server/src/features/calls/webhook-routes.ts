import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../http/app-error.ts";
import type { Script, Telephony, WebhookParams } from "../../ports/telephony.ts";
import { answerDialEnd, answerKey, answerRep, type ProviderQuestion } from "./answer-provider.ts";
import { eventKinds } from "./data-events.ts";
import type { CallsContext } from "./service.ts";
import { storeEvent, workEvents } from "./work-events.ts";

const bodyLimit = 64 * 1024;
const idMax = 2_147_483_647;

/** Our own id of the call, from the address that we gave the provider. */
function callIdOf(request: FastifyRequest): number | null {
  const { call } = request.query as Record<string, unknown>;
  const id = typeof call === "string" && /^\d{1,10}$/.test(call) ? Number(call) : 0;
  return id > 0 && id <= idMax ? id : null;
}

function paramsOf(request: FastifyRequest): WebhookParams {
  return (request.body ?? {}) as WebhookParams;
}

/** The fields without U+0000, which jsonb cannot hold; the signature covers them as they came. */
function storable(params: WebhookParams): WebhookParams {
  const clean = (text: string) => text.replaceAll("\u0000", "");
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      clean(name),
      Array.isArray(value) ? value.map(clean) : clean(value),
    ]),
  );
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
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(formbody, { bodyLimit });
    scope.addHook("preValidation", async (request) => {
      const signature = request.headers["x-twilio-signature"];
      const url = `${context.publicUrl}${request.raw.url}`;
      const signed =
        typeof signature === "string" && telephony.isSigned({ signature, url, params: paramsOf(request) });
      if (signed) {
        request.body = storable(paramsOf(request));
        return;
      }
      request.log.warn(
        { path: request.url.split("?")[0], address: request.ip },
        "webhook refused: signature",
      );
      throw new AppError("signature_invalid", "The signature does not fit the request.");
    });
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
        const question = { callId: callIdOf(request) ?? 0, params: paramsOf(request), again: again === "1" };
        return send(reply, await answer(question));
      },
    );
  on("answered", (question) => answerRep(context, telephony, question));
  on("confirm", (question) => answerKey(context, telephony, question));
  on("dial-done", (question) => answerDialEnd(context, telephony, question));
}

function news(scope: FastifyInstance, context: CallsContext, telephony: Telephony): void {
  let running: Promise<void> | null = null;
  let again = false;

  /** Works what was stored, one run at a time; news that comes meanwhile causes another. */
  const work = () => {
    again = true;
    running ??= (async () => {
      while (again) {
        again = false;
        await workEvents(context);
      }
    })()
      .catch((error: unknown) => context.log.error({ err: error }, "provider events not worked"))
      .finally(() => {
        running = null;
        if (again) work();
      });
  };
  scope.addHook("onClose", async () => {
    await running;
  });

  for (const kind of eventKinds) {
    scope.post(
      `/api/twilio/voice/${kind}`,
      { config: { access: "signed" }, schema: { hide: true } },
      async (request, reply) => {
        await storeEvent(context, { kind, callId: callIdOf(request), params: paramsOf(request) });
        work();
        return send(reply, telephony.acknowledge());
      },
    );
  }
}
