import { randomBytes } from "node:crypto";
import { createServer, get, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { calls, recordings } from "../../../platform/db/schema/calls.ts";
import { eventually } from "../../../testing/call-harness.ts";
import { buildLead } from "../../../testing/factories.ts";
import { openProviderDouble, type ProviderDouble } from "../../../testing/provider-double.ts";
import type { Client } from "../../../testing/test-app.ts";
import { findLostRecordings } from "./jobs.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let desk: ProviderDouble;
let ana: Client;
let luis: Client;
let admin: Client;
beforeAll(async () => {
  desk = await openProviderDouble({ TWILIO_RECORDING_HOSTS: "127.0.0.1" });
  ana = await desk.portal.signIn();
  luis = await desk.portal.signIn();
  admin = await desk.portal.signIn({ role: "admin" });
});
afterAll(() => desk?.close());

const hex = () => randomBytes(16).toString("hex");
const newSid = (kind: "CA" | "RE") => `${kind}${hex()}`;
const lead = (rest: object = {}) =>
  buildLead(desk.portal.deps.database, { name: "María García", assignedTo: ana.user.id, ...rest });

/** An ended conversation with a lead, requested and answered `minutesAgo`. */
async function talk(rest: Partial<typeof calls.$inferInsert> = {}, minutesAgo = 5) {
  const { id: leadId, phoneE164 } = await lead();
  const at = new Date(Date.now() - minutesAgo * 60_000);
  const [call] = await desk.portal.deps.database.db
    .insert(calls)
    .values({
      leadId,
      userId: ana.user.id,
      repNumber: "+13055550101",
      repLine: "personal",
      leadNumber: phoneE164 ?? "",
      pressOne: true,
      state: "ended",
      result: "answered",
      settled: true,
      callSid: newSid("CA"),
      requestedAt: at,
      askedAt: at,
      endedAt: new Date(at.getTime() + 60_000),
      ...rest,
    })
    .returning();
  if (!call) throw new Error("no call was made");
  return call;
}

const status = (RecordingSid: string, CallSid: string, rest: Record<string, string> = {}, query = "") =>
  desk.webhook(`/api/twilio/recording-status${query}`, {
    CallSid,
    RecordingSid,
    RecordingStatus: "completed",
    RecordingDuration: "74",
    RecordingSource: "DialVerb",
    AccountSid: "AC0",
    ...rest,
  });
const rowOf = async (recordingSid: string) => {
  const { rows } = await desk.pool.query("select * from recordings where recording_sid = $1", [recordingSid]);
  return rows[0];
};
const kept = (recordingSid: string, holds: (row: Record<string, unknown>) => boolean = () => true) =>
  eventually("the recording", async () => {
    const row = await rowOf(recordingSid);
    return row && holds(row) && row;
  });
const none = JSON.stringify({ recordings: [], page: 0, page_size: 50, next_page_uri: null });
const lostRound = (afterMs = 0) =>
  findLostRecordings(desk.portal.deps.calls, desk.portal.deps.calls.telephony as never, {
    afterMs,
    tries: 4,
  });

describe("a recording callback", () => {
  it("is matched to the call of its first leg, in any order and with any repetition", async () => {
    const call = await talk();
    const sid = newSid("RE");
    await status(sid, call.callSid ?? "");
    const late = { RecordingStatus: "in-progress", RecordingDuration: "" };
    await Promise.all([
      status(sid, call.callSid ?? "", late),
      ...Array.from({ length: 10 }, () => status(sid, call.callSid ?? "")),
    ]);
    await eventually("the events", async () => {
      const { rows } = await desk.pool.query("select 1 from provider_events where processed_at is null");
      return rows.length === 0;
    });
    expect(await rowOf(sid)).toMatchObject({
      call_id: call.id,
      lead_id: call.leadId,
      user_id: ana.user.id,
      status: "completed",
      duration_seconds: 74,
    });
    const { rows } = await desk.pool.query("select 1 from recordings where call_sid = $1", [call.callSid]);
    expect(rows).toHaveLength(1);
  });

  it("is matched to the call id in its URL when the leg's id is unknown", async () => {
    const call = await talk({ callSid: null });
    const sid = newSid("RE");
    await status(sid, newSid("CA"), {}, `?call=${call.id}`);
    expect(await kept(sid)).toMatchObject({ call_id: call.id, lead_id: call.leadId });
  });

  it("is matched when its call becomes known later", async () => {
    const [sid, callSid] = [newSid("RE"), newSid("CA")];
    await status(sid, callSid);
    expect(await kept(sid)).toMatchObject({ call_id: null });
    const call = await talk({ callSid }, 90);
    await lostRound();
    expect(await rowOf(sid)).toMatchObject({ call_id: call.id, lead_id: call.leadId, user_id: ana.user.id });
  });

  it("is rejected when forged, and nothing is written", async () => {
    const call = await talk();
    const sid = newSid("RE");
    const params = { CallSid: call.callSid ?? "", RecordingSid: sid, RecordingStatus: "completed" };
    expect((await desk.webhook("/api/twilio/recording-status", params, "another token")).status).toBe(403);
    const { rows } = await desk.pool.query("select 1 from provider_events where event_key like $1", [
      `%${sid}%`,
    ]);
    expect(rows).toHaveLength(0);
  });

  it.each([
    ["answered by a person", {}],
    ["without machine detection", { result: "unclear", answeredBy: "unasked", answeredAt: new Date() }],
  ] as const)(
    "that is missing for a talk %s is replaced by a request to the provider, until it is known",
    async (_what, of) => {
      const call = await talk(of, 10);
      const sid = newSid("RE");
      const recording = {
        sid,
        call_sid: call.callSid,
        status: "completed",
        duration: "31",
        source: "DialVerb",
      };
      const at = "Thu, 20 Nov 2025 10:00:06 +0000";
      desk.answers((request, response) => {
        const ours = request.url?.includes(call.callSid ?? "");
        const found = ours ? [{ ...recording, date_created: at, start_time: at }] : [];
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ recordings: found, page: 0, page_size: 50, next_page_uri: null }));
      });
      await lostRound(60_000);
      expect(await rowOf(sid)).toMatchObject({ call_id: call.id, duration_seconds: 31 });
      const before = desk.asked.filter(({ path }) => path.includes(call.callSid ?? "")).length;
      await lostRound();
      expect(desk.asked.filter(({ path }) => path.includes(call.callSid ?? ""))).toHaveLength(before);
    },
  );

  it("that is missing is requested four times at most", async () => {
    const call = await talk({}, 10);
    desk.answers((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(none);
    });
    for (let round = 0; round < 8; round += 1) await lostRound();
    expect(desk.asked.filter(({ path }) => path.includes(call.callSid ?? ""))).toHaveLength(4);
  });

  it.each([
    [4, "the same phone", { callSid: null }, true],
    [6, "the same phone", { callSid: null }, false],
    // Many consultants share an office line.
    [3, "the same phone, which the provider matches to another call,", {}, false],
  ])("%i minutes from a call on %s is matched: %j", async (minutes, _phone, known, matched) => {
    const call = await talk({ repNumber: `+1786555011${minutes}`, ...known }, minutes);
    const [sid, callSid] = [newSid("RE"), newSid("CA")];
    desk.answers((request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      if (request.url?.includes("Recordings.json")) return void response.end(none);
      response.end(
        JSON.stringify({ sid: callSid, status: "completed", to: call.repNumber, from: "+12125550100" }),
      );
    });
    await status(sid, callSid);
    await kept(sid);
    await lostRound();
    expect(desk.asked.some(({ path }) => path.includes(callSid))).toBe(true);
    const { rows } = await desk.pool.query("select 1 from recordings where call_id = $1", [call.id]);
    expect(rows).toHaveLength(matched ? 1 : 0);
  });
});

