import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { SYSTEM_NUMBER, TWILIO_ACCOUNT_SID } from "../defaults.ts";
import { type Answer, type ReceivedWebhook, startReceiver } from "../testing/receiver.ts";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { twilioClient } from "../testing/vendor-clients.ts";
import { waitFor } from "../testing/wait-for.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const REP = "+13055550101";
const CALLER = "+17865550121";
const NUMBER_SID = `PN${"1".padStart(32, "0")}`;

let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
let client: ReturnType<typeof twilioClient>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  sandbox = await temporarySandbox();
  client = twilioClient(sandbox.url);
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control("POST", "/reset"));
afterEach(() => receiver.close());

const respond = (answer: (webhook: ReceivedWebhook, url: string) => Answer) => async () => {
  receiver = await startReceiver(answer);
  await client.incomingPhoneNumbers(NUMBER_SID).update({
    voiceUrl: `${receiver.url}/inbound`,
    statusCallback: `${receiver.url}/ended`,
  });
};

const callIn = (body: object = {}) => sandbox.control("POST", "/inbound", { from: CALLER, ...body });
const legTo = async (number: string) =>
  (await sandbox.control("GET", "/calls")).calls.find((leg: { number: string }) => leg.number === number);

const ring = (number: string, dial = "") =>
  `<Response><Dial timeout="10" action="/done" ${dial}><Number url="/whisper">${number}</Number></Dial></Response>`;
const whisper = `<Response><Gather numDigits="1" timeout="3" action="/take"><Say>Press 1 to take it.</Say></Gather><Hangup/></Response>`;
const voicemail = (attributes = "") =>
  `<Response><Say>Leave a message.</Say><Record maxLength="60" action="/left" recordingStatusCallback="/recording" recordingStatusCallbackEvent="completed absent" transcribe="true" transcribeCallback="/words" ${attributes}/></Response>`;

/** Rings the consultant, who presses 1; otherwise continues to the voicemail. */
const desk =
  (number: string, dial = "", record = "") =>
  ({ path, params }: ReceivedWebhook): Answer => {
    if (path === "/inbound") return ring(number, dial);
    if (path === "/whisper") return whisper;
    if (path === "/take") return params.Digits === "1" ? "<Response/>" : "<Response><Hangup/></Response>";
    if (path === "/done")
      return params.DialBridged === "true" ? "<Response><Hangup/></Response>" : voicemail(record);
    return undefined;
  };

