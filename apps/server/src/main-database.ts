import path from "node:path";
import { EnvError, readEnv } from "./env.ts";
import { BackupFault } from "./platform/db/backup/backup-fault.ts";
import { makeBackup } from "./platform/db/backup/make-backup.ts";
import { restoreBackup } from "./platform/db/backup/restore-backup.ts";
import { startFaultOf } from "./platform/db/start-fault.ts";

const usage = `npm run db:backup [-- FILE]   writes all that the portal has into one file, while it runs
npm run db:restore -- FILE    brings it back, into an empty database or an unused DATA_DIR`;

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const count = (rows: number): string => rows.toLocaleString("en-US");

/** A name that sorts by time: portal-20261124-002116Z.backup. */
function nameOfNow(): string {
  const [day = "", time = ""] = new Date().toISOString().replaceAll(/[-:]/g, "").split("T");
  return `portal-${day}-${time.slice(0, 6)}Z.backup`;
}

async function run(): Promise<string> {
  const env = readEnv(process.env);
  const [command, given, ...more] = process.argv.slice(2);
  const { databaseUrl: url, encryptionKey } = env;
  const keys = { backupKey: env.backup.key, encryptionKey };
  const startedAt = performance.now();
  if (command === "backup" && more.length === 0) {
    const folder = env.backup.folder ?? path.join(process.env.DATA_DIR || "data", "backups");
    const file = path.resolve(given ?? path.join(folder, nameOfNow()));
    const made = await makeBackup({ url, file }, keys);
    const size = `${(made.bytes / 1e6).toFixed(1)} MB`;
    return [
      `${made.file}: ${count(made.rows)} rows of ${made.tables} tables, ${size}, read through once more, in ${seconds(startedAt)}.`,
      ...(keys.backupKey === null ? ["It is not encrypted: set BACKUP_KEY to have backups encrypted."] : []),
    ].join("\n");
  }
  if (command === "restore" && given && more.length === 0) {
    const { manifest, rows, migrated, isSameKey } = await restoreBackup(
      { url, file: path.resolve(given) },
      keys,
    );
    return [
      `Restored what was there at ${manifest.at}: ${count(rows)} rows of ${manifest.tables.length} tables, counted and compared with their checksums, in ${seconds(startedAt)}.`,
      ...(migrated > 0 ? [`The schema was older: ${migrated} migrations were run.`] : []),
      ...(isSameKey
        ? []
        : [
            "ENCRYPTION_KEY is another than when the backup was made: set that one, or connect calendars and the CRM anew.",
          ]),
    ].join("\n");
  }
  throw new BackupFault(usage);
}

run().then(
  (text) => process.stdout.write(`${text}\n`),
  (error: Error) => {
    const fault =
      error instanceof BackupFault || error instanceof EnvError
        ? error
        : startFaultOf(error, process.env.DATABASE_URL ?? "");
    process.stderr.write(`${fault?.message ?? error.stack}\n`);
    process.exitCode = 1;
  },
);
