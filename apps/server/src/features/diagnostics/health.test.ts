import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { buildTestApp, type TestApp } from "../../testing/test-app.ts";
import { startTransactionPooler } from "../../testing/transaction-pooler.ts";

let portal: TestApp;
beforeAll(async () => {
  portal = await buildTestApp({ jobs: true });
});
afterAll(() => portal.close());

it("is ready where database, notifications and jobs work, for many who ask at once", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => portal.request("GET", "/api/ready")));
  expect(answers.map(({ status, body }) => body.message ?? status)).toEqual(Array(20).fill(200));
});

it.each([
  ["deallocate all", "Prepared statements do not work."],
  ["unlisten *", "LISTEN does not work."],
  ["set timezone = 'Europe/Madrid'", "Session settings do not reach the database"],
])(
  "is not ready behind a pooler whose servers forget (%s), says what and when to ask again",
  async (reset, reason) => {
    const pooler = await startTransactionPooler(portal.deps.env.databaseUrl, reset);
    const behind = await buildTestApp({ databaseUrl: pooler.url });
    onTestFinished(async () => {
      await behind.close().catch(() => undefined);
      pooler.close();
    });
    const { status, body, headers } = await behind.request("GET", "/api/ready");
    expect({ status, code: body.code }).toEqual({ status: 503, code: "unavailable" });
    expect(body.message).toContain(reason);
    expect(headers["retry-after"]).toBe("5");
  },
);

it("is not ready without its database, and says so", async () => {
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
