import type { Role } from "@portal/contract/entities/user";
import type { Db } from "../../db/client.ts";

/** Who sent an import, with the role of now. */
export async function findSender(db: Db, userId: number): Promise<{ userId: number; role: Role } | null> {
  const { rows } = await db.$client.query<{ userId: number; role: Role }>(
    `select id as "userId", role from users where id = $1`,
    [userId],
  );
  return rows[0] ?? null;
}
