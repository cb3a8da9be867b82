import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Database, openDatabase } from "../../db/client.ts";
import { buildUser } from "../../testing/factories.ts";
import { createRandomWork } from "../../testing/random-work.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { addUpFigures, countDaysOf } from "./service.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let test: TestDatabase;
let database: Database;
let work: ReturnType<typeof createRandomWork>;

beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase({ url: test.url, onError: () => undefined });
  const userIds = [];
  for (let n = 0; n < 3; n += 1) userIds.push((await buildUser(database)).id);
  work = createRandomWork(database.pool, { seed: 20_261_120, userIds });
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

type Counts = Map<string, [n: number, amount: number]>;

async function rowsOf<Row>(sql: string): Promise<Row[]> {
  return (await database.pool.query(sql)).rows as Row[];
}

/** Counted from the rows, with the calendar of the browser instead of PostgreSQL's. */
async function countRows(timeZone: string): Promise<Counts> {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
  });
  const clock = (at: Date) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return { day: `${parts.year}-${parts.month}-${parts.day}`, hour: String(Number(parts.hour)) };
  };
  const counts: Counts = new Map();
  const add = (kind: string, day: string, userId: number | null, label: string | null, amount = 0) => {
    const key = [kind, day, userId ?? 0, label ?? ""].join("|");
    const [n, sum] = counts.get(key) ?? [0, 0];
    counts.set(key, [n + 1, sum + amount]);
  };
  type Log = {
    lead_id: number | null;
    user_id: number | null;
    outcome: string | null;
    direction: string;
    duration_seconds: number;
    call_date: Date;
  };
  const callsOf = new Map<number, number>();
  for (const log of await rowsOf<Log>("select * from call_logs")) {
    const { day, hour } = clock(log.call_date);
    add("call", day, log.user_id, log.outcome, log.duration_seconds);
    add("call_hour", day, 0, hour);
    if (log.direction === "inbound") add("inbound_call", day, log.user_id, "");
    else if (log.lead_id !== null) callsOf.set(log.lead_id, (callsOf.get(log.lead_id) ?? 0) + 1);
    if (log.outcome === "answered") add("answered_hour", day, 0, hour);
  }
  for (const calls of callsOf.values())
    add("lead_calls", "0001-01-01", 0, calls > 2 ? "3+" : String(calls), calls);
  type Message = { user_id: number | null; direction: string; status: string; created_at: Date };
  for (const text of await rowsOf<Message>("select * from messages")) {
    const lost = text.direction === "outbound" && ["failed", "undelivered"].includes(text.status);
    if (!lost) add("text", clock(text.created_at).day, text.user_id, text.direction);
  }
  type Client = { converted_by: number; converted_at: Date; conversion_value: string };
  for (const client of await rowsOf<Client>("select * from clients"))
    add(
      "conversion",
      clock(client.converted_at).day,
      client.converted_by,
      "",
      Number(client.conversion_value),
    );
  type Lead = { status: string; lead_source: string | null; assigned_to: number | null; created_at: Date };
  for (const lead of await rowsOf<Lead>("select * from leads")) {
    add("lead", clock(lead.created_at).day, 0, lead.status);
    add("lead_source", clock(lead.created_at).day, 0, lead.lead_source?.slice(0, 200) ?? "");
    add("lead_owner", "0001-01-01", lead.assigned_to, lead.status);
  }
  return counts;
}

async function counted(): Promise<Counts> {
  type Row = { key: string; n: number; amount: number };
  const rows = await rowsOf<Row>(
    `select concat_ws('|', kind, day::text, user_id, label) as key, sum(n)::float8 as n, sum(amount)::float8 as amount
     from current_figures group by kind, day, user_id, label having sum(n) <> 0 or sum(amount) <> 0`,
  );
  return new Map(rows.map(({ key, n, amount }) => [key, [n, amount]]));
}

const kept = () => rowsOf("select * from lead_calls order by lead_id");
const recounted = () =>
  rowsOf(
    `select lead_id, count(*)::int as calls, min(call_date) as first_call_at, max(call_date) as last_call_at
     from call_logs where direction = 'outbound' and lead_id is not null group by lead_id order by lead_id`,
  );

const sorted = (counts: Counts) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));

async function expectFiguresOfRows(timeZone: string): Promise<void> {
  expect(sorted(await counted())).toEqual(sorted(await countRows(timeZone)));
  expect(await kept()).toEqual(await recounted());
}

/** Adds up in small steps, so that what one change takes back may have been added up long before. */
async function addUpAll(): Promise<void> {
  while ((await addUpFigures(database.db)) > 0);
}

it("figures and changes together are the rows, after any writes, before and after they are added up", async () => {
  await countDaysOf(database, "America/Havana");
  for (let round = 0; round < 3; round += 1) {
    await work.write(40);
    await expectFiguresOfRows("America/Havana");
    if (round === 1) continue;
    await addUpAll();
    expect(await rowsOf("select * from figure_changes")).toEqual([]);
    await expectFiguresOfRows("America/Havana");
  }
  const kinds = await rowsOf<{ kind: string }>("select distinct kind from figures order by kind");
  expect(kinds.map(({ kind }) => kind)).toEqual([
    "answered_hour",
    "call",
    "call_hour",
    "conversion",
    "inbound_call",
    "lead",
    "lead_calls",
    "lead_owner",
    "lead_source",
    "text",
  ]);
});

it("another zone counts everything anew, the same as the triggers would have", async () => {
  const [before] = await rowsOf<{ counted_at: Date }>("select counted_at from figure_state");
  await countDaysOf(database, "America/Havana");
  expect(await rowsOf("select counted_at from figure_state")).toEqual([before]);
  await countDaysOf(database, "Asia/Kathmandu");
  await expectFiguresOfRows("Asia/Kathmandu");
  await work.write(20);
  await addUpAll();
  await work.write(5);
  const byTriggers = sorted(await counted());
  await expectFiguresOfRows("Asia/Kathmandu");
  await database.pool.query("select recount_figures('Asia/Kathmandu')");
  expect(sorted(await counted())).toEqual(byTriggers);
});

it("counting anew takes as long as it takes, though every other statement is ended soon", async () => {
  // At 5,000,000 calls it took longer than the pool lets a statement run, and the server could not start with another zone.
  await database.pool.query(
    `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1.1); return null; end $$;
     create trigger slow after update on figure_state execute function slow()`,
  );
  const hasty = openDatabase({ url: test.url, answerMs: 1_000, onError: () => undefined });
  try {
    await countDaysOf(hasty, "America/New_York");
  } finally {
    await hasty.close();
    await database.pool.query("drop function slow cascade");
  }
  await expectFiguresOfRows("America/New_York");
  await countDaysOf(database, "Asia/Kathmandu");
});

it("writers beside each other lose no figure", async () => {
  const { addLeads, addCalls, addTexts } = work;
  await Promise.all([addCalls(40), addTexts(20), addUpAll(), addLeads(20), addCalls(40), addUpAll()]);
  await expectFiguresOfRows("Asia/Kathmandu");
});
