import { hkdfSync } from "node:crypto";
import type { ClientBase } from "pg";
import { getConstructionPlans } from "pg-boss";
import serverPackage from "../../../../package.json" with { type: "json" };
import migrations from "../migrations/meta/_journal.json" with { type: "json" };
import type { Manifest } from "./backup-file.ts";
import { listSequences, listTables, nameOf, readContent } from "./catalog.ts";
import { BackupFault } from "./encrypt-file.ts";

/** Distinguishes one ENCRYPTION_KEY from another without revealing it. */
export const keyCheckOf = (encryptionKey: string): string =>
  Buffer.from(hkdfSync("sha256", encryptionKey, "", "portal backup check", 8)).toString("hex");

async function readMigration(client: ClientBase): Promise<Manifest["migration"]> {
  const { rows: found } = await client.query("select to_regclass('drizzle.__drizzle_migrations') as known");
  if (!found[0]?.known) throw new BackupFault("The database is not the portal's: it has none of its tables.");
  const { rows } = await client.query<{ when: number }>(
    `select max(created_at)::float8 as "when" from drizzle.__drizzle_migrations`,
  );
  const when = rows[0]?.when ?? 0;
  const entry = migrations.entries.find((migration) => migration.when === when);
  if (!entry)
    throw new BackupFault(
      "The database belongs to a newer version of the portal: make the backup with that one.",
    );
  return { when, name: entry.tag };
}

async function readJobs(client: ClientBase): Promise<Manifest["jobs"]> {
  const { rows: found } = await client.query("select to_regclass('jobs.version') as known");
  if (!found[0]?.known) return null;
  const { rows } = await client.query<{ version: number }>("select version from jobs.version");
  const version = rows[0]?.version ?? 0;
  const plan = getConstructionPlans("jobs");
  if (!plan.includes(`INSERT INTO jobs.version(version) VALUES ('${version}')`))
    throw new BackupFault(
      "The tables of the jobs belong to another version of the portal: make the backup with the one that runs.",
    );
  return { version, plan };
}

/** The content of the database in one snapshot: everything that this client reads in its transaction is of that snapshot. */
export async function readManifest(client: ClientBase, encryptionKey: string): Promise<Manifest> {
  const migration = await readMigration(client);
  const jobs = await readJobs(client);
  const tables = await listTables(client);
  // A table that is rewritten meanwhile would seem empty.
  for (const table of tables) await client.query(`lock table ${nameOf(table)} in access share mode`);
  const contents: Manifest["tables"] = [];
  for (const table of tables) contents.push({ ...table, ...(await readContent(client, table)) });
  return {
    product: serverPackage.version,
    at: new Date().toISOString(),
    migration,
    jobs,
    keyCheck: keyCheckOf(encryptionKey),
    tables: contents,
    // Sequences are outside of snapshots: their current values are beyond every row that is read.
    sequences: await listSequences(client),
  };
}
