import { z } from "zod";

/** States of a live call. A call only moves forward through them. */
export const callStates = [
  "requested",
  "ringing_rep",
  "confirming",
  "ringing_lead",
  "in_progress",
  "ended",
] as const;
export type CallState = (typeof callStates)[number];

/** How a call ended, as reported by the provider. */
export const callResults = [
  "answered",
  "voicemail",
  "busy",
  "no_answer",
  "disconnected",
  /** The provider could not connect the call for a reason other than the number. The lead may be called again. */
  "not_connected",
  /**
   * The consultant hung up while the lead's phone rang, or the call was answered with machine detection off. The consultant is asked for
   * the outcome.
   */
  "unclear",
  /** The consultant's phone was busy, did not answer or failed. The lead was not dialed. */
  "rep_not_reached",
  /** The consultant answered but did not press 1. The lead was not dialed. */
  "not_confirmed",
  /** Ended in the portal or by hanging up before the lead was dialed. */
  "canceled",
  /** The provider refused the call or did not place it. */
  "failed",
] as const;
export type CallResult = (typeof callResults)[number];

/** Outcomes a consultant can choose. */
export const callOutcomes = [
  "answered",
  "voicemail",
  "no_answer",
  "busy",
  "wrong_number",
  "disconnected",
] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/**
 * Outcomes a consultant can save: a chosen one, or `not_connected`, which is never suggested and cannot be edited. `not_connected` says
 * nothing about the number and does not delay further calls.
 */
export const savedOutcomes = [...callOutcomes, "not_connected"] as const;
export type SavedOutcome = (typeof savedOutcomes)[number];

/** Outcomes a call log can hold: the consultant's, or `completed` from the recorded dialer. */
export const loggedOutcomes = [...savedOutcomes, "completed"] as const;

/** Who answered, by the provider's detection. `unknown`: the provider could not tell. `not_asked`: detection was off. */
export const callAnswerers = ["person", "machine", "unknown", "not_asked"] as const;

/**
 * State of a recorded message for the lead's voicemail: `ready` to be left, `leaving` while it plays, `left` if the provider confirmed that
 * it played to the end, otherwise `not_whole`.
 */
export const messageStates = ["ready", "leaving", "left", "not_whole"] as const;

/** A call through the provider, live or ended. */
export const callSchema = z.object({
  id: z.number(),
  leadId: z.number(),
  leadName: z.string(),
  leadCompany: z.string().nullable(),
  leadPhone: z.string(),
  /** The provider's id of the consultant's leg (on an open line: of the lead's leg). Null until the provider reports it. */
  callSid: z.string().nullable(),
  /** The lead is connected to the consultant's open line, so the consultant's phone does not ring. */
  onLine: z.boolean(),
  state: z.enum(callStates),
  result: z.enum(callResults).nullable(),
  /** The consultant's phone that rings first. */
  repLine: z.enum(["personal", "office"]),
  /** The office line's number (E.164) if it rings first; otherwise null. */
  officeLine: z.string().nullable(),
  requestedAt: z.string(),
  leadRingingAt: z.string().nullable(),
  answeredAt: z.string().nullable(),
  /** Null if not answered, or while detection runs. An ended call then has the result `answered` and no suggested outcome. */
  answeredBy: z.enum(callAnswerers).nullable(),
  endedAt: z.string().nullable(),
  /** The recorded message that may be left now or was left; null if none may be left, for example when a person answered. */
  message: z.object({ name: z.string(), state: z.enum(messageStates) }).nullable(),
  /** The consultant ended the call, and the provider has not confirmed it yet. */
  ending: z.boolean(),
  /** Seconds from the lead's answer to the end of the lead's leg, measured by the provider; null while unknown. */
  talkSeconds: z.number().nullable(),
  /** When the call will be dialed, if it is queued by the account's limit of calls per second; otherwise null. */
  dialsAt: z.string().nullable(),
  /** Error message for the consultant; null if nothing went wrong. */
  failure: z.string().nullable(),
  /** The call log created for this call once the lead's phone rang and the call ended. */
  callLogId: z.number().nullable(),
  /** The outcome the consultant gave in any way: here, on another page or with the phone's keypad. Null if none yet. */
  givenOutcome: z.enum(savedOutcomes).nullable(),
  /** The server's current time, to correct timers for the browser's clock. */
  now: z.string(),
});
export type Call = z.infer<typeof callSchema>;

