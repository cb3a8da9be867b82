import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../../testing/sandbox.ts";
import { createTwilioTelephony } from "./telephony.ts";

const urls = {
  answered: "http://127.0.0.1:9/answered",
  confirm: "http://127.0.0.1:9/confirm",
  dialDone: "http://127.0.0.1:9/dial-done",
  repStatus: "http://127.0.0.1:9/rep-status",
  leadStatus: "http://127.0.0.1:9/lead-status",
  detection: "http://127.0.0.1:9/detection",
  notice: "http://127.0.0.1:9/notice",
  recording: "http://127.0.0.1:9/recording",
};
const to = "+13055550120";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ seedLeads: 1 });
});
afterEach(() => sandbox.control("DELETE", "/fail"));
afterAll(() => sandbox.close());

const open = (overrides: object = {}) =>
  createTwilioTelephony(
    {
      baseUrl: `${sandbox.url}/twilio`,
      accountSid: `AC${"1".padStart(32, "0")}`,
      authToken: "sandbox-auth-token",
      apiKeySid: null,
      apiKeySecret: null,
      phoneNumber: "+12125550100",
      nextAuthToken: null,
      callFallbackUrl: null,
      numberFallbackUrl: null,
      messagingServiceSid: null,
      callsPerSecond: 1,
      recordingHosts: [],
      ...overrides,
    },
    400,
  );
const fail = (rule: object) => sandbox.control("POST", "/fail", { vendor: "twilio", ...rule });

describe("Twilio's REST API", () => {
  it("places a call, finds it again, and ends it", async () => {
    const telephony = open();
    const since = new Date();
    const leg = await telephony.placeCall({ to, urls });
    expect(leg).toMatchObject({ status: "queued", parentSid: null });
    const found = await telephony.findCallsTo({ to, since });
    expect(found.map(({ sid }) => sid)).toContain(leg.sid);
    expect(await telephony.findCallsTo({ to, since: new Date(Date.now() + 60_000) })).toEqual([]);
    expect(await telephony.findLeadLeg(leg.sid)).toBeNull();
    const ended = await telephony.endCall(leg.sid);
    expect(["canceled", "completed"]).toContain(ended.status);
    expect(await telephony.findLeg(leg.sid)).toMatchObject({ sid: leg.sid, status: ended.status });
    // A call that has ended stays as it is.
    await expect(telephony.endCall(leg.sid)).resolves.toMatchObject({ sid: leg.sid });
  });

  it("knows nothing of a call that is not there", async () => {
    expect(await open().findLeg(`CA${"f".repeat(32)}`)).toBeNull();
  });

  it("signs in with an API key where there is one", async () => {
    const apiKey = { apiKeySid: `SK${"1".padStart(32, "0")}`, apiKeySecret: "sandbox-api-secret" };
    await expect(open(apiKey).findCallsTo({ to, since: new Date() })).resolves.toBeInstanceOf(Array);
  });
});

describe("Twilio's failures", () => {
  it("refuses a number that cannot be called, in words for the rep", async () => {
    const refused = open().placeCall({ to: "+1305555", urls });
    await expect(refused).rejects.toMatchObject({ kind: "invalid", ambiguous: false });
    await expect(refused).rejects.toThrow(/Check it in Settings/);
  });

  it("tells wrong keys from anything else", async () => {
    await expect(open({ authToken: "wrong" }).placeCall({ to, urls })).rejects.toMatchObject({
      kind: "auth",
    });
  });

  it.each([
    ["a 429 that is not Twilio's", { status: 429, body: { message: "slow down" } }, "rate-limited", false],
    ["a fault of the server", { status: 500 }, "unavailable", true],
    ["a page instead of an answer", { status: 200, html: true }, "unavailable", true],
    ["a page of a proxy", { status: 502, html: true }, "unavailable", true],
    ["half an answer", { status: 201, body: { account_sid: "AC1" } }, "unavailable", true],
    ["a closed connection", { reset: true }, "unavailable", true],
    ["silence", { hang: true }, "unavailable", true],
  ])("takes %s for what it is", async (_what, rule, kind, ambiguous) => {
    await fail(rule);
    await expect(open().placeCall({ to, urls })).rejects.toMatchObject({ kind, ambiguous });
  });

  it("makes a request again that was never processed, after a pause, and no other", async () => {
    await fail({ status: 429, count: 2, method: "POST" });
    const since = new Date();
    const number = "+13055550124";
    const leg = await open().placeCall({ to: number, urls });
    const made = await open().findCallsTo({ to: number, since });
    expect(made.map(({ sid }) => sid)).toEqual([leg.sid]);
    await fail({ status: 429, count: 4, method: "POST" });
    const refused = open().placeCall({ to: number, urls });
    await expect(refused).rejects.toMatchObject({ kind: "rate-limited", ambiguous: false });
    expect(await open().findCallsTo({ to: number, since })).toHaveLength(1);
  });

  it("waits no longer for a recording than for anything else", async () => {
    await fail({ hang: true });
    const sound = open().openRecording(`RE${"3".repeat(32)}`, {
      range: null,
      signal: new AbortController().signal,
    });
    await expect(sound).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("counts listeners who leave as no failure of Twilio's", async () => {
    const telephony = open();
    for (let i = 0; i < 6; i += 1) {
      const signal = AbortSignal.abort();
      const sound = telephony.openRecording(`RE${"3".repeat(32)}`, { range: null, signal });
      await expect(sound).rejects.toMatchObject({ kind: "invalid" });
    }
    await expect(telephony.findLeg(`CA${"f".repeat(32)}`)).resolves.toBeNull();
  });

  it("knows that nothing was sent where nobody listens", async () => {
    const refused = open({ baseUrl: "http://127.0.0.1:9" }).placeCall({ to, urls });
    await expect(refused).rejects.toMatchObject({ kind: "unavailable", ambiguous: false });
  });

  it("asks no more for a while after five failures in a row", async () => {
    await fail({ status: 500, count: 5 });
    const telephony = open();
    for (let i = 0; i < 5; i += 1) {
      await expect(telephony.findLeg(`CA${"f".repeat(32)}`)).rejects.toMatchObject({ kind: "unavailable" });
    }
    await expect(telephony.placeCall({ to, urls })).rejects.toMatchObject({
      ambiguous: false,
      retryAfterSeconds: 10,
    });
  });
});
