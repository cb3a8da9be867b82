import type { ClientBase } from "pg";
import { holdLock } from "../advisory-locks.ts";
import { copyIn } from "../copy.ts";
import { checkServerVersion } from "../database-fault.ts";
import { applyMigrations, withClient } from "../migrate.ts";
import migrations from "../migrations/meta/_journal.json" with { type: "json" };
import { keyCheckOf, type Manifest, readBackup } from "./backup-file.ts";
import {
  columnsOf,
  dropDependents,
  listTables,
  nameOf,
  plainSettings,
  readContent,
  restoreForeignKeys,
  restoreIndexes,
  setSequences,
} from "./catalog.ts";
import { BackupFault } from "./encrypt-file.ts";
import type { BackupKeys } from "./make-backup.ts";

export interface RestoredBackup {
  manifest: Manifest;
  rows: number;
  /** By how many migrations the backup was older than this version. */
  migrated: number;
  /** Whether the secrets in the database can be read: they were encrypted with ENCRYPTION_KEY or with the previous key. */
  isSameKey: boolean;
}

/** Errors: `BackupFault` if the database contains a table, view or sequence that does not belong to an extension. */
export async function checkEmpty(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ database: string; found: string | null }>(
    `select current_database() as database, (
       select min(format('%s.%s', n.nspname, c.relname)) from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
         and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     ) as found`,
  );
  const [{ database, found } = { database: "", found: null }] = rows;
  if (found)
    throw new BackupFault(
      `The database "${database}" is not empty (it has ${found}). Name an empty database or an unused DATA_DIR: nothing is ever overwritten.`,
    );
}

/** Errors: `BackupFault` for a backup of a newer version. */
function checkKnown({ migration, product }: Manifest): void {
  if (migrations.entries.some(({ when }) => when === migration.when)) return;
  throw new BackupFault(
    `The backup was made by another version of the portal (${product}, schema ${migration.name}), which this one does not know. Restore it with that version or a newer one.`,
  );
}

/** Creates the schema as it was when the rows were read: with the migrations up to then, and with pg-boss's schema of that time. */
export async function makeSchema(client: ClientBase, { migration, jobs }: Manifest): Promise<void> {
  await applyMigrations(client, migration.when);
  if (!jobs) return;
  // Without BEGIN and COMMIT, because it would end this transaction.
  await client.query(jobs.plan.replace(/^\s*BEGIN;/, "").replace(/COMMIT;\s*$/, ""));
  await client.query("set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0");
}

/** Errors: `BackupFault` if the schema does not have exactly the tables of the manifest. */
export async function emptyTables(client: ClientBase, { tables }: Manifest): Promise<void> {
  const here = (await listTables(client)).map((table) => [nameOf(table), columnsOf(table)].join(" "));
  const missing = tables.find((table) => !here.includes([nameOf(table), columnsOf(table)].join(" ")));
  if (missing)
    throw new BackupFault(`The table ${missing.schema}.${missing.name} is not one of the portal's schema.`);
  // Migrations insert some rows of their own.
  await client.query(`truncate ${tables.map(nameOf).join(", ")}`);
}

/** Errors: `BackupFault` if a table has other rows than the manifest says. */
export async function checkContent(client: ClientBase, { tables }: Manifest): Promise<void> {
  for (const table of tables) {
    const { rows, digest } = await readContent(client, table);
    if (rows !== table.rows || digest !== table.digest)
      throw new BackupFault(
        `${table.schema}.${table.name} does not hold what it should: nothing was written.`,
      );
  }
}

/**
 * Restores a backup into an empty database: creates the schema as it was, inserts the rows, compares their counts and checksums, then runs
 * the migrations since. It is one transaction: if anything fails the database stays empty. Errors: `BackupFault`; those of the database.
 */
export async function restoreBackup(
  { url, file }: { url: string; file: string },
  { backupKey, encryptionKey, previous }: BackupKeys,
): Promise<RestoredBackup> {
  return withClient(url, async (client) => {
    const { rows: server } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    checkServerVersion(server[0]?.version ?? 0);
    await client.query(plainSettings);
    await client.query("begin");
    await holdLock(client, "migration");
    await checkEmpty(client);
    const backup = await readBackup(file, backupKey, previous?.backupKey);
    const { manifest } = backup;
    checkKnown(manifest);
    await makeSchema(client, manifest);
    const dependents = await dropDependents(client);
    await emptyTables(client, manifest);
    for (const table of manifest.tables)
      await copyIn(client, `copy ${nameOf(table)} (${columnsOf(table)}) from stdin`, backup.lines(table));
    await backup.finish();
    await setSequences(client, manifest.sequences);
    await restoreIndexes(client, dependents);
    await restoreForeignKeys(client, dependents);
    await checkContent(client, manifest);
    const migrated = await applyMigrations(client);
    await client.query("commit");
    await client.query("analyze");
    return {
      manifest,
      rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
      migrated,
      isSameKey: [encryptionKey, previous?.encryptionKey].some(
        (key) => key && manifest.keyCheck === keyCheckOf(key),
      ),
    };
  });
}
