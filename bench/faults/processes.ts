import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { applyMigrations, migrateDatabase, withClient } from "../../apps/server/src/platform/db/migrate.ts";
import journal from "../../apps/server/src/platform/db/migrations/meta/_journal.json" with { type: "json" };
import { buildLead, buildUser } from "../../apps/server/src/testing/factories.ts";
import { freePort } from "../../apps/server/src/testing/server-process.ts";
import { root } from "../../scripts/lib/environment.ts";
import { startBenchDatabase } from "../lib/bench-database.ts";
import { startPortalOnSandbox } from "../lib/portal-on-sandbox.ts";
import { print, seconds } from "../lib/print.ts";
import { portalProcess } from "../lib/service.ts";
import { chances } from "../lib/session-worker.ts";
import { startDatabaseLine } from "../lib/tcp-line.ts";
import { signIn } from "./consultant.ts";
import { untilReady } from "./kills.ts";
import { ask } from "./steady-load.ts";

const rounds = 6;
const settledMs = 60_000;

/**
 * The server is killed between the provider's response and its own commit: the bench holds the lock on the row in which the portal would
 * store the response, kills the portal, and then releases the lock.
 */
export async function killedAfterAnswer(): Promise<string[]> {
  const bench = await startPortalOnSandbox({ speed: 20, callsPerSecond: 20 });
  const { url, database, portal, control } = bench;
  const faults: string[] = [];
  try {
    const waits: Record<string, number[]> = { call: [], text: [] };
    for (let round = 0; round < rounds; round += 1) {
      const kind = round % 2 ? "text" : "call";
      const rep = await buildUser(database, { phone: `(786) 555-01${round}0` });
      const lead = await buildLead(database, { assignedTo: rep.id, phone: `(407) 555-01${round}0` });
      const cookie = await signIn(url, rep);
      const [table, part] = kind === "text" ? ["messages", "Messages.json"] : ["calls", "Calls.json"];
      // Long enough to take the lock after the row exists and before the response arrives.
      await control("POST", "/latency", {
        vendor: "twilio",
        match: part,
        method: "POST",
        ms: 3_000,
        count: 1,
      });
      const request =
        kind === "text"
          ? {
              path: `/api/leads/${lead.id}/sms`,
              cookie,
              body: { message: `Text ${round}`, clientRef: randomUUID() },
            }
          : { path: "/api/make-call", cookie, body: { leadId: lead.id } };
      const asked = ask(url, request);
      const client = await database.pool.connect();
      await client.query("begin");
      const own = `from ${table} where lead_id = $1 and asked_at is not null`;
      while ((await client.query(`select id ${own} for update`, [lead.id])).rowCount === 0) await sleep(20);
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%${table}%'`;
      for (let n = 0; n < 1_000 && (await database.pool.query(waiting)).rowCount === 0; n += 1)
        await sleep(20);
      await portal.end("SIGKILL");
      await client.query("rollback");
      client.release();
      await asked;
      await portal.restart();
      const startedAt = performance.now();
      const settled =
        kind === "text"
          ? "message_sid is not null and status <> 'requested'"
          : "call_sid is not null and state = 'ended' and settled";
      let isSettled = false;
      while (!isSettled && performance.now() - startedAt < settledMs) {
        isSettled = (await database.pool.query(`select 1 ${own} and ${settled}`, [lead.id])).rowCount === 1;
        await sleep(200);
      }
      waits[kind]?.push(performance.now() - startedAt);
      if (!isSettled) {
        const { rows } = await database.pool.query(`select * from ${table} where lead_id = $1`, [lead.id]);
        faults.push(`${kind} ${round} is not settled after ${seconds(settledMs)} s: ${JSON.stringify(rows)}`);
      }
      const { calls } = await control<{ calls: { parentSid: string | null; number: string }[] }>(
        "GET",
        "/calls",
      );
      const { texts } = await control<{ texts: { body: string }[] }>("GET", "/texts");
      const rung = calls.filter(
        ({ parentSid, number }) => !parentSid && number === `+178655501${round}0`,
      ).length;
      const made = kind === "text" ? texts.filter(({ body }) => body === `Text ${round}`).length : rung;
      if (made !== 1) faults.push(`${kind} ${round} was made ${made} times at the provider`);
    }
    for (const [kind, those] of Object.entries(waits))
      print(`${those.length} × ${kind}: settled ${those.map(seconds).join(", ")} s after the next start`);
    return faults;
  } finally {
    await bench.stop();
  }
}

/** The columns, indexes, constraints and triggers of a schema as text, for comparison. */
async function readSchema(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ description: string }>(
      `select table_schema || '.' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
         || coalesce(column_default, '') as description
       from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema')
       union all select schemaname || ' ' || indexdef from pg_indexes where schemaname not in ('pg_catalog', 'information_schema')
       union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint where conrelid <> 0
       union all select tgrelid::regclass || ' ' || tgname from pg_trigger where not tgisinternal
       order by 1`,
    );
    return rows.map(({ description }) => description).join("\n");
  });
}

