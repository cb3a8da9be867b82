import type { Readable } from "node:stream";

/** How far a recording is. The last three are ends: there is sound, there is none, there is none any more. */
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
  /** A caller's message and not a talk. */
  voicemail: boolean;
}

/** The provider's transcription of a voicemail. */
export interface Transcription {
  recordingSid: string;
  text: string;
}

/** Sound as a provider sends it. The caller reads or destroys `body`. */
export interface ProviderSound {
  contentType: string;
  /** Bytes of `body`; null where the provider does not say. */
  length: number | null;
  body: Readable;
  /** Where the provider sent a part: first and last byte, and bytes of the whole. */
  part?: { start: number; end: number; total: number };
}

/** A part that the whole does not have. */
export interface OutOfRange {
  total: number;
}

/** Recordings at the telephony provider. Methods that ask it throw `ProviderError`. */
export interface CallRecordings {
  /** Recordings of a call, newest first. */
  listRecordings(callSid: string): Promise<RecordingEvent[]>;
  /**
   * The sound of a recording; `range` is a Range header, which the provider may ignore. `signal` ends the request.
   * Errors: `not-found` where there is none.
   */
  openRecording(
    recordingSid: string,
    options: { range: string | null; signal: AbortSignal },
  ): Promise<ProviderSound | OutOfRange>;
  /** Deletes a recording at the provider; one that is not there is deleted. */
  deleteRecording(recordingSid: string): Promise<void>;
}
