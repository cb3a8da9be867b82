import type { Settings } from "@portal/contract/entities/settings";
import type { Database } from "../../db/client.ts";

/** How an account signs in. */
export async function signInWays(
  { database }: { database: Database },
  userId: number,
): Promise<Settings["signIn"]> {
  const { rowCount } = await database.db.$client.query(
    "select 1 from accounts where user_id = $1 and provider_id = 'credential' and password is not null",
    [userId],
  );
  return { password: rowCount === 1, provider: null };
}
