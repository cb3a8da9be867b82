import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { Database, Tx } from "../../../platform/db/client.ts";
import { addressId, formParams, registerSignedForms } from "../../../platform/http/signed-forms.ts";
import { createEventInbox, createWorker, type EventInbox } from "../../../platform/jobs/event-inbox.ts";
import { audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import type { RecordingEvent } from "../../../ports/call-recordings.ts";
import type { Telephony, WebhookParams } from "../../../ports/telephony.ts";
import { applyVoicemail } from "../inbound/update-inbound.ts";
import { lockCall } from "../outbound/repository.ts";
import { applyFacts } from "../outbound/update-call.ts";
import {
  findAssignee,
  findCallNear,
  findOnlyLead,
  findRecordedCall,
  setOwner,
  type UnmatchedRecording,
  upsertRecording,
} from "./repository.ts";

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

async function publishRecording(
  tx: Tx,
  recording: { id: number; inboundCallId: number | null; leadId: number | null; userId: number | null },
): Promise<void> {
  const stranger = recording.leadId === null && recording.inboundCallId !== null;
  const audience = stranger ? "all" : audienceOf(recording.userId, await findAssignee(tx, recording.leadId));
  await publishEvent(tx, { topic: "recording", id: recording.id, audience });
}

/** A recording may name the sid of a call that was unknown until now; reports under that sid are then joined to the call. */
async function nameCall(tx: Tx, callId: number, callSid: string): Promise<void> {
  const call = await lockCall(tx, { id: callId });
  if (call?.callSid === null) await applyFacts(tx, call, {}, { callSid });
}

/** Saves a report about a recording; repeating it changes nothing. `callId` is ours, from the callback address. */
export async function ingestRecording(
  tx: Tx,
  reported: RecordingEvent,
  callId: number | null,
): Promise<void> {
  const owner = await findRecordedCall(tx, { ...reported, callId });
  const recording = await upsertRecording(tx, {
    recordingSid: reported.sid,
    callSid: owner?.joined?.leadSid ?? reported.callSid,
    callId: owner?.callId ?? null,
    inboundCallId: owner?.inboundCallId ?? null,
    leadId: owner?.leadId ?? null,
    userId: owner?.userId ?? null,
    kind: reported.voicemail ? "voicemail" : "call",
    status: reported.status,
    durationSeconds: reported.durationSeconds,
    startedAt: reported.startedAt,
  });
  if (owner?.callId && !owner.joined) await nameCall(tx, owner.callId, reported.callSid);
  if (reported.voicemail && reported.status === "completed" && owner?.inboundCallId) {
    await applyVoicemail(tx, {
      inboundCallId: owner.inboundCallId,
      durationSeconds: reported.durationSeconds ?? 0,
    });
  }
  await publishRecording(tx, recording);
}

/** Finds the call of a recording whose call was unknown: by sid, else by numbers, at most five minutes apart. */
export async function matchRecording(
  context: { database: Database },
  telephony: Telephony,
  recording: UnmatchedRecording,
): Promise<void> {
  const known = await context.database.transaction(async (tx) => {
    const owner = await findRecordedCall(tx, {
      callSid: recording.callSid,
      callId: null,
      startedAt: recording.createdAt,
    });
    if (!owner) return false;
    await setOwner(tx, recording.id, owner);
    await publishRecording(tx, { id: recording.id, ...owner });
    return true;
  });
  if (known) return;
  const leg = await telephony.findLeg(recording.callSid);
  const numbers = [leg?.from, leg?.to].filter(
    (number) => number != null && number !== telephony.callerId,
  ) as string[];
  if (numbers.length === 0) return;
  await context.database.transaction(async (tx) => {
    const near = await findCallNear(tx, { numbers, at: recording.createdAt });
    const leadId = near ? near.leadId : await findOnlyLead(tx, numbers);
    if (leadId === null) return;
    const owner = near ?? { callId: null, inboundCallId: null, leadId, userId: null };
    await setOwner(tx, recording.id, owner);
    await publishRecording(tx, { id: recording.id, ...owner });
  });
}
