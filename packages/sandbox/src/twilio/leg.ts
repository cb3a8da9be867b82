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

/** A TwiML request under way; `token` stays the same when it is repeated. */
export interface PendingFetch extends Target {
  token: string;
  params: Record<string, string>;
  fallback: Target | null;
  /** The Play whose sound is asked for; missing where it is TwiML. */
  sound?: TwimlNode;
}

/** Something that the person on a phone heard. */
export interface Utterance {
  kind: "say" | "play" | "tone";
  /** The words, the sound's URL, or the digits. */
  text: string;
  language: string | null;
  /** Real time at which it began. */
  at: number;
  /** How long it takes, in simulated milliseconds. */
  ms: number;
  /** Whether it came to its end: not while it lasts, and not where a key, other TwiML or a hanging up cut it short. */
  whole: boolean;
}

export interface Gathering {
  numDigits: number | null;
  finishOnKey: string;
  timeoutMs: number;
  action: Target;
  askEmpty: boolean;
  digits: string;
  /** What is still to be heard; a key ends it. */
  prompts: TwimlNode[];
  /** Whether its words name the key 1. */
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
  /** Where the words of the recording are sent; null where nobody asked for them. */
  transcribeCallback: Target | null;
}

/** A `<Record>` that runs. */
export interface Recordable {
  recordingSid: string;
  action: Target;
  finishOnKey: string;
  /** The recording ends there, however late the timer comes. */
  mostSeconds: number;
}

/** One leg of a call: made through the REST API, by someone who calls the account's number, or by a `<Dial>`. */
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
  /** Real time, as the vendor's dates. */
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
  /** Simulated time, from which durations come. */
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
  /** Where relative URLs of the running document start. */
  baseUrl: string | null;
  steps: TwimlNode[];
  fetch: PendingFetch | null;
  gather: Gathering | null;
  dial: Dialing | null;
  record: Recordable | null;
  /** What this person says to a voicemail; null for a text of the sandbox. */
  says: string | null;
  /** What the person on this phone heard, oldest first; the last few hundred. */
  transcript: Utterance[];
  /** How many times a Gather has asked for keys, and how many Dials have begun. */
  asked: number;
  dials: number;
  pressed: string;
  /** Why the network did not connect it, where its phone says so. */
  sipCode?: number;
  /** Errors as the vendor's debugger shows them. */
  warnings: string[];
  optedOut: boolean;
  /** Whether both ends heard each other. */
  bridged: boolean;
}

/** The number of the phone at this leg's end. */
export function phoneOf(leg: Leg): string {
  return leg.direction === "inbound" ? leg.from : leg.to;
}

export function isEnded(leg: Leg): boolean {
  return FINAL_STATUSES.has(leg.status);
}

/** The person on this phone hears something from now on. */
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
  /** Simulated start, from which the duration comes. */
  startedAtSimulated: number;
  durationSeconds: number | null;
}
