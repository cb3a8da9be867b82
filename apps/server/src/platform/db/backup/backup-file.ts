import { createHash, hkdfSync } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import type { ClientBase } from "pg";
import { getConstructionPlans } from "pg-boss";
import { z } from "zod";
import serverPackage from "../../../../package.json" with { type: "json" };
import migrations from "../migrations/meta/_journal.json" with { type: "json" };
import { listSequences, listTables, nameOf, readContent, type Table } from "./catalog.ts";
import { BackupFault, ByteReader, openFile } from "./encrypt-file.ts";

/** The manifest at the start of a backup: everything that a restore checks against. */
const manifestSchema = z.object({
  product: z.string(),
  at: z.iso.datetime(),
  /** The last migration that the database had: its date in the journal, and its name. */
  migration: z.object({ when: z.number(), name: z.string() }),
  /** pg-boss creates its own schema; null if it never ran. */
  jobs: z.object({ version: z.number(), plan: z.string() }).nullable(),
  /** Tells whether ENCRYPTION_KEY is the one that the database's secrets were encrypted with. */
  keyCheck: z.string(),
  tables: z.array(
    z.object({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      digest: z.string(),
    }),
  ),
  sequences: z.array(
    z.object({ schema: z.string(), name: z.string(), value: z.string(), isCalled: z.boolean() }),
  ),
});

export type Manifest = z.infer<typeof manifestSchema>;

const mostManifestBytes = 16 * 1024 * 1024;
const mostPartBytes = 64 * 1024 * 1024;
const endMark = 0xffff_ffff;

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

/** Number of rows that end in a chunk of COPY's text: line feeds within values are escaped. */
function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/**
 * The content of a backup before compression: the manifest; then each table in order as lines of COPY, in parts preceded by their length,
 * with a length of 0 and the SHA-256 of the lines at the end; then an end mark. Errors: `BackupFault` if a table has other rows than the
 * manifest says.
 */
export async function* writeContent(
  manifest: Manifest,
  read: (table: Table) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const head = Buffer.from(JSON.stringify(manifest));
  yield Buffer.concat([lengthOf(head.length), head]);
  for (const table of manifest.tables) {
    const hash = createHash("sha256");
    let rows = 0;
    for await (const part of read(table)) {
      hash.update(part);
      rows += countLines(part);
      yield Buffer.concat([lengthOf(part.length), part]);
    }
    if (rows !== table.rows)
      throw new BackupFault(`${table.name} gave ${rows} rows of ${table.rows}: no backup was made.`);
    yield Buffer.concat([lengthOf(0), hash.digest()]);
  }
  yield lengthOf(endMark);
}

/** Reads a backup from beginning to end: first the manifest, then the tables in its order. */
export interface BackupReader {
  manifest: Manifest;
  /** The lines of the next table. Errors: `BackupFault` at their end, if they differ from those that were written. */
  lines(table: Manifest["tables"][number]): AsyncGenerator<Buffer>;
  /** Errors: `BackupFault` if the file does not end with its end mark. */
  finish(): Promise<void>;
}

async function* unzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let fault: unknown;
  const feed = async (): Promise<void> => {
    try {
      for await (const chunk of source)
        if (!gunzip.write(chunk)) await new Promise((resolve) => gunzip.once("drain", resolve));
      gunzip.end();
    } catch (error) {
      fault = error;
      gunzip.destroy(error as Error);
    }
  };
  void feed();
  try {
    for await (const chunk of gunzip) yield chunk as Buffer;
  } catch (error) {
    if (fault instanceof BackupFault) throw fault;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR") throw new BackupFault("The backup is not whole: its file ends too early.");
    if (code?.startsWith("Z_")) throw new BackupFault("The backup is damaged.");
    throw error;
  }
}

async function* readFile(file: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk as Buffer;
  } catch (error) {
    throw new BackupFault(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** Opens a backup. Errors: `BackupFault` if the file is no backup or is damaged, or if the key is missing or wrong. */
export async function readBackup(
  file: string,
  backupKey: string | null,
  previousKey: string | null = null,
): Promise<BackupReader> {
  const backupKeys = [backupKey, previousKey].filter((key) => key !== null);
  const reader = new ByteReader(unzip(openFile(readFile(file), backupKeys)));
  const readLength = async (most: number): Promise<number> => {
    const length = (await reader.exactly(4)).readUInt32BE();
    if (length > most && length !== endMark) throw new BackupFault("The backup is damaged.");
    return length;
  };
  const head = await reader.exactly(await readLength(mostManifestBytes));
  const parsed = manifestSchema.safeParse(JSON.parse(head.toString("utf8")));
  if (!parsed.success)
    throw new BackupFault("The backup is of a form that this version does not know: a newer one made it.");
  return {
    manifest: parsed.data,
    async *lines(table) {
      const hash = createHash("sha256");
      let rows = 0;
      for (;;) {
        const length = await readLength(mostPartBytes);
        if (length === 0) break;
        const part = await reader.exactly(length);
        hash.update(part);
        rows += countLines(part);
        yield part;
      }
      const written = await reader.exactly(32);
      if (rows !== table.rows || !hash.digest().equals(written))
        throw new BackupFault(
          `The backup is damaged: the rows of ${table.name} are not those it was made of.`,
        );
    },
    async finish() {
      if ((await readLength(0)) !== endMark) throw new BackupFault("The backup is damaged.");
    },
  };
}

/** Reads a whole backup to check it. Errors: those of `readBackup` and of its reader. */
export async function checkBackup(file: string, backupKey: string | null): Promise<Manifest> {
  const backup = await readBackup(file, backupKey);
  for (const table of backup.manifest.tables) for await (const _ of backup.lines(table));
  await backup.finish();
  return backup.manifest;
}

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
