import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { ClientBase } from "pg";
import { holdLock } from "../advisory-locks.ts";
import { copyOut } from "../copy.ts";
import { withClient } from "../migrate.ts";
import { checkBackup, readManifest, writeContent } from "./backup-file.ts";
import { columnsOf, nameOf, plainSettings } from "./catalog.ts";
import { encryptFile } from "./encrypt-file.ts";

export interface BackupKeys {
  /** BACKUP_KEY; null if the file is not encrypted. */
  backupKey: string | null;
  /** ENCRYPTION_KEY, of which only a check value is written to the file. */
  encryptionKey: string;
  /** The previous keys, with which older backups are read. */
  previous?: { backupKey: string | null; encryptionKey: string | null };
}

export interface MadeBackup {
  file: string;
  bytes: number;
  tables: number;
  rows: number;
}

/** Lends a connection with one snapshot of the database, and a second one that holds the lock against migrations and other backups. */
export async function withSnapshot<T>(
  url: string,
  work: (client: ClientBase, holder: ClientBase) => Promise<T>,
): Promise<T> {
  return withClient(url, async (holder) => {
    // On a connection of its own, because the snapshot must be taken after the lock.
    await holder.query(
      "begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0",
    );
    await holdLock(holder, "backup");
    return withClient(url, async (client) => {
      await client.query(plainSettings);
      await client.query("begin isolation level repeatable read read only");
      return work(client, holder);
    });
  });
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, "r+");
  await handle.sync();
  await handle.close();
}

/**
 * Writes the portal's whole database into one file, from one snapshot, while the portal runs. The file gets its final name after it was
 * completed, flushed and read once to check it. Errors: `BackupFault`; those of the database and of the disk.
 */
export async function makeBackup(
  { url, file }: { url: string; file: string },
  { backupKey, encryptionKey }: BackupKeys,
): Promise<MadeBackup> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const half = `${file}.part`;
  try {
    const manifest = await withSnapshot(url, async (client) => {
      const head = await readManifest(client, encryptionKey);
      const content = writeContent(head, (table) =>
        copyOut(client, `copy ${nameOf(table)} (${columnsOf(table)}) to stdout`),
      );
      await pipeline(
        content,
        createGzip({ level: 3 }),
        (source: AsyncIterable<Buffer>) => encryptFile(source, backupKey),
        createWriteStream(half, { mode: 0o600 }),
      );
      return head;
    });
    await flush(half);
    await checkBackup(half, backupKey);
    await rename(half, file);
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { file, bytes: (await stat(file)).size, tables: manifest.tables.length, rows };
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}
