import { newSid } from "../ids.ts";
import type { Exchange } from "./exchange.ts";
import type { RecordingOptions, RecordingRow } from "./leg.ts";
import { recordingParams } from "./params.ts";

/** Simulated time from the end of a call until its recording is ready. */
const PROCESSING_MS = 1_500;

export function startRecording(exchange: Exchange, callSid: string, options: RecordingOptions): string {
  const recording = newRecording(exchange, callSid, options, "in-progress");
  notify(exchange, recording);
  return recording.sid;
}

/** The bridge is over: the duration is known, the file follows shortly. */
export function finishRecording(exchange: Exchange, sid: string): void {
  const recording = exchange.recordings.get(sid);
  if (!recording) return;
  const elapsed = exchange.clock.now() - recording.startedAtSimulated;
  recording.durationSeconds = Math.max(1, Math.round(elapsed / 1_000));
  exchange.recordings.set(sid, recording);
  exchange.timers.set(sid, "ready", PROCESSING_MS);
}

export function recordingReady(exchange: Exchange, sid: string): void {
  const recording = exchange.recordings.get(sid);
  if (!recording) return;
  recording.status = "completed";
  exchange.recordings.set(sid, recording);
  notify(exchange, recording);
}

/** A recording was asked for, but nobody was connected. */
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
    channels: options.channels,
    startedAt: Date.now(),
    startedAtSimulated: exchange.clock.now(),
    durationSeconds: null,
    callback: options.callback,
    events: options.events,
  };
  exchange.recordings.set(recording.sid, recording);
  return recording;
}

function notify(exchange: Exchange, recording: RecordingRow): void {
  if (!recording.callback || !recording.events.includes(recording.status)) return;
  exchange.outbox.post(recording.sid, recording.callback, recordingParams(recording));
}
