import { z } from "zod";
import { type RecordingEvent, recordingStatuses, type Transcription } from "../../ports/call-recordings.ts";
import {
  type Answerer,
  type DialEvent,
  dialStatuses,
  type InboundEvent,
  type LegEvent,
  legStatuses,
  type ProviderLeg,
  type WebhookParams,
} from "../../ports/telephony.ts";

const callSid = z.string().regex(/^CA[0-9a-fA-F]{32}$/);
const sipCode = z.coerce.number().int().min(100).max(699);
const seconds = z.coerce.number().int().min(0).max(86_400);
const legStatus = z.enum(legStatuses);
const dialStatus = z.enum([...dialStatuses, "answered"]);

/** The SDK passes on values that are not valid dates. */
const date = z.date().nullable().catch(null);

/** A call of the REST API, with the fields that are used. */
const restCall = z.object({
  sid: callSid,
  status: z.string(),
  parentCallSid: callSid.nullish(),
  duration: z.string().nullish(),
  answeredBy: z.string().nullish(),
  from: z.string().nullish(),
  to: z.string().nullish(),
  dateCreated: date,
  startTime: date,
  endTime: date,
});

/** The value of a field; of a repeated field the first. '' counts as absent. */
export function field(params: WebhookParams, name: string): string | undefined {
  const value = params[name];
  return (Array.isArray(value) ? value[0] : value) || undefined;
}

function read<T>(schema: z.ZodType<T>, value: unknown): T | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** Enable reports machine_start; DetectMessageEnd reports machine_end_beep, _silence or _other. All mean a machine. */
export function toAnswerer(value: string | null | undefined): Answerer | null {
  if (!value) return null;
  if (value.startsWith("machine")) return "machine";
  return value === "human" || value === "fax" ? value : "unknown";
}

function timestamp(value: string | undefined): Date | null {
  return value ? read(z.date(), new Date(value)) : null;
}

/** Parses a call progress callback, or any voice request about a leg (facts of Twilio's voice webhooks). Null without a valid CallSid. */
export function toLegEvent(params: WebhookParams): LegEvent | null {
  const sid = read(callSid, field(params, "CallSid"));
  if (!sid) return null;
  return {
    sid,
    parentSid: read(callSid, field(params, "ParentCallSid")),
    status: read(legStatus, field(params, "CallStatus")),
    durationSeconds: read(seconds, field(params, "CallDuration")),
    answeredBy: toAnswerer(field(params, "AnsweredBy")),
    atBeep: field(params, "AnsweredBy") === "machine_end_beep",
    sipCode: read(sipCode, field(params, "SipResponseCode")),
    at: timestamp(field(params, "Timestamp")),
  };
}

/** Parses the `action` request of a Dial. Null without a valid CallSid. */
export function toDialEvent(params: WebhookParams): DialEvent | null {
  const sid = read(callSid, field(params, "CallSid"));
  if (!sid) return null;
  const status = read(dialStatus, field(params, "DialCallStatus"));
  const bridged = field(params, "DialBridged");
  return {
    sid,
    leadSid: read(callSid, field(params, "DialCallSid")),
    status: status === "answered" ? "completed" : status,
    bridged: bridged === undefined ? null : bridged === "true",
    durationSeconds: read(seconds, field(params, "DialCallDuration")),
  };
}

/** The keys pressed in a Gather. */
export function digitsOf(params: WebhookParams): string {
  return field(params, "Digits") ?? "";
}

/** Parses a call of the REST API. Throws if the response has no valid sid, for example a page or a truncated response. */
export function providerLegOf(call: unknown): ProviderLeg {
  const row = restCall.parse(call);
  const ended = read(z.enum(dialStatuses), row.status) !== null;
  return {
    sid: row.sid,
    parentSid: row.parentCallSid ?? null,
    status: read(legStatus, row.status),
    durationSeconds: ended ? read(seconds, row.duration ?? undefined) : null,
    answeredBy: toAnswerer(row.answeredBy),
    // Only the callback at that moment reports it.
    atBeep: false,
    // The REST API does not report it.
    sipCode: null,
    at: row.endTime ?? row.startTime,
    createdAt: row.dateCreated,
    from: row.from || null,
    to: row.to || null,
  };
}

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
