import { z } from "zod";

/** A live call moves forward through these only. */
export const callStates = [
  "requested",
  "ringing_rep",
  "confirming",
  "ringing_lead",
  "in_progress",
  "ended",
] as const;
export type CallState = (typeof callStates)[number];

/** How a call ended, by the provider's events. */
export const callResults = [
  "answered",
  "voicemail",
  "busy",
  "no_answer",
  "disconnected",
  /** The provider could not connect the call, and not by the fault of the number: nothing speaks against calling again. */
  "not_connected",
  /** The rep hung up while the lead rang, or machine detection was off and somebody or something answered: the rep is asked. */
  "unclear",
  /** The rep's own phone was busy, did not answer or failed: the lead was never rung. */
  "rep_not_reached",
  /** The rep answered but 1 was never pressed: the lead was never rung. */
  "not_confirmed",
  /** Ended from the portal, or by hanging up, before the lead was rung. */
  "canceled",
  /** The provider refused or never made the call. */
  "failed",
] as const;
export type CallResult = (typeof callResults)[number];

/** Outcomes a rep can choose. */
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
 * Outcomes a rep can save: one they choose, or that the call could not be connected, which is no suggestion and is left as it is. It says
 * nothing of the number, and holds nobody back from calling again.
 */
export const savedOutcomes = [...callOutcomes, "not_connected"] as const;
export type SavedOutcome = (typeof savedOutcomes)[number];

/** Outcomes a log can hold: the rep's, or `completed` as the recorded dialer wrote it. */
export const loggedOutcomes = [...savedOutcomes, "completed"] as const;

/** Who took a call, by the provider's detection; `unknown` where it could not say, `not_asked` where detection was off. */
export const callAnswerers = ["person", "machine", "unknown", "not_asked"] as const;

/**
 * How far a recorded message is that is left at the lead's voicemail: `ready` to be left by a press, `leaving` while it plays, `left` where the
 * provider proved that it was played to its end, else `not_whole`.
 */
export const messageStates = ["ready", "leaving", "left", "not_whole"] as const;

/** One call through the provider, live or ended. */
export const callSchema = z.object({
  id: z.number(),
  leadId: z.number(),
  leadName: z.string(),
  leadCompany: z.string().nullable(),
  leadPhone: z.string(),
  /** The provider's id of the rep's leg, on an open line of the lead's; null until the provider has reported it. */
  callSid: z.string().nullable(),
  /** The lead is joined to the consultant's open line: their phone is not rung. */
  onLine: z.boolean(),
  state: z.enum(callStates),
  result: z.enum(callResults).nullable(),
  /** Which phone is rung first. */
  repLine: z.enum(["personal", "office"]),
  /** The office line where it is the phone rung first, E.164; else null. */
  officeLine: z.string().nullable(),
  requestedAt: z.string(),
  leadRingingAt: z.string().nullable(),
  answeredAt: z.string().nullable(),
  /** Null while nobody answered, and while it is being found out: an ended call is `answered` then, and no outcome is suggested. */
  answeredBy: z.enum(callAnswerers).nullable(),
  endedAt: z.string().nullable(),
  /** The recorded message that may be left now, or was; null where none may, as with a person. */
  message: z.object({ name: z.string(), state: z.enum(messageStates) }).nullable(),
  /** The consultant ended it, and the provider has not confirmed that yet. */
  ending: z.boolean(),
  /** Seconds from the lead's answer to the end of the lead's leg as the provider counts them; null while unknown. */
  talkSeconds: z.number().nullable(),
  /** When the call waits for the account's pace (calls a second): the instant it is dialled. */
  dialsAt: z.string().nullable(),
  /** What went wrong, in words for the rep; null when nothing did. */
  failure: z.string().nullable(),
  /** The call log made of this call, once the lead was rung and the call ended. */
  callLogId: z.number().nullable(),
  /** The outcome that its consultant gave, here, by a key of the phone or on another page; null while it is missing. */
  givenOutcome: z.enum(savedOutcomes).nullable(),
  /** The server's clock, so that a timer in the browser is right. */
  now: z.string(),
});
export type Call = z.infer<typeof callSchema>;

/** Somebody who calls: a phone of ours rings for them, or they are talked to. */
export const inboundCallSchema = z.object({
  id: z.number(),
  /** Null for a caller whose number belongs to no lead; their name is empty then. */
  leadId: z.number().nullable(),
  leadName: z.string(),
  /** E.164; null where it was withheld. */
  callerNumber: z.string().nullable(),
  /** The provider's id of the caller's leg, under which the outcome is saved. */
  callSid: z.string(),
  /** Which phone rings or was taken: the consultant's own or the office line. */
  line: z.enum(["personal", "office"]),
  /** The consultant whose lead calls, where the person stands in for them; else null. */
  standsInFor: z.string().nullable().default(null),
  state: z.enum(["ringing", "talking"]),
  startedAt: z.string(),
  answeredAt: z.string().nullable(),
  /** The person took it, and may end it for both. */
  mayEnd: z.boolean().default(false),
  /** The server's clock, so that a timer in the browser is right. */
  now: z.string(),
});
export type InboundCall = z.infer<typeof inboundCallSchema>;

/** Who called whom. */
export const callDirections = ["outbound", "inbound"] as const;
export type CallDirection = (typeof callDirections)[number];

/** Where the duration of a logged call comes from; `unmatched` is reported, with a sid that no call of that consultant and lead has. */
export const timeSources = ["measured", "reported", "unmatched"] as const;
export type TimeSource = (typeof timeSources)[number];

/**
 * Why nobody wrote a voicemail down: the provider knows English only, the consultant's setting is off, or it understood nothing.
 */
export const noTranscriptionReasons = ["language", "off", "not_understood"] as const;

/** A logged call. Duration in seconds. */
export const callLogSchema = z.object({
  id: z.number(),
  /** Null for a caller whose number belongs to no lead; their name is empty then. */
  leadId: z.number().nullable(),
  leadName: z.string(),
  leadCompany: z.string().nullable(),
  outcome: z.enum(loggedOutcomes).nullable(),
  callType: z.string(),
  callDate: z.string(),
  duration: z.number(),
  /** The duration is what the consultant reported: the provider reported no time of the call. It counts in no talk time. */
  durationReported: z.boolean(),
  notes: z.string().nullable(),
  twilioCallSid: z.string().nullable(),
  /** Reported with a `twilioCallSid` under which no call of this consultant with this lead is known: the two stay apart. */
  unmatched: z.boolean(),
  /** Answered and over, and it is being found out whether a person or a machine answered: no outcome is suggested yet. */
  checking: z.boolean(),
  /** False while the outcome is only the provider's suggestion. */
  confirmed: z.boolean(),
  salesRepName: z.string().nullable(),
  direction: z.enum(callDirections),
  /** The recording that can be played, or null. */
  recordingSid: z.string().nullable(),
  /** Its length by the provider; null where it does not say. */
  recordingSeconds: z.number().nullable(),
  /** What a caller said to the voicemail, where the provider wrote it down. */
  transcription: z.string().nullable(),
  /** Why a voicemail has no words; null where it has them, where they may still come, and where that is not known. */
  noTranscription: z.enum(noTranscriptionReasons).nullable(),
  /** Who called us, E.164; null for calls of ours and where the number was withheld. */
  callerNumber: z.string().nullable(),
  /** An inbound call nobody took, that waits: nobody has called back or taken it off the list. */
  missed: z.boolean(),
  /** Who took a missed call off the list without calling back; null otherwise. */
  missedDoneBy: z.string().nullable(),
});
export type CallLog = z.infer<typeof callLogSchema>;
