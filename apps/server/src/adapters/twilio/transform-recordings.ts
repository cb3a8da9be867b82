import { z } from "zod";
import { type RecordingEvent, recordingStatuses, type Transcription } from "../../ports/call-recordings.ts";
import type { InboundEvent, WebhookParams } from "../../ports/telephony.ts";
import { callSid, date, field, read, seconds, timestamp } from "./transform.ts";

const recordingSid = z.string().regex(/^RE[0-9a-f]{32}$/);
const recordingStatus = z.enum(recordingStatuses);
const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/);
const transcriptionLength = 10_000;

/** A recording of the REST API, with the fields that are used. */
const restRecording = z.object({
  sid: recordingSid,
  callSid,
  status: recordingStatus,
  duration: z.string().nullish(),
  startTime: date,
  dateCreated: date,
  source: z.string().nullish(),
});

/** RecordingSource of a `<Record>`; recordings of a `<Dial>` have another. */
const voicemailSource = "RecordVerb";

/** Parses a recording status callback (twilio.com/docs/voice/api/recording). Null without valid ids or a status. */
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

/** Parses a recording of the REST API. Throws if it is not one. */
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

/** Parses a transcription callback; null if it has no text. */
export function transcriptionOf(params: WebhookParams): Transcription | null {
  const sid = read(recordingSid, field(params, "RecordingSid"));
  const text = field(params, "TranscriptionText")
    ?.trim()
    .slice(0, transcriptionLength)
    .replaceAll("\u0000", "");
  return sid && text ? { recordingSid: sid, text: text.toWellFormed() } : null;
}

/**
 * Numbers that Twilio sends for a hidden number: ANONYMOUS, RESTRICTED, UNAVAILABLE, UNKNOWN and PRIVATE on a phone's keys. It may also
 * send the word.
 */
const hiddenNumbers = ["+266696687", "+7378742833", "+86282452253", "+8656696", "+7748283"];

/** Parses the request for an inbound call. `from` is null for a hidden number. */
export function toInboundEvent(params: WebhookParams): InboundEvent | null {
  const sid = read(callSid, field(params, "CallSid"));
  return sid ? { sid, from: callerOf(field(params, "From")) } : null;
}

/** The caller's number, E.164; null if it is hidden. */
export function callerOf(from: string | null | undefined): string | null {
  const number = read(e164, from);
  return number && hiddenNumbers.includes(number) ? null : number;
}

/** Length of a Record, from its action request. */
export function voicemailSecondsOf(params: WebhookParams): number | null {
  return read(seconds, field(params, "RecordingDuration"));
}
