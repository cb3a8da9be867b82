import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createTestDatabase, openTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import type { Database } from "../db/client.ts";
import { createJobs, type Jobs } from "./jobs.ts";

let test: TestDatabase;
let database: Database;
let jobs: Jobs;
const worked: number[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  database = openTestDatabase(test);
  jobs = createJobs({ databaseUrl: test.url, onError: () => undefined });
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

it("works a backlog without a pause between its jobs", async () => {
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  await database.transaction(async (tx) => {
    for (const number of numbers) await jobs.enqueue(tx, "numbers", { number });
  });
  // With the pause of a polled queue it would take a minute.
  await vi.waitFor(() => expect([...worked].sort((a, b) => a - b)).toEqual(numbers), 45_000);
});
