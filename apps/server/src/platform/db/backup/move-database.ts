import { randomUUID } from "node:crypto";
import type { Client, ClientBase } from "pg";
import { holdLock } from "../advisory-locks.ts";
import { copyIn, copyOut } from "../copy.ts";
import { checkServerVersion } from "../database-fault.ts";
import { readMigrationState, withClient } from "../migrate.ts";
import {
  endOtherSessions,
  readMoveMark,
  removeMoveMark,
  reopen,
  setReadOnly,
  writeMoveMark,
} from "../move-mark.ts";
import { readManifest } from "./backup-file.ts";
import {
  checkForeignKeys,
  columnsOf,
  dropDependents,
  listSequences,
  listTables,
  nameOf,
  plainSettings,
  readContent,
  restoreForeignKeys,
  restoreIndexes,
  setSequences,
  type Table,
} from "./catalog.ts";
import { BackupFault } from "./encrypt-file.ts";
import { withSnapshot } from "./make-backup.ts";
import { checkContent, checkEmpty, emptyTables, makeSchema } from "./restore-backup.ts";

export interface MovedDatabase {
  rows: number;
  tables: number;
  /** Number of rows that were written or deleted during the first copy. */
  changed: number;
  /** How long the database accepted no writes, in ms. */
  pausedMs: number;
}

interface Move {
  /** Address of the old database. */
  from: string;
  /** Address of the empty database on the new server. */
  to: string;
  /** Checks the old database before anything is done. Errors: those that stop the move. */
  check: () => Promise<void>;
  /** Name of the new database for people. */
  place: string;
  /** Called with a text for each step. */
  say: (text: string) => void;
}

