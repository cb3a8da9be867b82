import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addressId, formParams, registerSignedForms } from "../../../platform/http/signed-forms.ts";
import { dialStatuses, type Script, type Telephony } from "../../../ports/telephony.ts";
import type { CallsContext } from "../types.ts";
import {
  noteAnswered,
  noteHungUp,
  noteSound,
  type RecordingCallback,
  receiveRecording,
  recordingUrls,
} from "./record-message.ts";
import { findSpokenLanguage } from "./repository.ts";

const thanks = { en: "Your message is being saved. Goodbye.", es: "Tu mensaje se está guardando. Adiós." };

function readReport(request: FastifyRequest, telephony: Telephony): RecordingCallback | null {
  const callSid = telephony.readLegEvent(formParams(request))?.sid;
  const { key } = request.query as Record<string, unknown>;
  const id = addressId(request, "recording");
  return id && callSid && typeof key === "string" ? { id, key, callSid } : null;
}

/**
 * The provider's requests and callbacks while a consultant records a message on their own phone; each address contains the call's one-time
 * key.
 */
export async function registerMessageWebhooks(app: FastifyInstance, context: CallsContext): Promise<void> {
  const { telephony, publicUrl, database } = context;
  if (!telephony) return;
  await registerSignedForms(app, { publicUrl, isSigned: telephony.isSigned }, (scope) => {
    const on = (
      path: string,
      answer: (request: FastifyRequest, report: RecordingCallback) => Promise<Script>,
    ) =>
      scope.post(
        `/api/twilio/voice/${path}`,
        { schema: { hide: true } },
        async (request, reply: FastifyReply) => {
          const report = readReport(request, telephony);
          const { contentType, body } = report ? await answer(request, report) : telephony.hangUp();
          return reply.type(contentType).send(body);
        },
      );

    on("message-answered", async (_request, report) => {
      const row = await receiveRecording(context, report, async () => undefined);
      if (!row) return telephony.hangUp();
      const language = await findSpokenLanguage(database.db, row.userId);
      return telephony.askToRecord({ language, record: recordingUrls(publicUrl, report).record });
    });

    on("message-record", async (request, report) => {
      if (telephony.readDigits(formParams(request)) !== "1") return telephony.hangUp();
      const row = await receiveRecording(context, report, noteAnswered);
      if (!row) return telephony.hangUp();
      const { done, sound } = recordingUrls(publicUrl, report);
      const language = await findSpokenLanguage(database.db, row.userId);
      return telephony.recordMessage({ language, done, sound });
    });

    on("message-recorded", async (_request, report) => {
      const row = await receiveRecording(context, report, async () => undefined);
      if (!row) return telephony.hangUp();
      const language = await findSpokenLanguage(database.db, row.userId);
      return telephony.hangUp({ text: thanks[language], language });
    });

    on("message-sound", async (request, report) => {
      const recording = telephony.readRecordingEvent(formParams(request));
      if (recording?.status === "completed" || recording?.status === "absent")
        await receiveRecording(context, report, (tx, row) =>
          noteSound(context, tx, row, recording.status === "completed" ? recording.sid : null),
        );
      return telephony.acknowledge();
    });

    on("message-status", async (request, report) => {
      const status = telephony.readLegEvent(formParams(request))?.status;
      if (dialStatuses.some((end) => end === status)) await receiveRecording(context, report, noteHungUp);
      return telephony.acknowledge();
    });
  });
}
