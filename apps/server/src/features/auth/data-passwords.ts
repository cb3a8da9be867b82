import type { Db, Tx } from "../../db/client.ts";

/** The hash that is kept for a sign-in address; null where there is none. */
export async function findPasswordByEmail(db: Db, email: string): Promise<string | null> {
  const { rows } = await db.$client.query<{ password: string | null }>(
    "select a.password from users u join accounts a on a.user_id = u.id and a.provider_id = 'credential' where lower(u.email) = $1",
    [email],
  );
  return rows[0]?.password ?? null;
}

/** The hash that is kept for a user; null where there is none. */
export async function findPassword(db: Db, userId: number): Promise<string | null> {
  const { rows } = await db.$client.query<{ password: string | null }>(
    "select password from accounts where user_id = $1 and provider_id = 'credential'",
    [userId],
  );
  return rows[0]?.password ?? null;
}

/** As `findPassword`; the password stays what it is until the transaction ends. */
export async function holdPassword(tx: Tx, userId: number): Promise<string | null> {
  const { rows } = await tx.$client.query<{ password: string | null }>(
    "select password from accounts where user_id = $1 and provider_id = 'credential' for share",
    [userId],
  );
  return rows[0]?.password ?? null;
}

/** Puts another hash in the place of the one that was verified; false where that one is not kept any more. */
export async function replacePassword(
  tx: Tx,
  { userId, from, to }: { userId: number; from: string; to: string },
): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    "update accounts set password = $3, updated_at = now() where user_id = $1 and provider_id = 'credential' and password = $2",
    [userId, from, to],
  );
  return rowCount === 1;
}
