import type { Tx } from "../client.ts";

const intakeLock = 4_702_010;

/**
 * Serialises all that takes leads in (sync, imports, webhooks) until the transaction ends, so that two of them never make two leads
 * of one person. Keep such transactions short.
 */
export async function lockLeadIntake(tx: Tx): Promise<void> {
  await tx.$client.query("select pg_advisory_xact_lock($1)", [intakeLock]);
}
