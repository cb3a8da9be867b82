import type { Language } from "@portal/contract/entities/user";
import { and, eq, isNull } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { columnsOf, execute, queryFirst, queryOnly, sql } from "../../../platform/db/query.ts";
import { voicemailRecordings } from "../../../platform/db/schema/people.ts";

export type RecordingRow = typeof voicemailRecordings.$inferSelect;

/** The call by which a user is recording a message now, or undefined. */
export async function findLiveRecording(db: Db, userId: number): Promise<RecordingRow | undefined> {
  const [row] = await db
    .select()
    .from(voicemailRecordings)
    .where(and(eq(voicemailRecordings.userId, userId), isNull(voicemailRecordings.endedAt)));
  return row;
}

/** The user's newest recording of the last ten minutes. */
export function findNewestRecording(db: Db, userId: number): Promise<RecordingRow | undefined> {
  return queryFirst<RecordingRow>(
    db,
    sql`select ${columnsOf(voicemailRecordings)} from voicemail_recordings where user_id = ${userId}
       and asked_at > clock_timestamp() - interval '10 minutes' order by id desc limit 1`,
  );
}

/** Ends a user's recordings without callbacks for ten minutes as lost. */
export async function endStaleRecordings(tx: Tx, userId: number): Promise<void> {
  await execute(
    tx,
    sql`update voicemail_recordings set ended_at = clock_timestamp(), failure = 'lost' where user_id = ${userId} and ended_at is null
       and asked_at < clock_timestamp() - interval '10 minutes'`,
  );
}

export async function insertRecording(
  tx: Tx,
  row: { userId: number; name: string; language: Language; keyHash: string },
): Promise<RecordingRow> {
  const [inserted] = await tx.insert(voicemailRecordings).values(row).returning();
  if (!inserted) throw new Error("no recording was made");
  return inserted;
}

/** Locks a recording. */
export async function lockRecording(tx: Tx, id: number): Promise<RecordingRow | undefined> {
  const [row] = await tx
    .select()
    .from(voicemailRecordings)
    .where(eq(voicemailRecordings.id, id))
    .for("update");
  return row;
}

export async function updateRecording(tx: Tx, id: number, changes: Partial<RecordingRow>): Promise<void> {
  await tx.update(voicemailRecordings).set(changes).where(eq(voicemailRecordings.id, id));
}

/** The language of a user. */
export async function findSpokenLanguage(db: Db, userId: number): Promise<Language> {
  const { language } = await queryOnly<{ language: Language }>(
    db,
    sql`select language from users where id = ${userId}`,
  );
  return language;
}
