import { get } from "node:http";
import { desc, isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { leads } from "../../../platform/db/schema/leads.ts";
import { buildLead } from "../../../testing/factories.ts";
import { startTestSandbox, type TestSandbox } from "../../../testing/sandbox.ts";
import { buildTestApp, type Client, type TestApp } from "../../../testing/test-app.ts";

interface CallThere {
  contactId: string;
  id: string;
}

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let sandbox: TestSandbox;
let app: TestApp;
let admin: Client;
let ana: Client;
let leadId: number;
let whole: Buffer;
let extraction: unknown;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await buildTestApp({ env: sandbox.env, jobs: true, listen: true });
  admin = await app.signIn({ role: "admin", email: "admin@portal.test" });
  ana = await app.signIn({ email: "ana@portal.test" });
  await admin.post("/api/ghl/sync");
  extraction = (await admin.post("/api/extract-all-recordings")).body;
  const [mine] = await db()
    .select()
    .from(leads)
    .where(isNotNull(leads.aiRecordingMessageId))
    .orderBy(desc(leads.id));
  await db().update(leads).set({ assignedTo: ana.user.id });
  leadId = mine?.id ?? 0;
  whole = await bytes(await listen(sound()));
});

afterAll(async () => {
  await app?.close();
  await sandbox?.close();
});

const db = () => app.deps.database.db;
const failNext = (rule: object) =>
  sandbox.control("POST", "/fail", { vendor: "ghl", match: "/recording", ...rule });
/** Over a real connection, because injected requests have no stream that can break. */
const listen = (path: string, { cookie = ana.cookie, range = "" } = {}) =>
  fetch(`${app.url}${path}`, { headers: { cookie, ...(range && { range }) } });
const sound = () => `/api/ai-recording/${leadId}`;
const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe("finding the AI agent's calls", () => {
  it("assigns each talk of the agent to its lead, and ignores other calls", async () => {
    const { contacts } = await sandbox.control("GET", "/ghl/contacts");
    const talks = contacts.length / 3;
    expect(extraction).toEqual({ message: `Extracted ${talks} recordings`, extractedCount: talks });

    const tied = await db().select().from(leads).where(isNotNull(leads.aiRecordingMessageId));
    expect(tied).toHaveLength(talks);
    const headers = { authorization: "Bearer pit-sandbox-token", version: "2021-04-15" };
    const query = "locationId=loc0000000000000001&limit=500";
    const there = await fetch(`${sandbox.url}/ghl/conversations/messages/export?${query}`, { headers });
    const { messages } = (await there.json()) as { messages: (CallThere & { userId?: string })[] };
    const byUsers = new Set(messages.filter(({ userId }) => userId).map(({ id }) => id));
    expect(byUsers.size).toBeGreaterThan(0);
    for (const { aiRecordingMessageId } of tied) expect(byUsers).not.toContain(aiRecordingMessageId);
  });

  it("finds nothing new the second time", async () => {
    const answer = await ana.post("/api/extract-all-recordings");
    expect(answer.body).toEqual({ message: "Extracted 0 recordings", extractedCount: 0 });
  });
});

describe("playback of the AI agent's calls", () => {
  it("streams the sound to the assignee and to administrators", async () => {
    const answer = await listen(sound());
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "audio/x-wav",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
    });
    expect(answer.headers.get("cache-control")).toContain("private");
    expect(JSON.stringify([...answer.headers])).not.toContain("pit-sandbox");
    expect((await bytes(answer)).equals(whole)).toBe(true);
    expect(whole.subarray(0, 4).toString()).toBe("RIFF");
    expect(Number(answer.headers.get("content-length"))).toBe(whole.length);
    expect((await bytes(await listen(sound(), { cookie: admin.cookie }))).equals(whole)).toBe(true);
  });

  it.each([
    ["bytes=0-99", 0, 100],
    ["bytes=100-", 100, undefined],
    ["bytes=-50", -50, undefined],
  ])("answers %s with that range", async (range, from, to) => {
    const answer = await listen(sound(), { range });
    const part = whole.subarray(from, to);
    const start = from < 0 ? whole.length + from : from;
    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-range")).toBe(
      `bytes ${start}-${start + part.length - 1}/${whole.length}`,
    );
    expect((await bytes(answer)).equals(part)).toBe(true);
  });

  it("rejects an invalid range", async () => {
    const answer = await listen(sound(), { range: `bytes=${whole.length}-` });
    expect(answer.status).toBe(416);
    expect(answer.headers.get("content-range")).toBe(`bytes */${whole.length}`);
    expect(((await answer.json()) as { message: unknown }).message).toBeTypeOf("string");
  });

  it("returns the whole for a malformed range", async () => {
    expect((await bytes(await listen(sound(), { range: "bytes=9-3" }))).equals(whole)).toBe(true);
  });

  it("is denied to another consultant without a request to the provider", async () => {
    const luis = await app.signIn();
    await sandbox.control("DELETE", "/requests");
    const answer = await luis.get(sound());
    expect([answer.status, answer.body.code]).toEqual([403, "not_your_lead"]);
    expect((await app.request("GET", sound())).status).toBe(401);
    expect((await sandbox.control("GET", "/requests?vendor=ghl")).requests).toHaveLength(0);
  });

  it("reports an unknown lead, a missing call and a missing sound", async () => {
    expect((await ana.get("/api/ai-recording/999999")).body.code).toBe("not_found");
    const silent = await buildLead(app.deps.database, { assignedTo: ana.user.id });
    expect((await ana.get(`/api/ai-recording/${silent.id}`)).body.code).toBe("no_recording");
    const lost = await buildLead(app.deps.database, {
      assignedTo: ana.user.id,
      aiRecordingMessageId: "gone../../users",
    });
    expect((await ana.get(`/api/ai-recording/${lost.id}`)).body.code).toBe("no_recording");
    await failNext({ status: 400 });
    expect((await ana.get(sound())).status).toBe(404);
  });

  it.each([
    [{ status: 500 }, "GoHighLevel failed (500)."],
    [{ status: 401 }, "GoHighLevel refused the key (401)."],
    [{ status: 200, html: true }, "GoHighLevel sent something that is no sound."],
    [{ reset: true }, "GoHighLevel did not answer."],
  ])("reports what happened when the provider fails with %j", async (rule, message) => {
    await failNext(rule);
    const answer = await ana.get(sound());
    expect([answer.status, answer.body.message]).toEqual([502, message]);
  });

  it("continues to serve after a client disconnected halfway", async () => {
    await new Promise<void>((resolve, reject) => {
      const request = get(`${app.url}${sound()}`, { headers: { cookie: ana.cookie }, agent: false });
      request.once("error", reject);
      request.once("response", (response) => {
        response.once("data", () => response.destroy());
        response.once("close", resolve);
      });
    });
    expect((await bytes(await listen(sound()))).equals(whole)).toBe(true);
  });
});
