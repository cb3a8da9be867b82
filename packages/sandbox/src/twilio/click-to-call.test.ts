import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { OFFICE_LINE, SYSTEM_NUMBER } from "../defaults.ts";
import { clickToCall, startReceiver } from "../testing/receiver.ts";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { twilioClient } from "../testing/vendor-clients.ts";
import { waitFor } from "../testing/wait-for.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const REP = "+13055550101";
const EVENTS = ["initiated", "ringing", "answered", "completed"];

let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  sandbox = await temporarySandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control("POST", "/reset"));
afterEach(() => receiver.close());

/** Calls the rep, then the lead, and waits for the end of the rep's call. */
async function call(lead: string, options: { rep?: string; attributes?: string; dial?: string } = {}) {
  receiver = await startReceiver(clickToCall(lead, options));
  const client = twilioClient(sandbox.url);
  const { sid } = await client.calls.create({
    to: options.rep ?? REP,
    from: SYSTEM_NUMBER,
    url: `${receiver.url}/answer?log=42`,
    statusCallback: `${receiver.url}/parent`,
    statusCallbackEvent: EVENTS,
    timeout: 20,
  });
  const last = await waitFor("the end of the rep's call", () =>
    receiver.at("/parent").find((hook) => hook.params.CallDuration !== undefined),
  );
  return { client, sid, last: last.params };
}

