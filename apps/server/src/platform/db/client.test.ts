import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { type Database, openDatabase } from "./client.ts";
import journal from "./migrations/meta/_journal.json" with { type: "json" };

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase({ url: test.url, poolSize: 1, answerMs: 200, onError: () => undefined });
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

// drizzle-orm passes over a migration that is dated before the last one that a database has.
it("dates each migration after the one before", () => {
  const dates = journal.entries.map(({ when }) => when);
  expect(dates).toEqual([...new Set(dates)].sort((a, b) => a - b));
});

describe("a transaction whose database hangs", () => {
  it("gives its connection up without asking it anything more, and the pool recovers", async () => {
    const asked: string[] = [];
    const hanging = database.transaction(async (tx) => {
      // As one that has stopped: it does not end the statement by itself.
      await tx.$client.query("set local statement_timeout = 0");
      const query = tx.$client.query.bind(tx.$client);
      tx.$client.query = ((text: string) => {
        asked.push(text);
        return query(text);
      }) as typeof tx.$client.query;
      await tx.$client.query("select pg_sleep(5)");
    });
    await expect(hanging).rejects.toThrow("Query read timeout");
    expect(asked).toEqual(["select pg_sleep(5)"]);
    const after = await database.transaction((tx) => tx.$client.query("select 1 as one"));
    expect(after.rows).toEqual([{ one: 1 }]);
  });

  it("rolls back what PostgreSQL refused, on a connection that stays", async () => {
    const pid = () => database.pool.query("select pg_backend_pid() as pid").then(({ rows }) => rows[0].pid);
    const before = await pid();
    await expect(database.transaction((tx) => tx.$client.query("select 1 / 0"))).rejects.toThrow("division");
    expect(await pid()).toBe(before);
  });
});

describe("a database that ends in the middle of a transaction", () => {
  it.each([true, false])(
    "is an error of that transaction alone (a statement under way: %s)",
    async (busy) => {
      const admin = openDatabase({ url: test.url, poolSize: 1, onError: () => undefined });
      const broken = database.transaction(async (tx) => {
        const { rows } = await tx.$client.query("select pg_backend_pid() as pid");
        const statement = busy ? tx.$client.query("select pg_sleep(5)") : null;
        // Not by `once` of node:events, which would take the error on itself.
        const ended = new Promise<void>((resolve) => tx.$client.once("end", () => resolve()));
        await Promise.all([
          statement,
          admin.pool.query("select pg_terminate_backend($1)", [rows[0].pid]),
          ended,
        ]);
        await tx.$client.query("select 1");
      });
      await expect(broken).rejects.toThrow();
      expect((await database.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
      await admin.close();
    },
  );
});
