import { z } from "zod";
import { type RecordingEvent, recordingStatuses, type Transcription } from "../../ports/call-recordings.ts";
import type { InboundEvent, WebhookParams } from "../../ports/telephony.ts";
import { callSid, date, field, read, seconds, timestamp } from "./transform.ts";

const recordingSid = z.string().regex(/^RE[0-9a-f]{32}$/);
const recordingStatus = z.enum(recordingStatuses);
const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/);
const transcriptionLength = 10_000;

/** A recording as the REST API answers it, the fields we read. */
const restRecording = z.object({
  sid: recordingSid,
  callSid,
  status: recordingStatus,
  duration: z.string().nullish(),
  startTime: date,
  dateCreated: date,
  source: z.string().nullish(),
});

/** The source of what `<Record>` took; a `<Dial>` has another. */
const voicemailSource = "RecordVerb";

/** A recording status callback (twilio.com/docs/voice/api/recording); null without valid ids or a status. */
export function toRecordingEvent(params: WebhookParams): RecordingEvent | null {
  const sid = read(recordingSid, field(params, "RecordingSid"));
  const call = read(callSid, field(params, "CallSid"));
  const status = read(recordingStatus, field(params, "RecordingStatus"));
  if (!sid || !call || !status) return null;
  return {
    sid,
    callSid: call,
    status,
    durationSeconds: read(seconds, field(params, "RecordingDuration")),
    startedAt: timestamp(field(params, "RecordingStartTime")),
    voicemail: field(params, "RecordingSource") === voicemailSource,
  };
}

/** A recording of the REST API. Throws where it is none. */
export function recordingOf(recording: unknown): RecordingEvent {
  const row = restRecording.parse(recording);
  return {
    sid: row.sid,
    callSid: row.callSid,
    status: row.status,
    durationSeconds: read(seconds, row.duration ?? undefined),
    startedAt: row.startTime ?? row.dateCreated,
    voicemail: row.source === voicemailSource,
  };
}

/** A transcription callback; null where nothing was understood. */
export function transcriptionOf(params: WebhookParams): Transcription | null {
  const sid = read(recordingSid, field(params, "RecordingSid"));
  const text = field(params, "TranscriptionText")
    ?.trim()
    .slice(0, transcriptionLength)
    .replaceAll("\u0000", "");
  return sid && text ? { recordingSid: sid, text: text.toWellFormed() } : null;
}

/**
 * What Twilio sends for a caller who hides their number: on the keys of a phone it spells ANONYMOUS, RESTRICTED, UNAVAILABLE, UNKNOWN and
 * PRIVATE. It may come as the word as well.
 */
const hiddenNumbers = ["+266696687", "+7378742833", "+86282452253", "+8656696", "+7748283"];

/** The request for an inbound call; `from` is null where the caller hides it. */
export function toInboundEvent(params: WebhookParams): InboundEvent | null {
  const sid = read(callSid, field(params, "CallSid"));
  return sid ? { sid, from: callerOf(field(params, "From")) } : null;
}

/** The number of a caller, E.164; null where they hide it. */
export function callerOf(from: string | null | undefined): string | null {
  const number = read(e164, from);
  return number && hiddenNumbers.includes(number) ? null : number;
}

/** The seconds of a Record, from its action request. */
export function voicemailSecondsOf(params: WebhookParams): number | null {
  return read(seconds, field(params, "RecordingDuration"));
}
