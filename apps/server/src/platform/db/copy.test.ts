import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestDatabase, openTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import type { Database, Tx } from "./client.ts";
import { copyCsv, copyRows } from "./copy.ts";
import { sql } from "./query.ts";

/** Rows of 24 MB: more than the buffers between two processes hold, so that the sender waits while PostgreSQL does not read. */
const manyRows = Array.from({ length: 600 }, (_, n) => ({ id: n, text: `${n} `.repeat(10_000) }));
const fewRows = manyRows.slice(0, 3).map(({ id }) => ({ id, text: String(id) }));
const barrier = 4_702_100;
const waitFor = { timeout: 45_000, interval: 10 };

let test: TestDatabase;
let database: Database;
let admin: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = openTestDatabase(test, { poolSize: 1 });
  admin = openTestDatabase(test, { poolSize: 3 });
  await admin.pool.query(
    `create table copied (id int, text text);
     create table stops (at text);
     create function stop_each() returns trigger language plpgsql as $$ begin
       if exists (select 1 from stops where at = 'row ' || new.id) then perform pg_advisory_xact_lock_shared(${barrier}); end if;
       return new;
     end $$;
     create function stop_end() returns trigger language plpgsql as $$ begin
       if exists (select 1 from stops where at = 'end') then perform pg_advisory_xact_lock_shared(${barrier}); end if;
       return null;
     end $$;
     create trigger each_row before insert on copied for each row execute function stop_each();
     create trigger at_end after insert on copied for each statement execute function stop_end();
     create function stop_at(int, int) returns int language plpgsql as $$ begin
       if $1 = $2 then perform pg_advisory_xact_lock_shared(${barrier}); end if;
       return $1;
     end $$`,
  );
});
beforeEach(() => admin.pool.query("truncate copied, stops"));
afterAll(async () => {
  await database.close();
  await admin.close();
  await test.drop();
});

/** The ways in which a statement ends early. */
const ends = {
  cancelled: ({ pid }) => admin.pool.query("select pg_cancel_backend($1)", [pid]),
  terminated: ({ pid }) => admin.pool.query("select pg_terminate_backend($1)", [pid]),
  "cut off": ({ tx }) => streamOf(tx).destroy(),
  reset: ({ tx }) => streamOf(tx).destroy(new Error("read ECONNRESET")),
} satisfies Record<string, (at: { pid: number; tx: Tx }) => unknown>;
type End = keyof typeof ends;

const streamOf = (tx: Tx) =>
  (tx.$client as unknown as { connection: { stream: { destroy(error?: Error): void } } }).connection.stream;

