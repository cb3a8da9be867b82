import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "../../platform/db/client.ts";
import { currentMetricsSql, ensureMetrics, recountMetrics, storeMetrics } from "../../platform/db/metrics.ts";
import { query, sql } from "../../platform/db/query.ts";
import { metricKinds } from "../../platform/db/schema/metrics.ts";
import { buildUser } from "../../testing/factories.ts";
import { createRandomWork } from "../../testing/random-work.ts";
import { createTestDatabase, openTestDatabase, type TestDatabase } from "../../testing/test-database.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let test: TestDatabase;
let database: Database;
let work: ReturnType<typeof createRandomWork>;

beforeAll(async () => {
  test = await createTestDatabase();
  database = openTestDatabase(test);
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

/** Counted from the rows, with the JavaScript calendar instead of PostgreSQL's. */
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
    reported_seconds: number | null;
    call_date: Date;
  };
  type Lead = {
    id: number;
    status: string;
    lead_source: string | null;
    assigned_to: number | null;
    created_at: Date;
  };
  const leads = new Map((await rowsOf<Lead>("select * from leads")).map((lead) => [lead.id, lead]));
  const callsOf = new Map<number, number>();
  for (const log of await rowsOf<Log>("select * from call_logs")) {
    const { day, hour } = clock(log.call_date);
    add("call", day, log.user_id, log.outcome, log.duration_seconds);
    if (log.reported_seconds !== null) add("reported_call", day, log.user_id, log.outcome);
    add("call_hour", day, 0, hour);
    if (log.direction === "inbound") add("inbound_call", day, log.user_id, "");
    else if (log.lead_id !== null) callsOf.set(log.lead_id, (callsOf.get(log.lead_id) ?? 0) + 1);
    if (log.outcome === "answered") add("answered_hour", day, 0, hour);
  }
  for (const [leadId, calls] of callsOf)
    add(
      "lead_calls",
      "0001-01-01",
      leads.get(leadId)?.assigned_to ?? null,
      calls > 2 ? "3+" : String(calls),
      calls,
    );
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
  for (const lead of leads.values()) {
    add("lead", clock(lead.created_at).day, 0, lead.status);
    add("lead_source", clock(lead.created_at).day, 0, lead.lead_source?.slice(0, 200) ?? "");
    add("lead_owner", "0001-01-01", lead.assigned_to, lead.status);
  }
  return counts;
}

async function counted(): Promise<Counts> {
  type Row = { key: string; n: number; amount: number };
  const rows = await query<Row>(
    database.db,
    sql`select concat_ws('|', kind, day::text, user_id, label) as key, sum(n)::float8 as n, sum(amount)::float8 as amount
     from ${currentMetricsSql(metricKinds)} f group by kind, day, user_id, label having sum(n) <> 0 or sum(amount) <> 0`,
  );
  return new Map(rows.map(({ key, n, amount }) => [key, [n, amount]]));
}

const kept = () =>
  rowsOf(
    `select id as lead_id, attempts as calls, first_attempt_at as first_call_at, last_attempt_at as last_call_at
     from leads where attempts > 0 order by id`,
  );
const recounted = () =>
  rowsOf(
    `select lead_id, count(*)::int as calls, min(call_date) as first_call_at, max(call_date) as last_call_at
     from call_logs where direction = 'outbound' and lead_id is not null group by lead_id order by lead_id`,
  );

const sorted = (counts: Counts) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));

async function expectMetricsOfRows(timeZone: string): Promise<void> {
  expect(sorted(await counted())).toEqual(sorted(await countRows(timeZone)));
  expect(await kept()).toEqual(await recounted());
}

const dirty = () => rowsOf("select source, day::text, user_id from dirty_metrics order by id");

it("stored metrics plus the rows of dirty parts match all rows, after any writes, before and after storing", async () => {
  await ensureMetrics(database, "America/Havana");
  for (let round = 0; round < 3; round += 1) {
    await work.write(40);
    await expectMetricsOfRows("America/Havana");
    if (round === 1) continue;
    await storeMetrics(database);
    expect(await dirty()).toEqual([]);
    await expectMetricsOfRows("America/Havana");
  }
  const kinds = await rowsOf<{ kind: string }>("select distinct kind from metrics order by kind");
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
    "reported_call",
    "text",
  ]);
});

it("a changed time zone recounts everything, with the same result as the job", async () => {
  const [before] = await rowsOf<{ counted_at: Date }>("select counted_at from metric_state");
  await ensureMetrics(database, "America/Havana");
  expect(await rowsOf("select counted_at from metric_state")).toEqual([before]);
  await ensureMetrics(database, "Asia/Kathmandu");
  await expectMetricsOfRows("Asia/Kathmandu");
  await work.write(20);
  await storeMetrics(database);
  await work.write(5);
  await storeMetrics(database);
  const stored = await rowsOf("select * from metrics order by kind, day, user_id, label");
  await expectMetricsOfRows("Asia/Kathmandu");
  await database.transaction((tx) => recountMetrics(tx, "Asia/Kathmandu"));
  expect(await rowsOf("select * from metrics order by kind, day, user_id, label")).toEqual(stored);
});

it("changed definitions recount everything", async () => {
  await database.pool.query("update metric_state set definition = 'of another release'");
  await database.pool.query("update metrics set n = n + 1");
  await ensureMetrics(database, "Asia/Kathmandu");
  await expectMetricsOfRows("Asia/Kathmandu");
});

