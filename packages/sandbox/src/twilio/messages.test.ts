import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { OFFICE_LINE, SYSTEM_NUMBER, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } from "../defaults.ts";
import { startReceiver } from "../testing/receiver.ts";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { twilioClient } from "../testing/vendor-clients.ts";
import { describesTwilio } from "../testing/vendor-schemas.ts";
import { waitFor } from "../testing/wait-for.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const NUMBER_SID = `PN${"1".padStart(32, "0")}`;
const LEAD = "+17865550121";

let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
let client: ReturnType<typeof twilioClient>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  sandbox = await temporarySandbox();
  client = twilioClient(sandbox.url);
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control("POST", "/reset");
  receiver = await startReceiver(() => undefined);
  await client.incomingPhoneNumbers(NUMBER_SID).update({ smsUrl: `${receiver.url}/inbound` });
});
afterEach(() => receiver.close());

const send = (changes: object = {}) =>
  client.messages.create({
    to: LEAD,
    from: SYSTEM_NUMBER,
    body: "Hola, ¿cómo está?",
    statusCallback: `${receiver.url}/status?m=1`,
    ...changes,
  });
const write = (body: string, from = LEAD) => sandbox.control("POST", "/texts", { from, body });
const statuses = () => receiver.at("/status").map(({ params }) => params.MessageStatus);

describe("sending an SMS", () => {
  test("returns a queued SMS and reports each step with a valid signature", async () => {
    const text = await send({ to: "(786) 555-0121" });
    expect(text).toMatchObject({
      status: "queued",
      direction: "outbound-api",
      to: LEAD,
      from: SYSTEM_NUMBER,
      numSegments: "1",
      numMedia: "0",
      errorCode: null,
    });
    expect(text.sid).toMatch(/^SM[0-9a-f]{32}$/);
    const last = await waitFor("the delivery", () => receiver.at("/status")[3]);
    expect(statuses()).toEqual(["queued", "sending", "sent", "delivered"]);
    expect(last.params).toMatchObject({
      MessageSid: text.sid,
      SmsSid: text.sid,
      SmsStatus: "delivered",
      AccountSid: TWILIO_ACCOUNT_SID,
      From: SYSTEM_NUMBER,
      To: LEAD,
      ApiVersion: "2010-04-01",
    });
    expect(last.params.RawDlrDoneDate).toMatch(/^\d{10}$/);
    expect(last.params).not.toHaveProperty("ErrorCode");
    expect(receiver.received.every((webhook) => webhook.valid)).toBe(true);
    expect(await client.messages(text.sid).fetch()).toMatchObject({ status: "delivered" });
  });

  test.each([
    ["+17865550125", 30003],
    ["+17865550126", 30005],
    ["+17865550127", 30006],
  ])("reports an SMS to %s as undelivered with %i", async (to, code) => {
    const { sid } = await send({ to });
    const last = await waitFor("the report", () => receiver.at("/status")[3]);
    expect(last.params).toMatchObject({ MessageStatus: "undelivered", ErrorCode: String(code) });
    const row = await client.messages(sid).fetch();
    expect(row).toMatchObject({ status: "undelivered", errorCode: code });
    expect(row.errorMessage).not.toBe("");
  });

  test.each([
    ["an empty SMS", { body: "" }, 21602],
    ["an SMS of 1601 characters", { body: "a".repeat(1_601) }, 21617],
    ["an impossible number", { to: "+1555000" }, 21211],
    ["a number that does not exist", { to: "+17865550128" }, 21211],
    ["a landline", { to: OFFICE_LINE }, 21614],
    ["a country that is not enabled", { to: "+493012345678" }, 21408],
    ["a sender of another account", { from: "+13055550199" }, 21606],
    ["no recipient", { to: "" }, 21604],
    ["no sender", { from: "" }, 21603],
  ])("rejects %s", async (_name, changes, code) => {
    await expect(send(changes)).rejects.toMatchObject({ status: 400, code });
    expect(await client.messages.list()).toEqual([]);
  });

  test("accepts an SMS of 1600 characters", async () => {
    expect(await send({ body: "a".repeat(1_600) })).toMatchObject({ numSegments: "11" });
  });

  test("ends in the state set by the control API", async () => {
    await sandbox.control("POST", "/phones", { number: LEAD, texts: 30007 });
    await send();
    await waitFor("the report", () => statuses().includes("undelivered"));
    await sandbox.control("POST", "/phones", { number: LEAD, texts: 30034 });
    await send({ statusCallback: `${receiver.url}/unregistered` });
    const failed = await waitFor("the failure", () => receiver.at("/unregistered")[2]);
    expect(failed.params).toMatchObject({ MessageStatus: "failed", ErrorCode: "30034" });
    await sandbox.control("POST", "/phones", { number: LEAD, texts: 21612 });
    await expect(send()).rejects.toMatchObject({ code: 21612 });
    await sandbox.control("POST", "/phones", { number: LEAD, texts: null });
    expect(await send()).toMatchObject({ status: "queued" });
    expect(await sandbox.control("POST", "/phones", { number: LEAD, texts: 1 })).toMatchObject({
      statusCode: 400,
    });
  });

  test("drops, repeats and reorders callbacks on demand", async () => {
    await sandbox.control("POST", "/webhooks", { drop: 1, repeat: 1 });
    await send();
    await waitFor("the delivery", () => statuses().includes("delivered"));
    expect(statuses().toSorted()).toEqual(["delivered", "sending", "sending", "sent"]);
    const { counts } = await sandbox.control("GET", "/webhooks");
    expect(counts).toMatchObject({ sent: 4, dropped: 1, repeated: 1, shuffled: 0 });
  });

  test("can fail after the SMS was accepted and still send it", async () => {
    await sandbox.control("POST", "/fail", { vendor: "twilio", match: "/Messages", afterAct: true });
    await expect(send()).rejects.toMatchObject({ status: 500 });
    expect(await client.messages.list({ to: LEAD })).toHaveLength(1);
  });
});