describe("a click-to-call", () => {
  test("rings the rep, then the lead, and reports both legs with valid signatures", async () => {
    const { client, sid, last } = await call("+17865550121", { attributes: 'url="BASE/notice"' });
    expect(receiver.received.every((webhook) => webhook.valid)).toBe(true);
    expect(receiver.at("/parent").map(({ params }) => params.CallStatus)).toEqual([
      "initiated",
      "ringing",
      "in-progress",
      "completed",
    ]);
    expect(receiver.at("/parent").map(({ params }) => params.SequenceNumber)).toEqual(["0", "1", "2", "3"]);
    expect(receiver.at("/leg").map(({ params }) => params.CallStatus)).toEqual([
      "initiated",
      "ringing",
      "in-progress",
      "completed",
    ]);
    expect(receiver.at("/answer")[0]?.params).toMatchObject({
      CallSid: sid,
      CallStatus: "in-progress",
      Direction: "outbound-api",
      From: SYSTEM_NUMBER,
      To: REP,
    });
    expect(receiver.at("/confirm?log=42&x=%C3%A1")[0]?.params).toMatchObject({ CallSid: sid, Digits: "1" });
    const leg = receiver.at("/leg").at(-1)?.params;
    expect(leg).toMatchObject({
      ParentCallSid: sid,
      Direction: "outbound-dial",
      To: "+17865550121",
      CallbackSource: "call-progress-events",
      SipResponseCode: "200",
    });
    expect(leg?.Timestamp).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/);
    const done = receiver.at("/done?log=42")[0]?.params;
    expect(done).toMatchObject({
      CallSid: sid,
      CallStatus: "in-progress",
      DialCallStatus: "completed",
      DialBridged: "true",
      DialCallSid: leg?.CallSid,
    });
    // The lead with last digit 1 talks for 12 s after the notice, in simulated time.
    expect(Number(done?.DialCallDuration)).toBeGreaterThanOrEqual(12);
    expect(done?.DialCallDuration).toBe(leg?.CallDuration);
    expect(Number(last.CallDuration)).toBeGreaterThan(Number(done?.DialCallDuration));
    expect(last.Duration).toBe(String(Math.ceil(Number(last.CallDuration) / 60)));
    const parent = await client.calls(sid).fetch();
    expect(parent).toMatchObject({
      status: "completed",
      direction: "outbound-api",
      duration: last.CallDuration,
    });
    const children = await client.calls.list({ parentCallSid: sid });
    expect(children.map((child) => [child.to, child.status])).toEqual([["+17865550121", "completed"]]);
  });

  test.each([
    ["busy", "+17865550125", "busy", "486"],
    ["not answering", "+17865550126", "no-answer", "487"],
    ["a number that does not exist", "+17865550128", "failed", "404"],
  ])("reports a lead that is %s", async (_name, lead, status, code) => {
    await call(lead);
    expect(receiver.at("/done")[0]?.params).toMatchObject({ DialCallStatus: status, DialBridged: "false" });
    expect(receiver.at("/done")[0]?.params).not.toHaveProperty("DialCallDuration");
    expect(receiver.at("/leg").at(-1)?.params).toMatchObject({ CallStatus: status, SipResponseCode: code });
    expect(receiver.at("/leg").map(({ params }) => params.CallStatus)).not.toContain("in-progress");
  });

  test("distinguishes a voicemail from a person", async () => {
    await call("+17865550127", { attributes: 'machineDetection="Enable" amdStatusCallback="BASE/amd"' });
    expect(receiver.at("/amd")[0]?.params).toMatchObject({ AnsweredBy: "machine_start" });
    expect(receiver.at("/leg").at(-1)?.params).toMatchObject({
      CallStatus: "completed",
      AnsweredBy: "machine_start",
    });
    expect(receiver.at("/done")[0]?.params).toMatchObject({
      DialCallStatus: "completed",
      DialBridged: "true",
    });
  });

  test("records the opt-out of a lead and hangs up after five seconds", async () => {
    await call("+17865550129");
    const { calls } = await sandbox.control("GET", "/calls");
    expect(calls[0]).toMatchObject({ role: "lead", optedOut: true });
    expect(calls[0].durationSeconds).toBeLessThan(9);
  });

  test("never rings the lead when the rep's voicemail answers", async () => {
    const { last } = await call("+17865550121", { rep: "+13055550107" });
    expect(receiver.at("/confirm")).toHaveLength(0);
    expect(receiver.at("/leg")).toHaveLength(0);
    expect(last.CallStatus).toBe("completed");
  });

  test.each([
    ["+13055550105", "busy"],
    ["+13055550106", "no-answer"],
  ])("reports a rep's phone %s as %s without asking for TwiML", async (rep, status) => {
    const { last } = await call("+17865550121", { rep });
    expect(last.CallStatus).toBe(status);
    expect(receiver.at("/answer")).toHaveLength(0);
  });

  test("rings the office line whatever its last digit means", async () => {
    await call("+17865550120", { rep: OFFICE_LINE });
    expect(receiver.at("/done")[0]?.params).toMatchObject({ DialCallStatus: "completed" });
  });

  test("announces a recording of the parent leg with two channels", async () => {
    const { sid } = await call("+17865550120", {
      dial: 'record="record-from-answer-dual" recordingStatusCallback="BASE/recording" recordingStatusCallbackEvent="in-progress completed absent"',
    });
    const ready = await waitFor("the recording", () => receiver.at("/recording")[1]);
    expect(receiver.at("/recording").map(({ params }) => params.RecordingStatus)).toEqual([
      "in-progress",
      "completed",
    ]);
    expect(ready.params).toMatchObject({ CallSid: sid, RecordingChannels: "2", RecordingSource: "DialVerb" });
    expect(ready.params.RecordingSid).toMatch(/^RE[0-9a-f]{32}$/);
    expect(Number(ready.params.RecordingDuration)).toBeGreaterThanOrEqual(8);
    expect(receiver.at("/done")[0]?.params.RecordingSid).toBe(ready.params.RecordingSid);
    expect(ready.valid).toBe(true);
  });

  test("reports an absent recording when the call was not connected", async () => {
    await call("+17865550125", {
      dial: 'record="record-from-answer" recordingStatusCallback="BASE/recording" recordingStatusCallbackEvent="completed absent"',
    });
    const absent = await waitFor("the callback", () => receiver.at("/recording")[0]);
    expect(absent.params.RecordingStatus).toBe("absent");
  });

  test("fails the dial for a caller id that is not the account's", async () => {
    receiver = await startReceiver(({ path }, url) =>
      path.startsWith("/answer")
        ? `<Response><Dial callerId="+19995550100" action="${url}/done">+17865550121</Dial></Response>`
        : undefined,
    );
    await twilioClient(sandbox.url).calls.create({
      to: REP,
      from: SYSTEM_NUMBER,
      url: `${receiver.url}/answer`,
    });
    const done = await waitFor("the action", () => receiver.at("/done")[0]);
    expect(done.params).toMatchObject({ DialCallStatus: "failed", DialBridged: "false" });
    expect(done.params).not.toHaveProperty("DialCallSid");
  });
});
