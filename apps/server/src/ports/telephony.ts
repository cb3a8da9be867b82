import type { CallRecordings, RecordingEvent, Transcription } from "./call-recordings.ts";

/** Status of one leg of a call, in the words that telephony providers share. The last five are final. */
export const legStatuses = [
  "queued",
  "initiated",
  "ringing",
  "in-progress",
  "canceled",
  "no-answer",
  "busy",
  "failed",
  "completed",
] as const;
export type LegStatus = (typeof legStatuses)[number];

/** How the attempt to reach the lead ended. */
export const dialStatuses = ["canceled", "no-answer", "busy", "failed", "completed"] as const;
export type DialStatus = (typeof dialStatuses)[number];

/** Who answered the call, by the provider's detection. */
export const answerers = ["unknown", "fax", "human", "machine"] as const;
export type Answerer = (typeof answerers)[number];

/** An event of one leg: the rep's (without a parent) or the lead's (its parent is the rep's leg). */
export interface LegEvent {
  sid: string;
  parentSid: string | null;
  status: LegStatus | null;
  /** From the answer to the end; null until the leg has ended. */
  durationSeconds: number | null;
  answeredBy: Answerer | null;
  /** A voicemail's greeting and tone are over: anything said now is recorded by it. */
  atBeep: boolean;
  /** SIP response code at the end of the leg; null if the provider does not say. */
  sipCode: number | null;
  /** When it happened, by the provider's clock; null if the provider does not say. */
  at: Date | null;
}

/** The result of dialing the lead, reported for the rep's leg. */
export interface DialEvent {
  sid: string;
  leadSid: string | null;
  status: DialStatus | null;
  /** False if the lead hung up before the two were connected; null if the provider does not say. */
  bridged: boolean | null;
  /** Talk time. */
  durationSeconds: number | null;
}

/** One leg as the provider stores it. */
export interface ProviderLeg extends LegEvent {
  createdAt: Date | null;
  /** E.164 if the provider knows the number. */
  from: string | null;
  to: string | null;
}

/** Addresses of this server for the provider's callbacks. */
export interface CallbackUrls {
  /** Requested when the rep answers, and again if a later response of ours did not arrive. */
  answered: string;
  /** Requested with the key that the rep pressed. */
  confirm: string;
  /** Requested when the lead's leg has ended. */
  dialDone: string;
  repStatus: string;
  leadStatus: string;
  /** Receives who answered the call. */
  detection: string;
  /** Requested for what is played to the lead before the two are connected. */
  notice: string;
  /** Receives the recording's status. */
  recording: string;
}

/**
 * Calls through a telephony provider: calls the rep first, then the lead. Methods that send a request throw `ProviderError`; its
 * `ambiguous` means that the request may have taken effect despite the error.
 */
export interface Telephony extends CallRecordings, InboundVoice, MessageVoice, PhoneLine {
  /** The number shown on both phones, E.164. */
  readonly callerId: string;
  /** Number of calls that the account may start per second. */
  readonly callsPerSecond: number;

  /**
   * Calls the rep's phone, for one call or (`keptOpen`) for a line that stays open for hours. The adapter never repeats the request,
   * because two requests are two calls.
   */
  placeCall(input: {
    to: string;
    urls: Pick<CallbackUrls, "answered" | "repStatus">;
    keptOpen?: boolean;
  }): Promise<LegEvent>;
  /** Ends a call with all its legs. Succeeds if it has ended before. Returns its current status. */
  endCall(sid: string): Promise<LegEvent>;
  /**
   * Removes a lead's leg from its call, plays a recorded message on it and then requests `done`. The rep's leg continues as after the
   * lead's end. The adapter never repeats the request.
   */
  leaveMessage(input: { leadSid: string; sound: string; done: string }): Promise<void>;
  /** Returns a leg; null if the provider does not know it. */
  findLeg(sid: string): Promise<ProviderLeg | null>;
  /** Returns the lead's leg of a call; null if no lead was dialed. */
  findLeadLeg(repSid: string): Promise<ProviderLeg | null>;
  /**
   * Returns rep legs to a number since an instant, newest first. They are searched by number because the provider stores no reference of
   * ours.
   */
  findCallsTo(input: { to: string; since: Date }): Promise<ProviderLeg[]>;
  /**
   * Returns legs of inbound calls that began since an instant, newest first: those to our number, and those to the account's other numbers
   * whose calls go to `address`. `from` is null for a hidden number.
   */
  listInbound(input: { since: Date; address: string }): Promise<ProviderLeg[]>;

  /** Whether the provider signed this request. `url` is the public address that it was sent to, with its query. */
  isSigned(input: { signature: string; url: string; params: WebhookParams }): boolean;
  readLegEvent(params: WebhookParams): LegEvent | null;
  readDialEvent(params: WebhookParams): DialEvent | null;
  readDigits(params: WebhookParams): string;

