import type { Readable } from "node:stream";

/** Status of a recording. The last three are final: there is audio, there never was any, it was deleted. */
export const recordingStatuses = [
  "in-progress",
  "paused",
  "stopped",
  "processing",
  "completed",
  "absent",
  "deleted",
] as const;
export type RecordingStatus = (typeof recordingStatuses)[number];

/** A recording as the provider reports it. `callSid` is the first leg of the call. */
export interface RecordingEvent {
  sid: string;
  callSid: string;
  status: RecordingStatus;
  durationSeconds: number | null;
  startedAt: Date | null;
  /** True for a caller's voicemail, false for a recorded call. */
  voicemail: boolean;
}

/** The provider's transcription of a voicemail. */
export interface Transcription {
  recordingSid: string;
  text: string;
}

/** Audio streamed by a provider. The caller must read or destroy `body`. */
export interface ProviderSound {
  contentType: string;
  /** Bytes of `body`; null if the provider does not say. */
  length: number | null;
  body: Readable;
  /** Set if the provider sent a part: first and last byte, and total bytes. */
  part?: { start: number; end: number; total: number };
}

/** The requested range is outside the audio. */
export interface OutOfRange {
  total: number;
}

/** Recordings at the telephony provider. Methods that send a request throw `ProviderError`. */
export interface CallRecordings {
  /** Recordings of a call, newest first. */
  listRecordings(callSid: string): Promise<RecordingEvent[]>;
  /**
   * Opens the audio of a recording. `range` is a Range header, which the provider may ignore; `signal` aborts the request. Errors:
   * `not-found` if there is no audio.
   */
  openRecording(
    recordingSid: string,
    options: { range: string | null; signal: AbortSignal },
  ): Promise<ProviderSound | OutOfRange>;
  /** Deletes a recording at the provider; succeeds if it does not exist. */
  deleteRecording(recordingSid: string): Promise<void>;
}
