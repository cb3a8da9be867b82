import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Database } from "../../../platform/db/client.ts";
import { addressId, formParams, registerSignedForms } from "../../../platform/http/signed-forms.ts";
import { createEventInbox, createWorker, type EventInbox } from "../../../platform/jobs/event-inbox.ts";
import type { Telephony, WebhookParams } from "../../../ports/telephony.ts";
import { ingestRecording } from "./ingest-recording.ts";

export interface RecordingInboxContext {
  database: Database;
  log: Logger;
  telephony: Telephony | null;
  publicUrl: string;
}

interface Payload {
  /** Our id of the call from the address, or null. */
  callId: number | null;
  params: WebhookParams;
}

/** Callbacks about recordings, stored and then handled. */
export function recordingInbox(
  context: Pick<RecordingInboxContext, "database" | "log">,
  telephony: Telephony,
): EventInbox<Payload> {
  return createEventInbox<Payload>(context, {
    source: "twilio-recordings",
    apply: async (tx, { payload }) => {
      const reported = telephony.readRecordingEvent(payload.params);
      if (!reported) return "no recording named";
      await ingestRecording(tx, reported, payload.callId);
      return null;
    },
  });
}

/** Receives callbacks of all recordings: signed, stored by one insert and handled afterwards. */
export async function registerRecordingWebhooks(
  app: FastifyInstance,
  context: RecordingInboxContext,
): Promise<void> {
  const { telephony, publicUrl } = context;
  if (!telephony) return;
  const inbox = recordingInbox(context, telephony);
  const worker = createWorker(inbox.work, (error) =>
    context.log.error({ err: error }, "recording events not worked"),
  );
  await registerSignedForms(app, { publicUrl, isSigned: telephony.isSigned }, (scope) => {
    scope.addHook("onClose", worker.settled);
    scope.post("/api/twilio/recording-status", { schema: { hide: true } }, async (request, reply) => {
      const params = formParams(request);
      const callId = addressId(request, "call");
      const { RecordingSid = "", RecordingStatus = "" } = params;
      await inbox.store({
        key: `recording:${RecordingSid}:${RecordingStatus}`,
        kind: "recording",
        payload: { callId, params },
      });
      worker.wake();
      const { contentType, body } = telephony.acknowledge();
      return reply.type(contentType).send(body);
    });
  });
}