  /** Asks the rep to press 1 for this lead, at most twice, then hangs up. */
  askToConfirm(input: { leadFirstName: string; language: ScriptLanguage; urls: CallbackUrls }): Script;
  /**
   * Dials the lead, plays the recording notice to the lead, connects the two, and records them if `record` is set. `detect`: the provider
   * detects whether a person or a machine answered, which it charges for. `untilBeep`: a machine is reported at the end of its greeting.
   */
  dialLead(input: {
    to: string;
    record: boolean;
    detect: boolean;
    untilBeep: boolean;
    urls: CallbackUrls;
  }): Script;
  /** Hangs up, optionally after a spoken text. */
  hangUp(say?: { text: string; language: ScriptLanguage }): Script;
  /** An empty response to a request that only reports something. */
  acknowledge(): Script;
}

/** What the provider does next on a leg, as the response to its request. */
export interface Script {
  contentType: string;
  body: string;
}

export type ScriptLanguage = "en" | "es";

/** Form fields of a provider's request; a repeated field is an array. */
export type WebhookParams = Record<string, string | string[]>;

/** A call to the shared number. `from` is null for a hidden number. */
export interface InboundEvent {
  sid: string;
  from: string | null;
}

/** Addresses of this server for one step of an inbound call: the consultant's phone, the office line or the voicemail. */
export interface InboundUrls {
  /** Requested for what is played to the person who answers. */
  whisper: string;
  /** Requested with the key that they press. */
  take: string;
  /** Requested for what is played to the caller after this step. */
  done: string;
  /** Receives the recording's status. */
  recording: string;
  /** Receives the transcription of a voicemail. */
  transcription: string;
}

/** Parses the provider's requests about inbound calls and recordings, and writes the responses. */
export interface InboundVoice {
  readInbound(params: WebhookParams): InboundEvent | null;
  readRecordingEvent(params: WebhookParams): RecordingEvent | null;
  readTranscription(params: WebhookParams): Transcription | null;
  /** Length of a caller's voicemail. */
  readVoicemailSeconds(params: WebhookParams): number | null;

  /** Says a text to the lead before the two are connected. */
  sayBefore(input: { text: string; language: ScriptLanguage }): Script;
  /** Calls one of our phones for the caller. `notice` is said to the caller first; `record` records the call. */
  ringForCaller(input: {
    to: string;
    record: boolean;
    notice: { text: string; language: ScriptLanguage } | null;
    urls: InboundUrls;
  }): Script;
  /**
   * Asks the person who answered to press 1, at most twice, and hangs up otherwise, so that the caller is not connected to their voicemail.
   * `forName`: the consultant whom they stand in for.
   */
  askToTake(input: {
    callerName: string | null;
    forName: string | null;
    language: ScriptLanguage;
    urls: InboundUrls;
  }): Script;
  /** Whether the provider can transcribe a language. */
  transcribes(language: ScriptLanguage): boolean;
  /** Records a voicemail after a greeting, and has it transcribed if `transcribe` is set. */
  takeVoicemail(input: { language: ScriptLanguage; transcribe: boolean; urls: InboundUrls }): Script;
}

/** Lets consultants record, on their own phone, the message that is left at voicemails. */
export interface MessageVoice {
  /** Asks the person who answers to press 1, at most twice; `record` is requested with the key. */
  askToRecord(input: { language: ScriptLanguage; record: string }): Script;
  /** Records after a tone until the pound key. `done` is requested then; `sound` receives the recording. */
  recordMessage(input: { language: ScriptLanguage; done: string; sound: string }): Script;
}

/** What happens on a consultant's line after the spoken text. */
export type LineTask =
  /** Waits for one key, then requests `url`, also without a key. `tone`: a short tone announces that a key is expected. */
  | { kind: "key"; url: string; seconds: number; tone: boolean }
  /** Requests `url` after that many seconds. */
  | { kind: "ask"; url: string; seconds: number }
  /** Dials a lead and plays the recording notice to them. The star key hangs up the lead. Afterwards `urls.dialDone` is requested. */
  | {
      kind: "dial";
      to: string;
      record: boolean;
      detect: boolean;
      /** A machine is reported at the end of its greeting. */
      untilBeep: boolean;
      urls: Pick<CallbackUrls, "dialDone" | "leadStatus" | "detection" | "notice" | "recording">;
    }
  | { kind: "hang_up" };

/** A line that stays open while one lead after another is connected to it. Methods that send a request throw `ProviderError`. */
export interface PhoneLine {
  /** Says texts, then performs `next`. */
  lineScript(input: { language: ScriptLanguage; say: string[]; next: LineTask }): Script;
  /**
   * Interrupts a live leg and makes it request `url`; a lead who is connected to it is hung up. Returns null if the leg is not live: it is
   * still ringing, or has ended.
   */
  leadLeg(sid: string, url: string): Promise<LegEvent | null>;
  /** Returns legs that a leg dialed to a number since an instant, newest first. */
  findDialledLegs(input: { parentSid: string; to: string; since: Date }): Promise<ProviderLeg[]>;
}
