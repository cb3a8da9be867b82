import { afterEach, expect, it, vi } from "vitest";
import { crmSyncRuns } from "../../platform/db/schema/crm.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { startTestSandbox } from "../../testing/sandbox.ts";
import { freePort, startServer } from "../../testing/server-process.ts";
import { buildTestApp } from "../../testing/test-app.ts";
import { createTestDatabase } from "../../testing/test-database.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
}, 30_000);

it("loses and doubles nothing when the server is killed in the middle of a sync", async () => {
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
  }, 20_000);
  await server.kill();
  // A contact that was counted comes again, at the end: whoever takes the run over must not count it twice.
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
  await vi.waitFor(async () => expect((await runs())[0]?.state).toBe("done"), 30_000);
  expect((await runs())[0]?.synced).toBe(4_126);
  expect(await app.deps.database.db.$count(leads)).toBe(4_126);
}, 120_000);
