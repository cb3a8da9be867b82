import type { TwimlNode } from "./twiml.ts";

export type CallStatus =
  | "queued"
  | "ringing"
  | "in-progress"
  | "completed"
  | "busy"
  | "failed"
  | "no-answer"
  | "canceled";

const FINAL_STATUSES: ReadonlySet<CallStatus> = new Set([
  "completed",
  "busy",
  "failed",
  "no-answer",
  "canceled",
]);

const LONGEST_TRANSCRIPT = 500;

export type Method = "GET" | "POST";
export type CallEvent = "initiated" | "ringing" | "answered" | "completed";

export interface Target {
  url: string;
  method: Method;
}

/** A pending TwiML request; `token` stays the same when it is repeated. */
export interface PendingFetch extends Target {
  token: string;
  params: Record<string, string>;
  fallback: Target | null;
  /** The Play whose sound is downloaded; missing for TwiML. */
  sound?: TwimlNode;
}

/** Something that the person on a phone heard. */
export interface Utterance {
  kind: "say" | "play" | "tone";
  /** The text, the sound's URL, or the digits. */
  text: string;
  language: string | null;
  /** Real time of its start. */
  at: number;
  /** Its duration, in simulated milliseconds. */
  ms: number;
  /** Whether it was played to its end: false while it lasts, and if a key, other TwiML or the end of the call interrupted it. */
  whole: boolean;
}

export interface Gathering {
  numDigits: number | null;
  finishOnKey: string;
  timeoutMs: number;
  action: Target;
  askEmpty: boolean;
  digits: string;
  /** Remaining prompts; a key ends them. */
  prompts: TwimlNode[];
  /** Whether its text names the key 1. */
  asksForOne: boolean;
}

export interface Dialing {
  action: Target | null;
  timeLimitSeconds: number;
  hangupOnStar: boolean;
  children: string[];
  /** The child leg that answered first. */
  winner: string | null;
  bridged: boolean;
  recording: RecordingOptions | null;
  recordingSid: string | null;
}

export interface RecordingOptions {
  channels: 1 | 2;
  source: "DialVerb" | "RecordVerb";
  callback: Target | null;
  events: string[];
  /** Where the transcription of the recording is sent; null if it was not requested. */
  transcribeCallback: Target | null;
}

/** A running `<Record>`. */
export interface Recordable {
  recordingSid: string;
  action: Target;
  finishOnKey: string;
  /** Maximum length of the recording, even if the timer is late. */
  mostSeconds: number;
}

/** One leg of a call: created through the REST API, by a call to the account's number, or by a `<Dial>`. */
export interface Leg {
  sid: string;
  parentSid: string | null;
  from: string;
  to: string;
  direction: "outbound-api" | "outbound-dial" | "inbound";
  /** Whose phone this is. */
  person: "rep" | "lead" | "caller";
  status: CallStatus;
  activity:
    | "waiting"
    | "ringing"
    | "fetching"
    | "speaking"
    | "gathering"
    | "dialing"
    | "bridged"
    | "recording"
    | "ended";
  /** Real time, like the vendor's dates. */
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  /** Simulated time, from which durations are computed. */
  answeredAt: number | null;
  durationSeconds: number | null;
  queuedMs: number;
  ringSeconds: number;
  timeLimitSeconds: number;
  document: Target | null;
  twiml: string | null;
  fallback: Target | null;
  callback: (Target & { events: CallEvent[] }) | null;
  callbacksSent: number;
  machineDetection: { mode: "Enable" | "DetectMessageEnd"; async: boolean; callback: Target | null } | null;
  answeredBy: string | null;
  /** Base of relative URLs in the running document. */
  baseUrl: string | null;
  steps: TwimlNode[];
  fetch: PendingFetch | null;
  gather: Gathering | null;
  dial: Dialing | null;
  record: Recordable | null;
  /** What this person says to a voicemail; null for a default text. */
  says: string | null;
  /** What the person on this phone heard, oldest first; the last few hundred. */
  transcript: Utterance[];
  /** Number of Gathers that asked for keys, and number of Dials. */
  asked: number;
  dials: number;
  pressed: string;
  /** Why the network did not connect it, if its phone sets a code. */
  sipCode?: number;
  /** Errors as shown in the vendor's debugger. */
  warnings: string[];
  optedOut: boolean;
  /** Whether both ends were connected. */
  bridged: boolean;
}

/** The number of the phone at this leg's end. */
export function phoneOf(leg: Leg): string {
  return leg.direction === "inbound" ? leg.from : leg.to;
}

export function isEnded(leg: Leg): boolean {
  return FINAL_STATUSES.has(leg.status);
}

/** Adds what the person on this phone hears from now on. */
export function addUtterance(
  leg: Leg,
  words: Pick<Utterance, "kind" | "text" | "language">,
  ms: number,
): Utterance {
  const utterance: Utterance = { ...words, at: Date.now(), ms, whole: false };
  leg.transcript = [...leg.transcript.slice(1 - LONGEST_TRANSCRIPT), utterance];
  return utterance;
}

export interface RecordingRow extends RecordingOptions {
  sid: string;
  callSid: string;
  status: "in-progress" | "processing" | "completed" | "absent";
  startedAt: number;
  updatedAt: number;
  /** Simulated start, from which the duration is computed. */
  startedAtSimulated: number;
  durationSeconds: number | null;
}
