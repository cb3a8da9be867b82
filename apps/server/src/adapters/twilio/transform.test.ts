import { describe, expect, it } from "vitest";
import { toProviderError } from "./client.ts";
import { inboundScripts, scripts } from "./scripts.ts";
import { createTwilioTelephony } from "./telephony.ts";
import {
  digitsOf,
  providerLegOf,
  recordingOf,
  toAnswerer,
  toDialEvent,
  toInboundEvent,
  toLegEvent,
  toRecordingEvent,
  transcriptionOf,
  voicemailSecondsOf,
} from "./transform.ts";

const repSid = `CA${"1".repeat(32)}`;
const leadSid = `CA${"2".repeat(32)}`;
const form = (text: string) => Object.fromEntries(new URLSearchParams(text));

const urls = {
  answered: "https://portal.example.com/api/twilio/voice/answered?call=42",
  confirm: "https://portal.example.com/api/twilio/voice/confirm?call=42",
  dialDone: "https://portal.example.com/api/twilio/voice/dial-done?call=42",
  repStatus: "https://portal.example.com/api/twilio/voice/rep-status?call=42",
  leadStatus: "https://portal.example.com/api/twilio/voice/lead-status?call=42",
  detection: "https://portal.example.com/api/twilio/voice/detection?call=42",
  notice: "https://portal.example.com/api/twilio/voice/notice?call=42",
  recording: "https://portal.example.com/api/twilio/voice/recording?call=42",
};

describe("Twilio's callbacks", () => {
  it("include the progress of the lead's leg", () => {
    const event = toLegEvent(
      form(
        `CallSid=${leadSid}&ParentCallSid=${repSid}&AccountSid=AC0000&From=%2B12125550100&To=%2B12125550144&CallStatus=completed` +
          "&Direction=outbound-dial&CallDuration=74&Duration=2&Timestamp=Thu%2C+20+Nov+2025+10%3A01%3A14+%2B0000" +
          "&CallbackSource=call-progress-events&SequenceNumber=3&ApiVersion=2010-04-01",
      ),
    );
    expect(event).toEqual({
      sid: leadSid,
      parentSid: repSid,
      status: "completed",
      durationSeconds: 74,
      answeredBy: null,
      atBeep: false,
      sipCode: null,
      at: new Date("2025-11-20T10:01:14Z"),
    });
  });

  it("include the end of a dial", () => {
    const params = form(
      `CallSid=${repSid}&CallStatus=in-progress&DialCallSid=${leadSid}&DialCallStatus=completed&DialCallDuration=74&DialBridged=true`,
    );
    expect(toDialEvent(params)).toEqual({
      sid: repSid,
      leadSid,
      status: "completed",
      bridged: true,
      durationSeconds: 74,
    });
    expect(toDialEvent({ CallSid: repSid, DialCallStatus: "no-answer" })).toMatchObject({
      status: "no-answer",
      bridged: null,
      durationSeconds: null,
    });
  });

  it("drop unknown values, and are ignored without a sid", () => {
    expect(toLegEvent({ CallSid: repSid, CallStatus: "teleported", CallDuration: "-3" })).toMatchObject({
      status: null,
      durationSeconds: null,
    });
    expect(toLegEvent({ CallSid: "CA1", CallStatus: "ringing" })).toBeNull();
    expect(toDialEvent({})).toBeNull();
    expect(digitsOf({ Digits: ["1", "2"] })).toBe("1");
    expect(digitsOf({})).toBe("");
  });

  it.each([
    ["machine_start", "machine"],
    ["machine_end_beep", "machine"],
    ["human", "human"],
    ["fax", "fax"],
    ["something_new", "unknown"],
    ["", null],
  ])("map %s to %s", (said, answerer) => {
    expect(toAnswerer(said)).toBe(answerer);
  });
});

describe("Twilio's call resource", () => {
  const resource = {
    sid: repSid,
    status: "completed",
    parentCallSid: null,
    duration: "74",
    answeredBy: "human",
    dateCreated: new Date("2025-11-20T10:00:00Z"),
    startTime: new Date("2025-11-20T10:00:01Z"),
    endTime: new Date("2025-11-20T10:01:15Z"),
  };

  it("is parsed for an ended and a queued call", () => {
    expect(providerLegOf(resource)).toMatchObject({
      sid: repSid,
      status: "completed",
      durationSeconds: 74,
      answeredBy: "human",
      at: new Date("2025-11-20T10:01:15Z"),
    });
    const queued = { sid: repSid, status: "queued", duration: null, startTime: "Invalid Date" };
    expect(providerLegOf(queued)).toMatchObject({
      status: "queued",
      durationSeconds: null,
      at: null,
      createdAt: null,
    });
  });

  it("is rejected without a sid", () => {
    expect(() => providerLegOf({ sid: undefined, status: undefined })).toThrow();
  });
});

