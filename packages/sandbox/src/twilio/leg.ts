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
}

export interface Gathering {
  numDigits: number | null;
  finishOnKey: string;
  timeoutMs: number;
  action: Target;
  askEmpty: boolean;
  digits: string;
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
  /** What the person on this phone heard, oldest first. */
  heard: string[];
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
