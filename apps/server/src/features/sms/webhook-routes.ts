import type { FastifyInstance } from "fastify";
import { addressId, formParams, registerSignedForms } from "../../http/signed-forms.ts";
import { createNudge } from "../../jobs/event-inbox.ts";
import type { SmsContext } from "./service.ts";
import { textEventKey, textEventKinds, textInbox } from "./work-events.ts";

/** What Twilio tells about texts, signed: stored with one insert, answered, and worked afterwards. */
export async function registerSmsWebhooks(app: FastifyInstance, context: SmsContext): Promise<void> {
  const { texting } = context;
  if (!texting) return;
  await registerSignedForms(app, { publicUrl: context.publicUrl, isSigned: texting.isSigned }, (scope) => {
    const inbox = textInbox(context, texting);
    const worker = createNudge(inbox.work, (error) =>
      context.log.error({ err: error }, "text events not worked"),
    );
    scope.addHook("onClose", worker.settled);
    for (const kind of textEventKinds) {
      scope.post(
        `/api/twilio/sms/${kind}`,
        { config: { access: "signed" }, schema: { hide: true } },
        async (request, reply) => {
          const payload = { messageId: addressId(request, "message"), params: formParams(request) };
          await inbox.store({ key: textEventKey(kind, payload), kind, payload });
          worker.nudge();
          const { contentType, body } = texting.acknowledge();
          return reply.type(contentType).send(body);
        },
      );
    }
  });
}
