import type { FastifyInstance, FastifyRequest } from "fastify";
import { formParams, registerSignedForms } from "../../http/signed-forms.ts";
import { createNudge } from "../../jobs/event-inbox.ts";
import type { SmsContext } from "./service.ts";
import { storeTextEvent, textEventKinds, workTextEvents } from "./work-events.ts";

const idMax = 2_147_483_647;

function messageIdOf(request: FastifyRequest): number | null {
  const { message } = request.query as Record<string, unknown>;
  const id = typeof message === "string" && /^\d{1,10}$/.test(message) ? Number(message) : 0;
  return id > 0 && id <= idMax ? id : null;
}

/** What Twilio tells about texts, signed: stored with one insert, answered, and worked afterwards. */
export async function registerSmsWebhooks(app: FastifyInstance, context: SmsContext): Promise<void> {
  const { texting } = context;
  if (!texting) return;
  await registerSignedForms(app, { publicUrl: context.publicUrl, isSigned: texting.isSigned }, (scope) => {
    const worker = createNudge(
      () => workTextEvents(context),
      (error) => context.log.error({ err: error }, "text events not worked"),
    );
    scope.addHook("onClose", worker.settled);
    for (const kind of textEventKinds) {
      scope.post(
        `/api/twilio/sms/${kind}`,
        { config: { access: "signed" }, schema: { hide: true } },
        async (request, reply) => {
          const params = formParams(request);
          await storeTextEvent(context, { kind, messageId: messageIdOf(request), params });
          worker.nudge();
          const { contentType, body } = texting.acknowledge();
          return reply.type(contentType).send(body);
        },
      );
    }
  });
}
