import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createGoHighLevel } from "../../adapters/gohighlevel/crm.ts";
import { crmSyncRuns } from "../../platform/db/schema/crm.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { fixedAccess } from "../../ports/crm.ts";
import { type CrmHarness, openCrmHarness } from "../../testing/crm-harness.ts";
import type { TestSandbox } from "../../testing/sandbox.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { createCrmPace } from "./pace-requests.ts";
import { createCrmStatus, runSync } from "./service.ts";
import { workRun } from "./work-run.ts";

// One app and one CRM for the whole file; every test starts with empty tables and 126 contacts.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let desk: CrmHarness;
let sandbox: TestSandbox;
let app: TestApp;
let admin: Client;
let ana: Client;

beforeAll(async () => {
  desk = await openCrmHarness();
  ({ sandbox, app, admin, ana } = desk);
});
beforeEach(() => desk.renew());

afterAll(() => desk?.close());

const db = () => app.deps.database.db;
const failNext = (rule: object) => desk.failNext(rule);
const requestsTo = async (
  path: string,
): Promise<{ status: number; path: string; body: { pageLimit: number } }[]> =>
  (await sandbox.control("GET", `/requests?vendor=ghl&path=${path}`)).requests;

describe("sync runs", () => {
  it("reject a sync of all contacts by a consultant, and start nothing", async () => {
    const answer = await ana.post("/api/ghl/sync");
    expect(answer.status).toBe(403);
    expect(await db().$count(crmSyncRuns)).toBe(0);
    expect(await requestsTo("/")).toHaveLength(0);
    expect((await app.request("POST", "/api/ghl/sync-leads")).status).toBe(401);
  });

  it("join a repeated request, and create no duplicate lead", async () => {
    await sandbox.control("POST", "/latency", {
      vendor: "ghl",
      match: "/contacts/search",
      ms: 300,
      count: 1,
    });
    const [one, other] = await Promise.all([admin.post("/api/ghl/sync"), admin.post("/api/ghl/sync")]);
    expect(one.body.runId).toBe(other.body.runId);
    expect(one.body.synced).toBe(126);
    expect(await db().$count(crmSyncRuns)).toBe(1);
    expect(await db().$count(leads)).toBe(126);
  });

  it("create no duplicate lead when both kinds run at once", async () => {
    const answers = await Promise.all([admin.post("/api/ghl/sync"), ana.post("/api/ghl/sync-leads")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await db().$count(leads)).toBe(126);
  });

  it("return the counts of one run", async () => {
    const { body } = await admin.post("/api/ghl/sync");
    const run = await ana.get(`/api/ghl/sync-runs/${body.runId}`);
    expect(run.body).toEqual({ ...body, failed: false });
    expect((await ana.get("/api/ghl/sync-runs/999")).status).toBe(404);
  });

  it("stop at a rejected key with a message, without a loop", async () => {
    await failNext({ status: 401, match: "/users/", count: 2 });
    const answer = await admin.post("/api/ghl/sync");
    expect(answer.status).toBe(502);
    const fault = { code: "key_refused", status: 401 };
    expect(answer.body).toMatchObject({ code: "provider_unavailable", syncFault: fault });
    expect(answer.body.message).toContain("GoHighLevel refused the key (401).");
    const [run] = (await admin.get("/api/ghl/sync-runs?limit=1")).body;
    expect(run).toMatchObject({ state: "failed", fault });
    expect((await requestsTo("/users/")).map(({ path }) => path)).toEqual([
      "/ghl/users/search",
      "/ghl/users/",
    ]);
    expect((await admin.post("/api/ghl/sync")).body.synced).toBe(126);
  });

  it("recover from a 429, a 500, an HTML page and half a response", async () => {
    await failNext({ status: 429, match: "/users/" });
    await failNext({ status: 500, match: "/customFields" });
    await failNext({ status: 502, html: true, match: "/contacts/search" });
    await failNext({ status: 200, html: true, match: "/customFields" });
    await failNext({ reset: true, match: "/contacts/search" });
    const answer = await admin.post("/api/ghl/sync");
    expect(answer.body).toMatchObject({ synced: 126, running: false });
    expect(await requestsTo("/users/")).toHaveLength(2);
    expect(await requestsTo("/customFields")).toHaveLength(3);
    expect(await requestsTo("/contacts/search")).toHaveLength(4);
  });

  it("use smaller pages when the CRM is too slow for large ones", async () => {
    await sandbox.control("POST", "/ghl/generate", { count: 300 });
    await sandbox.control("POST", "/ghl/manners", { slowMs: 60_000, slowAbove: 200 });
    const slow = createGoHighLevel({
      baseUrl: `${sandbox.url}/ghl`,
      access: fixedAccess({ token: "pit-sandbox-token", locationId: "loc0000000000000001" }),
      pace: createCrmPace(db()),
      pageTimeoutMs: 3_000,
    });
    const [run] = await db()
      .insert(crmSyncRuns)
      .values({ kind: "all", requestedBy: admin.user.id })
      .returning();
    await workRun({ ...app.deps, crm: slow, defaultCountry: "US" }, run?.id ?? 0);
    expect(await db().select().from(crmSyncRuns)).toMatchObject([{ state: "done", synced: 426 }]);
    const sizes = (await requestsTo("/contacts/search")).map(({ body }) => body.pageLimit);
    expect([...new Set(sizes)]).toEqual([500, 200]);
    expect(sizes.filter((size) => size === 500)).toHaveLength(1);
  });

  it("list users by the company's search, or by the old endpoint when that is rejected", async () => {
    const usersOf = async () => (await createCrmStatus(app.deps.crm)()).usersCount;
    expect(await usersOf()).toBe(4);
    expect((await requestsTo("/users/")).map(({ path }) => path)).toEqual(["/ghl/users/search"]);
    await sandbox.control("POST", "/ghl/manners", { usersSearch: false });
    await sandbox.control("DELETE", "/requests");
    for (let n = 0; n < 2; n += 1) expect(await usersOf()).toBe(4);
    // Its refusal is cached for a while.
    expect((await requestsTo("/users/")).map(({ path }) => path)).toEqual([
      "/ghl/users/search",
      "/ghl/users/",
      "/ghl/users/",
    ]);
  });

  it("keep what was read before a failure, and continue from there", async () => {
    await sandbox.control("POST", "/ghl/generate", { count: 1_000 });
    // The second page is being loaded, slowly, when it is made to fail.
    await sandbox.control("POST", "/latency", {
      vendor: "ghl",
      match: "/contacts/search",
      ms: 800,
      count: 2,
    });
    const stop = app.deps.events.onEvent(({ topic }) => {
      if (topic !== "crm-sync") return;
      stop();
      void failNext({ status: 403, match: "/contacts/search" });
    });
    const failed = await admin.post("/api/ghl/sync");
    expect(failed.status).toBe(502);
    const [run] = await db().select().from(crmSyncRuns);
    expect(run?.state).toBe("failed");
    const kept = run?.synced ?? 0;
    expect(failed.body.message).toContain(`${kept} contacts were taken in`);
    expect(await db().$count(leads)).toBe(kept);

    const next = await admin.post("/api/ghl/sync");
    expect(next.body.synced).toBe(1_126 - kept);
    expect(await db().$count(leads)).toBe(1_126);
  });

  it("are resumed after their worker died, with correct counts", async () => {
    const dead = await db()
      .insert(crmSyncRuns)
      .values({
        kind: "all",
        requestedBy: admin.user.id,
        lease: "gone",
        heartbeatAt: new Date(Date.now() - 61_000),
      })
      .returning();
    const toAll: string[] = [];
    const stop = app.deps.events.onEvent(({ topic, audience }) => {
      if (audience === "all") toAll.push(topic);
    });
    const answer = await admin.post("/api/ghl/sync");
    expect(answer.body).toMatchObject({ runId: dead[0]?.id, synced: 126, running: false });
    await vi.waitFor(() => expect(toAll).toContain("all-leads"));
    stop();
    expect(toAll, "nobody reads their own leads again because of others'").not.toContain("lead");
    expect(await db().$count(leads)).toBe(126);
  });

  it("return the count so far when they take longer than a request may", async () => {
    await sandbox.control("POST", "/latency", {
      vendor: "ghl",
      match: "/contacts/search",
      ms: 500,
      count: 1,
    });
    const context = { ...app.deps, defaultCountry: "US" as const };
    const input = { kind: "all" as const, userId: admin.user.id };
    const waiting = await runSync({ ...context, waitMs: 50 }, input);
    expect(waiting).toMatchObject({ running: true, synced: 0 });
    expect(waiting.message).toContain("Still at work");
    expect(await runSync(context, input)).toMatchObject({
      runId: waiting.runId,
      running: false,
      synced: 126,
    });
  });

  it("write nothing after another worker took them over", async () => {
    await sandbox.control("POST", "/latency", {
      vendor: "ghl",
      match: "/contacts/search",
      ms: 500,
      count: 1,
    });
    const [run] = await db()
      .insert(crmSyncRuns)
      .values({ kind: "all", requestedBy: admin.user.id })
      .returning();
    const work = workRun({ ...app.deps, defaultCountry: "US" }, run?.id ?? 0);
    await vi.waitFor(async () => expect(await requestsTo("/contacts/search")).toHaveLength(1), 50_000);
    await db().update(crmSyncRuns).set({ lease: "another" });
    await work;
    expect(await db().$count(leads)).toBe(0);
    expect(await db().select().from(crmSyncRuns)).toMatchObject([{ state: "running", synced: 0 }]);
  });

  it("are shared by two server processes", async () => {
    const other = await buildTestApp({
      env: sandbox.env,
      jobs: true,
      databaseUrl: app.deps.env.databaseUrl,
    });
    await sandbox.control("POST", "/latency", {
      vendor: "ghl",
      match: "/contacts/search",
      ms: 500,
      count: 1,
    });
    const there = other.request("POST", "/api/ghl/sync", { cookie: admin.cookie });
    const answers = await Promise.all([admin.post("/api/ghl/sync"), there]);
    await other.close();
    expect(new Set(answers.map(({ body }) => body.runId)).size).toBe(1);
    expect(answers.map(({ body }) => body.synced)).toEqual([126, 126]);
    expect(await db().$count(leads)).toBe(126);
  });

  it("make every process wait when the CRM says so", async () => {
    await createCrmPace(db()).hold(30);
    const { rows } = await app.deps.database.pool.query(
      "select next_at > now() + interval '29 seconds' as waits from pacing where name = 'crm'",
    );
    expect(rows).toEqual([{ waits: true }]);
  });

  it("are off without a key", async () => {
    const off = await buildTestApp({
      env: {
        NODE_ENV: "production",
        SESSION_SECRET: "x".repeat(32),
        ENCRYPTION_KEY: "x".repeat(32),
        ADMIN_EMAIL: "admin@portal.test",
      },
    });
    const person = await off.signIn();
    expect((await person.post("/api/ghl/sync-leads")).body).toMatchObject({ code: "provider_off" });
    expect((await person.get("/api/ghl/status")).body).toEqual({
      connected: false,
      message: "GoHighLevel is not configured.",
      usersCount: 0,
    });
    await off.close();
  });
});

describe("the CRM connection status", () => {
  it("reports that the CRM answers, with one request for many callers", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => ana.get("/api/ghl/status")));
    for (const { body } of answers) expect(body).toMatchObject({ connected: true, usersCount: 4 });
    expect(await requestsTo("/users/")).toHaveLength(1);
  });

  it.each([401, 403, 500])("reports why it is not connected (%i)", async (status) => {
    await failNext({ status, match: "/users/", count: 2 });
    const answer = await createCrmStatus(app.deps.crm)();
    expect(answer).toMatchObject({ connected: false, usersCount: 0 });
    expect(answer.message).toContain(String(status));
  });
});
