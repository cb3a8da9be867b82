import { isReachable, reachableBefore } from "../../domain/reachability.ts";
import type { Db } from "../../platform/db/client.ts";
import { findReachability, listReachability } from "../availability/repository.ts";
import { jobIdOf, type NotificationsContext } from "./service.ts";

/** A user with the instant since which they should be notified. */
export interface OwedReader {
  userId: number;
  since: Date;
}

/**
 * Those of these users who are available now, with the instant since which they should be notified: `windowMs` ago, or, if they were not
 * available then, the beginning of that absence. Reminders of the others wait.
 */
export async function listOwedReaders(
  db: Db,
  { userIds, windowMs }: { userIds: number[]; windowMs: number },
): Promise<OwedReader[]> {
  const now = new Date();
  const at = new Date(now.getTime() - windowMs);
  const reachable = (await listReachability(db, { userIds, since: at })).filter((row) =>
    isReachable(row, now),
  );
  const isBack = new Set(reachable.filter((row) => !isReachable(row, at)).map(({ userId }) => userId));
  // Few users have just come back, so the earlier state is only read for them.
  const before = new Map(
    (await listReachability(db, { userIds: [...isBack] })).map((row) => [
      row.userId,
      reachableBefore(row, at),
    ]),
  );
  return reachable.map(({ userId }) => ({ userId, since: before.get(userId) ?? at }));
}

export async function canBeReached(db: Db, userId: number): Promise<boolean> {
  const now = new Date();
  return isReachable(await findReachability(db, userId, now), now);
}

/** Interval for checking whether the user of a held reminder is back. */
const holdSeconds = 60;

/** Postpones a reminder whose user left after it was queued. */
export async function holdReminder(
  { database, jobs }: Pick<NotificationsContext, "database" | "jobs">,
  { queue, job, reference }: { queue: string; job: { held?: number }; reference: string },
): Promise<void> {
  const held = (job.held ?? 0) + 1;
  await database.transaction((tx) =>
    jobs.enqueue(
      tx,
      queue,
      { ...job, held },
      // A job that runs twice is postponed once.
      { id: jobIdOf(`${reference}-held-${held}`), startAfterSeconds: holdSeconds },
    ),
  );
}