it("a recount is exempt from the statement timeout", async () => {
  // Regression: with 5,000,000 calls it exceeded the statement timeout, and the server could not start with another zone.
  await database.pool.query(
    `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1.1); return null; end $$;
     create trigger slow after update on metric_state execute function slow()`,
  );
  const hasty = openTestDatabase(test, { answerMs: 1_000 });
  try {
    await ensureMetrics(hasty, "America/New_York");
  } finally {
    await hasty.close();
    await database.pool.query("drop function slow cascade");
  }
  await expectMetricsOfRows("America/New_York");
  await ensureMetrics(database, "Asia/Kathmandu");
});

it("concurrent writers and the job lose no change", async () => {
  const { addLeads, addCalls, addTexts } = work;
  const store = () => storeMetrics(database);
  await Promise.all([addCalls(40), addTexts(20), store(), addLeads(20), addCalls(40), store()]);
  await expectMetricsOfRows("Asia/Kathmandu");
});

describe("the metrics job", () => {
  let other: Database;
  beforeAll(() => {
    other = openTestDatabase(test);
  });
  afterAll(() => other.close());
  beforeEach(() => storeMetrics(database));

  /** Blocks the storing of metrics halfway until `letGo` is called. */
  async function holdStoring(): Promise<{ pid(ended?: number[]): Promise<number>; letGo(): Promise<void> }> {
    await other.pool.query(`
      create function hold() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return null; end $$;
      create trigger hold after insert or update on metrics for each statement execute function hold()`);
    const holder = await other.pool.connect();
    await holder.query("select pg_advisory_lock(1)");
    const letGo = async () => {
      await holder.query("select pg_advisory_unlock(1)");
      holder.release();
      await other.pool.query("drop function hold cascade");
    };
    const waiting = "select pid from pg_locks where locktype = 'advisory' and objid = 1 and not granted";
    const pid = async (ended: number[] = []) => {
      const [lock] = await vi.waitFor(async () => {
        const rows = (await rowsOf<{ pid: number }>(waiting)).filter((row) => !ended.includes(row.pid));
        expect(rows).toHaveLength(1);
        return rows;
      }, 50_000);
      return lock?.pid ?? 0;
    };
    return { pid, letGo };
  }

  it("counts every change once, also those committed while it runs and beside another process", async () => {
    await work.addCalls(5);
    const open = await other.pool.connect();
    await open.query("begin");
    await open.query("update call_logs set duration_seconds = duration_seconds + 60");
    const hold = await holdStoring();
    const storing = storeMetrics(database);
    await hold.pid();
    await open.query("commit");
    open.release();
    await work.addLeads(5);
    // Another process finds it running and does nothing.
    await storeMetrics(other);
    await expectMetricsOfRows("Asia/Kathmandu");
    await hold.letGo();
    await storing;
    await expectMetricsOfRows("Asia/Kathmandu");
    await Promise.all([storeMetrics(database), storeMetrics(other)]);
    await storeMetrics(database);
    expect(await dirty()).toEqual([]);
    await expectMetricsOfRows("Asia/Kathmandu");
  });

  it("leaves everything dirty when it is killed, and the next run stores it", async () => {
    await work.write(5);
    const before = await dirty();
    const hold = await holdStoring();
    const storing = storeMetrics(database).catch((error: Error) => error);
    // A connection lost before the commit is replaced twice.
    const ended: number[] = [];
    while (ended.length < 3) {
      ended.push(await hold.pid(ended));
      await other.pool.query("select pg_terminate_backend($1)", [ended.at(-1)]);
    }
    expect(await storing).toBeInstanceOf(Error);
    await hold.letGo();
    expect(await dirty()).toEqual(before);
    await expectMetricsOfRows("Asia/Kathmandu");
    await storeMetrics(other);
    expect(await dirty()).toEqual([]);
    await expectMetricsOfRows("Asia/Kathmandu");
  });

  it("stores a day again after a late event of the provider changes it", async () => {
    await database.pool.query(
      "insert into call_logs (user_id, outcome, duration_seconds, call_date, direction, confirmed, call_type) values (1, 'answered', 0, '2026-03-04T12:00Z', 'inbound', true, 'browser')",
    );
    await storeMetrics(database);
    const sum = "select sum(amount)::int as seconds from metrics where kind = 'call' and day = '2026-03-04'";
    const [stored] = await rowsOf<{ seconds: number }>(sum);
    await database.pool.query(
      "update call_logs set duration_seconds = 77 where call_date = '2026-03-04T12:00Z' and duration_seconds = 0",
    );
    expect(await dirty()).toEqual([{ source: "calls", day: "2026-03-04", user_id: 0 }]);
    await expectMetricsOfRows("Asia/Kathmandu");
    expect(await rowsOf(sum)).toEqual([stored]);
    await storeMetrics(database);
    expect(await rowsOf(sum)).toEqual([{ seconds: (stored?.seconds ?? 0) + 77 }]);
    await expectMetricsOfRows("Asia/Kathmandu");
  });

  it("marks each day and owner once per statement, and ignores changes that no metric counts", async () => {
    await database.pool.query(
      "insert into leads (name, created_at, assigned_to) select 'Lead', '2026-02-03T12:00Z', 1 from generate_series(1, 50)",
    );
    expect(await dirty()).toEqual([
      { source: "leads", day: "2026-02-03", user_id: 0 },
      { source: "owners", day: "0001-01-01", user_id: 1 },
    ]);
    await storeMetrics(database);
    await database.pool.query(
      "update leads set notes = 'x', priority = 'high'; update call_logs set notes = 'x'",
    );
    expect(await dirty()).toEqual([]);
  });
});