describe("a call to the system number", () => {
  test("requests its VoiceUrl, rings the consultant who presses 1, and reports its end", async () => {
    await respond(desk(REP))();
    const { sid } = await callIn();
    const ended = await waitFor("the end", () => receiver.at("/ended")[0]);
    expect(receiver.at("/inbound")[0]?.params).toMatchObject({
      CallSid: sid,
      AccountSid: TWILIO_ACCOUNT_SID,
      From: CALLER,
      To: SYSTEM_NUMBER,
      CallStatus: "ringing",
      Direction: "inbound",
      FromCountry: "US",
    });
    expect(receiver.at("/whisper")[0]?.params).toMatchObject({
      ParentCallSid: sid,
      To: REP,
      From: CALLER,
      CallStatus: "in-progress",
    });
    expect(receiver.at("/done")[0]?.params).toMatchObject({
      CallSid: sid,
      CallStatus: "completed",
      DialCallStatus: "completed",
      DialBridged: "true",
    });
    // The caller with last digit 1 talks for 12 s.
    expect(Number(receiver.at("/done")[0]?.params.DialCallDuration)).toBeGreaterThanOrEqual(12);
    expect(ended.params).toMatchObject({ CallSid: sid, CallStatus: "completed", Direction: "inbound" });
    expect(receiver.received.every((webhook) => webhook.valid)).toBe(true);
    expect(await client.calls(sid).fetch()).toMatchObject({
      direction: "inbound",
      from: CALLER,
      status: "completed",
    });
    expect(await client.calls.list({ parentCallSid: sid })).toMatchObject([{ to: REP, from: CALLER }]);
    expect(await legTo(REP)).toMatchObject({ role: "rep", pressed: "1", heard: ["Press 1 to take it."] });
    expect(await legTo(CALLER)).toMatchObject({ role: "caller" });
  });

  test("does not connect a consultant's voicemail that presses nothing, and records a voicemail", async () => {
    await respond(desk("+13055550107"))();
    const { sid } = await callIn({ says: "This is Marta, please call me." });
    const words = await waitFor("the words", () => receiver.at("/words")[0]);
    expect(receiver.at("/take")).toHaveLength(0);
    expect(receiver.at("/done")[0]?.params).toMatchObject({
      DialBridged: "false",
      CallStatus: "in-progress",
    });
    const left = receiver.at("/left")[0]?.params;
    expect(left).toMatchObject({ CallSid: sid, CallStatus: "completed", Digits: "hangup" });
    // The caller with last digit 1 speaks for 8 s.
    expect(Number(left?.RecordingDuration)).toBeGreaterThanOrEqual(8);
    expect(receiver.at("/recording")[0]?.params).toMatchObject({
      CallSid: sid,
      RecordingSource: "RecordVerb",
      RecordingStatus: "completed",
      RecordingChannels: "1",
      RecordingDuration: left?.RecordingDuration,
    });
    expect(words.params).toMatchObject({
      CallSid: sid,
      RecordingSid: left?.RecordingSid,
      TranscriptionStatus: "completed",
      TranscriptionText: "This is Marta, please call me.",
    });
    expect(receiver.received.every((webhook) => webhook.valid)).toBe(true);
  });

  test.each([
    [true, "failed", ""],
    [false, "completed", "Soy Marta, llámeme por favor."],
  ])(
    "does not recognize Spanish speech while the sandbox supports English only: %j",
    async (englishOnly, TranscriptionStatus, TranscriptionText) => {
      await sandbox.control("POST", "/transcription", { englishOnly });
      await respond(desk("+13055550106"))();
      await callIn({ says: "Soy Marta, llámeme por favor." });
      const words = await waitFor("the words", () => receiver.at("/words")[0]);
      expect(words.params).toMatchObject({ TranscriptionStatus, TranscriptionText });
    },
  );

  test.each([
    ["busy", "+13055550105", "busy"],
    ["not answering", "+13055550106", "no-answer"],
    ["none", "+13055550108", "failed"],
  ])("reports that the consultant's phone is %s", async (_name, rep, status) => {
    await respond(desk(rep))();
    await callIn();
    const done = await waitFor("the action", () => receiver.at("/done")[0]);
    expect(done.params).toMatchObject({ DialCallStatus: status, DialBridged: "false" });
  });

  test("has an absent recording when the caller hangs up at the tone", async () => {
    await respond(desk("+13055550105"))();
    await callIn({ from: "+17865550126" });
    const absent = await waitFor("the callback", () => receiver.at("/recording")[0]);
    expect(absent.params.RecordingStatus).toBe("absent");
    const left = await waitFor("the action", () => receiver.at("/left")[0]);
    expect(left.params).not.toHaveProperty("RecordingUrl");
  });

  test("ends a voicemail by key and at its maximum length", async () => {
    await respond(desk("+13055550105", "", 'finishOnKey="#"'))();
    await sandbox.control("POST", "/phones", { number: CALLER, mode: "manual" });
    const { sid } = await callIn();
    const state = () => sandbox.control("GET", `/calls/${sid}`);
    await waitFor("the tone", async () => (await state()).activity === "recording");
    await sandbox.control("POST", `/calls/${sid}/press`, { digits: "12#" });
    const left = await waitFor("the action", () => receiver.at("/left")[0]);
    expect(left.params).toMatchObject({ Digits: "#", CallStatus: "in-progress" });
    const { sid: other } = await callIn();
    const full = await waitFor("the end", () =>
      receiver.at("/left").find(({ params }) => params.CallSid === other),
    );
    expect(full.params).toMatchObject({ Digits: "", RecordingDuration: "60" });
  });

  test("keeps ringing until both are connected when the Dial answers on the bridge", async () => {
    await respond(desk(REP, 'answerOnBridge="true"'))();
    await sandbox.control("POST", "/phones", { number: REP, mode: "manual" });
    const { sid } = await callIn();
    await waitFor("the phone", async () => (await legTo(REP))?.status === "ringing");
    expect(await client.calls(sid).fetch()).toMatchObject({ status: "ringing" });
    expect(await sandbox.control("POST", `/calls/${sid}/answer`)).toMatchObject({ statusCode: 409 });
    await sandbox.control("POST", `/calls/${sid}/hangup`);
    const ended = await waitFor("the end", () => receiver.at("/ended")[0]);
    expect(ended.params).toMatchObject({ CallStatus: "no-answer" });
    expect(receiver.at("/done")[0]?.params).toMatchObject({ DialCallStatus: "canceled" });
  });

  test("is rejected by Reject", async () => {
    await respond(({ path }) => (path === "/inbound" ? "<Response><Reject/></Response>" : undefined))();
    await callIn();
    const ended = await waitFor("the end", () => receiver.at("/ended")[0]);
    expect(ended.params).toMatchObject({ CallStatus: "busy", CallDuration: "0" });
  });

  test("requires a VoiceUrl and a number", async () => {
    await respond(() => undefined)();
    await client.incomingPhoneNumbers(NUMBER_SID).update({ voiceUrl: "" });
    expect(await callIn()).toMatchObject({ statusCode: 409 });
    expect(await callIn({ from: "nobody" })).toMatchObject({ statusCode: 400 });
  });
});