describe("listing SMS messages", () => {
  test("pages through all, newest first, and filters", async () => {
    const sids: string[] = [];
    for (const to of [LEAD, "+17865550122", LEAD]) sids.push((await send({ to })).sid);
    const inbound = await write("Hi");
    sids.push(inbound.sid);
    expect((await client.messages.list({ pageSize: 2 })).map(({ sid }) => sid)).toEqual(sids.toReversed());
    expect(await client.messages.list({ to: LEAD, from: SYSTEM_NUMBER })).toHaveLength(2);
    expect(await client.messages.list({ from: LEAD })).toMatchObject([{ direction: "inbound", body: "Hi" }]);
    const hourAgo = new Date(Date.now() - 3_600_000);
    expect(await client.messages.list({ dateSentAfter: hourAgo })).toHaveLength(4);
    expect(await client.messages.list({ dateSentBefore: hourAgo })).toHaveLength(0);
    expect(await client.messages(inbound.sid).remove()).toBe(true);
    await expect(client.messages(inbound.sid).fetch()).rejects.toMatchObject({ status: 404, code: 20404 });
  });
});

describe("an SMS to the system number", () => {
  test("is sent to the webhook of the number", async () => {
    const { sid } = await write("Sí, llámeme mañana");
    const { params, valid } = await waitFor("the text", () => receiver.at("/inbound")[0]);
    expect(params).toMatchObject({
      MessageSid: sid,
      SmsSid: sid,
      SmsMessageSid: sid,
      AccountSid: TWILIO_ACCOUNT_SID,
      From: LEAD,
      To: SYSTEM_NUMBER,
      Body: "Sí, llámeme mañana",
      NumMedia: "0",
      NumSegments: "1",
      SmsStatus: "received",
      FromCity: "HIALEAH",
      FromCountry: "US",
      ApiVersion: "2010-04-01",
    });
    expect(valid).toBe(true);
  });

  test("is rejected where it is invalid", async () => {
    expect(await write("", LEAD)).toMatchObject({ statusCode: 400 });
    expect(await write("Hi", "nobody")).toMatchObject({ statusCode: 400 });
  });

  test.each(["STOP", " stop ", "StopAll", "unsubscribe", "CANCEL", "End", "QUIT", "REVOKE", "OPTOUT"])(
    "opts out with %j until START, and is still delivered",
    async (word) => {
      await write(word);
      await waitFor("the webhook", () => receiver.at("/inbound")[0]);
      await expect(send()).rejects.toMatchObject({ status: 400, code: 21610 });
      expect(await send({ to: "+17865550122" })).toMatchObject({ status: "queued" });
      const { texts } = await sandbox.control("GET", `/texts?number=${encodeURIComponent(LEAD)}`);
      expect(texts.at(-1)).toMatchObject({ direction: "outbound-reply", automatic: true, to: LEAD });
      expect(await client.messages.list({ to: LEAD })).toEqual([]);
      await write("unstop");
      expect(await send()).toMatchObject({ status: "queued" });
    },
  );

  test("does not opt out when it contains more than the keyword", async () => {
    await write("Please stop");
    expect(await send()).toMatchObject({ status: "queued" });
  });

  test("arrives as STOP from a called number ending in 9", async () => {
    const refuser = "+17865550129";
    const dial = `<Response><Dial callerId="${SYSTEM_NUMBER}">${refuser}</Dial></Response>`;
    await client.calls.create({ to: "+13055550101", from: SYSTEM_NUMBER, twiml: dial });
    const { params } = await waitFor("the text", () => receiver.at("/inbound")[0]);
    expect(params).toMatchObject({ From: refuser, Body: "STOP" });
    await expect(send({ to: refuser })).rejects.toMatchObject({ code: 21610 });
  });
});

test("responds as the vendor's API description says", async () => {
  const base = `${sandbox.url}/twilio/2010-04-01/Accounts/${TWILIO_ACCOUNT_SID}`;
  const rest = async (method: string, path: string, form?: Record<string, string>) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${TWILIO_ACCOUNT_SID}:${TWILIO_AUTH_TOKEN}`)}` },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    return { status: response.status, body: (await response.json()) as { sid: string } };
  };
  const paths = "/2010-04-01/Accounts/{AccountSid}";
  const created = await rest("POST", "/Messages.json", { To: LEAD, From: SYSTEM_NUMBER, Body: "Hi" });
  expect(describesTwilio("post", `${paths}/Messages.json`, created)).toEqual([]);
  expect(describesTwilio("get", `${paths}/Messages.json`, await rest("GET", "/Messages.json"))).toEqual([]);
  const one = await rest("GET", `/Messages/${created.body.sid}.json`);
  expect(describesTwilio("get", `${paths}/Messages/{Sid}.json`, one)).toEqual([]);
  const number = `${paths}/IncomingPhoneNumbers/{Sid}.json`;
  const at = `/IncomingPhoneNumbers/${NUMBER_SID}.json`;
  expect(describesTwilio("get", number, await rest("GET", at))).toEqual([]);
  const set = await rest("POST", at, { VoiceUrl: "https://portal.example.com/voice", VoiceMethod: "GET" });
  expect(describesTwilio("post", number, set)).toEqual([]);
  expect(set.body).toMatchObject({
    voice_url: "https://portal.example.com/voice",
    voice_method: "GET",
    sms_url: `${receiver.url}/inbound`,
  });
  expect(await rest("POST", at, { SmsUrl: "nowhere" })).toMatchObject({
    status: 400,
    body: { code: 21502 },
  });
});