/** Starts `copy` so that it waits for a lock, ends it by `end` as soon as it waits, and returns the result. */
async function endWhereItWaits(
  end: End,
  lock: string,
  copy: (tx: Tx) => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>> {
  const holder = await admin.pool.connect();
  try {
    await holder.query(`begin; ${lock}`);
    let tx: Tx | undefined;
    const copying = database.transaction(async (own) => {
      // A retry after a lost connection would wait here again.
      if (tx) throw new Error("the first one failed");
      tx = own;
      await copy(own);
    });
    const settled = Promise.allSettled([copying]);
    const { pid } = await vi.waitFor(async () => {
      const { rows } = await admin.pool.query<{ pid: number }>(
        "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows[0] ?? Promise.reject(new Error("it does not wait yet"));
    }, waitFor);
    await ends[end]({ pid, tx: tx as Tx });
    const [outcome] = await settled;
    return outcome;
  } finally {
    await holder.query("rollback");
    holder.release();
  }
}

const copyIn = (rows: typeof manyRows) => (tx: Tx) =>
  copyRows(tx, { table: "copied", columns: ["id", "text"] }, { rows, values: ({ id, text }) => [id, text] });
const advisoryLock = `select pg_advisory_xact_lock(${barrier})`;
const tableLock = "lock table copied in access exclusive mode";

describe("rows copied into a table", () => {
  const states: [string, { rows: typeof manyRows; lock: string; stop: string | null }][] = [
    ["before the first byte", { rows: manyRows, lock: tableLock, stop: null }],
    ["between two rows", { rows: fewRows, lock: advisoryLock, stop: "row 1" }],
    ["while they do not all fit on the way", { rows: manyRows, lock: advisoryLock, stop: "row 10" }],
    ["at the last row", { rows: fewRows, lock: advisoryLock, stop: "row 2" }],
    ["after the last byte", { rows: fewRows, lock: advisoryLock, stop: "end" }],
  ];
  const cases = states.flatMap(([state, at]) =>
    (Object.keys(ends) as End[]).map((end) => ({ state, at, end })),
  );

  it.each(cases)(
    "are rolled back when the statement is $end $state, and succeed the next time",
    async ({ at, end }) => {
      if (at.stop) await admin.pool.query("insert into stops values ($1)", [at.stop]);
      const outcome = await endWhereItWaits(end, at.lock, copyIn(at.rows));
      expect(outcome.status).toBe("rejected");
      await database.transaction(copyIn(at.rows));
      expect((await database.pool.query("select count(*)::int as n from copied")).rows).toEqual([
        { n: at.rows.length },
      ]);
    },
  );

  it("are rolled back on a timeout of PostgreSQL or the client", async () => {
    await admin.pool.query("insert into stops values ('row 10')");
    const hasty = openTestDatabase(test, { poolSize: 1, answerMs: 400 });
    const holder = await admin.pool.connect();
    await holder.query(`begin; ${advisoryLock}`);
    // Either time limit may end it first.
    await expect(hasty.transaction(copyIn(manyRows))).rejects.toThrow(/statement timeout|Query read timeout/);
    await expect(hasty.transaction(copyIn(manyRows), "set local statement_timeout = 0")).rejects.toThrow(
      "Query read timeout",
    );
    await holder.query("rollback");
    holder.release();
    await hasty.transaction(copyIn(fewRows));
    expect((await hasty.pool.query("select count(*)::int as n from copied")).rows).toEqual([{ n: 3 }]);
    await hasty.close();
  });

  it("are rolled back when a value is invalid or cannot be written", async () => {
    const wrong = [...manyRows, { id: 1.5, text: "no whole number" }];
    await expect(database.transaction(copyIn(wrong))).rejects.toMatchObject({ code: "22P02" });
    const copyNone = (tx: Tx) =>
      copyRows(
        tx,
        { table: "copied", columns: ["id", "text"] },
        {
          rows: fewRows,
          values: () => {
            throw new Error("no values");
          },
        },
      );
    await expect(database.transaction(copyNone)).rejects.toThrow("no values");
    expect((await database.pool.query("select count(*)::int as n from copied")).rows).toEqual([{ n: 0 }]);
  });
});

describe("lines copied out of a table", () => {
  const rows = 50_000;
  const copyOut = (stop: number) => (tx: Tx) =>
    copyCsv(tx, sql`select stop_at(n, ${stop}), repeat('x', 100) from generate_series(1, ${rows}) n`);
  const cases = [1, rows / 2, rows].flatMap((stop) =>
    (Object.keys(ends) as End[]).map((end) => ({ stop, end })),
  );

  it.each(cases)(
    "fail when the statement is $end at row $stop, and succeed the next time",
    async ({ stop, end }) => {
      const outcome = await endWhereItWaits(end, advisoryLock, copyOut(stop));
      expect(outcome.status).toBe("rejected");
      const lines = await database.transaction((tx) =>
        copyCsv(tx, sql`select n, 'a,b' from generate_series(1, 3) n`),
      );
      expect(lines.toString()).toBe('1,"a,b"\n2,"a,b"\n3,"a,b"\n');
    },
  );

  it("fail on a timeout of PostgreSQL or the client", async () => {
    const hasty = openTestDatabase(test, { poolSize: 1, answerMs: 400 });
    const holder = await admin.pool.connect();
    await holder.query(`begin; ${advisoryLock}`);
    await expect(hasty.transaction(copyOut(10))).rejects.toThrow(/statement timeout/);
    await expect(hasty.transaction(copyOut(10), "set local statement_timeout = 0")).rejects.toThrow(
      "Query read timeout",
    );
    await holder.query("rollback");
    holder.release();
    expect((await hasty.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await hasty.close();
  });
});
