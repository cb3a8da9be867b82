import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Database, openDatabase } from "../../db/client.ts";
import { buildUser } from "../../testing/factories.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { listLeads, type OwnerScope } from "./data.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let test: TestDatabase;
let database: Database;
let rep: number;

beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase({ url: test.url, onError: () => undefined });
  rep = (await buildUser(database)).id;
  await database.pool.query(
    `insert into leads (name, assigned_to, created_at)
     select 'Lead ' || n, case when n % 2 = 0 then $1::int end, now() - n * interval '1 minute' from generate_series(1, 20000) n`,
    [rep],
  );
  await database.pool.query("analyze leads, users");
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

// The lists once sorted every lead of the scope for each page: `desc` in a query means nulls first, in the indexes nulls last.
it.each<[string, (userId: number) => OwnerScope]>([
  ["a consultant", (salesRepId) => ({ salesRepId })],
  ["an administrator", () => "everyone"],
])("a page of 20,000 leads of %s is walked by an index, not sorted", async (_name, scope) => {
  const asked = vi.spyOn(database.pool, "query");
  const page = { scope: scope(rep), filter: {}, after: null, limit: 51, actorId: rep };
  expect(await listLeads(database.db, page)).toHaveLength(51);
  const [sql, values] = asked.mock.calls[0] as unknown as [string, unknown[]];
  asked.mockRestore();
  const { rows } = await database.pool.query({ text: `explain ${sql}`, values });
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Index Scan using leads_(owner|created)_idx/);
  expect(plan).not.toMatch(/Seq Scan on leads/);
});
