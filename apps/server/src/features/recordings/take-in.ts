import type { Database, Tx } from "../../db/client.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import type { RecordingNews } from "../../ports/call-recordings.ts";
import type { Telephony } from "../../ports/telephony.ts";
import { hearVoicemail } from "../inbound-calls/apply.ts";
import {
  findAssignee,
  findCallNear,
  findOnlyLead,
  findRecordedCall,
  setOwner,
  type UnmatchedRecording,
  upsertRecording,
} from "./data-take-in.ts";

async function tell(
  tx: Tx,
  recording: { id: number; inboundCallId: number | null; leadId: number | null; userId: number | null },
): Promise<void> {
  const stranger = recording.leadId === null && recording.inboundCallId !== null;
  const audience = stranger ? "all" : audienceOf(recording.userId, await findAssignee(tx, recording.leadId));
  await publishEvent(tx, { topic: "recording", id: recording.id, audience });
}

/** Keeps what the provider tells of a recording, whenever and however often it does. `callId` is ours, from the address it told. */
export async function takeInRecording(tx: Tx, news: RecordingNews, callId: number | null): Promise<void> {
  const owner = await findRecordedCall(tx, { callSid: news.callSid, callId });
  const recording = await upsertRecording(tx, {
    recordingSid: news.sid,
    callSid: news.callSid,
    callId: owner?.callId ?? null,
    inboundCallId: owner?.inboundCallId ?? null,
    leadId: owner?.leadId ?? null,
    userId: owner?.userId ?? null,
    kind: news.voicemail ? "voicemail" : "call",
    status: news.status,
    durationSeconds: news.seconds,
    startedAt: news.startedAt,
  });
  if (news.voicemail && news.status === "completed" && owner?.inboundCallId) {
    await hearVoicemail(tx, { inboundCallId: owner.inboundCallId, seconds: news.seconds ?? 0 });
  }
  await tell(tx, recording);
}

/** Finds the call of a recording that came before its call was known: by its sid, else by its numbers, at most five minutes away (specification §9). */
export async function matchRecording(
  context: { database: Database },
  telephony: Telephony,
  recording: UnmatchedRecording,
): Promise<void> {
  const known = await context.database.transaction(async (tx) => {
    const owner = await findRecordedCall(tx, { callSid: recording.callSid, callId: null });
    if (!owner) return false;
    await setOwner(tx, recording.id, owner);
    await tell(tx, { id: recording.id, ...owner });
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
    await tell(tx, { id: recording.id, ...owner });
  });
}
