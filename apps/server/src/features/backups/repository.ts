import { desc, eq, isNotNull } from "drizzle-orm";
import { lockText } from "../../platform/db/advisory-locks.ts";
import type { MadeBackup } from "../../platform/db/backup/make-backup.ts";
import type { Db, Tx } from "../../platform/db/client.ts";
import { queryFirst, sql } from "../../platform/db/query.ts";
import { backupRuns } from "../../platform/db/schema/organisation.ts";

/** A failed run is retried after `retryMinutes`; a run without an end for `lostMinutes` belonged to a process that has ended. */
const retryMinutes = 15;
const lostMinutes = 360;

/**
 * Starts a run if one is due, so that only one of several processes does: no successful run started within the interval, none is running,
 * and none has just failed. Returns its id, or undefined.
 */
export async function claimBackup(tx: Tx, everyHours: number): Promise<number | undefined> {
  await lockText(tx, "backupRuns", "");
  const row = await queryFirst<{ id: number }>(
    tx,
    sql`insert into backup_runs (started_at) select now() where not exists (
       select 1 from backup_runs where
         (bytes is not null and started_at > now() - ${everyHours}::float8 * interval '1 hour')
         or (ended_at is null and started_at > now() - ${lostMinutes}::int * interval '1 minute')
         or (ended_at is not null and bytes is null and ended_at > now() - ${retryMinutes}::int * interval '1 minute')
     ) returning id`,
  );
  return row?.id;
}

/** Starts a run that was requested manually. */
export async function insertBackup(db: Db): Promise<number> {
  const [row] = await db.insert(backupRuns).values({}).returning({ id: backupRuns.id });
  if (!row) throw new Error("no run was begun");
  return row.id;
}

/** Ends a run: with the backup that was made, or null if it failed. */
export async function finishBackup(
  db: Db,
  id: number,
  made: (Pick<MadeBackup, "bytes" | "rows"> & { file: string; isEncrypted: boolean }) | null,
): Promise<void> {
  await db
    .update(backupRuns)
    .set({ endedAt: sql`clock_timestamp()`, ...made })
    .where(eq(backupRuns.id, id));
}

/** The last successful run, and the start of the last ended run if that one failed. */
export async function findLastBackups(db: Db) {
  const [good] = await db
    .select()
    .from(backupRuns)
    .where(isNotNull(backupRuns.bytes))
    .orderBy(desc(backupRuns.startedAt))
    .limit(1);
  const [ended] = await db
    .select()
    .from(backupRuns)
    .where(isNotNull(backupRuns.endedAt))
    .orderBy(desc(backupRuns.startedAt))
    .limit(1);
  return { good: good ?? null, failedAt: ended && ended.bytes === null ? ended.startedAt : null };
}
