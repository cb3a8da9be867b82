import { isNotNull } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { crmSyncRuns } from "../../platform/db/schema/crm.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { startTestSandbox } from "../../testing/sandbox.ts";
import { freePort, startServer } from "../../testing/server-process.ts";
import { buildTestApp } from "../../testing/test-app.ts";
import { createTestDatabase } from "../../testing/test-database.ts";
import { zoneAt } from "../../testing/zone-at.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it("loses and duplicates nothing when the server is killed during a sync", async () => {
  const database = await createTestDatabase();
  const sandbox = await startTestSandbox({ ghlRateLimit: false });
  closing.push(database.drop, sandbox.close);
  await sandbox.control("POST", "/ghl/generate", { count: 4_000 });
  await sandbox.control("POST", "/latency", { vendor: "ghl", match: "/contacts/search", ms: 400 });

  const server = startServer({
    ...sandbox.env,
    DATABASE_URL: database.url,
    PORT: String(await freePort()),
    LOG_LEVEL: "silent",
  });
  closing.push(server.kill);
  await server.untilHealthy();
  const cookie = await server.signIn("admin@portal.test", "portal-admin");
  fetch(`${server.url}/api/ghl/sync`, { method: "POST", headers: { cookie } }).catch(() => undefined);

  await vi.waitFor(async () => {
    const run = await fetch(`${server.url}/api/ghl/sync-runs/1`, { headers: { cookie } });
    expect(await run.json()).toMatchObject({ running: true, synced: expect.toSatisfy((n) => n >= 500) });
  }, 50_000);
  await server.kill();
  // A contact that was already counted appears again at the end and must not be counted twice by the process that takes over.
  const { contacts } = await sandbox.control("GET", "/ghl/contacts");
  await sandbox.control("PATCH", `/ghl/contacts/${contacts[0].id}`, { companyName: "Changed meanwhile" });

  const app = await buildTestApp({ env: sandbox.env, databaseUrl: database.url, jobs: true });
  closing.push(app.close);
  const runs = () => app.deps.database.db.select().from(crmSyncRuns);
  expect(await runs()).toMatchObject([{ state: "running" }]);
  // Half a minute later.
  await app.deps.database.pool.query(
    "update crm_sync_runs set heartbeat_at = heartbeat_at - interval '31 seconds'",
  );
  const admin = await app.signIn({ role: "admin" });
  await admin.post("/api/ghl/sync");
  await vi.waitFor(async () => expect((await runs())[0]?.state).toBe("done"), 45_000);
  expect((await runs())[0]?.synced).toBe(4_126);
  expect(await app.deps.database.db.$count(leads)).toBe(4_126);
});

it("resumes the nightly full sync when its server is killed, and requests no contact of a finished page again", async () => {
  const database = await createTestDatabase();
  const sandbox = await startTestSandbox({ ghlRateLimit: false });
  closing.push(database.drop, sandbox.close);
  await sandbox.control("POST", "/ghl/generate", { count: 1_374 });
  const env = { ...sandbox.env, ORG_TIME_ZONE: zoneAt(12) };
  const app = await buildTestApp({ env, databaseUrl: database.url, jobs: true });
  closing.push(app.close);
  const { db, pool } = app.deps.database;
  const admin = await app.signIn({ role: "admin" });
  await vi.waitFor(async () => expect((await admin.post("/api/ghl/sync")).body.synced).toBe(1_500), {
    timeout: 90_000,
  });

  const { contacts } = await sandbox.control("GET", "/ghl/contacts");
  for (const { id } of contacts.slice(0, 25)) await sandbox.control("DELETE", `/ghl/contacts/${id}`);
  await sandbox.control("DELETE", "/requests");
  await sandbox.control("POST", "/latency", { vendor: "ghl", match: "/contacts/", method: "GET", ms: 150 });
  // A day later, another server for which it is night.
  await pool.query(
    "update crm_sync_runs set started_at = started_at - interval '1 day', read_since = read_since - interval '1 day'",
  );
  const server = startServer({
    ...sandbox.env,
    DATABASE_URL: database.url,
    PORT: String(await freePort()),
    LOG_LEVEL: "silent",
    ORG_TIME_ZONE: zoneAt(3),
  });
  closing.push(server.kill);
  const night = async () =>
    (await pool.query("select * from crm_sync_runs where kind = 'all' order by id desc")).rows[0];
  await vi.waitFor(async () => expect((await night()).cursor).toEqual(["missing", expect.any(Number), 20]), {
    timeout: 90_000,
    interval: 20,
  });
  await server.kill();
  expect(await night()).toMatchObject({ requested_by: null, state: "running", deleted: 0 });
  await pool.query("update crm_sync_runs set heartbeat_at = heartbeat_at - interval '31 seconds'");
  await vi.waitFor(async () => expect(await night()).toMatchObject({ state: "done", deleted: 25 }), {
    timeout: 60_000,
    interval: 50,
  });
  expect(await db.$count(leads, isNotNull(leads.crmDeletedAt))).toBe(25);
  const { requests } = await sandbox.control("GET", "/requests?vendor=ghl&path=/contacts/");
  const of = (wanted: string) =>
    requests.filter(({ method }: { method: string }) => method === wanted).length;
  // The nightly run needs three pages and an empty one; runs of changes need one or two.
  expect(of("POST")).toBeLessThanOrEqual(8);
  expect(of("GET")).toBeGreaterThanOrEqual(25);
  expect(of("GET")).toBeLessThanOrEqual(30);
});
