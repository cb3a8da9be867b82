import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { sessions } from "../../db/schema/users.ts";

/** The sessions of a user that still hold, the newest first. `maxDays` is their longest life. */
export function listUserSessions(db: Db, { userId, maxDays }: { userId: number; maxDays: number }) {
  const { id, createdAt, updatedAt, ipAddress, userAgent } = sessions;
  return db
    .select({ id, createdAt, lastSeenAt: updatedAt, address: ipAddress, userAgent })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        gt(sessions.expiresAt, sql`now()`),
        gt(sessions.createdAt, sql`now() - ${maxDays} * interval '1 day'`),
      ),
    )
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
}
