import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, openTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import type { Database, Tx } from "../db/client.ts";
import { createEventInbox, type StoredEvent } from "./event-inbox.ts";

interface Payload {
  number: number;
}

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = openTestDatabase(test);
  await database.pool.query("create table applied (place serial, number int)");
});
afterAll(async () => {
  await database.close();
  await test.drop();
});
beforeEach(() => database.pool.query("truncate applied, provider_events restart identity cascade"));

async function apply(tx: Tx, { payload }: StoredEvent<Payload>): Promise<null> {
  if (payload.number < 0) throw new Error("poisoned");
  await tx.$client.query("insert into applied (number) values ($1)", [payload.number]);
  return null;
}

const inbox = () =>
  createEventInbox<Payload>({ database, log: pino({ enabled: false }) }, { source: "test", apply });

const event = (number: number) => ({ key: `key ${number}`, kind: "call-status", payload: { number } });

async function applied(): Promise<number[]> {
  const { rows } = await database.pool.query<{ number: number }>("select number from applied order by place");
  return rows.map(({ number }) => number);
}

it("stores concurrent events, repeated ones once, each with its own acknowledgment", async () => {
  const { store } = inbox();
  const nameless = { ...event(8), kind: null as unknown as string };
  const kept = await Promise.allSettled([1, 2, 3, 2, 5].map((number) => store(event(number))));
  const mixed = await Promise.allSettled([event(6), event(7), nameless, event(9)].map(store));
  expect(kept.every(({ status }) => status === "fulfilled")).toBe(true);
  expect(mixed.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  const { rows } = await database.pool.query(
    "select event_key from provider_events order by (payload ->> 'number')::int",
  );
  expect(rows.map(({ event_key }) => event_key)).toEqual([1, 2, 3, 5, 6, 7, 9].map((n) => `key ${n}`));
});

it("recovers for later events after a short database outage", async () => {
  const { store } = inbox();
  const broken = openTestDatabase(test);
  await broken.close();
  const other = createEventInbox<Payload>(
    { database: broken, log: pino({ enabled: false }) },
    { source: "test", apply },
  );
  const lost = await Promise.allSettled([1, 2, 3].map((number) => other.store(event(number))));
  expect(lost.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  await store(event(4));
});

it("processes the neighbors of a failing event, each once and in order, and retries it later", async () => {
  const { store, work } = inbox();
  for (const number of [1, 2, -3, 4, 5]) await store(event(number));
  await work();
  expect(await applied()).toEqual([1, 2, 4, 5]);
  const { rows } = await database.pool.query(
    "select attempts, error, processed_at is null as open from provider_events where error is not null",
  );
  expect(rows).toEqual([{ attempts: 1, error: "poisoned", open: true }]);

  await database.pool.query("update provider_events set received_at = received_at - interval '1 hour'");
  for (const number of [6, 7]) await store(event(number));
  await work();
  expect(await applied()).toEqual([1, 2, 4, 5, 6, 7]);
});

it("processes events in the order of arrival, by several workers at once", async () => {
  const numbers = Array.from({ length: 300 }, (_value, index) => index + 1);
  const { store } = inbox();
  const storing = (async () => {
    for (const number of numbers) await store(event(number));
  })();
  await Promise.all([storing, inbox().work(), inbox().work(), inbox().work()]);
  await Promise.all([inbox().work(), inbox().work()]);
  expect(await applied()).toEqual(numbers);
});

it("does not query while there is nothing to process", async () => {
  const asked: number[] = [];
  const applyAll = async (_tx: Tx, events: StoredEvent<Payload>[]) => {
    asked.push(events.length);
    return events.map(() => null);
  };
  const log = pino({ enabled: false });
  const { store, work } = createEventInbox<Payload>(
    { database, log },
    { source: "test", together: 10, applyAll },
  );
  await work();
  await store(event(1));
  await work();
  expect(asked).toEqual([1]);
});
