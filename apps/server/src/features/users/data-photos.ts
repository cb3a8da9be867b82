import { eq } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { userPhotos } from "../../db/schema/people.ts";
import { users } from "../../db/schema/users.ts";

type PhotoRow = Pick<typeof userPhotos.$inferSelect, "type" | "content">;

/** Keeps a user's picture in place of the one before; null takes it away. */
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

/** A user's picture and the address it is served at; undefined where there is none. */
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