const migrations = "select count(*)::int as n from drizzle.__drizzle_migrations";

/**
 * Starts are killed during and after each migration's statements, on databases of several versions; each leaves the old schema or the new
 * one. Finally two starts run at once.
 */
export async function killedInMigration(): Promise<string[]> {
  const bench = await startBenchDatabase();
  const faults: string[] = [];
  const chance = chances(1);
  const wanted = await readSchema(bench.url);
  const dates = journal.entries.map(({ when }) => when);
  let made = 0;
  const createDatabase = async (until: number): Promise<string> => {
    made += 1;
    const name = `portal_${made}`;
    await withClient(bench.url, (client) => client.query(`create database ${name}`));
    const url = new URL(bench.url);
    url.pathname = `/${name}`;
    if (until > 0)
      await withClient(url.href, async (client) => {
        await client.query("begin");
        await applyMigrations(client, until);
        await client.query("commit");
      });
    return url.href;
  };
  const dataDir = mkdtempSync(join(tmpdir(), "portal-migration-"));
  const launch = async (databaseUrl: string) => {
    const port = await freePort();
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      SANDBOX_PORT: "9",
      DATA_DIR: dataDir,
      DEMO_HISTORY: "off",
      LOG_LEVEL: "fatal",
      NODE_ENV: "test",
    };
    const args = [...portalProcess.nodeOptions, portalProcess.entry];
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (text) => {
      said += text;
    });
    return { child, ended: once(child, "exit"), url: `http://127.0.0.1:${port}`, said: () => said };
  };
  try {
    // The number of packets until a start is healthy determines where it can be killed.
    const counting = await startDatabaseLine(await createDatabase(0));
    let packets = 0;
    counting.onPacket = () => {
      packets += 1;
    };
    const whole = await launch(counting.url);
    await untilReady(whole.url);
    const packetsOfStart = packets;
    whole.child.kill("SIGKILL");
    await whole.ended;
    await counting.close();
    const left = { old: 0, new: 0 };
    const places = dates.length;
    for (let place = 0; place < places; place += 1) {
      // Every fourth start uses a database of an older version.
      const from = place % 4 === 3 ? Math.floor(chance() * (dates.length - 1)) + 1 : 0;
      const url = await createDatabase(from ? (dates[from - 1] ?? 0) : 0);
      const line = await startDatabaseLine(url);
      const at = Math.max(1, Math.floor(((place + chance()) / places) * packetsOfStart));
      const { child, ended, url: portalUrl } = await launch(line.url);
      let seen = 0;
      line.onPacket = () => {
        seen += 1;
        if (seen === at) child.kill("SIGKILL");
      };
      // A start on an older schema sends fewer packets, and is then killed when it is healthy.
      await Promise.race([ended, untilReady(portalUrl).catch(() => undefined)]);
      child.kill("SIGKILL");
      await ended;
      await line.close();
      const client = new pg.Client(url);
      await client.connect();
      const count = await client.query(migrations).then(
        ({ rows }) => rows[0].n as number,
        () => 0,
      );
      await client.end();
      if (count !== from && count !== dates.length)
        faults.push(`killed at packet ${at}: ${count} of ${dates.length} migrations, from ${from}`);
      left[count === dates.length ? "new" : "old"] += 1;
      await migrateDatabase(url);
      if (differs(await readSchema(url), wanted)) faults.push(`killed at packet ${at}: another schema`);
      if (place % 10 === 9) {
        const again = await launch(url);
        await untilReady(again.url).catch(() =>
          faults.push(`killed at packet ${at}: no start: ${again.said()}`),
        );
        again.child.kill("SIGTERM");
        await again.ended;
      }
    }
    print(
      `${places} starts killed within the ${packetsOfStart} packets of a start: ${left.old} left the old schema, ${left.new} the new one`,
    );
    for (let round = 0; round < 3; round += 1) {
      const url = await createDatabase(round === 2 ? (dates[20] ?? 0) : 0);
      const two = await Promise.all([launch(url), launch(url)]);
      await Promise.all(
        two.map((each) =>
          untilReady(each.url).catch(() => faults.push(`of two starts one fails: ${each.said()}`)),
        ),
      );
      const applied = await withClient(url, (client) => client.query(migrations));
      if (applied.rows[0].n !== dates.length)
        faults.push(`two starts applied ${applied.rows[0].n} migrations`);
      for (const { child, ended } of two) {
        child.kill("SIGTERM");
        await ended;
      }
    }
    print("3 × two starts at once: both are ready, each migration is applied once");
    return faults;
  } finally {
    await bench.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Compares schemas without the job queues' tables, which are created after the migrations and are missing if a start was killed before. */
function differs(schema: string, wanted: string): boolean {
  const own = (text: string) =>
    text
      .split("\n")
      .filter((line) => !/jobs\.|\bjobs /.test(line))
      .join("\n");
  return own(schema) !== own(wanted);
}
