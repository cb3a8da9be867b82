import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createTestDatabase, openTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import type { Database } from "../db/client.ts";
import { createJobs, type Jobs } from "./jobs.ts";

let test: TestDatabase;
let database: Database;
let jobs: Jobs;
const worked: number[] = [];
const faults: string[] = [];
/** The pool that pg-boss opened, which it does not show. */
let ownPool: () => pg.Pool;

beforeAll(async () => {
  test = await createTestDatabase();
  database = openTestDatabase(test);
  const connect = vi.spyOn(pg.Pool.prototype, "connect");
  const pools = connect.mock.contexts as pg.Pool[];
  ownPool = () => pools.find(({ options }) => options.application_name === "portal-jobs") as pg.Pool;
  jobs = createJobs({ databaseUrl: test.url, onError: ({ message }) => faults.push(message) });
  await jobs.start([
    {
      name: "numbers",
      retryLimit: 0,
      retryDelay: 1,
      retryDelayMax: 1,
      expireInSeconds: 60,
      concurrency: 2,
      work: async ({ number }: { number: number }) => {
        worked.push(number);
      },
    },
  ]);
});
afterAll(async () => {
  await jobs.stop();
  await database.close();
  await test.drop();
});

it("processes a backlog without a pause between its jobs", async () => {
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  await database.transaction(async (tx) => {
    for (const number of numbers) await jobs.enqueue(tx, "numbers", { number });
  });
  // With the pause of a polled queue it would take a minute.
  await vi.waitFor(() => expect([...worked].sort((a, b) => a - b)).toEqual(numbers), 45_000);
});

it("drops connections to a server that is no longer the primary, and continues without an error", async () => {
  const clients = await Promise.all(Array.from({ length: 4 }, () => ownPool().connect()));
  for (const client of clients) await client.query("set session characteristics as transaction read only");
  for (const client of clients) client.release();
  const number = 100;
  await database.transaction((tx) => jobs.enqueue(tx, "numbers", { number }));
  await vi.waitFor(() => expect(worked).toContain(number), 45_000);
  expect(faults).toEqual([]);
});
