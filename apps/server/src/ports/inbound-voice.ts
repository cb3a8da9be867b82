import type { RecordingNews, Transcription } from "./call-recordings.ts";
import type { Script, ScriptLanguage, WebhookParams } from "./script.ts";

/** Somebody calls the shared number. `from` is null where they hide their number. */
export interface InboundNews {
  sid: string;
  from: string | null;
}

/** Addresses of this server for one step of an inbound call: the consultant's phone, the office line or the voicemail. */
export interface InboundUrls {
  /** Asked what the one who answers hears. */
  whisper: string;
  /** Asked with the key they press. */
  take: string;
  /** Asked what the caller hears when this step is over. */
  done: string;
  /** Told of the recording. */
  recording: string;
  /** Told what the provider understood of a voicemail. */
  transcription: string;
}

/** Reads what the provider asks and tells of inbound calls and recordings, and writes what it is to do. */
export interface InboundVoice {
  readInbound(params: WebhookParams): InboundNews | null;
  readRecordingNews(params: WebhookParams): RecordingNews | null;
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
  /** Asks whoever answered to press 1, twice if need be; without it they are hung up, so that their voicemail meets nobody. */
  askToTake(input: { callerName: string | null; language: ScriptLanguage; urls: InboundUrls }): Script;
  /** Takes a voicemail after a few words, and writes it down where that is wanted. */
  takeVoicemail(input: { language: ScriptLanguage; transcribe: boolean; urls: InboundUrls }): Script;
}
