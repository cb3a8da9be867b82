import type { Db } from "../../db/client.ts";

/** Writes that these people were there now. Rows are taken in one order, so that no two processes wait for each other. */
export async function touchUsers(
  db: Db,
  column: "last_active_at" | "last_seen_at",
  userIds: number[],
): Promise<void> {
  await db.$client.query(
    `update users set ${column} = clock_timestamp() where id in (
       select id from users where id = any($1::int[]) order by id for no key update)`,
    [userIds],
  );
}
