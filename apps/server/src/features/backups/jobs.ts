import path from "node:path";
import type { EncryptionKeys } from "../../domain/encryption.ts";
import type { BackupEnv } from "../../env.ts";
import type { BackupKeys } from "../../platform/db/backup/make-backup.ts";
import type { Database } from "../../platform/db/client.ts";
import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { claimBackup } from "./repository.ts";
import { nameBackup, removeOldBackups, runBackup } from "./service.ts";

const roundMs = 60_000;

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
  scheduler.every(roundMs, async () => {
    void makeDueBackup(context, path.resolve(folder)).catch(onError);
  });
}
