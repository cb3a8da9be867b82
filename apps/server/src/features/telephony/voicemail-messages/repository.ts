import { randomBytes } from "node:crypto";
import type { Language } from "@portal/contract/entities/user";
import { and, eq, isNull } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { columnsOf, execute, query, queryFirst, queryOnly, sql } from "../../../platform/db/query.ts";
import { voicemailMessages, voicemailRecordings } from "../../../platform/db/schema/people.ts";
import type { MessageSound, SoundFormat } from "./read-sound.ts";

type Row = typeof voicemailMessages.$inferSelect;
/** A message without its sound and token. */
export type MessageRow = Omit<Row, "sound" | "token" | "userId">;

const columns = sql`m.id, m.name, m.language, m.format, m.seconds, m.is_default as "isDefault", m.created_at as "createdAt"`;

/** A user's messages, by language and name. */
export function listMessages(db: Db, userId: number): Promise<MessageRow[]> {
  return query<MessageRow>(
    db,
    sql`select ${columns} from voicemail_messages m where m.user_id = ${userId} order by m.language, lower(m.name), m.id`,
  );
}

/** Whether messages may be left: switched on by administrators, together with machine detection. */
export async function isDropOn(db: Db): Promise<boolean> {
  const row = await queryFirst<{ isOn: boolean }>(
    db,
    sql`select voicemail_drop and machine_detection as "isOn" from organisation_settings`,
  );
  return row?.isOn === true;
}

export async function countMessages(db: Db, userId: number): Promise<number> {
  const { n } = await queryOnly<{ n: number }>(
    db,
    sql`select count(*)::int as n from voicemail_messages where user_id = ${userId}`,
  );
  return n;
}

/** Inserts a message under a new token; the first of a language becomes its default. The caller has locked the user. */
export async function insertMessage(
  tx: Tx,
  {
    userId,
    name,
    language,
    sound,
  }: { userId: number; name: string; language: Language; sound: MessageSound },
): Promise<number> {
  const { id } = await queryOnly<{ id: number }>(
    tx,
    sql`insert into voicemail_messages (user_id, name, language, format, seconds, sound, token, is_default)
     values (${userId}, ${name}, ${language}, ${sound.format}, ${sound.seconds}, ${sound.bytes}, ${randomBytes(32).toString("base64url")},
       not exists (select 1 from voicemail_messages m where m.user_id = ${userId} and m.language = ${language} and m.is_default))
     returning id`,
  );
  return id;
}

const isOwn = (userId: number, id: number) =>
  and(eq(voicemailMessages.id, id), eq(voicemailMessages.userId, userId));

/** A user's own message, or undefined. */
export function findMessage(db: Db, own: { userId: number; id: number }): Promise<MessageRow | undefined> {
  return queryFirst<MessageRow>(
    db,
    sql`select ${columns} from voicemail_messages m where m.id = ${own.id} and m.user_id = ${own.userId}`,
  );
}

export async function renameMessage(tx: Tx, { userId, id }: { userId: number; id: number }, name: string) {
  await tx.update(voicemailMessages).set({ name }).where(isOwn(userId, id));
}

/** Makes a message the default of its language in place of the previous one. */
export async function setDefault(
  tx: Tx,
  userId: number,
  { id, language }: Pick<MessageRow, "id" | "language">,
) {
  await execute(
    tx,
    sql`update voicemail_messages set is_default = false where user_id = ${userId} and language = ${language} and is_default and id <> ${id}`,
  );
  await tx.update(voicemailMessages).set({ isDefault: true }).where(isOwn(userId, id));
}

/** Deletes a user's own message. If it was a default, the newest one of its language replaces it. Returns whether it existed. */
export async function deleteMessage(
  tx: Tx,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  const [gone] = await tx.delete(voicemailMessages).where(isOwn(userId, id)).returning({
    language: voicemailMessages.language,
    isDefault: voicemailMessages.isDefault,
  });
  if (gone?.isDefault)
    await execute(
      tx,
      sql`update voicemail_messages set is_default = true where id =
       (select max(id) from voicemail_messages where user_id = ${userId} and language = ${gone.language})`,
    );
  return gone !== undefined;
}

/** The default message for a language, with its token. */
export async function findDefault(
  db: Db,
  { userId, language }: { userId: number; language: Language },
): Promise<{ id: number; name: string; token: string } | undefined> {
  const { id, name, token, ...message } = voicemailMessages;
  const [row] = await db
    .select({ id, name, token })
    .from(voicemailMessages)
    .where(and(eq(message.userId, userId), eq(message.language, language), eq(message.isDefault, true)));
  return row;
}

/** Calls whose message should have ended but has no end stored. */
export function listUnendedMessages(
  db: Db,
  { olderMs, limit }: { olderMs: number; limit: number },
): Promise<{ id: number; leadSid: string | null; askedAt: Date }[]> {
  return query(
    db,
    sql`select id, coalesce(lead_call_sid, case when line_id is not null then call_sid end) as "leadSid", message_asked_at as "askedAt"
     from calls where message_asked_at is not null and message_ended_at is null
       and message_asked_at < clock_timestamp() - ${olderMs} * interval '1 ms' order by message_asked_at limit ${limit}`,
  );
}

interface SoundRow {
  format: SoundFormat;
  sound: Buffer;
}

/** The sound of a user's own message, or of a token. */
export async function findSound(
  db: Db,
  by: { userId: number; id: number } | { token: string },
): Promise<SoundRow | undefined> {
  const [row] = await db
    .select({ format: voicemailMessages.format, sound: voicemailMessages.sound })
    .from(voicemailMessages)
    .where("token" in by ? eq(voicemailMessages.token, by.token) : isOwn(by.userId, by.id));
  return row;
}

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
