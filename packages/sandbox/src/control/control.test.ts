import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { GHL_LOCATION_ID, SYSTEM_NUMBER } from "../defaults.ts";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { ghlClient, twilioClient } from "../testing/vendor-clients.ts";
import { waitFor } from "../testing/wait-for.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const REP = "+13055550101";
const locationId = GHL_LOCATION_ID;
const ASK = "<Response><Gather numDigits='2' timeout='60'><Say>Two keys, please.</Say></Gather></Response>";

let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;

beforeAll(async () => {
  sandbox = await temporarySandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control("POST", "/reset"));

const createCall = (changes: object = {}) =>
  twilioClient(sandbox.url).calls.create({ to: REP, from: SYSTEM_NUMBER, twiml: ASK, ...changes });
const readLocation = () => ghlClient(sandbox.url).locations.getLocation({ locationId });

describe("failures on demand", () => {
  test("fail as many requests as asked, with the vendor's body", async () => {
    await sandbox.control("POST", "/fail", { vendor: "ghl", status: 500, count: 2 });
    await expect(readLocation()).rejects.toMatchObject({ statusCode: 500 });
    await expect(readLocation()).rejects.toMatchObject({ statusCode: 500 });
    expect((await readLocation()).location?.id).toBe(locationId);
    await sandbox.control("POST", "/fail", { vendor: "twilio", status: 429 });
    await expect(createCall()).rejects.toMatchObject({ status: 429, code: 20429 });
  });

  test("apply only to the given path and method", async () => {
    await sandbox.control("POST", "/fail", {
      vendor: "twilio",
      status: 503,
      match: "/Calls",
      method: "POST",
    });
    expect(await twilioClient(sandbox.url).calls.list()).toEqual([]);
    await expect(createCall()).rejects.toMatchObject({ status: 503 });
  });

  test("can fail the response after the request took effect", async () => {
    await sandbox.control("POST", "/fail", { vendor: "twilio", status: 502, afterAct: true });
    await expect(createCall()).rejects.toMatchObject({ status: 502 });
    expect(await twilioClient(sandbox.url).calls.list()).toHaveLength(1);
  });

  test("can close the connection before or after the effect, and answer HTML", async () => {
    await sandbox.control("POST", "/fail", { vendor: "twilio", reset: true });
    await expect(createCall()).rejects.toThrow();
    await sandbox.control("POST", "/fail", { vendor: "twilio", reset: true, afterAct: true });
    await expect(createCall()).rejects.toThrow();
    expect(await twilioClient(sandbox.url).calls.list()).toHaveLength(1);
    await sandbox.control("POST", "/fail", { vendor: "ghl", status: 502, html: true });
    const answer = await fetch(`${sandbox.url}/ghl/locations/${locationId}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([502, "text/html; charset=utf-8"]);
  });

  test("can leave a request without a response", async () => {
    await sandbox.control("POST", "/fail", { vendor: "ghl", hang: true });
    const signal = AbortSignal.timeout(300);
    await expect(fetch(`${sandbox.url}/ghl/locations/x`, { signal })).rejects.toThrow(/timeout/i);
    expect((await readLocation()).location?.id).toBe(locationId);
  });

  test("can be cleared", async () => {
    await sandbox.control("POST", "/fail", { vendor: "ghl", status: 401, count: 99 });
    await sandbox.control("DELETE", "/fail");
    expect((await readLocation()).location?.id).toBe(locationId);
  });
});

test("latency delays a request", async () => {
  await sandbox.control("POST", "/latency", { vendor: "ghl", ms: 200, count: 1 });
  const start = performance.now();
  await readLocation();
  expect(performance.now() - start).toBeGreaterThanOrEqual(190);
});

test("clearing the latency releases waiting requests", async () => {
  await sandbox.control("POST", "/latency", { vendor: "ghl", ms: 3_600_000 });
  const read = readLocation();
  await waitFor("the request", async () => {
    const { requests } = await sandbox.control("GET", "/requests?vendor=ghl");
    return requests.length > 0;
  });
  await sandbox.control("DELETE", "/latency");
  expect((await read).location?.id).toBe(locationId);
});

test("lists recorded requests newest last, and clears them on demand", async () => {
  await readLocation();
  await createCall({ statusCallback: "https://portal.example.com/x" });
  await waitFor("both", async () => {
    const { requests } = await sandbox.control("GET", "/requests");
    return requests.length === 2 && requests[1].status !== 0;
  });
  const { requests } = await sandbox.control("GET", "/requests");
  expect(requests[0]).toMatchObject({ vendor: "ghl", method: "GET", status: 200, version: "2021-07-28" });
  expect(requests[1]).toMatchObject({ vendor: "twilio", method: "POST", status: 201, body: { To: REP } });
  expect((await sandbox.control("GET", "/requests?vendor=ghl&path=locations")).requests).toHaveLength(1);
  await sandbox.control("DELETE", "/requests");
  expect((await sandbox.control("GET", "/requests")).requests).toEqual([]);
});

test("loading a history replaces all state, and a reset restores the seed", async () => {
  const sid = `RE${"7".repeat(32)}`;
  const contact = { id: "past0000000000000001", firstName: "Rosa", dateAdded: "2026-01-02T03:04:05.000Z" };
  const nothing = { customFields: [], notes: [], crmCalls: [], legs: [], texts: [], optOuts: [] };
  const recording = {
    sid,
    callSid: `CA${"7".repeat(32)}`,
    source: "DialVerb",
    startedAt: 1_767_000_000_000,
    durationSeconds: 7,
  };
  const past = {
    ...nothing,
    contacts: [contact],
    recordings: [recording],
    names: [{ number: "+13055550177", name: "Luz" }],
  };
  expect(await sandbox.control("PUT", "/history", nothing)).toMatchObject({ statusCode: 400 });
  expect(await sandbox.control("PUT", "/history", past)).toMatchObject({
    contacts: 1,
    recordings: 1,
    legs: 0,
  });
  const held = await sandbox.control("GET", "/ghl/contacts");
  expect(held).toMatchObject({ total: 1, contacts: [contact] });
  await sandbox.control("POST", "/texts", { from: "+13055550177", body: "Hola" });
  const desk = await (await fetch(`${sandbox.url}/phones/state`)).json();
  expect(desk).toMatchObject({ threads: [{ number: "+13055550177", label: "Luz" }] });
  await sandbox.control("POST", "/reset");
  expect((await sandbox.control("GET", "/ghl/contacts")).total).not.toBe(1);
});

describe("a simulated phone", () => {
  test("rings until it is answered, sends its keys to the Gather and hangs up", async () => {
    await sandbox.control("POST", "/phones", { number: REP, mode: "manual" });
    const { sid } = await createCall();
    const state = () => sandbox.control("GET", `/calls/${sid}`);
    await waitFor("ringing", async () => (await state()).status === "ringing");
    expect(await sandbox.control("POST", `/calls/${encodeURIComponent(REP)}/answer`)).toMatchObject({ sid });
    await waitFor("the question", async () => (await state()).activity === "gathering");
    await sandbox.control("POST", `/calls/${sid}/press`, { digits: "7" });
    expect(await state()).toMatchObject({
      pressed: "7",
      heard: ["Two keys, please."],
      status: "in-progress",
    });
    await sandbox.control("POST", `/calls/${sid}/hangup`);
    expect(await state()).toMatchObject({ status: "completed" });
    expect(await sandbox.control("POST", `/calls/${sid}/answer`)).toMatchObject({ statusCode: 409 });
  });

  test("declines a call", async () => {
    await sandbox.control("POST", "/phones", { number: REP, mode: "manual" });
    const { sid } = await createCall();
    await waitFor(
      "ringing",
      async () => (await sandbox.control("GET", `/calls/${sid}`)).status === "ringing",
    );
    expect(await sandbox.control("POST", `/calls/${sid}/hangup`)).toMatchObject({ status: "busy" });
  });

  test("continues automatically when it is released, and follows its configured behavior", async () => {
    await sandbox.control("POST", "/phones/auto", { enabled: false });
    const { sid } = await createCall();
    await waitFor(
      "ringing",
      async () => (await sandbox.control("GET", `/calls/${sid}`)).status === "ringing",
    );
    await sandbox.control("POST", "/phones/auto", { enabled: true });
    await waitFor("keys", async () => (await sandbox.control("GET", `/calls/${sid}`)).pressed === "1");
    await sandbox.control("POST", "/phones", { number: REP, behaviour: "busy" });
    const { sid: other } = await createCall();
    await waitFor("busy", async () => (await sandbox.control("GET", `/calls/${other}`)).status === "busy");
  });
});

test("edits a contact as a user does in GoHighLevel", async () => {
  const made = await sandbox.control("POST", "/ghl/contacts", { firstName: "Eva", companyName: "One" });
  const edited = await sandbox.control("PATCH", `/ghl/contacts/${made.id}`, {
    companyName: "Two",
    tags: ["X"],
  });
  expect(edited).toMatchObject({ id: made.id, firstName: "Eva", companyName: "Two", tags: ["x"] });
  expect(edited.dateUpdated > made.dateUpdated).toBe(true);
  expect(await sandbox.control("DELETE", `/ghl/contacts/${made.id}`)).toEqual({ removed: true });
});

test("reset restores the seed and clears calls and rules", async () => {
  await sandbox.control("POST", "/fail", { vendor: "ghl", count: 9 });
  await sandbox.control("POST", "/ghl/contacts", { firstName: "Eva" });
  await createCall();
  await sandbox.control("POST", "/reset");
  expect((await sandbox.control("GET", "/calls")).calls).toEqual([]);
  expect((await sandbox.control("GET", "/ghl/contacts")).total).toBe(126);
  expect((await readLocation()).location?.id).toBe(locationId);
});

test("rejects control requests from other sites and invalid ones", async () => {
  const evil = await fetch(`${sandbox.url}/control/reset`, {
    method: "POST",
    headers: { origin: "https://evil.example" },
  });
  expect(evil.status).toBe(403);
  expect(await sandbox.control("POST", "/fail", { vendor: "other" })).toMatchObject({ statusCode: 400 });
  expect(await sandbox.control("POST", "/speed", { speed: 0 })).toMatchObject({ statusCode: 400 });
  expect(await sandbox.control("GET", "/calls/CAnone")).toMatchObject({ statusCode: 404 });
});

describe("the phones page", () => {
  test("is one page without inline script under a strict content policy", async () => {
    const page = await fetch(`${sandbox.url}/`);
    expect(page.url).toBe(`${sandbox.url}/phones`);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*src=)/);
    for (const [, path] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      expect((await fetch(`${sandbox.url}${path}`)).status).toBe(200);
    }
  });

  test("streams changes", async () => {
    const stop = new AbortController();
    const stream = await fetch(`${sandbox.url}/phones/events`, { signal: stop.signal });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await createCall();
    let text = "";
    while (!text.includes('"status":"ringing"')) text += (await reader?.read())?.value ?? "";
    expect(text).toContain('"label":"Ana Torres"');
    stop.abort();
  });
});
