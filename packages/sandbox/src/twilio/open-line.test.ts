import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { recordingWav } from "../audio.ts";
import { SYSTEM_NUMBER } from "../defaults.ts";
import { type Answer, type ReceivedWebhook, startReceiver } from "../testing/receiver.ts";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { twilioClient } from "../testing/vendor-clients.ts";
import { waitFor } from "../testing/wait-for.ts";
import { soundMs } from "./sound.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const REP = "+13055550101";
const LEAD = "+17865550121";
const SECOND = "+17865550122";
const ASK = `<Response><Gather numDigits="1" timeout="60" finishOnKey="" action="/key"><Say>How did it go?</Say></Gather><Redirect>/next</Redirect></Response>`;

interface SeenLeg {
  sid: string;
  status: string;
  activity: string;
  heard: string[];
  transcript: { kind: string; text: string; language: string | null; ms: number; whole: boolean }[];
  keys: string | null;
  dials: number;
  pressed: string;
  warnings: string[];
}

let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
let client: ReturnType<typeof twilioClient>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let sound: { url: string; close: () => void };

beforeAll(async () => {
  sandbox = await temporarySandbox();
  client = twilioClient(sandbox.url);
  sound = await startSound();
});
afterAll(async () => {
  sound.close();
  await sandbox.close();
});
beforeEach(() => sandbox.control("POST", "/reset"));
afterEach(() => receiver.close());

/** Serves four seconds of speech at `/message.wav`, a text at `/text`, and nothing else. */
async function startSound() {
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.headers.authorization) response.writeHead(400).end();
    else if (request.url === "/message.wav") {
      response.setHeader("content-type", "audio/wav");
      response.end(recordingWav("message", 4, 1));
    } else if (request.url === "/text") response.setHeader("content-type", "text/plain").end("no sound");
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}

/** Responses of a portal that keeps a line open: one lead after the other, with a question for a key after each. */
function line(answers: Record<string, Answer> = {}) {
  const leads = [LEAD, SECOND];
  return ({ path, params }: ReceivedWebhook): Answer => {
    if (path in answers) return answers[path];
    if (path === "/answered")
      return `<Response><Gather numDigits="1" timeout="8" action="/next"><Say language="es-US">Pulsa 1 para empezar.</Say></Gather></Response>`;
    if (path === "/next" || (path === "/key" && params.Digits !== "0")) {
      const lead = leads.shift();
      if (!lead) return "<Response><Hangup/></Response>";
      return `<Response><Say>Laura Gómez, Tampa.</Say><Redirect>/dial?to=${encodeURIComponent(lead)}</Redirect></Response>`;
    }
    if (path.startsWith("/dial?")) {
      const to = new URLSearchParams(path.split("?")[1]).get("to");
      return `<Response><Dial callerId="${SYSTEM_NUMBER}" hangupOnStar="true" timeout="20" action="/done" record="record-from-answer-dual"><Number url="/notice" statusCallback="/leg" statusCallbackEvent="initiated ringing answered completed">${to}</Number></Dial></Response>`;
    }
    if (path === "/notice") return "<Response><Say>This call is recorded.</Say></Response>";
    if (path === "/done") return ASK;
    return undefined;
  };
}

async function open(answers: Record<string, Answer> = {}) {
  receiver = await startReceiver(line(answers));
  const { sid } = await client.calls.create({
    to: REP,
    from: SYSTEM_NUMBER,
    url: `${receiver.url}/answered`,
    statusCallback: `${receiver.url}/line`,
  });
  return sid;
}

const leg = (call: string): Promise<SeenLeg> => sandbox.control("GET", `/calls/${encodeURIComponent(call)}`);
const seen = (what: string, call: string, check: (leg: SeenLeg) => boolean) =>
  waitFor(what, async () => {
    const found = await leg(call);
    return found.sid && check(found) ? found : null;
  });
const press = (call: string, digits: string) => sandbox.control("POST", `/calls/${call}/press`, { digits });
const script = (number: string, given: object | null) =>
  sandbox.control("POST", "/phones", { number, script: given });

