import { eq } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, sql } from "../../../platform/db/query.ts";
import { userPhotos } from "../../../platform/db/schema/people.ts";
import { users } from "../../../platform/db/schema/users.ts";

export type UserRow = typeof users.$inferSelect;

/** One user, or undefined. */
export async function findUser(db: Db, userId: number): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, userId));
  return row;
}

/** A user, locked against changes until the transaction ends; undefined if there is none. */
export async function holdUser(tx: Tx, userId: number): Promise<UserRow | undefined> {
  const [row] = await tx.select().from(users).where(eq(users.id, userId)).for("share");
  return row;
}

/** The columns that users change themselves. */
export type UserPatch = Partial<
  Pick<
    UserRow,
    | "name"
    | "email"
    | "image"
    | "personalPhone"
    | "personalPhoneE164"
    | "theme"
    | "language"
    | "singleKeys"
    | "autoDial"
    | "pressOne"
    | "callRecording"
    | "voicemailTranscription"
    | "emailNotices"
    | "smsNotices"
    | "callNotices"
    | "meetingNotices"
    | "pushNames"
    | "lists"
    | "sidebarPinned"
  >
>;

/** Changes a user's own columns; of `lists` only the given keys. Errors: the unique violation `users_email_key`. */
export async function updateUser(tx: Tx, userId: number, patch: UserPatch): Promise<UserRow | undefined> {
  const [row] = await tx
    .update(users)
    .set({
      ...patch,
      ...(patch.lists && { lists: sql`${users.lists} || ${JSON.stringify(patch.lists)}::jsonb` }),
      updatedAt: new Date(),
    })
    .where(eq(users.id, userId))
    .returning();
  return row;
}

type PhotoRow = Pick<typeof userPhotos.$inferSelect, "type" | "content">;

/** Stores a user's picture in place of the former one; null deletes it. */
export async function savePhoto(tx: Tx, userId: number, photo: PhotoRow | null): Promise<void> {
  if (!photo) {
    await tx.delete(userPhotos).where(eq(userPhotos.userId, userId));
    return;
  }
  const values = { type: photo.type, content: photo.content, changedAt: new Date() };
  await tx
    .insert(userPhotos)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: userPhotos.userId, set: values });
}

/** A user's picture and its address; undefined if there is none. */
export async function findPhoto(
  db: Db,
  userId: number,
): Promise<(PhotoRow & { address: string | null }) | undefined> {
  const [row] = await db
    .select({ type: userPhotos.type, content: userPhotos.content, address: users.image })
    .from(userPhotos)
    .innerJoin(users, eq(users.id, userPhotos.userId))
    .where(eq(userPhotos.userId, userId));
  return row;
}

/** Writes the current time for these users. Rows are updated in one order, to prevent deadlocks. */
export async function updateSeenAt(
  db: Db,
  column: "last_active_at" | "last_seen_at",
  userIds: number[],
): Promise<void> {
  await execute(
    db,
    sql`update users set ${sql.identifier(column)} = clock_timestamp() where id in (
       select id from users where id = any(${sql.param(userIds)}::int[]) order by id for no key update)`,
  );
}
