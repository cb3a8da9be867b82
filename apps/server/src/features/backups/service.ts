import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { BackupState } from "@portal/contract/routes/go-live";
import type { EncryptionKeys } from "../../domain/encryption.ts";
import type { BackupEnv } from "../../env.ts";
import { type BackupKeys, type MadeBackup, makeBackup } from "../../platform/db/backup/make-backup.ts";
import type { Database, Db } from "../../platform/db/client.ts";
import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { claimBackup, findLastBackups, finishBackup } from "./repository.ts";

/** The names of the portal's own files, scheduled or manual: portal-20261124-002116Z.backup. */
const ownName = /^portal-\d{8}-\d{6}Z\.backup(?:\.part)?$/;

/** Without a schedule a backup is current for a week. */
const byHandHours = 168;

/** A file name that sorts by time. */
export function nameBackup(at: Date): string {
  const [day = "", time = ""] = at.toISOString().replaceAll(/[-:]/g, "").split("T");
  return `portal-${day}-${time.slice(0, 6)}Z.backup`;
}

/** Makes the backup of a started run, and records the result. Errors: those of `makeBackup`. */
export async function runBackup(
  db: Db,
  { id, url, file }: { id: number; url: string; file: string },
  keys: BackupKeys,
): Promise<MadeBackup> {
  try {
    const made = await makeBackup({ url, file }, keys);
    const { bytes, rows } = made;
    const isEncrypted = keys.backupKey !== null;
    await finishBackup(db, id, { bytes, rows, isEncrypted, file: path.basename(file) });
    return made;
  } catch (error) {
    await finishBackup(db, id, null).catch(() => undefined);
    throw error;
  }
}

/** Removes the oldest backups beyond `most`, and incomplete files older than the newest; other files stay. Returns the removed names. */
async function removeOldBackups(folder: string, most: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => ownName.test(name)).sort();
  const whole = names.filter((name) => !name.endsWith(".part"));
  const newest = whole.at(-1) ?? "";
  const halves = names.filter((name) => name.endsWith(".part") && name < newest);
  const old = [...whole.slice(0, -most), ...halves];
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old;
}

/** The state of the backups for the checklist. `everyHours`: the scheduled interval, null without a schedule. */
export async function readBackupState(db: Db, everyHours: number | null): Promise<BackupState> {
  const { good, failedAt } = await findLastBackups(db);
  const hours = everyHours === null ? byHandHours : everyHours * 2;
  return {
    last: good
      ? { at: good.startedAt.toISOString(), bytes: good.bytes ?? 0, isEncrypted: good.isEncrypted === true }
      : null,
    failedAt: failedAt?.toISOString() ?? null,
    everyHours,
    isOpen: !good || Date.now() - good.startedAt.getTime() > hours * 3_600_000,
  };
}

const intervalMs = 60_000;

interface BackupContext {
  database: Database;
  log: { info(fields: object, text: string): void; error(fields: object, text: string): void };
  env: { databaseDirectUrl: string; encryptionKeys: EncryptionKeys; backup: BackupEnv };
}

/** Makes a backup if one is due and no other process makes it; removes old ones only afterwards. Returns whether it made one. */
export async function makeDueBackup({ database, log, env }: BackupContext, folder: string): Promise<boolean> {
  const { everyHours, keep, key } = env.backup;
  const id = await database.transaction((tx) => claimBackup(tx, everyHours));
  if (id === undefined) return false;
  try {
    const file = path.join(folder, nameBackup(new Date()));
    const keys: BackupKeys = { backupKey: key, encryptionKey: env.encryptionKeys.current };
    const { bytes, rows } = await runBackup(database.db, { id, url: env.databaseDirectUrl, file }, keys);
    const removed = await removeOldBackups(folder, keep);
    log.info({ file, bytes, rows, removed: removed.length }, "backup made");
    return true;
  } catch (err) {
    log.error({ err }, "backup failed; it is tried again in 15 minutes");
    return false;
  }
}

/** Schedules the backups in this process. A shutdown does not wait for a running backup: the next process makes another. */
export function startBackupJobs(context: BackupContext, scheduler: Scheduler): void {
  const { folder } = context.env.backup;
  if (folder === null) return;
  const onError = (err: Error) => context.log.error({ err }, "no backup could be begun");
  scheduler.every(intervalMs, async () => {
    void makeDueBackup(context, path.resolve(folder)).catch(onError);
  });
}
