import { and, asc, eq, gt, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { meetings } from "../../db/schema/meetings.ts";
import type { MeetingRow } from "./merge.ts";

/** How many of one's meetings wait to go to Google. */
export async function countPending(db: Db, userId: number): Promise<number> {
  return db.$count(meetings, and(eq(meetings.userId, userId), eq(meetings.sync, "pending")));
}

/** The meetings that an account's worker has to see to: what waits in its calendar, and its person's own that wait. */
export async function listPending(db: Db, userId: number): Promise<MeetingRow[]> {
  return db
    .select()
    .from(meetings)
    .where(
      and(eq(meetings.sync, "pending"), or(eq(meetings.googleUserId, userId), eq(meetings.userId, userId))),
    )
    .orderBy(asc(meetings.id))
    .limit(500);
}

export async function lockMeetingRow(tx: Tx, meetingId: number): Promise<MeetingRow | undefined> {
  const [row] = await tx.select().from(meetings).where(eq(meetings.id, meetingId)).for("update");
  return row;
}

/** The meetings behind these events of an account, locked. */
export async function lockByEvents(tx: Tx, userId: number, eventIds: string[]): Promise<MeetingRow[]> {
  return tx
    .select()
    .from(meetings)
    .where(and(eq(meetings.googleUserId, userId), inArray(meetings.googleEventId, eventIds)))
    .orderBy(asc(meetings.id))
    .for("update");
}

/** The meetings to come, begun before `to`, that stand as they are in this person's calendar; locked. */
export async function lockSynced(tx: Tx, userId: number, to: Date): Promise<MeetingRow[]> {
  return tx
    .select()
    .from(meetings)
    .where(
      and(
        eq(meetings.userId, userId),
        eq(meetings.googleUserId, userId),
        eq(meetings.sync, "synced"),
        isNull(meetings.deletedAt),
        gt(meetings.endsAt, sql`clock_timestamp()`),
        lt(meetings.startsAt, to),
      ),
    )
    .orderBy(asc(meetings.id))
    .for("update");
}

export async function writeMeeting(
  tx: Tx,
  meetingId: number,
  values: Partial<typeof meetings.$inferInsert>,
): Promise<void> {
  await tx.update(meetings).set(values).where(eq(meetings.id, meetingId));
}

/** Takes events in as meetings; one that is known by now stays as it is. */
export async function insertMeetings(tx: Tx, rows: (typeof meetings.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(meetings).values(rows).onConflictDoNothing();
}

/** The meetings to come that are meant for Google, are not there and stand in one of these states go there now. */
export async function markUnsent(tx: Tx, userId: number, states: ("none" | "failed")[]): Promise<void> {
  await tx
    .update(meetings)
    .set({ sync: "pending", syncError: null })
    .where(
      and(
        eq(meetings.userId, userId),
        eq(meetings.calendarType, "google"),
        isNull(meetings.deletedAt),
        inArray(meetings.sync, states),
        sql`${meetings.version} > ${meetings.pushedVersion} and ${meetings.endsAt} > clock_timestamp()`,
      ),
    );
}
