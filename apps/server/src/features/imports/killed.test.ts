import { afterEach, expect, it, vi } from "vitest";
import { lockLeadIngestion } from "../../platform/db/advisory-locks.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { freePort, startServer } from "../../testing/server-process.ts";
import { buildTestApp } from "../../testing/test-app.ts";
import { createTestDatabase } from "../../testing/test-database.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it("completes an import whose server was killed halfway, without duplicates", async () => {
  const database = await createTestDatabase();
  closing.push(database.drop);
  const server = startServer({
    DATABASE_URL: database.url,
    PORT: String(await freePort()),
    LOG_LEVEL: "silent",
  });
  closing.push(server.kill);
  const app = await buildTestApp({ databaseUrl: database.url });
  await server.untilHealthy();
  const cookie = await server.signIn("admin@portal.test", "portal-admin");
  const before = await app.deps.database.db.$count(leads);
  const rows = Array.from({ length: 12_000 }, (_, n) => ({ name: `Lead ${n}`, email: `k${n}@example.com` }));
  fetch(`${server.url}/api/import/leads`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ leads: rows, sourceSystem: "JSON Import" }),
  }).catch(() => undefined);

  const state = async () => (await app.deps.database.pool.query("select * from imports")).rows[0];
  await vi.waitFor(async () => expect((await state()).position).toBeGreaterThan(0), {
    timeout: 45_000,
    interval: 10,
  });
  // Nothing is imported while the lock is held, so the server dies in the middle for certain.
  await app.deps.database.transaction(async (tx) => {
    await lockLeadIngestion(tx);
    await server.kill();
  });
  const stopped = await state();
  expect(stopped).toMatchObject({ state: "running" });
  expect(stopped.position).toBeLessThan(12_000);
  // The dead worker's lease has expired.
  await app.deps.database.pool.query(
    "update imports set heartbeat_at = heartbeat_at - interval '16 seconds'",
  );
  await app.close();

  const next = await buildTestApp({ databaseUrl: database.url, jobs: true });
  closing.push(next.close);
  const admin = await next.signIn({ role: "admin" });
  await vi.waitFor(
    async () =>
      expect((await admin.get(`/api/imports/${stopped.id}`)).body).toMatchObject({
        state: "done",
        imported: 12_000,
        skipped: 0,
        errors: 0,
      }),
    { timeout: 45_000, interval: 100 },
  );
  expect(await next.deps.database.db.$count(leads)).toBe(before + 12_000);
});
