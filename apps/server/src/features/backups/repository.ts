import { desc, eq, isNotNull } from "drizzle-orm";
import { lockText } from "../../platform/db/advisory-locks.ts";
import type { MadeBackup } from "../../platform/db/backup/make-backup.ts";
import type { Db, Tx } from "../../platform/db/client.ts";
import { queryFirst, sql } from "../../platform/db/query.ts";
import { backupRuns } from "../../platform/db/schema/organisation.ts";

/** One that failed is tried again after this; one without a sign of life for so long belonged to a process that has ended. */
const retryMinutes = 15;
const lostMinutes = 360;

/**
 * Begins a run where one is due, so that of several processes one makes it: nothing good was begun within the time, nothing is under way,
 * and nothing failed just now. Answers its id, or undefined.
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

/** Begins a run that somebody asked for. */
export async function insertBackup(db: Db): Promise<number> {
  const [row] = await db.insert(backupRuns).values({}).returning({ id: backupRuns.id });
  if (!row) throw new Error("no run was begun");
  return row.id;
}

/** Ends a run: with what was made, or null where it failed. */
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

/** The last good one, and when the last of all that ended failed, where it did; both as of the instant that they are of. */
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
