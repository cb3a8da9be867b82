import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { crmSyncRuns } from "../../db/schema/crm.ts";
import { leads } from "../../db/schema/leads.ts";
import { startTestSandbox } from "../../testing/sandbox.ts";
import { buildTestApp } from "../../testing/test-app.ts";
import { createTestDatabase } from "../../testing/test-database.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
}, 30_000);

/** The server as it runs in earnest, to be killed. */
function startServer(env: Record<string, string>): ChildProcess {
  const main = path.join(import.meta.dirname, "../../main.ts");
  return spawn(process.execPath, [main], { env: { ...process.env, ...env }, stdio: "ignore" });
}

it("loses and doubles nothing when the server is killed in the middle of a sync", async () => {
  const database = await createTestDatabase();
  const sandbox = await startTestSandbox({ ghlRateLimit: false });
  closing.push(database.drop, sandbox.close);
  await sandbox.control("POST", "/ghl/generate", { count: 4_000 });
  await sandbox.control("POST", "/latency", { vendor: "ghl", match: "/contacts/search", ms: 400 });

  const origin = "http://127.0.0.1:7631";
  const env = { ...sandbox.env, DATABASE_URL: database.url, PORT: "7631", LOG_LEVEL: "silent" };
  const server = startServer({ ...env, NODE_ENV: "", PUBLIC_URL: origin });
  closing.push(async () => void server.kill("SIGKILL"));
  await vi.waitFor(async () => expect((await fetch(`${origin}/api/health`)).ok).toBe(true), 40_000);

  const post = (url: string, cookie: string, body?: object) =>
    fetch(`${origin}${url}`, {
      method: "POST",
      headers: { cookie, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const login = await post("/api/admin/login", "", { email: "admin@portal.test", password: "portal-admin" });
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  post("/api/ghl/sync", cookie).catch(() => undefined);

  await vi.waitFor(async () => {
    const run = await fetch(`${origin}/api/ghl/sync-runs/1`, { headers: { cookie } });
    expect(await run.json()).toMatchObject({ running: true, synced: expect.toSatisfy((n) => n >= 500) });
  }, 20_000);
  server.kill("SIGKILL");
  await once(server, "exit");

  const app = await buildTestApp({ env: sandbox.env, databaseUrl: database.url, jobs: true });
  closing.push(app.close);
  const runs = () => app.deps.database.db.select().from(crmSyncRuns);
  expect(await runs()).toMatchObject([{ state: "running" }]);
  // A minute later.
  await app.deps.database.pool.query(
    "update crm_sync_runs set heartbeat_at = heartbeat_at - interval '61 seconds'",
  );
  const admin = await app.signIn({ role: "admin" });
  await admin.post("/api/ghl/sync");
  await vi.waitFor(async () => expect((await runs())[0]?.state).toBe("done"), 30_000);
  expect((await runs())[0]?.synced).toBe(4_126);
  expect(await app.deps.database.db.$count(leads)).toBe(4_126);
}, 120_000);