/** An inbound call: one of our phones rings for the user, or the user is talking to the caller. */
export const inboundCallSchema = z.object({
  id: z.number(),
  /** Null for a caller whose number belongs to no lead; the name is then empty. */
  leadId: z.number().nullable(),
  leadName: z.string(),
  /** E.164; null if withheld. */
  callerNumber: z.string().nullable(),
  /** The provider's id of the caller's leg. The outcome is saved under it. */
  callSid: z.string(),
  /** The phone that rings or was answered: the consultant's own or the office line. */
  line: z.enum(["personal", "office"]),
  /** The consultant whose lead calls, if the user stands in for them; otherwise null. */
  standsInFor: z.string().nullable().default(null),
  state: z.enum(["ringing", "talking"]),
  startedAt: z.string(),
  answeredAt: z.string().nullable(),
  /** The user answered the call and may end it for both sides. */
  mayEnd: z.boolean().default(false),
  /** The server's current time, to correct timers for the browser's clock. */
  now: z.string(),
});
export type InboundCall = z.infer<typeof inboundCallSchema>;

/** Direction of a call. */
export const callDirections = ["outbound", "inbound"] as const;
export type CallDirection = (typeof callDirections)[number];

/** Source of a logged call's duration. `unmatched`: reported with a sid that matches no call of that consultant and lead. */
export const timeSources = ["measured", "reported", "unmatched"] as const;
export type TimeSource = (typeof timeSources)[number];

/**
 * Why a voicemail has no transcription: the provider only supports English, the consultant's setting is off, or the provider did not
 * understand it.
 */
export const noTranscriptionReasons = ["language", "off", "not_understood"] as const;

/** A logged call. Duration in seconds. */
export const callLogSchema = z.object({
  id: z.number(),
  /** Null for a caller whose number belongs to no lead; the name is then empty. */
  leadId: z.number().nullable(),
  leadName: z.string(),
  leadCompany: z.string().nullable(),
  outcome: z.enum(loggedOutcomes).nullable(),
  callType: z.string(),
  callDate: z.string(),
  duration: z.number(),
  /** The consultant reported the duration because the provider reported none. It is not counted as talk time. */
  durationReported: z.boolean(),
  notes: z.string().nullable(),
  twilioCallSid: z.string().nullable(),
  /** Reported with a `twilioCallSid` that matches no call of this consultant with this lead, so the report and any call stay separate. */
  unmatched: z.boolean(),
  /** The call was answered and has ended, and machine detection is still running. No outcome is suggested yet. */
  checking: z.boolean(),
  /** False while the outcome is only the provider's suggestion. */
  confirmed: z.boolean(),
  salesRepName: z.string().nullable(),
  direction: z.enum(callDirections),
  /** The provider's id of a playable recording; null if there is none. */
  recordingSid: z.string().nullable(),
  /** Length of the recording as reported by the provider; null if not reported. */
  recordingSeconds: z.number().nullable(),
  /** Transcription of a caller's voicemail, if the provider made one. */
  transcription: z.string().nullable(),
  /** Why a voicemail has no transcription. Null if it has one, if one may still arrive, or if the reason is unknown. */
  noTranscription: z.enum(noTranscriptionReasons).nullable(),
  /** The caller's number, E.164; null for outbound calls and if withheld. */
  callerNumber: z.string().nullable(),
  /** An unanswered inbound call that is still open: nobody has called back or marked it done. */
  missed: z.boolean(),
  /** The user who marked a missed call done without calling back; otherwise null. */
  missedDoneBy: z.string().nullable(),
});
export type CallLog = z.infer<typeof callLogSchema>;
