import { numberOr } from "../number-or.ts";
import type { DialHost } from "./bridge.ts";
import { listOf } from "./dial.ts";
import { addUtterance, type Leg } from "./leg.ts";
import { callParams, recordingUrl } from "./params.ts";
import { dropRecording, finishRecording, startRecording } from "./recordings.ts";
import { targetOf } from "./speech.ts";
import type { TwimlNode } from "./twiml.ts";

/** Starts a `<Record>`: after the tone the caller is recorded (twilio.com/docs/voice/twiml/record). */
export function startRecord(host: DialHost, leg: Leg, node: TwimlNode): void {
  const { exchange } = host;
  const { maxLength, playBeep, finishOnKey, transcribe, recordingStatusCallbackEvent } = node.attributes;
  const base = leg.baseUrl;
  const transcribeCallback = targetOf(node, "transcribeCallback", "transcribeCallbackMethod", base);
  if (playBeep !== "false") addUtterance(leg, { kind: "tone", text: "beep", language: null }, 0).whole = true;
  leg.activity = "recording";
  const mostSeconds = numberOr(maxLength, 3_600);
  leg.record = {
    action: targetOf(node, "action", "method", base) ?? { url: base ?? "", method: "POST" },
    finishOnKey: finishOnKey ?? "1234567890*#",
    mostSeconds,
    recordingSid: startRecording(exchange, leg.sid, {
      channels: 1,
      source: "RecordVerb",
      callback: targetOf(node, "recordingStatusCallback", "recordingStatusCallbackMethod", base),
      events: listOf(recordingStatusCallbackEvent, "completed"),
      transcribeCallback: transcribe === "true" || transcribeCallback ? transcribeCallback : null,
    }),
  };
  exchange.timers.set(leg.sid, "record-limit", mostSeconds * 1_000);
  exchange.phoneRecorded(leg);
  exchange.save(leg);
}

/**
 * Ends a running `<Record>`: by a key, by its time limit (''), because the caller hung up, or by other TwiML (null). The action URL is
 * requested for TwiML, or only notified if the call has ended.
 */
export function endRecord(host: DialHost, leg: Leg, digits: string | null): void {
  const { exchange } = host;
  const { record } = leg;
  if (!record) return;
  leg.record = null;
  for (const kind of ["record-limit", "phone-hangs-up"]) exchange.timers.clear(leg.sid, kind);
  const recording = exchange.recordings.get(record.recordingSid);
  const silent = digits === "hangup" && exchange.hasNoWords(leg);
  if (silent) dropRecording(exchange, record.recordingSid);
  else finishRecording(exchange, record.recordingSid, record.mostSeconds);
  if (digits === null) return;
  const params: Record<string, string> = { ...callParams(leg), Digits: digits };
  if (!silent) {
    params.RecordingUrl = recordingUrl(record.recordingSid);
    params.RecordingSid = record.recordingSid;
    params.RecordingDuration = String(recording?.durationSeconds ?? 0);
  }
  if (digits === "hangup") exchange.outbox.post(leg.sid, record.action, params);
  else host.load(leg, record.action, params);
}
