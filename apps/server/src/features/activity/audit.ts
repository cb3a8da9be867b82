import type { AuditAction } from "@portal/contract/entities/audit";
import type { Tx } from "../../platform/db/client.ts";
import { execute, sql } from "../../platform/db/query.ts";
import { insertAuditSql } from "../../platform/db/sql/leads.ts";

/**
 * Writes who did what, in the transaction of the act itself.
 * `userId` null stands for the system; `subject` names the thing, for example `lead:42`.
 */
export async function recordAudit(
  tx: Tx,
  entry: { userId: number | null; action: AuditAction; subject?: string; data: Record<string, unknown> },
): Promise<void> {
  const { userId, action, subject = null, data } = entry;
  const row = sql`values (${userId}, ${action}, ${subject}, ${JSON.stringify(data)}::jsonb)`;
  await execute(tx, insertAuditSql(row), { prepared: true });
}
