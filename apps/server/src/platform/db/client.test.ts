import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPostgres } from "../../../../../scripts/lib/postgres.ts";
import { buildTestApp } from "../../testing/test-app.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { type Database, openDatabase, type Tx } from "./client.ts";
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

// drizzle-orm skips a migration that is dated before the last one that a database has.
it("each migration has a later date than the one before", () => {
  const dates = journal.entries.map(({ when }) => when);
  expect(dates).toEqual([...new Set(dates)].sort((a, b) => a - b));
});

describe("a transaction whose database hangs", () => {
  it("releases its connection without a further query, and the pool recovers", async () => {
    const asked: string[] = [];
    const hanging = database.transaction(async (tx) => {
      // Simulates a server that hangs: the statement does not end by itself.
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

  it("rolls back after an error of PostgreSQL, and keeps its connection", async () => {
    const pid = () => database.pool.query("select pg_backend_pid() as pid").then(({ rows }) => rows[0].pid);
    const before = await pid();
    await expect(database.transaction((tx) => tx.$client.query("select 1 / 0"))).rejects.toThrow("division");
    expect(await pid()).toBe(before);
  });
});

describe("a database that ends during a transaction", () => {
  it.each([true, false])("fails only that transaction (with a running statement: %s)", async (busy) => {
    const admin = openDatabase({ url: test.url, poolSize: 1, onError: () => undefined });
    const broken = database.transaction(async (tx) => {
      const { rows } = await tx.$client.query("select pg_backend_pid() as pid");
      const statement = busy ? tx.$client.query("select pg_sleep(5)") : null;
      // Not by `once` of node:events, which would handle the error itself.
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
  });
});

/** Makes every connection of the pool one to a demoted server; new connections lead to the primary. */
async function demote({ pool }: Database, connections: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  for (const client of clients) await client.query("set session characteristics as transaction read only");
  for (const client of clients) client.release();
}

describe("a pool whose server is no longer the primary", () => {
  let several: Database;
  beforeAll(async () => {
    several = openDatabase({ url: test.url, poolSize: 4, onError: () => undefined });
    await several.pool.query("create table written (number int)");
  });
  afterAll(() => several.close());

  const written = async () =>
    (await several.pool.query("select array_agg(number order by number) as all from written")).rows[0].all;

  it("repeats a transaction once on a new connection, and closes the other connections", async () => {
    await demote(several, 4);
    let tries = 0;
    await several.transaction(async (tx) => {
      tries += 1;
      await tx.$client.query("insert into written values (1)");
    });
    expect(tries).toBe(2);
    const all = await Promise.all(Array.from({ length: 4 }, () => several.pool.connect()));
    for (const client of all) {
      const { rows } = await client.query("show transaction_read_only");
      expect(rows).toEqual([{ transaction_read_only: "off" }]);
      client.release();
    }
    expect(await written()).toEqual([1]);
  });

  it("repeats a single statement once, and closes busy connections when they are released", async () => {
    await demote(several, 4);
    const busy = await several.pool.connect();
    await several.pool.query("insert into written values (2)");
    busy.release();
    await expect.poll(() => several.pool.totalCount).toBeLessThan(4);
    await Promise.all(
      [3, 4, 5, 6].map((number) => several.db.execute(`insert into written values (${number})`)),
    );
    expect(await written()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("fails when no server accepts writes", async () => {
    const name = new URL(test.url).pathname.slice(1);
    await several.pool.query(`alter database ${name} set default_transaction_read_only = on`);
    await demote(several, 4);
    await expect(several.pool.query("insert into written values (7)")).rejects.toMatchObject({
      code: "25006",
    });
    const none = several.transaction((tx) => tx.$client.query("insert into written values (7)"));
    await expect(none).rejects.toMatchObject({ code: "25006" });
    const admin = openDatabase({ url: test.url, poolSize: 1, onError: () => undefined });
    await admin.pool.query("set default_transaction_read_only = off");
    await admin.pool.query(`alter database ${name} reset default_transaction_read_only`);
    await admin.close();
    await several.pool.query("insert into written values (7)");
  });
});

it("a request to a demoted server is answered by the new primary", async () => {
  const app = await buildTestApp();
  const rep = await app.signIn();
  await demote(app.deps.database, 8);
  expect((await rep.post("/api/sample-data")).status).toBe(200);
  await app.close();
});

describe("a transaction whose connection is lost", () => {
  const end = async (tx: Tx): Promise<void> => {
    const admin = openDatabase({ url: test.url, poolSize: 1, onError: () => undefined });
    const { rows } = await tx.$client.query("select pg_backend_pid() as pid");
    await admin.pool.query("select pg_terminate_backend($1)", [rows[0].pid]);
    await admin.close();
  };

  it("is repeated once when its commit was not sent", async () => {
    let tries = 0;
    const number = await database.transaction(async (tx) => {
      tries += 1;
      if (tries === 1) await end(tx);
      await tx.$client.query("select 1");
      return tries;
    });
    expect(number).toBe(2);
  });

  it("is not repeated when it is unknown whether it was committed", async () => {
    let tries = 0;
    const unknown = database.transaction(async (tx) => {
      tries += 1;
      await end(tx);
    });
    await expect(unknown).rejects.toThrow();
    expect(tries).toBe(1);
  });
});

it("a commit whose wait for a standby was canceled is not acknowledged", async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), "portal-standby-test-"));
  chmodSync(dataDir, 0o755);
  const postgres = await startPostgres({ dataDir, fsync: false });
  const alone = openDatabase({ url: postgres.url, poolSize: 2, answerMs: 600, onError: () => undefined });
  try {
    await alone.pool.query("create table written (number int)");
    await alone.pool.query("alter system set synchronous_standby_names = 'nobody'");
    await alone.pool.query("alter database portal set synchronous_commit = on");
    await alone.pool.query("select pg_reload_conf()");
    await alone.close();
    const now = openDatabase({ url: postgres.url, poolSize: 3, onError: () => undefined });
    const writes = [
      now.pool.query("insert into written values (1)"),
      now.transaction((tx) => tx.$client.query("insert into written values (2)")),
    ];
    const ended = Promise.allSettled(writes);
    const waiting = "from pg_stat_activity where wait_event = 'SyncRep'";
    await expect.poll(async () => (await now.pool.query(`select 1 ${waiting}`)).rowCount).toBe(2);
    await now.pool.query(`select pg_cancel_backend(pid) ${waiting}`);
    const unknown = { status: "rejected", reason: { code: "08007" } };
    expect(await ended).toMatchObject([unknown, unknown]);
    // The rows are there, as PostgreSQL says: only their replication is unconfirmed.
    expect((await now.pool.query("select count(*)::int as n from written")).rows).toEqual([{ n: 2 }]);
    await now.close();
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true });
  }
});
