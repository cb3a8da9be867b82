import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, openTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import type { Database } from "../db/client.ts";
import { pruneEvents } from "./event-store.ts";

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = openTestDatabase(test);
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

it("deletes an event 30 days after it was processed, and never an open one", async () => {
  const add = (key: string, days: number, done: boolean) =>
    database.pool.query(
      `insert into provider_events (source, event_key, kind, payload, received_at, processed_at)
       select 'twilio', $1, 'rep-status', '{}', at, case when $3 then at end
       from (select now() - make_interval(days => $2) as at) then_`,
      [key, days, done],
    );
  await add("open", 31, false);
  for (let index = 0; index < 3; index += 1) await add(`old ${index}`, 31, true);
  await add("young", 29, true);
  await pruneEvents(database.db, 2);
  const { rows } = await database.pool.query("select event_key from provider_events order by id");
  expect(rows.map(({ event_key }) => event_key)).toEqual(["open", "young"]);
});
