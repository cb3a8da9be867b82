import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";
import { addressId, formParams, registerSignedForms } from "../../http/signed-forms.ts";
import { createEventInbox, createNudge, type EventInbox } from "../../jobs/event-inbox.ts";
import type { Telephony, WebhookParams } from "../../ports/telephony.ts";
import { takeInRecording } from "./take-in.ts";

export interface RecordingInboxContext {
  database: Database;
  log: Logger;
  telephony: Telephony | null;
  publicUrl: string;
}

interface Payload {
  /** Our call's id, from the address; null where it names none. */
  callId: number | null;
  params: WebhookParams;
}

/** What the provider tells of recordings, stored and then worked. */
export function recordingInbox(
  context: Pick<RecordingInboxContext, "database" | "log">,
  telephony: Telephony,
): EventInbox<Payload> {
  return createEventInbox<Payload>(context, {
    source: "twilio-recordings",
    apply: async (tx, { payload }) => {
      const news = telephony.readRecordingNews(payload.params);
      if (!news) return "no recording named";
      await takeInRecording(tx, news, payload.callId);
      return null;
    },
  });
}

/** Told of every recording: signed, stored with one insert and worked afterwards. */
export async function registerRecordingWebhooks(
  app: FastifyInstance,
  context: RecordingInboxContext,
): Promise<void> {
  const { telephony, publicUrl } = context;
  if (!telephony) return;
  const inbox = recordingInbox(context, telephony);
  const worker = createNudge(inbox.work, (error) =>
    context.log.error({ err: error }, "recording events not worked"),
  );
  await registerSignedForms(app, { publicUrl, isSigned: telephony.isSigned }, (scope) => {
    scope.addHook("onClose", worker.settled);
    scope.post(
      "/api/twilio/recording-status",
      { config: { access: "signed" }, schema: { hide: true } },
      async (request, reply) => {
        const params = formParams(request);
        const callId = addressId(request, "call");
        const { RecordingSid = "", RecordingStatus = "" } = params;
        await inbox.store({
          key: `recording:${RecordingSid}:${RecordingStatus}`,
          kind: "recording",
          payload: { callId, params },
        });
        worker.nudge();
        const { contentType, body } = telephony.acknowledge();
        return reply.type(contentType).send(body);
      },
    );
  });
}
