import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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

const open = (overrides: object = {}, timeoutMs = 400) =>
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
    timeoutMs,
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
    // Ending an ended call changes nothing.
    await expect(telephony.endCall(leg.sid)).resolves.toMatchObject({ sid: leg.sid });
  });

  it("returns nothing for an unknown call", async () => {
    expect(await open().findLeg(`CA${"f".repeat(32)}`)).toBeNull();
  });

  it("authenticates with an API key where one is set", async () => {
    const apiKey = { apiKeySid: `SK${"1".padStart(32, "0")}`, apiKeySecret: "sandbox-api-secret" };
    await expect(open(apiKey).findCallsTo({ to, since: new Date() })).resolves.toBeInstanceOf(Array);
  });
});

describe("the Twilio client", () => {
  it("rejects a number that cannot be called, with a message for the rep", async () => {
    const refused = open().placeCall({ to: "+1305555", urls });
    await expect(refused).rejects.toMatchObject({ kind: "invalid", ambiguous: false });
    await expect(refused).rejects.toThrow(/Check it in Settings/);
  });

  it("distinguishes wrong credentials from other errors", async () => {
    await expect(open({ authToken: "wrong" }).placeCall({ to, urls })).rejects.toMatchObject({
      kind: "auth",
    });
  });

  it.each([
    ["a 429 from a proxy", { status: 429, body: { message: "slow down" } }, "rate-limited", false],
    ["a server error", { status: 500 }, "unavailable", true],
    ["an HTML page with status 200", { status: 200, html: true }, "unavailable", true],
    ["an HTML error page of a proxy", { status: 502, html: true }, "unavailable", true],
    ["a response without a sid", { status: 201, body: { account_sid: "AC1" } }, "unavailable", true],
    ["a closed connection", { reset: true }, "unavailable", true],
    ["silence", { hang: true }, "unavailable", true],
  ])("maps %s to its kind", async (_what, rule, kind, ambiguous) => {
    await fail(rule);
    await expect(open().placeCall({ to, urls })).rejects.toMatchObject({ kind, ambiguous });
  });

  it("retries after a pause a request that was never processed, and no other", async () => {
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

  it("times out for a recording as for other requests", async () => {
    await fail({ hang: true });
    const sound = open().openRecording(`RE${"3".repeat(32)}`, {
      range: null,
      signal: new AbortController().signal,
    });
    await expect(sound).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("does not count canceled playback as a failure of Twilio", async () => {
    const telephony = open();
    for (let i = 0; i < 6; i += 1) {
      const signal = AbortSignal.abort();
      const sound = telephony.openRecording(`RE${"3".repeat(32)}`, { range: null, signal });
      await expect(sound).rejects.toMatchObject({ kind: "invalid" });
    }
    await expect(telephony.findLeg(`CA${"f".repeat(32)}`)).resolves.toBeNull();
  });

  it("reports a refused connection as not sent", async () => {
    const refused = open({ baseUrl: "http://127.0.0.1:9" }).placeCall({ to, urls });
    await expect(refused).rejects.toMatchObject({ kind: "unavailable", ambiguous: false });
  });

  it("stops requests for a while after five failures in a row", async () => {
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

  it("lists only callers of the system number when the key may not list the account's numbers", async () => {
    const address = "https://portal.example.com/api/twilio/voice/inbound";
    await fail({ status: 403, count: 1, match: "/IncomingPhoneNumbers" });
    expect(await open({}, 10_000).listInbound({ since: new Date(), address })).toEqual([]);
    await fail({ status: 500, count: 9, match: "/IncomingPhoneNumbers" });
    await expect(open({}, 10_000).listInbound({ since: new Date(), address })).rejects.toMatchObject({
      kind: "unavailable",
    });
  });

  it("lists the callers of a long outage, whose list is megabytes, and those of other numbers with this webhook", async () => {
    const address = "https://portal.example.com/api/twilio/voice/inbound";
    const [ours, second, other] = ["+12125550100", "+12125550101", "+12125550102"];
    const numbers = [
      { phone_number: second, voice_url: `${address}#rc=5&rp=5xx,ct,rt` },
      { phone_number: other, voice_url: "https://another.example.com/" },
    ];
    const asked = new Set<string>();
    // As large as the vendor's: a call lists its subresources.
    const call = {
      direction: "inbound",
      status: "completed",
      subresource_uris: { payments: "x".repeat(2_200) },
    };
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://twilio");
      const size = Number(searchParams.get("PageSize"));
      const [to, page] = [searchParams.get("To"), Number(searchParams.get("Page"))];
      if (to) asked.add(to);
      const sid = (n: number) => `CA${to?.slice(1)}${String(page * size + n).padStart(21, "0")}`;
      const many = Array.from({ length: size }, (_, n) => ({
        ...call,
        sid: sid(n),
        from: "+13055550120",
        to,
      }));
      const next = `${pathname}?To=${to && encodeURIComponent(to)}&PageSize=${size}&Page=${page + 1}`;
      const isLast = (page + 1) * size >= 2_000;
      const body = to
        ? { calls: many, page_size: size, next_page_uri: isLast ? null : next }
        : { incoming_phone_numbers: numbers, page_size: size, next_page_uri: null };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const found = await open({ baseUrl, phoneNumber: ours }, 10_000)
      .listInbound({ since: new Date(0), address })
      .finally(() => server.close());
    expect([found.length, [...asked]]).toEqual([4_000, [ours, second]]);
  });
});
