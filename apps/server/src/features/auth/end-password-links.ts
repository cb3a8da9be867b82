import type { Tx } from "../../db/client.ts";

/** Ends the links of an account that nobody has used. */
export async function endPasswordLinks(tx: Tx, userId: number): Promise<void> {
  await tx.$client.query("delete from password_links where user_id = $1 and used_at is null", [userId]);
}
