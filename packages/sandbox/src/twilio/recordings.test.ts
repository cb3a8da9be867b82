import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { SYSTEM_NUMBER, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } from "../defaults.ts";
import { startReceiver } from "../testing/receiver.ts";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { twilioClient } from "../testing/vendor-clients.ts";
import { describesTwilio } from "../testing/vendor-schemas.ts";
import { waitFor } from "../testing/wait-for.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const REP = "+13055550101";
const LEAD = "+17865550120";
const RATE = 8_000;

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
});
afterEach(() => receiver.close());

/** Makes a recorded call to the lead and waits for its end. */
async function recordedCall({ channels = "-dual", lead = LEAD } = {}) {
  const dial = `<Dial record="record-from-answer${channels}" recordingStatusCallback="${receiver.url}/recording" recordingStatusCallbackEvent="in-progress completed absent">${lead}</Dial>`;
  const { sid } = await client.calls.create({
    to: REP,
    from: SYSTEM_NUMBER,
    twiml: `<Response>${dial}</Response>`,
  });
  const last = await waitFor("the recording", () =>
    receiver
      .at("/recording")
      .find(({ params }) => params.CallSid === sid && params.RecordingStatus !== "in-progress"),
  );
  return { callSid: sid, params: last.params, sid: String(last.params.RecordingSid) };
}

const authorization = `Basic ${btoa(`${TWILIO_ACCOUNT_SID}:${TWILIO_AUTH_TOKEN}`)}`;

async function sound(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(
    `${sandbox.url}/twilio/2010-04-01/Accounts/${TWILIO_ACCOUNT_SID}/Recordings/${path}`,
    {
      headers: { authorization, ...headers },
    },
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    range: response.headers.get("content-range"),
    bytes,
  };
}

