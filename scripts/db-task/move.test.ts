import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encrypt } from "../../apps/server/src/domain/encryption.ts";
import { readManifest } from "../../apps/server/src/platform/db/backup/backup-file.ts";
import { withSnapshot } from "../../apps/server/src/platform/db/backup/make-backup.ts";
import { moveDatabase } from "../../apps/server/src/platform/db/backup/move-database.ts";
import { migrateDatabase, prepareJobs, withClient } from "../../apps/server/src/platform/db/migrate.ts";
import { writeMoveMark } from "../../apps/server/src/platform/db/move-mark.ts";
import { freePort, type ServerProcess, startServer } from "../../apps/server/src/testing/server-process.ts";
import { root } from "../lib/environment.ts";
import { type Postgres, startPostgres } from "../lib/postgres.ts";
import { makeTemporaryFolder } from "../testing/temporary-folder.ts";
import { temporaryRoot } from "../testing/temporary-root.ts";

const encryptionKey = "an-encryption-key-of-the-portal-0123";
/** Another cluster: the one that the tests use. */
const server = process.env.TEST_DATABASE_URL ?? "";
const dataDir = mkdtempSync(join(temporaryRoot(), "portal move-"));
const made: string[] = [];
let embedded: Postgres;

const ask = async (url: string, statement: string): Promise<Record<string, unknown>[]> =>
  withClient(url, async (client) => (await client.query(statement)).rows);

async function createTarget(options = ""): Promise<string> {
  const name = `moved_${Math.random().toString(36).slice(2, 10)}`;
  await ask(server, `create database ${name} ${options}`);
  made.push(name);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}

/** Runs `npm run db:move`. */
async function move(
  to: string,
  env: Record<string, string> = {},
  whileCopying = async (): Promise<unknown> => undefined,
): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [join(root, "scripts/db-task/main.ts"), "move"], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: to, ENCRYPTION_KEY: encryptionKey, ...env },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  // The snapshot is taken before this output.
  let copying: Promise<unknown> | undefined;
  child.stdout.once("data", () => {
    copying = whileCopying();
  });
  const [code] = await once(child, "close");
  await copying;
  return { code, said };
}

const contentOf = async (url: string) => {
  const { tables, sequences } = await withSnapshot(url, (client) => readManifest(client, encryptionKey));
  return { tables, sequences };
};
const tablesIn = async (url: string) =>
  (
    await ask(
      url,
      "select count(*)::int as n from pg_class where relkind = 'r' and relnamespace::regnamespace::text !~ '^(pg_|information_)'",
    )
  )[0]?.n;

async function startPortal(url: string): Promise<ServerProcess> {
  return startServer({ PORT: String(await freePort()), DATABASE_URL: url, ENCRYPTION_KEY: encryptionKey });
}

beforeAll(async () => {
  chmodSync(dataDir, 0o755);
  embedded = await startPostgres({ dataDir, fsync: false });
  await migrateDatabase(embedded.url);
  await withClient(embedded.url, prepareJobs);
  const sealed = encrypt("a key", {
    encryptionKeys: { current: encryptionKey, previous: null },
    purpose: "push private key",
  });
  await ask(
    embedded.url,
    `insert into push_keys (id, public_key, private_key) values (1, 'public', '${sealed}')`,
  );
  await ask(
    embedded.url,
    "insert into leads (name, email) select 'José ' || n, n || '@example.com' from generate_series(1, 500) n",
  );
});
afterAll(async () => {
  await embedded.stop();
  rmSync(dataDir, { recursive: true });
  for (const name of made) await ask(server, `drop database if exists ${name} with (force)`);
});

describe("a move is refused", () => {
  /** Runs the command if the environment matters, otherwise calls the function, which is faster than starting processes. */
  const refused = async (to: string, sentence: RegExp, env?: Record<string, string>) => {
    if (env) {
      const { code, said } = await move(to, env);
      expect([code, said]).toEqual([1, expect.stringMatching(sentence)]);
    } else {
      const nothing = { place: "there", say: () => undefined, check: async () => undefined };
      await expect(moveDatabase({ from: embedded.url, to, ...nothing })).rejects.toThrow(sentence);
    }
    // Nothing was done: the old database still accepts writes.
    await ask(embedded.url, "update leads set notes = 'written' where id = 1");
  };

  it("into a database that is not empty, or has the portal's tables of any version", async () => {
    const to = await createTarget();
    await ask(to, "create table customers (id int)");
    await refused(to, /is not empty \(it has public\.customers\)/);
    const other = await createTarget();
    await migrateDatabase(other);
    await refused(other, /is not empty/);
  });

  it("into an encoding that cannot store every name", async () => {
    const to = await createTarget("template template0 encoding 'SQL_ASCII' locale 'C'");
    await refused(to, /encoding SQL_ASCII/);
    expect(await tablesIn(to)).toBe(0);
  });

  it("into a server that is read-only or unreachable", async () => {
    const to = await createTarget();
    await ask(server, `alter database ${made.at(-1)} set default_transaction_read_only = on`);
    await refused(to, /takes no writes/);
    await refused(`postgresql://portal@127.0.0.1:${await freePort()}/portal`, /does not answer/, {});
  });

  it("with a missing or different ENCRYPTION_KEY", async () => {
    const to = await createTarget();
    await refused(to, /ENCRYPTION_KEY does not read/, {
      ENCRYPTION_KEY: "another-encryption-key-of-the-portal",
    });
    await refused(to, /ENCRYPTION_KEY is missing/, { ENCRYPTION_KEY: "", NODE_ENV: "production" });
    expect(await tablesIn(to)).toBe(0);
  });

  it("from a database of a newer or older version, and without a source or target", async () => {
    const to = await createTarget();
    const last = "(select max(created_at) from drizzle.__drizzle_migrations)";
    await ask(
      embedded.url,
      `insert into drizzle.__drizzle_migrations (hash, created_at) select 'newer', ${last} + 1`,
    );
    await refused(to, /newer version/);
    await ask(embedded.url, "delete from drizzle.__drizzle_migrations where hash = 'newer'");
    await ask(
      embedded.url,
      `update drizzle.__drizzle_migrations set created_at = created_at - 1 where created_at = ${last}`,
    );
    await refused(to, /migrations older/);
    await ask(
      embedded.url,
      `update drizzle.__drizzle_migrations set created_at = created_at + 1 where created_at = ${last}`,
    );
    await refused("", /DATABASE_URL is not set/, {});
    await refused(to, /There is no embedded database/, { DATA_DIR: makeTemporaryFolder() });
  });

  it("into a new database whose earlier move was killed before its last step", async () => {
    const to = await createTarget();
    await withClient(to, (client) => writeMoveMark(client, { id: "1", state: "unfinished", place: "there" }));
    await refused(to, /ended before its last step/);
    await expect(migrateDatabase(to)).rejects.toThrow(/The move into there is under way/);
  });
});

