import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { tryLockEvents } from "../../platform/db/advisory-locks.ts";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type TestApp } from "../../testing/test-app.ts";
import { startTransactionPooler } from "../../testing/transaction-pooler.ts";

let portal: TestApp;
beforeAll(async () => {
  portal = await buildTestApp({ jobs: true });
});
afterAll(() => portal.close());

it("is ready when database, notifications and jobs work, also for concurrent requests", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => portal.request("GET", "/api/ready")));
  expect(answers.map(({ status, body }) => body.message ?? status)).toEqual(Array(20).fill(200));
});

/** The portal behind a pooler in transaction mode; `direct` adds the direct connection. */
async function buildBehind(reset: string, { direct }: { direct: boolean }): Promise<TestApp> {
  const { databaseUrl } = portal.deps.env;
  const pooler = await startTransactionPooler(databaseUrl, reset);
  const env: Record<string, string> = direct ? { DATABASE_DIRECT_URL: databaseUrl } : {};
  const behind = await buildTestApp({ databaseUrl: pooler.url, jobs: direct, env });
  onTestFinished(async () => {
    await behind.close().catch(() => undefined);
    pooler.close();
  });
  return behind;
}

it.each([
  ["unlisten *", "LISTEN does not work."],
  ["set timezone = 'Europe/Madrid'", "Session settings do not reach the database"],
])(
  "is not ready behind a pooler that loses session state (%s), with the reason and when to retry",
  async (reset, reason) => {
    const behind = await buildBehind(reset, { direct: false });
    const { status, body, headers } = await behind.request("GET", "/api/ready");
    expect({ status, code: body.code }).toEqual({ status: 503, code: "unavailable" });
    expect(body.message).toContain(reason);
    expect(headers["retry-after"]).toBe("5");
  },
);

it("works behind a transaction pooler with a direct address, and reports that statements are unnamed", async () => {
  const behind = await buildBehind("discard all", { direct: true });
  const { status, body } = await behind.request("GET", "/api/ready");
  expect(body).toEqual(expect.objectContaining({ status: "ok", statements: "unnamed" }));
  expect(status).toBe(200);
  const rep = await behind.signIn();
  const lead = await buildLead(behind.deps.database, { assignedTo: rep.user.id });
  // The statements are prepared where that is possible.
  for (const path of ["/api/leads", `/api/leads/${lead.id}`, "/api/today", "/api/dashboard-stats"])
    for (const time of ["first", "again"]) {
      const answer = await rep.get(path);
      expect([path, time, answer.status, answer.body?.message]).toEqual([path, time, 200, undefined]);
    }
  const lock = () => behind.deps.database.transaction((tx) => tryLockEvents(tx, "test"));
  expect([await lock(), await lock()]).toEqual([true, true]);
});

it("keeps statement names when the pooler supports prepared statements", async () => {
  const behind = await buildBehind("unlisten *", { direct: true });
  expect((await behind.request("GET", "/api/ready")).body).toMatchObject({ statements: "named" });
});

it("is not ready without its database, with the reason", async () => {
  const pooler = await startTransactionPooler(portal.deps.env.databaseUrl, "discard plans");
  const behind = await buildTestApp({ databaseUrl: pooler.url });
  onTestFinished(() => behind.close().catch(() => undefined));
  pooler.close();
  const { status, body } = await behind.request("GET", "/api/ready");
  expect({ status, message: body.message }).toEqual({
    status: 503,
    message: "The database does not answer.",
  });
});
