import type { Database, Tx } from "../../../platform/db/client.ts";
import { audienceOf, publishEvent } from "../../../platform/realtime/publish.ts";
import type { RecordingEvent } from "../../../ports/call-recordings.ts";
import type { Telephony } from "../../../ports/telephony.ts";
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
