import { describe, expect, it } from "vitest";
import { inboundScripts } from "./inbound-scripts.ts";
import {
  recordingOf,
  toInboundEvent,
  toRecordingEvent,
  transcriptionOf,
  voicemailSecondsOf,
} from "./transform-recordings.ts";

const callSid = `CA${"1".repeat(32)}`;
const sid = `RE${"3".repeat(32)}`;
const form = (text: string) => Object.fromEntries(new URLSearchParams(text));

describe("Twilio's recording and caller callbacks", () => {
  it("include the status of a recording", () => {
    const params = form(
      `CallSid=${callSid}&RecordingSid=${sid}&RecordingStatus=completed&RecordingDuration=74&RecordingChannels=2&RecordingSource=DialVerb` +
        "&RecordingUrl=https%3A%2F%2Fapi.twilio.com%2F2010-04-01%2FAccounts%2FAC0000%2FRecordings%2FRE3333" +
        "&RecordingStartTime=Thu%2C+20+Nov+2025+10%3A00%3A06+%2B0000&AccountSid=AC0000",
    );
    expect(toRecordingEvent(params)).toEqual({
      sid,
      callSid,
      status: "completed",
      durationSeconds: 74,
      startedAt: new Date("2025-11-20T10:00:06Z"),
      voicemail: false,
    });
  });

  it("distinguish a voicemail, a talk and an absent recording", () => {
    const params = {
      CallSid: callSid,
      RecordingSid: sid,
      RecordingStatus: "absent",
      RecordingSource: "RecordVerb",
    };
    expect(toRecordingEvent(params)).toMatchObject({
      status: "absent",
      durationSeconds: null,
      voicemail: true,
    });
  });

  it.each([
    ["no sid", { CallSid: callSid, RecordingStatus: "completed" }],
    ["a sid with a path in it", { CallSid: callSid, RecordingSid: "RE../x", RecordingStatus: "completed" }],
    ["an unknown status", { CallSid: callSid, RecordingSid: sid, RecordingStatus: "boiled" }],
  ])("are ignored with %s", (_what, params) => {
    expect(toRecordingEvent(params as unknown as Record<string, string>)).toBeNull();
  });

  it("can also be read from the REST API; anything else throws", () => {
    const row = { sid, callSid, status: "completed", source: "DialVerb", duration: "74" };
    const startTime = new Date("2025-11-20T10:00:06Z");
    expect(recordingOf({ ...row, startTime, dateCreated: startTime })).toEqual({
      sid,
      callSid,
      status: "completed",
      durationSeconds: 74,
      startedAt: startTime,
      voicemail: false,
    });
    expect(() => recordingOf({ ...row, sid: "<html>" })).toThrow();
  });

  it("include a transcription, or none when nothing was recognized", () => {
    expect(transcriptionOf({ RecordingSid: sid, TranscriptionText: " Llámeme, por favor. " })).toEqual({
      recordingSid: sid,
      text: "Llámeme, por favor.",
    });
    expect(
      transcriptionOf({ RecordingSid: sid, TranscriptionText: "", TranscriptionStatus: "failed" }),
    ).toBeNull();
    expect(voicemailSecondsOf({ RecordingDuration: "12" })).toBe(12);
  });

  it.each([
    ["+12125550144", "+12125550144"],
    ["+266696687", null],
    ["+7378742833", null],
    ["+86282452253", null],
    ["+8656696", null],
    ["+7748283", null],
    ["266696687", null],
    ["anonymous", null],
    ["Restricted", null],
    ["UNAVAILABLE", null],
    ["", null],
  ])("have the caller %j parsed as %j", (From, from) => {
    expect(toInboundEvent({ CallSid: callSid, From })).toEqual({ sid: callSid, from });
  });
});

describe("TwiML of inbound calls", () => {
  const at = (path: string) => `https://portal.example.com/${path}?inbound=7&step=rep`;
  const urls = {
    whisper: at("whisper"),
    take: at("take"),
    done: at("done"),
    recording: at("recording"),
    transcription: at("transcription"),
  };

  it("plays the notice, then dials with the shared number as caller id", () => {
    const { body } = inboundScripts.ringForCaller({
      to: "+13055550101",
      callerId: "+12125550100",
      record: true,
      notice: { text: "Recorded <here> & now", language: "en" },
      urls,
    });
    expect(body).toContain(
      '<Say language="en-US">Recorded &lt;here&gt; &amp; now</Say><Dial callerId="+12125550100"',
    );
    expect(body).toContain('timeout="20"');
    expect(body).toContain('record="record-from-answer-dual"');
    const silent = { to: "+13055550101", callerId: "+12125550100", record: false, notice: null, urls };
    expect(inboundScripts.ringForCaller(silent).body).not.toMatch(/record|<Say/);
    expect(body).toMatch(/<Number url="[^"]+whisper[^"]+" method="POST">\+13055550101<\/Number>/);
  });

  it("asks twice for 1, then hangs up, so that a consultant's voicemail takes no call", () => {
    const { body } = inboundScripts.askToTake({ callerName: "María", forName: null, language: "es", urls });
    expect(body.match(/<Gather /g)).toHaveLength(2);
    expect(body).toContain("Llamada de María. Pulsa 1");
    expect(body).toMatch(/<Hangup\/><\/Response>$/);
  });

  it("records a voicemail of up to two minutes with transcription, in the lead's language", () => {
    const { body } = inboundScripts.takeVoicemail({ language: "es", transcribe: true, urls });
    expect(body).toContain('<Say language="es-MX">En este momento nadie puede');
    expect(body).toMatch(
      /<Record maxLength="120" playBeep="true"[^>]+transcribe="true" transcribeCallback="/,
    );
    expect(body).toMatch(/<Hangup\/><\/Response>$/);
    const spoken = inboundScripts.takeVoicemail({ language: "es", transcribe: false, urls });
    expect(spoken.body).toContain("<Record ");
    expect(spoken.body).not.toContain("transcribe");
  });
});
