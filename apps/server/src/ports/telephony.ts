import type { CallRecordings, RecordingEvent, Transcription } from "./call-recordings.ts";

/** How far one phone of a call has come, in the words telephony providers share. The last five are ends. */
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

/** How the attempt to reach the lead ended, once the provider is through with it. */
export const dialStatuses = ["canceled", "no-answer", "busy", "failed", "completed"] as const;
export type DialStatus = (typeof dialStatuses)[number];

/** Who took the call, by the provider's detection. */
export const answerers = ["unknown", "fax", "human", "machine"] as const;
export type Answerer = (typeof answerers)[number];

/** Events of one phone: the rep's (no parent) or the lead's (its parent is the rep's). */
export interface LegEvent {
  sid: string;
  parentSid: string | null;
  status: LegStatus | null;
  /** Seconds from answer to end; null until the leg has ended. */
  durationSeconds: number | null;
  answeredBy: Answerer | null;
  /** A voicemail answered and its tone is over: what is said now is recorded there. */
  atBeep: boolean;
  /** SIP response code of its end; null where the provider does not say. */
  sipCode: number | null;
  /** When it happened, by the provider's clock; null where it does not say. */
  at: Date | null;
}

/** Events of the dialled lead, from the rep's leg. */
export interface DialEvent {
  sid: string;
  leadSid: string | null;
  status: DialStatus | null;
  /** False when the lead hung up before the two were connected; null where the provider does not say. */
  bridged: boolean | null;
  /** Seconds of talk. */
  durationSeconds: number | null;
}

/** One phone of a call as the provider keeps it. */
export interface ProviderLeg extends LegEvent {
  createdAt: Date | null;
  /** The numbers of its two ends, E.164 where the provider knows them. */
  from: string | null;
  to: string | null;
}

/** Addresses of this server that the provider calls. */
export interface CallbackUrls {
  /** Asked what to do when the rep has answered, and again when a later answer of ours never came. */
  answered: string;
  /** Asked with the key that the rep pressed. */
  confirm: string;
  /** Asked what to do when the lead's leg is over. */
  dialDone: string;
  repStatus: string;
  leadStatus: string;
  /** Notified who took the call. */
  detection: string;
  /** Asked for what is played to the lead before the two are connected. */
  notice: string;
  /** Notified of the recording. */
  recording: string;
}

/**
 * Calls through a telephony provider: rings the rep first, then the lead. Methods that ask the provider throw
 * `ProviderError`; its `ambiguous` says that the request may have taken effect all the same.
 */
export interface Telephony extends CallRecordings, InboundVoice, MessageVoice, PhoneLine {
  /** The number that both phones show, E.164. */
  readonly callerId: string;
  /** Calls that the account may start in a second. */
  readonly callsPerSecond: number;

  /** Rings the rep's phone, for a call or for a line that is kept for hours. Never repeated by the adapter: two requests are two calls. */
  placeCall(input: {
    to: string;
    urls: Pick<CallbackUrls, "answered" | "repStatus">;
    keptOpen?: boolean;
  }): Promise<LegEvent>;
  /** Ends a call with all its legs; one that has ended already stays as it is. Answers how it stands now. */
  endCall(sid: string): Promise<LegEvent>;
  /**
   * Takes a lead's leg out of its call, plays a sound on it and then asks `done`. The rep's leg goes on without it, as at the lead's end. Never
   * repeated by the adapter.
   */
  leaveMessage(input: { leadSid: string; sound: string; done: string }): Promise<void>;
  /** One leg; null where the provider does not know it. */
  findLeg(sid: string): Promise<ProviderLeg | null>;
  /** The lead's leg of a call; null where none was dialled. */
  findLeadLeg(repSid: string): Promise<ProviderLeg | null>;
  /** Rep's legs to a number made since an instant, newest first: there is no reference of ours to look up by. */
  findCallsTo(input: { to: string; since: Date }): Promise<ProviderLeg[]>;
  /**
   * Callers' legs to our number, and to the account's others whose calls go to `address`, that began since an instant, newest first; `from`
   * is null where it was withheld.
   */
  listInbound(input: { since: Date; address: string }): Promise<ProviderLeg[]>;

  /** Whether the provider signed this request; `url` is the public address it was sent to, query included. */
  isSigned(input: { signature: string; url: string; params: WebhookParams }): boolean;
  readLegEvent(params: WebhookParams): LegEvent | null;
  readDialEvent(params: WebhookParams): DialEvent | null;
  /** The key that the rep pressed. */
  readDigits(params: WebhookParams): string;

