import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { SYSTEM_NUMBER, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } from "../defaults.ts";
import { startReceiver } from "../testing/receiver.ts";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { twilioClient } from "../testing/vendor-clients.ts";
import { describesTwilio } from "../testing/vendor-schemas.ts";
import { waitFor } from "../testing/wait-for.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const TO = "+13055550101";
const SAY = "<Response><Say>Hello</Say><Pause length='600'/></Response>";

let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
let client: ReturnType<typeof twilioClient>;

beforeAll(async () => {
  sandbox = await temporarySandbox();
  client = twilioClient(sandbox.url);
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control("POST", "/reset"));

const create = (changes: object = {}) =>
  client.calls.create({ to: TO, from: SYSTEM_NUMBER, twiml: SAY, ...changes });

/** A plain request to the REST API with the account's own credentials. */
async function rest(method: string, path: string, form?: Record<string, string>) {
  const response = await fetch(`${sandbox.url}/twilio/2010-04-01/Accounts/${TWILIO_ACCOUNT_SID}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${TWILIO_ACCOUNT_SID}:${TWILIO_AUTH_TOKEN}`)}` },
    ...(form ? { body: new URLSearchParams(form) } : {}),
  });
  return { status: response.status, body: (await response.json()) as { sid?: string } };
}

describe("the account", () => {
  test("is read with the auth token or an API key", async () => {
    const byToken = twilioClient(sandbox.url, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN);
    const account = await byToken.api.v2010.accounts(TWILIO_ACCOUNT_SID).fetch();
    expect(account).toMatchObject({ status: "active", sid: TWILIO_ACCOUNT_SID });
    expect(await client.api.v2010.accounts(TWILIO_ACCOUNT_SID).fetch()).toMatchObject({ status: "active" });
  });

  test("rejects other credentials and other accounts with 20003", async () => {
    const wrong = twilioClient(sandbox.url, TWILIO_ACCOUNT_SID, "wrong");
    await expect(wrong.calls.list()).rejects.toMatchObject({ status: 401, code: 20003 });
    const other = client.api.v2010.accounts(`AC${"9".repeat(32)}`);
    await expect(other.calls.list()).rejects.toMatchObject({ status: 401, code: 20003 });
  });

  test("owns the system number", async () => {
    const numbers = await client.incomingPhoneNumbers.list();
    expect(numbers.map((number) => [number.phoneNumber, number.capabilities.voice])).toEqual([
      [SYSTEM_NUMBER, true],
    ]);
  });
});

describe("creating a call", () => {
  test("returns a queued call of the account", async () => {
    const call = await create({ to: "(305) 555-0101" });
    expect(call).toMatchObject({ status: "queued", direction: "outbound-api", to: TO, from: SYSTEM_NUMBER });
    expect(call.sid).toMatch(/^CA[0-9a-f]{32}$/);
    expect(await client.calls(call.sid).fetch()).toMatchObject({ sid: call.sid });
  });

  test.each([
    ["an invalid number", { to: "+1555000" }, 21211],
    ["a number that does not exist", { to: "+13055550108" }, 21211],
    ["no number", { to: "" }, 21201],
    ["a caller id of another account", { from: "+13055550199" }, 21210],
    ["no caller id", { from: "" }, 21213],
    ["an invalid URL", { url: "/relative", twiml: undefined }, 21205],
    ["neither URL nor TwiML", { twiml: "" }, 21205],
  ])("rejects %s", async (_name, changes, code) => {
    await expect(create(changes)).rejects.toMatchObject({ status: 400, code });
    expect(await client.calls.list()).toHaveLength(0);
  });

  test("starts one call per simulated second and queues the rest", async () => {
    // At low speed, so that the duration of the requests hardly matters.
    await sandbox.control("POST", "/speed", { speed: 0.1 });
    const queued = [];
    for (let call = 0; call < 3; call += 1) queued.push(Number((await create()).queueTime));
    await sandbox.control("POST", "/speed", { speed: 40 });
    expect(queued[0]).toBe(0);
    expect(queued[1]).toBeGreaterThan(500);
    expect(queued[1]).toBeLessThanOrEqual(1_000);
    expect(queued[2]).toBeGreaterThan(1_500);
    expect(queued[2]).toBeLessThanOrEqual(2_000);
  });
});

describe("ending a call", () => {
  test("completes an answered call", async () => {
    const { sid } = await create();
    await waitFor("the answer", async () => (await client.calls(sid).fetch()).status === "in-progress");
    expect(await client.calls(sid).update({ status: "canceled" })).toMatchObject({ status: "in-progress" });
    const ended = await client.calls(sid).update({ status: "completed" });
    expect(ended.status).toBe("completed");
    expect(Number(ended.duration)).toBeGreaterThan(0);
    expect(ended.endTime).toBeInstanceOf(Date);
  });

  test.each(["completed", "canceled"] as const)("cancels a ringing call updated to %s", async (status) => {
    await sandbox.control("POST", "/phones", { number: TO, mode: "manual" });
    const { sid } = await create();
    await waitFor("ringing", async () => (await client.calls(sid).fetch()).status === "ringing");
    expect(await client.calls(sid).update({ status })).toMatchObject({ status: "canceled" });
    expect(await client.calls(sid).fetch()).toMatchObject({ status: "canceled", duration: "0" });
  });

  test("updates an answered call with other TwiML, and rejects that for an ended one", async () => {
    const { sid } = await create();
    await waitFor("the answer", async () => (await client.calls(sid).fetch()).status === "in-progress");
    await client.calls(sid).update({ twiml: "<Response><Say>Goodbye now</Say></Response>" });
    await waitFor("the end", async () => (await client.calls(sid).fetch()).status === "completed");
    expect((await sandbox.control("GET", `/calls/${sid}`)).heard).toEqual(["Hello", "Goodbye now"]);
    await expect(client.calls(sid).update({ twiml: SAY })).rejects.toMatchObject({ code: 21220 });
  });

  test("returns 20404 for an unknown call", async () => {
    const unknown = client.calls(`CA${"f".repeat(32)}`);
    await expect(unknown.fetch()).rejects.toMatchObject({ status: 404, code: 20404 });
    await expect(unknown.update({ status: "completed" })).rejects.toMatchObject({ code: 20404 });
  });
});

describe("listing calls", () => {
  test("pages through all, newest first, and filters", async () => {
    const sids: string[] = [];
    for (const to of [TO, "+13055550102", TO, TO, "+13055550102"]) sids.push((await create({ to })).sid);
    const all = await client.calls.list({ pageSize: 2 });
    expect(all.map((call) => call.sid)).toEqual(sids.toReversed());
    expect(await client.calls.list({ pageSize: 2, limit: 3 })).toHaveLength(3);
    expect(await client.calls.list({ to: TO, from: SYSTEM_NUMBER })).toHaveLength(3);
    const hourAgo = new Date(Date.now() - 3_600_000);
    expect(await client.calls.list({ to: TO, startTimeAfter: hourAgo })).toHaveLength(3);
    expect(await client.calls.list({ to: TO, startTimeBefore: hourAgo })).toHaveLength(0);
    expect(await client.calls.list({ startTime: new Date() })).toHaveLength(5);
    expect(await client.calls.list({ status: "busy" })).toHaveLength(0);
  });
});

test("responds as the vendor's API description says", async () => {
  const created = await rest("POST", "/Calls.json", { To: TO, From: SYSTEM_NUMBER, Twiml: SAY });
  const { sid } = created.body;
  const calls = "/2010-04-01/Accounts/{AccountSid}/Calls.json";
  const one = "/2010-04-01/Accounts/{AccountSid}/Calls/{Sid}.json";
  expect(describesTwilio("post", calls, created)).toEqual([]);
  expect(describesTwilio("get", calls, await rest("GET", "/Calls.json?PageSize=1"))).toEqual([]);
  expect(describesTwilio("get", one, await rest("GET", `/Calls/${sid}.json`))).toEqual([]);
  expect(
    describesTwilio("post", one, await rest("POST", `/Calls/${sid}.json`, { Status: "completed" })),
  ).toEqual([]);
  expect(
    describesTwilio(
      "get",
      "/2010-04-01/Accounts/{AccountSid}/IncomingPhoneNumbers.json",
      await rest("GET", "/IncomingPhoneNumbers.json"),
    ),
  ).toEqual([]);
  expect(describesTwilio("get", "/2010-04-01/Accounts/{Sid}.json", await rest("GET", ".json"))).toEqual([]);
});

describe("webhooks", () => {
  test("request the fallback URL, and apologize when that fails too", async () => {
    const receiver = await startReceiver(({ path }) => (path.startsWith("/fallback") ? SAY : 500));
    try {
      const { sid } = await create({
        twiml: undefined,
        url: `${receiver.url}/a`,
        fallbackUrl: `${receiver.url}/fallback`,
      });
      const asked = await waitFor("the fallback", () => receiver.at("/fallback")[0]);
      expect(asked.params).toMatchObject({ CallSid: sid, ErrorCode: "11200", ErrorUrl: `${receiver.url}/a` });
      const { sid: broken } = await create({ twiml: undefined, url: `${receiver.url}/b` });
      await waitFor("the end", async () => (await client.calls(broken).fetch()).status === "completed");
      const seen = await sandbox.control("GET", `/calls/${broken}`);
      expect(seen.heard).toEqual(["We are sorry, an application error has occurred. Goodbye."]);
      expect(seen.warnings).toEqual(["11200 HTTP retrieval failure: 500"]);
      expect(receiver.at("/b")).toHaveLength(1);
    } finally {
      await receiver.close();
    }
  });

  test("are retried with the same idempotency token, and are dropped on demand", async () => {
    const receiver = await startReceiver(() => undefined);
    try {
      await sandbox.control("POST", "/webhooks", { repeat: 1 });
      await create({ twiml: "<Response/>", statusCallback: `${receiver.url}/first` });
      await waitFor("both copies", () => receiver.at("/first")[1]);
      expect(receiver.at("/first")[0]?.token).toBe(receiver.at("/first")[1]?.token);
      await sandbox.control("POST", "/webhooks", { drop: 1 });
      await create({
        twiml: "<Response/>",
        statusCallback: `${receiver.url}/second`,
        statusCallbackEvent: ["initiated", "completed"],
      });
      await waitFor("the other", () => receiver.at("/second")[0]);
      expect(receiver.at("/second").map(({ params }) => params.SequenceNumber)).toEqual(["1"]);
    } finally {
      await receiver.close();
    }
  });

  test("report only the end when no events were requested", async () => {
    const receiver = await startReceiver(() => undefined);
    try {
      await create({ twiml: "<Response/>", statusCallback: `${receiver.url}/end` });
      const end = await waitFor("the end", () => receiver.at("/end")[0]);
      expect(end.params).toMatchObject({ CallStatus: "completed", SequenceNumber: "0" });
    } finally {
      await receiver.close();
    }
  });
});