describe("an open line", () => {
  test("dials lead after lead; the consultant's phone rings once and presses only the first 1", async () => {
    await script(LEAD, { talk: 5 });
    const sid = await open();
    const asked = await seen("the question", sid, ({ heard }) => heard.includes("How did it go?"));
    expect(asked).toMatchObject({ activity: "gathering", keys: "gather", dials: 1, pressed: "1" });
    expect(receiver.at("/done")[0]?.params).toMatchObject({
      CallSid: sid,
      CallStatus: "in-progress",
      DialCallStatus: "completed",
      DialBridged: "true",
    });
    await press(sid, "3");
    await seen("the second lead", sid, ({ dials, activity }) => dials === 2 && activity === "bridged");
    expect(receiver.at("/key")[0]?.params).toMatchObject({ CallSid: sid, Digits: "3", FinishedOnKey: "" });
    await sandbox.control("POST", `/calls/${sid}/hangup`);
    await waitFor("the end of the line", () => receiver.at("/line")[0]);
    expect(receiver.at("/answered")).toHaveLength(1);
    expect((await leg(sid)).transcript[0]).toMatchObject({
      text: "Pulsa 1 para empezar.",
      language: "es-US",
    });
    expect((await leg(sid)).warnings).toEqual([]);
    expect(receiver.received.every(({ valid }) => valid)).toBe(true);
  });

  test("keeps the consultant connected when the star key ends the lead's leg, and ignores other keys meanwhile", async () => {
    const sid = await open();
    await seen("the talk", sid, ({ activity }) => activity === "bridged");
    expect((await leg(sid)).keys).toBe("star");
    await press(sid, "2");
    expect((await leg(sid)).activity).toBe("bridged");
    await press(sid, "*");
    const done = await waitFor("the action", () => receiver.at("/done")[0]);
    expect(done.params).toMatchObject({ CallStatus: "in-progress", DialCallStatus: "completed" });
    const lead = receiver.at("/leg").at(-1)?.params;
    expect(lead).toMatchObject({ CallStatus: "completed", ParentCallSid: sid });
    expect(receiver.at("/line")).toEqual([]);
    expect((await client.calls(sid).fetch()).status).toBe("in-progress");
  });

  test.each(["hang up", "REST"])("ends the lead's leg when the consultant's ends (%s)", async (how) => {
    const sid = await open();
    await seen("the talk", sid, ({ activity }) => activity === "bridged");
    if (how === "REST") await client.calls(sid).update({ status: "completed" });
    else await sandbox.control("POST", `/calls/${sid}/hangup`);
    const [child] = await client.calls.list({ parentCallSid: sid });
    expect(child?.status).toBe("completed");
    const done = await waitFor("the action", () => receiver.at("/done")[0]);
    expect(done.params).toMatchObject({ CallStatus: "completed", DialCallStatus: "completed" });
    await expect(client.calls(sid).update({ url: `${receiver.url}/next` })).rejects.toMatchObject({
      status: 400,
      code: 21220,
    });
  });

  test("leaves a Gather on an update, which also ends a lead's leg without requesting the Dial's action", async () => {
    await script(LEAD, { talk: 5 });
    const sid = await open();
    await seen("the question", sid, ({ heard }) => heard.includes("How did it go?"));
    await client.calls(sid).update({ url: `${receiver.url}/next` });
    await seen("the second lead", sid, ({ dials, activity }) => dials === 2 && activity === "bridged");
    expect(receiver.at("/key")).toEqual([]);
    await client
      .calls(sid)
      .update({ twiml: "<Response><Say>One moment.</Say><Pause length='600'/></Response>" });
    await seen("the words", sid, ({ heard }) => heard.includes("One moment."));
    const legs = await client.calls.list({ parentCallSid: sid });
    expect(legs.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(receiver.at("/done")).toHaveLength(1);
  });

  test("rejects an update while the phone still rings", async () => {
    await sandbox.control("POST", "/phones", { number: REP, mode: "manual" });
    const sid = await open();
    await seen("ringing", sid, ({ status }) => status === "ringing");
    await expect(client.calls(sid).update({ url: `${receiver.url}/next` })).rejects.toMatchObject({
      code: 21220,
    });
    expect(receiver.at("/next")).toEqual([]);
  });

  test("requests the action again without a key where it is set to, and otherwise continues after the Gather", async () => {
    const wait = (attributes: string) =>
      `<Response><Gather numDigits="1" timeout="2" action="/key" ${attributes}/><Hangup/></Response>`;
    const first = await open({
      "/next": wait('actionOnEmptyResult="true"'),
      "/key": "<Response><Hangup/></Response>",
    });
    await waitFor("the end", () => receiver.at("/line")[0]);
    expect(receiver.at("/key")[0]?.params).toMatchObject({ CallSid: first, Digits: "" });
    await receiver.close();
    await open({ "/next": wait("") });
    await waitFor("the end", () => receiver.at("/line")[0]);
    expect(receiver.at("/key")).toEqual([]);
  });
});

describe("speech and sound on a phone", () => {
  test("stops at a key, including the rest of a Gather", async () => {
    const long = `<Response><Gather numDigits="1" action="/key"><Say>${"word ".repeat(500)}</Say><Pause length="1"/><Say>Never said.</Say></Gather></Response>`;
    const sid = await open({ "/next": long, "/key": "<Response><Pause length='600'/></Response>" });
    await seen("the long text", sid, ({ heard }) => heard[1]?.startsWith("word") ?? false);
    await press(sid, "5");
    await waitFor("the key", () => receiver.at("/key")[0]);
    const { transcript } = await leg(sid);
    expect(transcript.map(({ whole }) => whole)).toEqual([false, false]);
  });

  test("takes as long as speaking the words takes", async () => {
    expect(await sandbox.control("POST", "/speech", { msPerWord: 100 })).toEqual({ msPerWord: 100 });
    const sid = await open({ "/next": "<Response><Say>one two three</Say></Response>" });
    await waitFor("the end", () => receiver.at("/line")[0]);
    expect((await leg(sid)).transcript.at(-1)).toMatchObject({ text: "one two three", ms: 300, whole: true });
    await sandbox.control("POST", "/reset");
    expect(await sandbox.control("POST", "/speech", {})).toEqual({ msPerWord: 400 });
  });

  test("lasts as long as the sound file, is fetched by a plain request, and then redirects", async () => {
    const sid = await open({
      "/next": `<Response><Play>${sound.url}/message.wav</Play><Redirect>/played</Redirect></Response>`,
    });
    await waitFor("the proof", () => receiver.at("/played")[0]);
    expect((await leg(sid)).transcript.at(-1)).toMatchObject({
      kind: "play",
      text: `${sound.url}/message.wav`,
      ms: 4_000,
      whole: true,
    });
  });

  test.each([
    ["/missing.wav", "11200 HTTP retrieval failure: 404"],
    ["/text", "12300 Invalid Content-Type: text/plain"],
  ])("is an apology where a sound cannot be loaded: %s", async (path, warning) => {
    const sid = await open({
      "/next": `<Response><Play>${sound.url}${path}</Play><Redirect>/played</Redirect></Response>`,
    });
    await waitFor("the end", () => receiver.at("/line")[0]);
    expect(receiver.at("/played")).toEqual([]);
    expect((await leg(sid)).warnings).toEqual([warning]);
  });

  test("adds a warning for what the vendor's schema does not know", async () => {
    const sid = await open({
      "/next": `<Response><Gather numDigits="one" volume="3"><Dial>+17865550121</Dial></Gather></Response>`,
    });
    await waitFor("the end", () => receiver.at("/line")[0]);
    expect((await leg(sid)).warnings).toEqual([
      '12200 Schema validation warning: <Gather numDigits="one">',
      '12200 Schema validation warning: <Gather volume="3">',
      "12200 Schema validation warning: <Dial> in <Gather>",
    ]);
  });

  test("has its length from the header of a WAV and the bit rate of an MP3", () => {
    expect(soundMs(recordingWav("x", 3, 2))).toBe(3_000);
    // One second at 128 kbit/s after an empty ID3 tag.
    const frames = Buffer.alloc(16_000);
    frames.set([0xff, 0xfb, 0x90]);
    expect(soundMs(Buffer.concat([Buffer.from("ID3\u0004\0\0\0\0\0\0", "latin1"), frames]))).toBe(1_000);
  });
});

describe("a lead's leg that is updated with other TwiML", () => {
  const message = () => ({
    "/drop": `<Response><Play>${sound.url}/message.wav</Play><Redirect>/played</Redirect></Response>`,
    "/played": "<Response><Hangup/></Response>",
    "/key": "<Response><Pause length='600'/></Response>",
  });

  test("releases the consultant by the Dial's action, and plays its sound to the end while the next lead talks", async () => {
    await script(LEAD, { talk: 600 });
    const sid = await open({ ...message(), "/done": "<Response><Redirect>/next</Redirect></Response>" });
    await seen("the talk", sid, ({ activity }) => activity === "bridged");
    const [child] = await client.calls.list({ parentCallSid: sid });
    await client.calls(child?.sid ?? "").update({ url: `${receiver.url}/drop` });
    const done = await waitFor("the action", () => receiver.at("/done")[0]);
    expect(done.params).toMatchObject({ CallSid: sid, DialCallSid: child?.sid, DialCallStatus: "completed" });
    expect(Number(done.params.DialCallDuration)).toBeGreaterThan(0);
    const played = await waitFor("the proof", () => receiver.at("/played")[0]);
    expect(played.params).toMatchObject({ CallSid: child?.sid, ParentCallSid: sid });
    await seen("the second lead", sid, ({ dials, activity }) => dials === 2 && activity === "bridged");
    expect((await leg(child?.sid ?? "")).transcript.at(-1)).toMatchObject({ kind: "play", whole: true });
    // The end of the first lead's leg does not affect the second's.
    await seen("the end of the first", child?.sid ?? "", ({ status }) => status === "completed");
    expect((await leg(sid)).activity).toBe("bridged");
  });

  test("outlasts the consultant's leg, and requests no confirmation when hung up before the end of the sound", async () => {
    await script(LEAD, { talk: 600 });
    const sid = await open(message());
    await seen("the talk", sid, ({ activity }) => activity === "bridged");
    const [child] = await client.calls.list({ parentCallSid: sid });
    const lead = child?.sid ?? "";
    // At low speed, so that the sound lasts longer than the requests.
    await sandbox.control("POST", "/speed", { speed: 0.1 });
    await client.calls(lead).update({ url: `${receiver.url}/drop` });
    await sandbox.control("POST", `/calls/${sid}/hangup`);
    await waitFor("the end of the line", () => receiver.at("/line")[0]);
    expect(await seen("the sound", lead, ({ heard }) => heard.length === 2)).toMatchObject({
      status: "in-progress",
    });
    await sandbox.control("POST", `/calls/${lead}/hangup`);
    expect((await leg(lead)).transcript.at(-1)).toMatchObject({ kind: "play", whole: false });
    expect(receiver.at("/played")).toEqual([]);
  });

  test("cannot dial before both are connected", async () => {
    const sid = await open({ "/notice": `<Response><Dial>${SECOND}</Dial></Response>` });
    const done = await waitFor("the action", () => receiver.at("/done")[0]);
    expect(done.params).toMatchObject({ DialBridged: "false" });
    const [child] = await client.calls.list({ parentCallSid: sid });
    expect((await leg(child?.sid ?? "")).warnings).toEqual([
      "13201 Dial: Cannot Dial out from a Dial Call Segment",
    ]);
  });
});

describe("a phone with a script", () => {
  test("answers, presses its keys in turn and the star during a talk, and hangs up at the set time", async () => {
    await script(REP, { answerAfter: 1, press: ["1", "", "2"], pressAfter: 0.5, starAfter: 2 });
    await script(LEAD, { answerAfter: 10, talk: 600 });
    const sid = await open({ "/done": ASK.replace('timeout="60"', 'timeout="3"') });
    // The first question gets no key and continues with the second lead, whose question is answered with 2.
    const key = await waitFor("the key", () => receiver.at("/key")[0]);
    expect(key.params).toMatchObject({ CallSid: sid, Digits: "2" });
    expect((await leg(sid)).pressed).toBe("1**2");
    expect(Number(receiver.at("/done")[0]?.params.DialCallDuration)).toBeLessThan(10);
  });

  test("rejects an invalid script, and returns to its default behavior without one", async () => {
    for (const wrong of [{ press: "1" }, { press: ["one"] }, { answerAfter: -1 }, { sleep: 3 }, "x"]) {
      expect(await sandbox.control("POST", "/phones", { number: REP, script: wrong })).toHaveProperty(
        "message",
      );
    }
    expect(await script(REP, { talk: 3 })).toMatchObject({ script: { talk: 3 } });
    expect(await script(REP, null)).not.toHaveProperty("script");
  });
});