  /** Asks the rep to press 1 for this lead, twice if need be, then hangs up. */
  askToConfirm(input: { leadFirstName: string; language: ScriptLanguage; urls: CallbackUrls }): Script;
  /**
   * Dials the lead, lets the lead hear the notice, connects the two and records them where that is wanted; `detect` has the provider tell
   * whether a person or a machine answered, which it charges for; with `untilBeep` it reports a machine when its greeting is over.
   */
  dialLead(input: {
    to: string;
    record: boolean;
    detect: boolean;
    untilBeep: boolean;
    urls: CallbackUrls;
  }): Script;
  /** Hangs up, after a few words where there are some to say. */
  hangUp(say?: { text: string; language: ScriptLanguage }): Script;
  /** Nothing to do: the answer to a request that only reports something. */
  acknowledge(): Script;
}

/** What the provider is to do next on a phone, ready to be sent as the answer to its request. */
export interface Script {
  contentType: string;
  body: string;
}

export type ScriptLanguage = "en" | "es";

/** Form fields of a provider's request; a repeated field is an array. */
export type WebhookParams = Record<string, string | string[]>;

/** Somebody calls the shared number. `from` is null where they hide their number. */
export interface InboundEvent {
  sid: string;
  from: string | null;
}

/** Addresses of this server for one step of an inbound call: the consultant's phone, the office line or the voicemail. */
export interface InboundUrls {
  /** Asked for what is played to whoever answers. */
  whisper: string;
  /** Asked with the key they press. */
  take: string;
  /** Asked for what is played to the caller after this step. */
  done: string;
  /** Notified of the recording. */
  recording: string;
  /** Notified what the provider understood of a voicemail. */
  transcription: string;
}

/** Reads what the provider sends about inbound calls and recordings, and writes what it is to do. */
export interface InboundVoice {
  readInbound(params: WebhookParams): InboundEvent | null;
  readRecordingEvent(params: WebhookParams): RecordingEvent | null;
  readTranscription(params: WebhookParams): Transcription | null;
  /** Seconds that a caller spoke to the voicemail. */
  readVoicemailSeconds(params: WebhookParams): number | null;

  /** Says something to the lead before the two are connected. */
  sayBefore(input: { text: string; language: ScriptLanguage }): Script;
  /** Rings one of our phones for the caller; `notice` is said to the caller first. The talk is recorded where that is wanted. */
  ringForCaller(input: {
    to: string;
    record: boolean;
    notice: { text: string; language: ScriptLanguage } | null;
    urls: InboundUrls;
  }): Script;
  /**
   * Asks whoever answered to press 1, twice if need be; without it they are hung up, so that their voicemail meets nobody. `forName` is whom
   * they stand in for.
   */
  askToTake(input: {
    callerName: string | null;
    forName: string | null;
    language: ScriptLanguage;
    urls: InboundUrls;
  }): Script;
  /** Whether the provider can write down what is said in a language. */
  transcribes(language: ScriptLanguage): boolean;
  /** Takes a voicemail after a few words, and writes it down where that is wanted. */
  takeVoicemail(input: { language: ScriptLanguage; transcribe: boolean; urls: InboundUrls }): Script;
}

/** Has consultants record on their own phone what is left at voicemails. */
export interface MessageVoice {
  /** Asks whoever answers to press 1, twice if need be; `record` is asked with the key. */
  askToRecord(input: { language: ScriptLanguage; record: string }): Script;
  /** Takes what is said after a tone until the pound key; `done` is asked then, `sound` is notified of the recording. */
  recordMessage(input: { language: ScriptLanguage; done: string; sound: string }): Script;
}

/** What comes on a consultant's line after the words that are said on it. */
export type LineTask =
  /** Waits for one key, then asks `url`; also where none was pressed. `tone`: a short one says that a key is expected. */
  | { kind: "key"; url: string; seconds: number; tone: boolean }
  /** Asks `url` after so many seconds. */
  | { kind: "ask"; url: string; seconds: number }
  /** Joins a lead, who hears the notice; a star ends the lead's part. When that is over, `urls.dialDone` is asked. */
  | {
      kind: "dial";
      to: string;
      record: boolean;
      detect: boolean;
      /** A machine is reported at the end of its words. */
      untilBeep: boolean;
      urls: Pick<CallbackUrls, "dialDone" | "leadStatus" | "detection" | "notice" | "recording">;
    }
  | { kind: "hang_up" };

/** A leg that is kept while lead after lead is joined to it. Methods that ask the provider throw `ProviderError`. */
export interface PhoneLine {
  /** Words, and what comes after them. */
  lineScript(input: { language: ScriptLanguage; say: string[]; next: LineTask }): Script;
  /**
   * Takes a live leg from whatever it is doing, and has it ask `url`; a lead who is joined to it is hung up. Null where the leg is not being
   * talked on: it rings, or has ended.
   */
  leadLeg(sid: string, url: string): Promise<LegEvent | null>;
  /** Legs that a leg dialled to a number since an instant, newest first. */
  findDialledLegs(input: { parentSid: string; to: string; since: Date }): Promise<ProviderLeg[]>;
}
