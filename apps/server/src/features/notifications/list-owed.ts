import { isReachable, reachableBefore } from "../../domain/reachability.ts";
import type { Db } from "../../platform/db/client.ts";
import { findReachability, listReachability } from "../availability/repository.ts";
import { jobIdOf, type NotificationsContext } from "./service.ts";

/** A person who is owed notifications of what came for them, and since when. */
export interface OwedReader {
  userId: number;
  since: Date;
}

/**
 * Of these people those who can be reached now, with the instant since which they are owed notifications: so many ms ago, or where they
 * could not be reached then, since that began. The reminders of the others wait.
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
  // Few have just come back: of them alone all that was before is read.
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

/** So often it is looked whether the person of a reminder that was on its way is back. */
const holdSeconds = 60;

/** Puts a reminder off whose person left after it was queued. */
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
      // One that is worked twice is put off once.
      { id: jobIdOf(`${reference}-held-${held}`), startAfterSeconds: holdSeconds },
    ),
  );
}
