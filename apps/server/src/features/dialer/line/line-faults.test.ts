import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Database } from "../../../platform/db/client.ts";
import { eventually } from "../../../testing/call-harness.ts";
import { buildLead } from "../../../testing/factories.ts";
import { findLineFaults, summaryOf } from "../../../testing/line-truth.ts";
import { startTestSandbox, type TestSandbox } from "../../../testing/sandbox.ts";
import { freePort, type ServerProcess, startServer } from "../../../testing/server-process.ts";
import { createTestDatabase, openTestDatabase, type TestDatabase } from "../../../testing/test-database.ts";
import { ringAgain, type SeenLeg, workByKeys } from "../../../testing/work-by-keys.ts";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 240_000 });

/** All callbacks are shuffled; a number of 1 or more would be a count. */
const always = 0.999999;
/** Answers, busy, no answer, voicemail, nonexistent number, and opted out of calls. */
const digits = [0, 5, 6, 7, 8, 9, 1];
/** Hangs up during the recording notice. */
const early = "(407) 555-0132";

let database: TestDatabase;
let sandbox: TestSandbox;
let db: Database;
let server: ServerProcess;
let port: number;

beforeAll(async () => {
  database = await createTestDatabase();
  sandbox = await startTestSandbox({ speed: 60, seedLeads: 1 });
  db = openTestDatabase(database);
  port = await freePort();
  await serve();
});
afterAll(async () => {
  await server.kill();
  await sandbox.close();
  await db.close();
  await database.drop();
});

async function serve(): Promise<void> {
  server = startServer({
    ...sandbox.env,
    DATABASE_URL: database.url,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TWILIO_CPS: "1000",
    LOG_LEVEL: "warn",
  });
  await server.untilHealthy();
}

const rung = async () => {
  const { calls } = await sandbox.control("GET", "/calls");
  return (calls as SeenLeg[]).filter(({ parentSid }) => parentSid !== null).length;
};

it("dials nobody twice, leaves no lead waiting and keeps each outcome while events are lost, repeated and reordered and the server is killed", async () => {
  const cookie = await server.signIn("ana@portal.test");
  const { rows } = await db.pool.query(
    "select id, personal_phone_e164 as phone from users where email = 'ana@portal.test'",
  );
  const [{ id, phone }] = rows;
  const numbers = [...digits.map((digit, index) => `(407) 555-01${index}${digit}`), early];
  const leadIds: number[] = [];
  for (const number of numbers) leadIds.push((await buildLead(db, { phone: number, assignedTo: id })).id);
  await sandbox.control("POST", "/phones", { number: phone, mode: "manual" });
  await sandbox.control("POST", "/phones", { number: early, script: { hangUpAfter: 1 } });
  await sandbox.control("POST", "/webhooks", { drop: 0.05, repeat: 0.2, shuffle: always });

  const start = { source: { kind: "selection", leadIds }, lineMode: "open_line", delaySeconds: 3 };
  const answer = await fetch(`${server.url}/api/dialer/start`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify(start),
  });
  expect(answer.status).toBe(200);

  // Where the callback about a line's end is dropped, the line is asked about after 90 s of silence. That may happen more than once.
  const deadline = Date.now() + 420_000;
  let turn = 0;
  const working = workByKeys({
    control: (method, path, body) => sandbox.control(method, path, body),
    phone,
    // Every behavior occurs.
    chance: () => {
      turn += 1;
      return (turn * 0.37) % 1;
    },
    habits: {
      wrongKey: 0.1,
      suggested: 0.2,
      callBack: 0.1,
      brief: 0.1,
      correct: 0.15,
      pause: 0.1,
      star: 0.05,
      hangUp: 0,
    },
    ringAgain: () => ringAgain({ url: server.url, cookie }),
    lookMs: 40,
    isLate: () => Date.now() > deadline,
  });
  for (const after of [2, 5]) {
    while ((await rung()) < after && Date.now() < deadline) await sleep(15);
    await sleep(Math.random() * 400);
    await server.kill();
    await serve();
  }
  const work = await working;
  expect([...work.said.keys()]).toHaveLength(numbers.length);

  await eventually("everything to settle", async () => {
    const { rows } = await db.pool.query(
      `select (select count(*) from calls where not settled)::int + (select count(*) from provider_events where processed_at is null)::int
         + (select count(*) from lines where state <> 'ended')::int as open`,
    );
    return rows[0].open === 0;
  });
  const { calls: legs } = (await sandbox.control("GET", "/calls")) as { calls: SeenLeg[] };
  const faults = await findLineFaults(db, { legs, work: new Map([[phone, work]]), recordings: [] });
  expect(faults).toEqual([]);
  const summary = await fetch(`${server.url}/api/call-logs/summary`, { headers: { cookie } });
  expect(await summary.json()).toEqual(await summaryOf(db, legs));
});
