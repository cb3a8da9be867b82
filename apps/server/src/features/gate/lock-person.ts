import type { Tx } from "../../db/client.ts";

const personLock = 4_702_020;

/**
 * Holds a person until the transaction ends, so that of two calls of one moment, made or coming in, the second sees the first. Whoever
 * holds a lead as well takes the lead first: no two transactions wait for each other.
 */
export async function lockPerson(tx: Tx, userId: number): Promise<void> {
  await tx.$client.query("select pg_advisory_xact_lock($1, $2)", [personLock, userId]);
}
