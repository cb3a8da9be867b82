import { newSid } from "../ids.ts";
import type { Exchange } from "./exchange.ts";
import type { RecordingOptions, RecordingRow } from "./leg.ts";
import { recordingParams, transcriptionParams } from "./params.ts";

/** Simulated time from the end of a call until its recording is available. */
const PROCESSING_MS = 1_500;
/** Further time until its transcription is available. */
const TRANSCRIBING_MS = 3_000;

export function startRecording(exchange: Exchange, callSid: string, options: RecordingOptions): string {
  const recording = newRecording(exchange, callSid, options, "in-progress");
  notify(exchange, recording);
  return recording.sid;
}

/** The call or the voicemail has ended: the duration is known, the file follows shortly. */
export function finishRecording(
  exchange: Exchange,
  sid: string,
  mostSeconds = Number.POSITIVE_INFINITY,
): void {
  const recording = exchange.recordings.get(sid);
  if (!recording) return;
  const elapsed = exchange.clock.now() - recording.startedAtSimulated;
  recording.status = "processing";
  recording.updatedAt = Date.now();
  recording.durationSeconds = Math.max(1, Math.min(mostSeconds, Math.round(elapsed / 1_000)));
  exchange.recordings.set(sid, recording);
  exchange.timers.set(sid, "ready", PROCESSING_MS);
}

export function recordingReady(exchange: Exchange, sid: string): void {
  const recording = exchange.recordings.get(sid);
  if (!recording) return;
  recording.status = "completed";
  recording.updatedAt = Date.now();
  exchange.recordings.set(sid, recording);
  notify(exchange, recording);
  if (recording.transcribeCallback) exchange.timers.set(sid, "transcribed", TRANSCRIBING_MS);
}

/** The transcription of a voicemail is available. */
export function recordingTranscribed(exchange: Exchange, sid: string): void {
  const recording = exchange.recordings.get(sid);
  const leg = exchange.legs.get(recording?.callSid ?? "");
  if (!recording?.transcribeCallback || !leg) return;
  exchange.outbox.post(
    sid,
    recording.transcribeCallback,
    transcriptionParams(recording, leg, exchange.transcription),
  );
}

/** Nothing was recorded before the end, so there is no file. */
export function dropRecording(exchange: Exchange, sid: string): void {
  const recording = exchange.recordings.get(sid);
  if (!recording) return;
  recording.status = "absent";
  recording.updatedAt = Date.now();
  exchange.recordings.set(sid, recording);
  notify(exchange, recording);
}

/** A recording was requested, but nobody was connected. */
export function missRecording(exchange: Exchange, callSid: string, options: RecordingOptions): void {
  notify(exchange, newRecording(exchange, callSid, options, "absent"));
}

function newRecording(
  exchange: Exchange,
  callSid: string,
  options: RecordingOptions,
  status: RecordingRow["status"],
): RecordingRow {
  const recording: RecordingRow = {
    sid: newSid("RE"),
    callSid,
    status,
    ...options,
    startedAt: Date.now(),
    updatedAt: Date.now(),
    startedAtSimulated: exchange.clock.now(),
    durationSeconds: null,
  };
  exchange.recordings.set(recording.sid, recording);
  return recording;
}

function notify(exchange: Exchange, recording: RecordingRow): void {
  if (!recording.callback || !recording.events.includes(recording.status)) return;
  exchange.outbox.post(recording.sid, recording.callback, recordingParams(recording));
}
