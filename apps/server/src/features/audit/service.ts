import type { Tx } from "../../db/client.ts";
import { auditLog } from "../../db/schema/leads.ts";

/**
 * Writes who did what, in the transaction of the act itself.
 * `userId` null stands for the system; `subject` names the thing, for example `lead:42`.
 */
export async function recordAudit(
  tx: Tx,
  entry: { userId: number | null; action: string; subject?: string; data: Record<string, unknown> },
): Promise<void> {
  await tx.insert(auditLog).values(entry);
}
