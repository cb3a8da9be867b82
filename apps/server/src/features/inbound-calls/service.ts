import type { Tx } from "../../db/client.ts";
import { settleMissed } from "./data.ts";

/** A lead's phone rings for a call of ours: what they called about before waits no more. */
export async function callsBack(tx: Tx, call: { leadId: number; requestedAt: Date }): Promise<void> {
  await settleMissed(tx, { leadId: call.leadId }, call.requestedAt);
}