it("an old database whose move was killed becomes writable at the next start", async () => {
  await withClient(embedded.url, async (client) => {
    await client.query("alter database portal set default_transaction_read_only = on");
    await writeMoveMark(client, { id: "1", state: "closing", place: "there" });
  });
  await expect(ask(embedded.url, "update leads set notes = 'written'")).rejects.toThrow(/read-only/);
  await migrateDatabase(embedded.url);
  await ask(embedded.url, "update leads set notes = 'written' where id = 1");
});

describe("a move while the portal is running", () => {
  it("copies every acknowledged write, makes the old database read-only and marks it", async () => {
    const to = await createTarget();
    const old = await startPortal(embedded.url);
    await old.untilHealthy();
    const headers = {
      cookie: await old.signIn("admin@portal.test", "portal-admin"),
      "content-type": "application/json",
    };
    const acknowledged: string[] = [];
    let refusals = 0;
    const writing = (async () => {
      for (let number = 1; refusals < 3; number += 1) {
        const answer = await fetch(`${old.url}/api/leads/${(number % 400) + 1}`, {
          method: "PATCH",
          headers,
          body: JSON.stringify({ notes: `note ${number}` }),
        });
        if (answer.ok) acknowledged.push(`${(number % 400) + 1} note ${number}`);
        else {
          expect(answer.status).toBe(503);
          refusals += 1;
        }
      }
    })();
    const { code, said } = await move(to, {}, async () => {
      await ask(embedded.url, "delete from leads where id > 450 and id <= 460");
      await ask(embedded.url, "insert into leads (name) values ('Made meanwhile')");
    });
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/Moved [\d,]+ rows of \d+ tables .* Nobody could write for \d/s),
    ]);
    await writing;
    expect(await ask(to, "select id::int from leads where id > 450 and id <= 461")).toEqual([{ id: 461 }]);
    expect(acknowledged.length).toBeGreaterThan(0);
    const last = new Map(acknowledged.map((line) => line.split(/ (.*)/s) as [string, string]));
    const rows = await ask(to, "select id::text, notes from leads where notes like 'note %'");
    const found = new Map(rows.map(({ id, notes }) => [String(id), String(notes)]));
    // A write that was pending at the end may exist without having been acknowledged.
    const lost = [...last].filter(
      ([id, note]) => Number(found.get(id)?.slice(5) ?? 0) < Number(note.slice(5)),
    );
    expect(lost).toEqual([]);
    await old.kill();
    expect(await contentOf(to)).toEqual(await contentOf(embedded.url));
    expect(await schemaOf(to)).toEqual(await schemaOf(embedded.url));

    const again = await startPortal(embedded.url);
    expect(await again.exit).toBe(1);
    expect(again.output()).toMatch(/was moved to "moved_.*Set DATABASE_URL to it/);
    const portal = await startPortal(to);
    await portal.untilHealthy();
    const cookie = await portal.signIn("ana@portal.test");
    const made = await fetch(`${portal.url}/api/sample-data`, {
      method: "POST",
      headers: { ...headers, cookie },
      body: "{}",
    });
    expect(made.status).toBe(200);
    await portal.kill();
  });

  it("is finished by another run if it was killed at the end, and is not repeated", async () => {
    const [mark] = await ask(embedded.url, "select id, place from portal_move.mark");
    const place = { id: String(mark?.id), place: String(mark?.place) };
    const to = new URL(server);
    to.pathname = `/${made.at(-1)}`;
    await withClient(to.toString(), (client) => writeMoveMark(client, { ...place, state: "unfinished" }));
    expect(await move(to.toString())).toMatchObject({ code: 0, said: expect.stringMatching(/is finished/) });
    expect(await ask(to.toString(), "select to_regnamespace('portal_move') as mark")).toEqual([
      { mark: null },
    ]);
    expect(await move(await createTarget())).toMatchObject({
      code: 1,
      said: expect.stringMatching(/moved to .* already/),
    });
  });
});

/** Constraints, indexes and triggers as PostgreSQL prints them. */
async function schemaOf(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated::text as line from pg_constraint
       where connamespace::regnamespace::text in ('public', 'drizzle') and conrelid <> 0
     union all select pg_get_indexdef(indexrelid) from pg_index where indrelid::regclass::text !~ '^(pg_|jobs|portal_move)'
     union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal order by 1`,
  );
  await client.end();
  return rows;
}