describe("the recording of a call", () => {
  test("is listed under the parent leg and can be read", async () => {
    const { callSid, sid, params } = await recordedCall();
    const listed = await client.recordings.list({ callSid });
    expect(listed).toMatchObject([
      {
        sid,
        callSid,
        status: "completed",
        channels: 2,
        source: "DialVerb",
        duration: params.RecordingDuration,
      },
    ]);
    expect(listed[0]?.mediaUrl).toBe(params.RecordingUrl);
    expect(await client.recordings.list({ callSid: `CA${"f".repeat(32)}` })).toEqual([]);
    expect(await client.recordings(sid).fetch()).toMatchObject({ sid, status: "completed" });
  });

  test("pages newest first and filters by date", async () => {
    const sids = [await recordedCall(), await recordedCall()].map(({ sid }) => sid);
    expect((await client.recordings.list({ pageSize: 1 })).map(({ sid }) => sid)).toEqual(sids.toReversed());
    const hourAgo = new Date(Date.now() - 3_600_000);
    expect(await client.recordings.list({ dateCreatedAfter: hourAgo })).toHaveLength(2);
    expect(await client.recordings.list({ dateCreatedBefore: hourAgo })).toHaveLength(0);
  });

  test("lasts as long as reported, in one channel or two", async () => {
    const { sid, params } = await recordedCall();
    const seconds = Number(params.RecordingDuration);
    const mono = await sound(`${sid}.wav`);
    expect([mono.status, mono.type]).toEqual([200, "audio/x-wav"]);
    expect(mono.bytes.toString("ascii", 0, 4)).toBe("RIFF");
    expect([mono.bytes.readUInt16LE(22), mono.bytes.length]).toEqual([1, 44 + seconds * RATE * 2]);
    const dual = await sound(`${sid}.wav?RequestedChannels=2`);
    expect([dual.bytes.readUInt16LE(22), dual.bytes.length]).toEqual([2, 44 + seconds * RATE * 4]);
    const samples = new Int16Array(mono.bytes.buffer, mono.bytes.byteOffset + 44, seconds * RATE);
    expect(Math.max(...samples)).toBeGreaterThan(2_000);
    for (const path of [sid, `${sid}.mp3`]) expect((await sound(path)).bytes.equals(mono.bytes)).toBe(true);
  });

  test("has no second channel when it is mono", async () => {
    const { sid } = await recordedCall({ channels: "" });
    expect((await sound(`${sid}?RequestedChannels=2`)).status).toBe(400);
  });

  test("is served whole whatever Range asks, and in ranges once configured", async () => {
    const { sid } = await recordedCall();
    const whole = await sound(sid, { range: "bytes=100-199" });
    expect(whole.status).toBe(200);
    await sandbox.control("POST", "/media", { range: true });
    const part = await sound(sid, { range: "bytes=100-199" });
    expect([part.status, part.range]).toEqual([206, `bytes 100-199/${whole.bytes.length}`]);
    expect(part.bytes.equals(whole.bytes.subarray(100, 200))).toBe(true);
    expect((await sound(sid, { range: "bytes=-50" })).bytes.equals(whole.bytes.subarray(-50))).toBe(true);
    expect((await sound(sid, { range: `bytes=${whole.bytes.length}-` })).status).toBe(416);
  });

  test("redirects to a storage that rejects our credentials once configured", async () => {
    const { sid } = await recordedCall();
    const { bytes } = await sound(sid);
    await sandbox.control("POST", "/media", { redirect: "storage" });
    const address = `${sandbox.url}/twilio/2010-04-01/Accounts/${TWILIO_ACCOUNT_SID}/Recordings/${sid}.mp3`;
    const redirected = await fetch(address, { headers: { authorization }, redirect: "manual" });
    const location = redirected.headers.get("location") ?? "";
    expect([redirected.status, location]).toEqual([
      302,
      expect.stringContaining(`${sandbox.url}/storage/${sid}`),
    ]);
    expect(Buffer.from(await (await fetch(location)).arrayBuffer()).equals(bytes)).toBe(true);
    expect((await fetch(location, { headers: { authorization } })).status).toBe(400);
    expect((await fetch(location.split("?", 1)[0] ?? "")).status).toBe(403);
    await sandbox.control("POST", "/media", { redirect: "https://elsewhere.example.com/x.mp3" });
    const other = await fetch(address, { headers: { authorization }, redirect: "manual" });
    expect(other.headers.get("location")).toBe("https://elsewhere.example.com/x.mp3");
  });

  test("has a price, like its call, some time after the end", async () => {
    await sandbox.control("POST", "/prices", { afterSeconds: 3_600 });
    const { sid, callSid } = await recordedCall();
    await waitFor("the end", async () => (await client.calls(callSid).fetch()).status === "completed");
    expect((await client.calls(callSid).fetch()).price).toBeNull();
    await sandbox.control("POST", "/prices", { afterSeconds: 0 });
    const prices = [
      (await client.calls.list({ to: REP }))[0]?.price,
      (await client.recordings(sid).fetch()).price,
    ];
    expect(prices).toEqual(["-0.01400", "-0.00250"]);
  });

  test("has no sound before it is completed, when it is absent, and after it is deleted", async () => {
    await sandbox.control("POST", "/phones", { number: LEAD, mode: "manual" });
    const call = recordedCall();
    await waitFor(
      "ringing",
      async () =>
        (await sandbox.control("POST", `/calls/${encodeURIComponent(LEAD)}/answer`)).status === "in-progress",
    );
    const started = await waitFor("the start", () => receiver.at("/recording")[0]);
    expect((await sound(String(started.params.RecordingSid))).status).toBe(404);
    await sandbox.control("POST", `/calls/${encodeURIComponent(LEAD)}/hangup`);
    const { sid } = await call;
    expect((await sound(sid)).status).toBe(200);
    expect(await client.recordings(sid).remove()).toBe(true);
    expect((await sound(sid)).status).toBe(404);
    await expect(client.recordings(sid).fetch()).rejects.toMatchObject({ code: 20404 });
  });

  test("requires credentials", async () => {
    const { sid } = await recordedCall();
    expect((await sound(sid, { authorization: "Basic bm9ib2R5Om5vdGhpbmc=" })).status).toBe(401);
  });

  test("responds as the vendor's API description says", async () => {
    const { sid } = await recordedCall();
    const rest = async (path: string) => {
      const { status, bytes } = await sound(path);
      return { status, body: JSON.parse(bytes.toString()) };
    };
    const paths = "/2010-04-01/Accounts/{AccountSid}";
    const list = await fetch(
      `${sandbox.url}/twilio/2010-04-01/Accounts/${TWILIO_ACCOUNT_SID}/Recordings.json`,
      {
        headers: { authorization },
      },
    );
    const listed = { status: list.status, body: await list.json() };
    expect(describesTwilio("get", `${paths}/Recordings.json`, listed)).toEqual([]);
    expect(describesTwilio("get", `${paths}/Recordings/{Sid}.json`, await rest(`${sid}.json`))).toEqual([]);
  });
});
