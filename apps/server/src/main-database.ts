import path from "node:path";
import { type Env, EnvError, readEnv } from "./env.ts";
import { insertBackup } from "./features/backups/repository.ts";
import { nameBackup, runBackup } from "./features/backups/service.ts";
import { countUnreadable, describeKeyState, readKeyState } from "./features/encryption-keys/service.ts";
import { deletePushKeys } from "./features/notifications/push-repository.ts";
import { BackupFault } from "./platform/db/backup/encrypt-file.ts";
import { type BackupKeys, type MadeBackup, makeBackup } from "./platform/db/backup/make-backup.ts";
import { moveDatabase } from "./platform/db/backup/move-database.ts";
import { restoreBackup } from "./platform/db/backup/restore-backup.ts";
import { openDatabase, postgresCode } from "./platform/db/client.ts";
import { addressOf, startFaultOf } from "./platform/db/database-fault.ts";
import { ownerUrlOf, prepareSchema } from "./platform/db/migrate.ts";

/** An older version without this table, or a database that was moved away and is read-only. */
const cannotRecord = new Set(["42P01", "25006"]);

const usage = `npm run db:backup [-- FILE]   writes all that the portal has into one file, while it runs
npm run db:restore -- FILE    brings it back, into an empty database or an unused DATA_DIR
npm run db:move               moves all from the embedded PostgreSQL to the empty database that DATABASE_URL names
npm run db:migrate            brings the schema up to date with the role of DATABASE_OWNER_URL, and lets that of DATABASE_URL work with its rows
npm run push:reset            makes push notifications begin anew, where the key that theirs was encrypted with is lost`;

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const count = (rows: number): string => rows.toLocaleString("en-US");

/** Makes a backup and records it in the database; a backup that cannot be recorded is still made. */
async function backUp({ databaseDirectUrl: url }: Env, file: string, keys: BackupKeys): Promise<MadeBackup> {
  const database = openDatabase({ url, poolSize: 1, waitMs: 30_000, onError: () => undefined });
  try {
    const { db } = database;
    const id = await insertBackup(db).catch((error: unknown) => {
      if (cannotRecord.has(postgresCode(error) ?? "")) return null;
      throw error;
    });
    return await (id === null ? makeBackup({ url, file }, keys) : runBackup(db, { id, url, file }, keys));
  } finally {
    await database.close();
  }
}

/** Errors: `BackupFault` if encrypted values cannot be read with the portal's keys. */
async function checkKeys(url: string, { encryptionKeys }: Env): Promise<void> {
  const database = openDatabase({ url, poolSize: 1, waitMs: 30_000, onError: () => undefined });
  try {
    const state = await readKeyState({ db: database.db, encryptionKeys });
    if (countUnreadable(state) > 0) throw new BackupFault(describeKeyState(state));
  } finally {
    await database.close();
  }
}

/** `from`: the embedded database, which the script has started. */
async function move(env: Env, from: string): Promise<string> {
  const to = ownerUrlOf(env);
  const { server, database } = addressOf(to);
  const place = `"${database}" at ${server}`;
  const say = (text: string) => void process.stdout.write(`${text}\n`);
  const moved = await moveDatabase({ from, to, place, say, check: () => checkKeys(from, env) });
  if (env.databaseOwnerUrl !== null) await prepareSchema(env);
  const next = `Start the portal with this DATABASE_URL from now on; the embedded database is kept as it was, and no portal starts on it any more.`;
  if (moved === "finished") return `The move into ${place} is finished. ${next}`;
  return `Moved ${count(moved.rows)} rows of ${moved.tables} tables to ${place}, counted and compared with their checksums; ${count(moved.changed)} of them changed meanwhile. Nobody could write for ${(moved.pausedMs / 1000).toFixed(1)} s. ${next}`;
}

async function run(): Promise<string> {
  const env = readEnv(process.env);
  const [command, given, ...more] = process.argv.slice(2);
  const { databaseDirectUrl: url, encryptionKeys } = env;
  const keys = {
    backupKey: env.backup.key,
    encryptionKey: encryptionKeys.current,
    previous: { backupKey: env.backup.previousKey, encryptionKey: encryptionKeys.previous },
  };
  const startedAt = performance.now();
  if (command === "backup" && more.length === 0) {
    const folder = env.backup.folder ?? path.join(process.env.DATA_DIR || "data", "backups");
    const file = path.resolve(given ?? path.join(folder, nameBackup(new Date())));
    const made = await backUp(env, file, keys);
    const size = `${(made.bytes / 1e6).toFixed(1)} MB`;
    return [
      `${made.file}: ${count(made.rows)} rows of ${made.tables} tables, ${size}, read through once more, in ${seconds(startedAt)}.`,
      ...(keys.backupKey === null ? ["It is not encrypted: set BACKUP_KEY to have backups encrypted."] : []),
    ].join("\n");
  }
  if (command === "restore" && given && more.length === 0) {
    const { manifest, rows, migrated, isSameKey } = await restoreBackup(
      { url: ownerUrlOf(env), file: path.resolve(given) },
      keys,
    );
    if (env.databaseOwnerUrl !== null) await prepareSchema(env);
    return [
      `Restored what was there at ${manifest.at}: ${count(rows)} rows of ${manifest.tables.length} tables, counted and compared with their checksums, in ${seconds(startedAt)}.`,
      ...(migrated > 0 ? [`The schema was older: ${migrated} migrations were run.`] : []),
      ...(isSameKey
        ? []
        : [
            "ENCRYPTION_KEY is another than when the backup was made: set that one, or name it as ENCRYPTION_KEY_PREVIOUS, before the portal starts; or else connect calendars and the CRM anew.",
          ]),
    ].join("\n");
  }
  if (command === "push-reset" && given === undefined) {
    const database = openDatabase({ url, poolSize: 1, waitMs: 30_000, onError: () => undefined });
    const devices = await deletePushKeys(database.db).finally(() => database.close());
    return `The key of push notifications is deleted, and with it ${count(devices)} devices: the portal makes another, and each device joins again when its owner opens the portal there.`;
  }
  if (command === "migrate" && given === undefined) {
    await prepareSchema(env);
    return `The schema is of this version${env.databaseOwnerUrl === null ? "" : `, and "${addressOf(env.databaseUrl).role}" may work with its rows`}.`;
  }
  if (command === "move" && process.env.EMBEDDED_DATABASE_URL && given === undefined)
    return move(env, process.env.EMBEDDED_DATABASE_URL);
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
