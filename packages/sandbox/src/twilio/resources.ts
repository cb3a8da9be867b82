import { SYSTEM_NUMBER, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } from "../defaults.ts";
import { isEnded, type Leg, type RecordingRow } from "./leg.ts";
import { API_VERSION, recordingUrl, rfc2822 } from "./params.ts";
import type { NumberSettings } from "./system-number.ts";
import { DELIVERY_ERRORS, type TextRow } from "./text.ts";

export const ACCOUNT_PATH = `/${API_VERSION}/Accounts/${TWILIO_ACCOUNT_SID}`;
export const NUMBER_SID = `PN${"1".padStart(32, "0")}`;
/** The account, its number and their dates never change. */
const SINCE = rfc2822(Date.UTC(2025, 0, 6, 15));

function formatted(number: string): string {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number);
  return parts ? `(${parts[1]}) ${parts[2]}-${parts[3]}` : number;
}

function dateOrNull(time: number | null): string | null {
  return time === null ? null : rfc2822(time);
}

/** A call as the REST API shows it. */
export function presentCall(leg: Leg): Record<string, unknown> {
  const path = `${ACCOUNT_PATH}/Calls/${leg.sid}`;
  return {
    sid: leg.sid,
    date_created: rfc2822(leg.createdAt),
    date_updated: rfc2822(leg.endedAt ?? leg.startedAt ?? leg.createdAt),
    parent_call_sid: leg.parentSid,
    account_sid: TWILIO_ACCOUNT_SID,
    to: leg.to,
    to_formatted: formatted(leg.to),
    from: leg.from,
    from_formatted: formatted(leg.from),
    phone_number_sid: NUMBER_SID,
    status: leg.status,
    start_time: dateOrNull(leg.startedAt),
    end_time: dateOrNull(leg.endedAt),
    duration: isEnded(leg) ? String(leg.durationSeconds ?? 0) : null,
    price: null,
    price_unit: "USD",
    direction: leg.direction,
    answered_by: leg.answeredBy,
    api_version: API_VERSION,
    forwarded_from: null,
    group_sid: null,
    caller_name: null,
    queue_time: String(leg.queuedMs),
    trunk_sid: null,
    uri: `${path}.json`,
    subresource_uris: {
      recordings: `${path}/Recordings.json`,
      notifications: `${path}/Notifications.json`,
      events: `${path}/Events.json`,
    },
  };
}

export function presentAccount(): Record<string, unknown> {
  return {
    sid: TWILIO_ACCOUNT_SID,
    owner_account_sid: TWILIO_ACCOUNT_SID,
    friendly_name: "Sandbox",
    auth_token: TWILIO_AUTH_TOKEN,
    status: "active",
    type: "Full",
    date_created: SINCE,
    date_updated: SINCE,
    uri: `${ACCOUNT_PATH}.json`,
    subresource_uris: { calls: `${ACCOUNT_PATH}/Calls.json`, recordings: `${ACCOUNT_PATH}/Recordings.json` },
  };
}

export function presentNumber(settings: NumberSettings): Record<string, unknown> {
  return {
    sid: NUMBER_SID,
    account_sid: TWILIO_ACCOUNT_SID,
    phone_number: SYSTEM_NUMBER,
    friendly_name: formatted(SYSTEM_NUMBER),
    address_sid: null,
    address_requirements: "none",
    api_version: API_VERSION,
    beta: false,
    capabilities: { voice: true, sms: true, mms: true, fax: false },
    date_created: SINCE,
    date_updated: SINCE,
    identity_sid: null,
    bundle_sid: null,
    origin: "twilio",
    sms_application_sid: null,
    sms_fallback_method: "POST",
    sms_fallback_url: "",
    sms_method: settings.smsMethod,
    sms_url: settings.smsUrl,
    status: "in-use",
    status_callback: settings.statusCallback,
    status_callback_method: settings.statusCallbackMethod,
    trunk_sid: null,
    uri: `${ACCOUNT_PATH}/IncomingPhoneNumbers/${NUMBER_SID}.json`,
    voice_application_sid: null,
    voice_caller_id_lookup: false,
    voice_fallback_method: settings.voiceFallbackMethod,
    voice_fallback_url: settings.voiceFallbackUrl,
    voice_method: settings.voiceMethod,
    voice_receive_mode: "voice",
    voice_url: settings.voiceUrl,
    emergency_status: "Inactive",
    emergency_address_sid: null,
    emergency_address_status: "unregistered",
  };
}

/** A text as the REST API shows it. */
export function presentText(text: TextRow): Record<string, unknown> {
  const path = `${ACCOUNT_PATH}/Messages/${text.sid}`;
  return {
    sid: text.sid,
    account_sid: TWILIO_ACCOUNT_SID,
    messaging_service_sid: null,
    to: text.to,
    from: text.from,
    body: text.body,
    status: text.status,
    direction: text.direction,
    num_segments: String(text.segments),
    num_media: "0",
    price: null,
    price_unit: "USD",
    error_code: text.errorCode,
    error_message: text.errorCode === null ? null : (DELIVERY_ERRORS.get(text.errorCode) ?? null),
    api_version: API_VERSION,
    date_created: rfc2822(text.createdAt),
    date_updated: rfc2822(text.updatedAt),
    date_sent: dateOrNull(text.sentAt),
    uri: `${path}.json`,
    subresource_uris: { media: `${path}/Media.json` },
  };
}

/** A recording as the REST API shows it. */
export function presentRecording(recording: RecordingRow): Record<string, unknown> {
  const path = `${ACCOUNT_PATH}/Recordings/${recording.sid}`;
  return {
    sid: recording.sid,
    account_sid: TWILIO_ACCOUNT_SID,
    call_sid: recording.callSid,
    conference_sid: null,
    status: recording.status,
    source: recording.source,
    channels: recording.channels,
    duration: recording.durationSeconds === null ? null : String(recording.durationSeconds),
    date_created: rfc2822(recording.startedAt),
    date_updated: rfc2822(recording.updatedAt),
    start_time: rfc2822(recording.startedAt),
    price: null,
    price_unit: "USD",
    error_code: null,
    encryption_details: null,
    api_version: API_VERSION,
    media_url: recordingUrl(recording.sid),
    uri: `${path}.json`,
    subresource_uris: { transcriptions: `${path}/Transcriptions.json` },
  };
}
