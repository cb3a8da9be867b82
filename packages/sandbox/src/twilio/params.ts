import { TWILIO_ACCOUNT_SID } from "../defaults.ts";
import { newSid } from "../ids.ts";
import { areaOf } from "../numbers.ts";
import type { CallEvent, Leg, RecordingRow } from "./leg.ts";
import type { SmsRow } from "./sms.ts";

export const API_VERSION = "2010-04-01";

const VOICEMAIL =
  "Hello, I am calling back about the offer. Please call me when you have a moment. Thank you.";

/** RFC 2822 in UTC in Twilio's format: 'Thu, 20 Nov 2025 10:01:20 +0000'. */
export function rfc2822(time: number): string {
  return new Date(time).toUTCString().replace("GMT", "+0000");
}

function place(side: string, number: string): Record<string, string> {
  const area = areaOf(number);
  return {
    [`${side}City`]: area?.city.toUpperCase() ?? "",
    [`${side}State`]: area?.state ?? "",
    [`${side}Zip`]: area?.zip ?? "",
    [`${side}Country`]: number.startsWith("+1") ? "US" : "",
  };
}

/** The parameters of every voice request. */
export function callParams(leg: Leg): Record<string, string> {
  return {
    CallSid: leg.sid,
    AccountSid: TWILIO_ACCOUNT_SID,
    From: leg.from,
    To: leg.to,
    Caller: leg.from,
    Called: leg.to,
    CallStatus: leg.status,
    ApiVersion: API_VERSION,
    Direction: leg.direction,
    ...place("From", leg.from),
    ...place("To", leg.to),
    ...place("Caller", leg.from),
    ...place("Called", leg.to),
    ...(leg.parentSid ? { ParentCallSid: leg.parentSid } : {}),
    ...(leg.answeredBy ? { AnsweredBy: leg.answeredBy } : {}),
  };
}

const SIP_CODES: Partial<Record<Leg["status"], string>> = {
  completed: "200",
  busy: "486",
  "no-answer": "487",
  canceled: "487",
  // The number does not exist; a phone may set another code.
  failed: "404",
};

/** A call progress callback; `sequence` counts the callbacks of this leg from 0. */
export function progressParams(leg: Leg, event: CallEvent, sequence: number): Record<string, string> {
  const params: Record<string, string> = {
    ...callParams(leg),
    CallStatus: event === "initiated" ? "initiated" : leg.status,
    Timestamp: rfc2822(Date.now()),
    CallbackSource: "call-progress-events",
    SequenceNumber: String(sequence),
  };
  if (event !== "completed") return params;
  const seconds = leg.durationSeconds ?? 0;
  params.CallDuration = String(seconds);
  params.Duration = String(Math.ceil(seconds / 60));
  params.SipResponseCode = String(leg.sipCode ?? SIP_CODES[leg.status] ?? "200");
  return params;
}

export function recordingUrl(sid: string): string {
  return `https://api.twilio.com/${API_VERSION}/Accounts/${TWILIO_ACCOUNT_SID}/Recordings/${sid}`;
}

export function recordingParams(recording: RecordingRow): Record<string, string> {
  const params: Record<string, string> = {
    AccountSid: TWILIO_ACCOUNT_SID,
    CallSid: recording.callSid,
    RecordingSid: recording.sid,
    RecordingUrl: recordingUrl(recording.sid),
    RecordingStatus: recording.status,
    RecordingChannels: String(recording.channels),
    RecordingStartTime: rfc2822(recording.startedAt),
    RecordingSource: recording.source,
    RecordingTrack: "both",
  };
  if (recording.durationSeconds !== null) params.RecordingDuration = String(recording.durationSeconds);
  return params;
}

/** Letters and words by which a Spanish message is recognised. */
const SPANISH = /[áéíóúñ¿¡]|\b(hola|gracias|por favor|soy|quiero|llamo|buenas|buenos)\b/i;

/**
 * The transcription of a voicemail; other languages than English are not transcribed (twilio.com/docs/voice/twiml/record,
 * transcribeCallback).
 */
export function transcriptionParams(
  recording: RecordingRow,
  leg: Leg,
  { englishOnly }: { englishOnly: boolean },
): Record<string, string> {
  const sid = newSid("TR");
  const text = leg.says ?? VOICEMAIL;
  const understood = !englishOnly || !SPANISH.test(text);
  return {
    ...callParams(leg),
    RecordingSid: recording.sid,
    RecordingUrl: recordingUrl(recording.sid),
    TranscriptionSid: sid,
    TranscriptionStatus: understood ? "completed" : "failed",
    TranscriptionText: understood ? text : "",
    TranscriptionUrl: `https://api.twilio.com/${API_VERSION}/Accounts/${TWILIO_ACCOUNT_SID}/Transcriptions/${sid}`,
  };
}

function textParams(text: SmsRow): Record<string, string> {
  return {
    MessageSid: text.sid,
    SmsSid: text.sid,
    AccountSid: TWILIO_ACCOUNT_SID,
    // A Messaging Service has not chosen its sender yet.
    ...(text.status === "accepted" ? {} : { From: text.from }),
    To: text.to,
    ApiVersion: API_VERSION,
    SmsStatus: text.status,
    ...(text.serviceSid ? { MessagingServiceSid: text.serviceSid } : {}),
  };
}

/** An inbound SMS for the number's webhook (twilio.com/docs/messaging/guides/webhook-request). */
export function inboundParams(text: SmsRow): Record<string, string> {
  return {
    ...textParams(text),
    SmsMessageSid: text.sid,
    Body: text.body,
    NumMedia: "0",
    NumSegments: String(text.segments),
    ...(text.optOutType ? { OptOutType: text.optOutType } : {}),
    ...place("From", text.from),
    ...place("To", text.to),
  };
}

/** A status callback of an SMS (twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks). */
export function deliveryParams(text: SmsRow): Record<string, string> {
  const params: Record<string, string> = { ...textParams(text), MessageStatus: text.status };
  if (text.errorCode !== null) params.ErrorCode = String(text.errorCode);
  if (text.status === "delivered" || text.status === "undelivered") {
    // YYMMDDhhmm in UTC.
    params.RawDlrDoneDate = new Date(text.updatedAt).toISOString().replace(/\D/g, "").slice(2, 12);
  }
  return params;
}