describe("signatures", () => {
  const telephony = (authToken: string) =>
    createTwilioTelephony({
      baseUrl: "http://127.0.0.1:9",
      accountSid: `AC${"1".padStart(32, "0")}`,
      authToken,
      apiKeySid: null,
      apiKeySecret: null,
      phoneNumber: "+12125550100",
      nextAuthToken: null,
      callFallbackUrl: null,
      numberFallbackUrl: null,
      messagingServiceSid: null,
      callsPerSecond: 1,
      recordingHosts: [],
    });

  it("accept the vendor's example", () => {
    const example = {
      signature: "RSOYDt4T1cUTdK1PDd93/VVr8B8=",
      url: "https://mycompany.com/myapp.php?foo=1&bar=2",
      params: {
        CallSid: "CA1234567890ABCDE",
        Caller: "+14158675309",
        Digits: "1234",
        From: "+14158675309",
        To: "+18005551212",
      },
    };
    expect(telephony("12345").isSigned(example)).toBe(true);
    expect(telephony("12346").isSigned(example)).toBe(false);
    expect(telephony("12345").isSigned({ ...example, url: example.url.replace("https", "http") })).toBe(
      false,
    );
    expect(telephony("12345").isSigned({ ...example, signature: "" })).toBe(false);
  });

  it("cover the query and every parameter", () => {
    const request = {
      signature: "3Va2inrh2HPzl0l2GeVglAEstbg=",
      url: "https://portal.example.com/api/twilio/voice/status?x=1",
      params: { CallSid: `CA${"1".repeat(32)}`, CallStatus: "completed" },
    };
    expect(telephony("tok").isSigned(request)).toBe(true);
    expect(telephony("tok").isSigned({ ...request, url: request.url.replace("x=1", "x=2") })).toBe(false);
    expect(telephony("tok").isSigned({ ...request, params: { ...request.params, Extra: "1" } })).toBe(false);
  });
});

describe("TwiML of an outbound call", () => {
  it("asks for 1 twice, in the rep's language, with the name escaped", () => {
    const { body, contentType } = scripts.askToConfirm({ leadFirstName: "Ana <& Co>", language: "es", urls });
    expect(contentType).toMatch(/^text\/xml/);
    expect(body.match(/<Gather numDigits="1" timeout="6"/g)).toHaveLength(2);
    expect(body).toContain('<Say language="es-MX">Pulsa 1 para llamar a Ana &lt;&amp; Co&gt;.</Say>');
    expect(body).toMatch(/<Hangup\/><\/Response>$/);
  });

  it("dials the lead with the shared number, and requests callbacks for every step", () => {
    const input = { to: "+12125550144", callerId: "+12125550100", urls };
    const { body } = scripts.dialLead({ ...input, record: true, detect: true, untilBeep: false });
    expect(body).toContain('<Dial callerId="+12125550100" timeout="25" timeLimit="7200"');
    expect(body).toContain('statusCallbackEvent="initiated ringing answered completed"');
    expect(body).toContain('machineDetection="Enable"');
    expect(body).toContain(">+12125550144</Number>");
    expect(body).toContain(`url="${urls.notice}"`);
    expect(body).toContain('record="record-from-answer-dual"');
    expect(body).toContain(
      `recordingStatusCallback="${urls.recording}" recordingStatusCallbackEvent="completed absent"`,
    );
    expect(scripts.dialLead({ ...input, record: false, detect: true, untilBeep: false }).body).not.toContain(
      "ecord",
    );
    expect(scripts.dialLead({ ...input, record: true, detect: false, untilBeep: false }).body).not.toMatch(
      /machine|amd/i,
    );
  });
});

describe("a recorded message at a voicemail", () => {
  it("is dialed with machine detection that waits for the tone, and starts at the tone", () => {
    const input = { to: "+12125550144", callerId: "+12125550100", urls };
    const { body } = scripts.dialLead({ ...input, record: true, detect: true, untilBeep: true });
    expect(body).toContain('machineDetection="DetectMessageEnd"');
    const heard = (AnsweredBy: string) => toLegEvent({ CallSid: leadSid, AnsweredBy });
    expect(heard("machine_end_beep")).toMatchObject({ answeredBy: "machine", atBeep: true });
    for (const other of ["machine_end_silence", "machine_start", "human"])
      expect(heard(other)).toMatchObject({ atBeep: false });
  });

  it("is played, then requests a URL that confirms it", () => {
    const done = "https://portal.example.com/api/twilio/voice/message-left?call=1#rc=5&rp=5xx,ct,rt";
    expect(scripts.playMessage({ sound: "https://portal.example.com/sound", done }).body).toMatch(
      /<Response><Play>https:\/\/portal\.example\.com\/sound<\/Play><Redirect method="POST">https:[^<]+<\/Redirect><\/Response>$/,
    );
  });
});

describe("errors", () => {
  it.each([
    [{ status: 400, code: 21211 }, "invalid", false],
    [{ status: 401, code: 20003 }, "auth", false],
    [{ status: 404, code: 20404 }, "not-found", false],
    [{ status: 429, code: 20429 }, "rate-limited", false],
    [{ status: 500 }, "unavailable", true],
    [{ code: "ECONNREFUSED" }, "unavailable", false],
    [{ code: "ECONNRESET" }, "unavailable", true],
    [{ code: "ERR_CANCELED" }, "unavailable", true],
    [new SyntaxError("half an answer"), "unavailable", true],
  ])("map %o to %s, ambiguous %s", (thrown, kind, ambiguous) => {
    expect(toProviderError(thrown)).toMatchObject({ kind, ambiguous });
  });

  it("never expose the vendor's own message", () => {
    const thrown = { status: 400, code: 21211, message: "Invalid 'To' Phone Number: +1555000XXXX" };
    const error = toProviderError(thrown);
    expect(error.message).toBe("Your phone number is not a number that can be called. Check it in Settings.");
    expect(error.providerCode).toBe(21211);
    expect(toProviderError({ ...thrown, code: 99999 }).message).not.toContain("XXXX");
  });
});

const callSid = `CA${"1".repeat(32)}`;
const sid = `RE${"3".repeat(32)}`;

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
