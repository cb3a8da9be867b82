import { TWILIO_ACCOUNT_SID } from "../defaults.ts";
import { type AccountNumber, NUMBER_SID } from "./account-numbers.ts";
import { isEnded, type Leg, type RecordingRow } from "./leg.ts";
import { API_VERSION, recordingUrl, rfc2822 } from "./params.ts";
import { DELIVERY_ERRORS, type SmsRow } from "./sms.ts";

export const ACCOUNT_PATH = `/${API_VERSION}/Accounts/${TWILIO_ACCOUNT_SID}`;
/** Creation date of the account and its number. */
const SINCE = rfc2822(Date.UTC(2025, 0, 6, 15));

function formatted(number: string): string {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number);
  return parts ? `(${parts[1]}) ${parts[2]}-${parts[3]}` : number;
}

function dateOrNull(time: number | null): string | null {
  return time === null ? null : rfc2822(time);
}

/** A call in the REST API. */
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

export function presentAccount(authToken: string): Record<string, unknown> {
  return {
    sid: TWILIO_ACCOUNT_SID,
    owner_account_sid: TWILIO_ACCOUNT_SID,
    friendly_name: "Sandbox",
    auth_token: authToken,
    status: "active",
    type: "Full",
    date_created: SINCE,
    date_updated: SINCE,
    uri: `${ACCOUNT_PATH}.json`,
    subresource_uris: { calls: `${ACCOUNT_PATH}/Calls.json`, recordings: `${ACCOUNT_PATH}/Recordings.json` },
  };
}

const sidOrNull = (sid: string) => sid || null;

export function presentNumber({ sid, phoneNumber, settings }: AccountNumber): Record<string, unknown> {
  return {
    sid,
    account_sid: TWILIO_ACCOUNT_SID,
    phone_number: phoneNumber,
    friendly_name: formatted(phoneNumber),
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
    sms_application_sid: sidOrNull(settings.smsApplicationSid),
    sms_fallback_method: settings.smsFallbackMethod,
    sms_fallback_url: settings.smsFallbackUrl,
    sms_method: settings.smsMethod,
    sms_url: settings.smsUrl,
    status: "in-use",
    status_callback: settings.statusCallback,
    status_callback_method: settings.statusCallbackMethod,
    trunk_sid: sidOrNull(settings.trunkSid),
    uri: `${ACCOUNT_PATH}/IncomingPhoneNumbers/${sid}.json`,
    voice_application_sid: sidOrNull(settings.voiceApplicationSid),
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

/** An SMS in the REST API. */
export function presentSms(text: SmsRow): Record<string, unknown> {
  const path = `${ACCOUNT_PATH}/Messages/${text.sid}`;
  return {
    sid: text.sid,
    account_sid: TWILIO_ACCOUNT_SID,
    messaging_service_sid: text.serviceSid ?? null,
    to: text.to,
    // A Messaging Service has not chosen its sender yet.
    from: text.status === "accepted" ? null : text.from,
    body: text.body,
    status: text.status,
    direction: text.direction,
    num_segments: text.status === "accepted" ? "0" : String(text.segments),
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

/** A recording in the REST API. */
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