describe("a call log without a call", () => {
  it.each([
    [4, true],
    [6, false],
  ])("%i minutes from a recording of its lead has that recording: %j", async (minutes, plays) => {
    const call = await talk({}, minutes);
    const sid = newSid("RE");
    const at = { RecordingStartTime: call.requestedAt.toUTCString() };
    await status(sid, call.callSid ?? "", at);
    await kept(sid);
    const report = { leadId: call.leadId, duration: 60, outcome: "answered" };
    const log = await ana.post("/api/call-logs", report);
    expect(log.body.recordingSid).toBe(plays ? sid : null);
  });
});

describe("the lists of recordings", () => {
  it("return one's own calls and leads, and everything to administrators", async () => {
    const call = await talk();
    const sid = newSid("RE");
    await status(sid, call.callSid ?? "");
    await kept(sid);
    const absent = newSid("RE");
    await status(absent, call.callSid ?? "", { RecordingStatus: "absent" });
    await kept(absent);
    const sids = async (client: Client, path = "/api/twilio/recordings") =>
      (await client.get(path)).body.map(({ recordingSid }: { recordingSid: string }) => recordingSid);
    expect(await sids(ana)).toContain(sid);
    expect(await sids(ana)).not.toContain(absent);
    expect(await sids(admin)).toContain(sid);
    expect(await sids(luis)).toEqual([]);
    expect(await sids(luis, "/api/ghl/call-recordings")).toEqual([]);
    const mine = (await ana.get("/api/twilio/recordings?limit=1")).body;
    expect(mine).toHaveLength(1);
    expect(mine[0]).toMatchObject({
      recordingSid: sid,
      recordingStatus: "completed",
      leadName: "María García",
      duration: 74,
    });
    expect((await desk.portal.request("GET", "/api/twilio/recordings")).status).toBe(401);
  });

  it("return every recording once over the pages", async () => {
    const all = (await ana.get("/api/twilio/recordings")).body;
    const seen: number[] = [];
    let cursor = "";
    do {
      const page = await ana.get(`/api/twilio/recordings?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.body.map(({ id }: { id: number }) => id));
      cursor = String(page.headers["x-next-cursor"] ?? "");
    } while (cursor);
    expect(seen).toEqual(all.map(({ id }: { id: number }) => id));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("match the AI agent's calls too, with URLs of the portal", async () => {
    const { id } = await lead({
      aiRecordingMessageId: "msg1",
      aiRecordingAt: new Date("2026-11-19T10:00:00Z"),
    });
    const list = (await ana.get("/api/ghl/call-recordings")).body as { leadId: number; audioUrl: string }[];
    expect(list.find(({ leadId }) => leadId === id)).toMatchObject({
      callSid: null,
      callDate: "2026-11-19T10:00:00.000Z",
      audioUrl: `/api/ai-recording/${id}`,
    });
    for (const { audioUrl } of list) expect(audioUrl).toMatch(/^\/api\/(twilio\/recording|ai-recording)\//);
  });
});

describe("the sound of a recording", () => {
  const whole = randomBytes(5_000);
  let sid: string;
  const path = (query = "") => `/api/twilio/recording/${sid}${query}`;
  const listen = (query = "", { cookie = ana.cookie, range = "" } = {}) =>
    fetch(`${desk.portal.url}${path(query)}`, { headers: { cookie, ...(range && { range }) } });
  const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());
  const sends = (status: number, headers: Record<string, string | number>, body: Buffer) =>
    desk.answers((_request, response) => void response.writeHead(status, headers).end(body));
  const mp3 = { "content-type": "audio/mpeg" };

  beforeAll(async () => {
    const call = await talk();
    sid = newSid("RE");
    const { db } = desk.portal.deps.database;
    await db.insert(recordings).values({
      recordingSid: sid,
      callSid: call.callSid ?? "",
      callId: call.id,
      leadId: call.leadId,
      userId: ana.user.id,
      status: "completed",
      createdAt: new Date("2026-11-20T15:00:00Z"),
    });
  });

  it("is streamed as MP3, and reveals nothing of the provider", async () => {
    sends(200, { ...mp3, "content-length": whole.length, "x-secret": "provider" }, whole);
    const answer = await listen();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "audio/mpeg",
      "accept-ranges": "bytes",
      "content-length": String(whole.length),
    });
    expect(answer.headers.has("x-secret")).toBe(false);
    expect(answer.headers.has("content-disposition")).toBe(false);
    expect((await bytes(answer)).equals(whole)).toBe(true);
    expect(desk.asked[0]?.path).toBe(`/2010-04-01/Accounts/AC${"7".repeat(32)}/Recordings/${sid}.mp3`);
    expect(desk.asked[0]?.authorization).toMatch(/^Basic /);
  });

  it("is cut to the range when the provider sends the whole", async () => {
    sends(200, { ...mp3, "content-length": whole.length }, whole);
    const answer = await listen("", { range: "bytes=1000-1999" });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([206, "bytes 1000-1999/5000"]);
    expect((await bytes(answer)).equals(whole.subarray(1000, 2000))).toBe(true);
    expect(desk.asked[0]?.range).toBe("bytes=1000-1999");
  });

  it("passes on the range that the provider sends", async () => {
    const headers = { ...mp3, "content-length": 1000, "content-range": "bytes 4000-4999/5000" };
    sends(206, headers, whole.subarray(4000));
    const answer = await listen("", { range: "bytes=4000-" });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([206, "bytes 4000-4999/5000"]);
    expect((await bytes(answer)).equals(whole.subarray(4000))).toBe(true);
  });

  it("rejects an invalid range, detected here or by the provider", async () => {
    sends(416, { "content-range": "bytes */5000" }, Buffer.alloc(0));
    const there = await listen("", { range: "bytes=9000-" });
    expect([there.status, there.headers.get("content-range")]).toEqual([416, "bytes */5000"]);
    sends(200, { ...mp3, "content-length": whole.length }, whole);
    const here = await listen("", { range: "bytes=9000-" });
    expect([here.status, here.headers.get("content-range")]).toEqual([416, "bytes */5000"]);
  });

  it("has a download name with kind, day and lead", async () => {
    sends(200, { ...mp3, "content-length": whole.length }, whole);
    const answer = await listen("?download=1");
    expect(answer.headers.get("content-disposition")).toBe(
      'attachment; filename="call-2026-11-20-maria-garcia.mp3"',
    );
    await answer.arrayBuffer();
  });

  it("is denied to another consultant without a request to the provider", async () => {
    desk.answers((_request, response) => void response.end());
    const refused = await listen("", { cookie: luis.cookie });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      403,
      "not_your_lead",
    ]);
    expect((await fetch(`${desk.portal.url}${path()}`)).status).toBe(401);
    expect((await ana.get("/api/twilio/recording/RE../../x")).status).toBeGreaterThanOrEqual(400);
    expect((await ana.get(`/api/twilio/recording/${newSid("RE")}`)).body.code).toBe("no_recording");
    expect(desk.asked).toHaveLength(0);
  });

  it.each<[string, number, Record<string, string>, number, string]>([
    ["a missing recording", 404, {}, 404, "no_recording"],
    ["an error of the provider", 500, {}, 502, "provider_unavailable"],
    ["wrong credentials", 401, {}, 502, "provider_unavailable"],
    ["a page", 200, { "content-type": "text/html" }, 502, "provider_unavailable"],
    ["a redirect to another address", 302, { location: "http://127.0.0.1:1/x" }, 502, "provider_unavailable"],
    ["a range without Content-Range", 206, { "content-type": "audio/mpeg" }, 502, "provider_unavailable"],
    ["more than 100 MB", 200, { ...mp3, "content-length": "120000000" }, 502, "provider_unavailable"],
  ])("has a message for %s", async (_what, answered, headers, expected, code) => {
    desk.answers((_request, response) => {
      response.writeHead(answered, headers);
      response.flushHeaders();
      if (!headers["content-length"]) response.end("{}");
    });
    const answer = await ana.get(path());
    expect([answer.status, answer.body.code]).toEqual([expected, code]);
    expect(JSON.stringify(answer.body)).not.toContain("127.0.0.1");
    sends(200, { ...mp3, "content-length": 1 }, Buffer.from("x"));
    await ana.get(path());
  });

  describe("in a storage that the provider redirects to", () => {
    const asked: (string | undefined)[] = [];
    let answer = (response: ServerResponse) => void response.end();
    const storage = createServer((request, response) => {
      asked.push(request.headers.authorization);
      answer(response);
    });
    let port = 0;
    beforeAll(async () => {
      await new Promise<void>((resolve) => storage.listen(0, "127.0.0.1", resolve));
      port = (storage.address() as AddressInfo).port;
    });
    afterAll(() => storage.close());
    const redirects = (location: string) =>
      desk.answers((_request, response) => void response.writeHead(302, { location }).end());

    it("is fetched from there, without our credentials", async () => {
      answer = (response) => {
        response.writeHead(200, { "content-type": "binary/octet-stream", "content-length": whole.length });
        response.end(whole);
      };
      redirects(`http://127.0.0.1:${port}/x.mp3?signature=1`);
      const heard = await listen("", { range: "bytes=1000-1999" });
      expect([heard.status, heard.headers.get("content-type")]).toEqual([206, "audio/mpeg"]);
      expect((await bytes(heard)).equals(whole.subarray(1000, 2000))).toBe(true);
      expect([asked, desk.asked[0]?.authorization]).toEqual([[undefined], expect.stringMatching(/^Basic /)]);
    });

    it.each([
      ["another redirect", 302, { location: "/y.mp3" }],
      ["a rejection", 403, {}],
      ["more than 100 MB", 200, { ...mp3, "content-length": "120000000" }],
      ["a page", 200, { "content-type": "text/html" }],
    ])("is not played when that answers %s", async (_what, code, headers) => {
      answer = (response) => void response.writeHead(code, headers).end();
      redirects(`http://127.0.0.1:${port}/x.mp3`);
      expect((await ana.get(path())).body.code).toBe("provider_unavailable");
      sends(200, { ...mp3, "content-length": 1 }, Buffer.from("x"));
      await ana.get(path());
    });
  });

  it("closes the request to the provider when the client disconnects", async () => {
    let upstream: ServerResponse | undefined;
    desk.answers((_request, response) => {
      upstream = response;
      response.writeHead(200, { ...mp3, "content-length": 50_000_000 });
      response.write(Buffer.alloc(64_000));
    });
    await new Promise<void>((resolve, reject) => {
      const request = get(`${desk.portal.url}${path()}`, { headers: { cookie: ana.cookie }, agent: false });
      request.once("error", reject);
      request.once("response", (response) => {
        response.once("data", () => response.destroy());
        response.once("close", resolve);
      });
    });
    await eventually("the end of the request to the provider", () => upstream?.destroyed);
  });
});
