import { eq } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { users } from "../../db/schema/users.ts";

export type UserRow = typeof users.$inferSelect;

/** One user, or undefined. */
export async function findUser(db: Db, userId: number): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, userId));
  return row;
}

/** One user who is not changed until the transaction ends, or undefined. */
export async function holdUser(tx: Tx, userId: number): Promise<UserRow | undefined> {
  const [row] = await tx.select().from(users).where(eq(users.id, userId)).for("share");
  return row;
}

/** What users change of their own. */
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
    | "autoDial"
    | "pressOne"
    | "callRecording"
    | "voicemailTranscription"
    | "emailNotices"
    | "smsNotices"
    | "callNotices"
    | "meetingNotices"
  >
>;

/** Changes a user's own columns. Errors: the unique violation `users_email_key`. */
export async function updateUser(tx: Tx, userId: number, patch: UserPatch): Promise<UserRow | undefined> {
  const [row] = await tx
    .update(users)
    .set({ ...patch, updatedAt: new Date() })
    .where(eq(users.id, userId))
    .returning();
  return row;
}
