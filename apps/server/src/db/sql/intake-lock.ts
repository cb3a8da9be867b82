import type { Tx } from "../client.ts";

const intakeLock = 4_702_010;

/**
 * Serialises all that takes leads in (sync, imports, webhooks) until the transaction ends, so that two of them never make two leads
 * of one person. Keep such transactions short. They look things up by index from here on: while an import fills the table the planner
 * knows it as small, and would read all of it for each batch.
 */
export async function lockLeadIntake(tx: Tx): Promise<void> {
  await tx.$client.query("select pg_advisory_xact_lock($1), set_config('enable_seqscan', 'off', true)", [
    intakeLock,
  ]);
}