/** Errors: `BackupFault`; `StartFault` if the new database cannot store the rows unchanged. */
async function checkTarget(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string; closed: boolean }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
       current_setting('transaction_read_only') = 'on' as closed`,
  );
  const [{ version, encoding, closed } = { version: 0, encoding: "", closed: true }] = rows;
  checkServerVersion(version);
  if (encoding !== "UTF8")
    throw new BackupFault(
      `The new database has the encoding ${encoding}, which cannot hold every name. Make it anew: createdb -T template0 -E UTF8.`,
    );
  if (closed)
    throw new BackupFault(
      "The new server takes no writes: it is a standby, or set to read only. Name the primary.",
    );
  if (await readMoveMark(client))
    throw new BackupFault(
      "The new database holds a move that was ended before its last step; the old one has everything and is worked on. Drop the new one, make it anew, and begin again.",
    );
  await checkEmpty(client);
}

/** Errors: `BackupFault` if the schema of the database is not that of this version. */
async function checkSource(client: ClientBase): Promise<void> {
  const { applied, pending, unknown } = await readMigrationState(client);
  if (applied === 0 && unknown === 0)
    throw new BackupFault("There is nothing to move: the embedded database is empty.");
  if (unknown > 0)
    throw new BackupFault(
      "The embedded database belongs to a newer version of the portal: move it with that one.",
    );
  if (pending > 0)
    throw new BackupFault(
      `The embedded database is ${pending} migrations older than this version: start the portal on it once, then move it.`,
    );
}

/** Columns of each table's primary key. */
async function readKeys(client: ClientBase): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; key: string[] }>(
    `select n.nspname || '.' || c.relname as table, array_agg(format('%I', a.attname)::text order by a.attnum) as key
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
     where k.contype = 'p' group by 1`,
  );
  return new Map(rows.map(({ table, key }) => [table, key]));
}

const plainName = ({ schema, name }: Table): string => `${schema}.${name}`;

interface Copying {
  source: ClientBase;
  target: ClientBase;
  table: Table;
  key: string[];
  /** Number of rows in the copy. */
  rows: number;
  /** The first transaction that the copy may lack. */
  since: string;
}

async function countRows(client: ClientBase, table: Table): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(
    `select count(*)::float8 as rows from ${nameOf(table)}`,
  );
  return rows[0]?.rows ?? 0;
}

const isSame = (key: string[], one: string, other: string): string =>
  key.map((column) => `${one}.${column} = ${other}.${column}`).join(" and ");

/** Deletes rows from the copy that no longer exist at the source. Returns how many. */
async function removeDeleted({ source, target, table, key }: Copying): Promise<number> {
  const columns = key.join(", ");
  await target.query(`create temp table alive as select ${columns} from ${nameOf(table)} with no data`);
  await copyIn(
    target,
    `copy alive from stdin`,
    copyOut(source, `copy (select ${columns} from ${nameOf(table)}) to stdout`),
  );
  await target.query("analyze alive");
  const { rowCount } = await target.query(
    `delete from ${nameOf(table)} t where not exists (select 1 from alive where ${isSame(key, "alive", "t")})`,
  );
  await target.query("drop table alive");
  return rowCount ?? 0;
}

/**
 * Updates the copy of a table: replaces rows of later transactions, and deletes removed ones. Compares the replaced rows by count and
 * checksum, and the tables by count. Returns the number of rows and how many differed. Errors: `BackupFault` if the copy still differs
 * afterwards.
 */
async function catchUp(copying: Copying): Promise<{ rows: number; changed: number }> {
  const { source, target, table, key, since } = copying;
  const isYounger = `age(t.xmin) <= age('${since}'::xid8::xid)`;
  const written = await readContent(source, table, isYounger);
  if (key.length === 0) throw new BackupFault(`${plainName(table)} has no primary key: it cannot be moved.`);
  let replaced = 0;
  if (written.rows > 0) {
    const columns = columnsOf(table);
    await target.query(`create temp table young as select ${columns} from ${nameOf(table)} with no data`);
    await copyIn(
      target,
      "copy young from stdin",
      copyOut(source, `copy (select ${columns} from ${nameOf(table)} t where ${isYounger}) to stdout`),
    );
    await target.query("analyze young");
    const { rowCount } = await target.query(
      `delete from ${nameOf(table)} t using young where ${isSame(key, "young", "t")}`,
    );
    replaced = rowCount ?? 0;
  }
  const here = await countRows(source, table);
  // Surplus rows of the copy were deleted at the source.
  const deleted = copying.rows - replaced + written.rows > here ? await removeDeleted(copying) : 0;
  if (written.rows > 0) {
    const columns = columnsOf(table);
    await target.query(
      `insert into ${nameOf(table)} (${columns}) overriding system value select ${columns} from young`,
    );
    const copied = await readContent(
      target,
      table,
      `exists (select 1 from young where ${isSame(key, "young", "t")})`,
    );
    await target.query("drop table young");
    if (copied.rows !== written.rows || copied.digest !== written.digest)
      throw new BackupFault(`${plainName(table)} was not copied as it is: nothing was moved.`);
  }
  if ((await countRows(target, table)) !== here)
    throw new BackupFault(`${plainName(table)} has another number of rows in its copy: nothing was moved.`);
  return { rows: here, changed: written.rows + deleted };
}

const pidOf = (client: ClientBase): number => (client as unknown as { processID: number }).processID;

/** Closes the old database for everybody else: ends all sessions, and makes new ones read-only. */
async function close(
  client: Client,
  { tables, own }: { tables: Table[]; own: number[] },
  mark: { id: string; place: string },
) {
  await client.query("begin");
  await setReadOnly(client, true);
  await writeMoveMark(client, { ...mark, state: "closing" });
  await client.query("commit");
  await client.query("set default_transaction_read_only = off");
  await endOtherSessions(client, own);
  await client.query("begin");
  await client.query(`lock table ${tables.map(nameOf).join(", ")} in exclusive mode`);
  // A session that began before the database was closed can only be waiting for these locks by now.
  await endOtherSessions(client, own);
}

/**
 * Moves the portal's whole database into an empty database on another server. Most of it is copied while the portal runs; then the old
 * database accepts no more writes, the changes made meanwhile are copied, and the old database is marked as moved. The new database is
 * filled by a single transaction: if anything fails it stays empty, and the old one stays in use. Errors: `BackupFault`, `StartFault`;
 * those of either database.
 */
export async function moveDatabase(move: Move): Promise<MovedDatabase | "finished"> {
  const { from, to } = move;
  return withClient(to, (target) =>
    withClient(from, async (source) => {
      await Promise.all([source.query(plainSettings), target.query(plainSettings)]);
      const mark = await readMoveMark(source);
      if (mark?.state === "moved") {
        const there = await readMoveMark(target);
        if (there?.id !== mark.id)
          throw new BackupFault(
            `The embedded database was moved to ${mark.place} already, at ${mark.at.toISOString()}.`,
          );
        await removeMoveMark(target);
        return "finished";
      }
      await checkTarget(target);
      await checkSource(source);
      await move.check();
      await target.query("begin");
      await holdLock(target, "migration");
      return withSnapshot(from, (snapshot, holder) =>
        copyAll({ source, target, snapshot, own: [snapshot, holder].map(pidOf) }, move),
      );
    }),
  );
}

interface Connections {
  source: Client;
  target: Client;
  /** Has one snapshot of the old database. */
  snapshot: ClientBase;
  /** Process ids of this move's other connections on the server. */
  own: number[];
}

async function copyAll(
  { source, target, snapshot, own }: Connections,
  { place, say }: Move,
): Promise<MovedDatabase> {
  const manifest = await readManifest(snapshot, "");
  const { rows: instants } = await snapshot.query<{ since: string }>(
    "select pg_snapshot_xmin(pg_current_snapshot())::text as since",
  );
  const since = instants[0]?.since ?? "";
  say(`Copying ${manifest.tables.length} tables while the portal goes on.`);
  await makeSchema(target, manifest);
  const dependents = await dropDependents(target);
  await emptyTables(target, manifest);
  for (const table of manifest.tables) {
    const columns = columnsOf(table);
    await copyIn(
      target,
      `copy ${nameOf(table)} (${columns}) from stdin`,
      copyOut(snapshot, `copy ${nameOf(table)} (${columns}) to stdout`),
    );
  }
  await checkContent(target, manifest);
  await restoreIndexes(target, dependents);
  await target.query("analyze");
  await snapshot.query("commit");

  const mark = { id: randomUUID(), place };
  const keys = await readKeys(target);
  say(
    "All is copied and compared. From now on nobody writes, until the portal is started with the new DATABASE_URL.",
  );
  const closedAt = performance.now();
  let isThere = false;
  let isDone = false;
  try {
    await close(source, { tables: await listTables(source), own }, mark);
    let changed = 0;
    let rows = 0;
    for (const table of manifest.tables) {
      const key = keys.get(plainName(table)) ?? [];
      const caught = await catchUp({ source, target, table, key, rows: table.rows, since });
      rows += caught.rows;
      changed += caught.changed;
    }
    await setSequences(target, await listSequences(source));
    await restoreForeignKeys(target, dependents, { isCheckedLater: true });
    await writeMoveMark(target, { ...mark, state: "unfinished" });
    await writeMoveMark(source, { ...mark, state: "moved" });
    await target.query("commit");
    isThere = true;
    await source.query("commit");
    await removeMoveMark(target);
    const pausedMs = performance.now() - closedAt;
    say(
      `Moved; nobody could write for ${(pausedMs / 1000).toFixed(1)} s. Start the portal with the new DATABASE_URL now; foreign keys are looked up once more meanwhile.`,
    );
    isDone = true;
    await checkForeignKeys(target, dependents);
    return { rows, tables: manifest.tables.length, changed, pausedMs };
  } catch (error) {
    if (isDone)
      throw new BackupFault(
        `All is moved, but foreign keys could not be looked up once more: ${(error as Error).message}.`,
      );
    await source.query("rollback").catch(() => undefined);
    // If the old server itself is down, its next start opens the database again.
    const mark = await readMoveMark(source).catch(() => null);
    const isMoved = mark?.state === "moved";
    // If the database is marked as moved, only the last step is missing: the next run does it.
    if (!isMoved) await reopen(source, own).catch(() => undefined);
    if (isThere && !isMoved)
      throw new BackupFault(
        `The old database could not be marked as moved (${(error as Error).message}); it is worked on as before. Drop the new one and make it anew before the next try.`,
      );
    throw error;
  }
}
