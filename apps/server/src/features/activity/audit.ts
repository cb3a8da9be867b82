import type { AuditAction } from "@portal/contract/entities/audit";
import type { Tx } from "../../platform/db/client.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { insertAuditSql } from "../../platform/db/sql/leads.ts";

/**
 * Writes who did what, in the transaction of the act itself.
 * `userId` null stands for the system; `subject` names the thing, for example `lead:42`.
 */
export async function recordAudit(
  tx: Tx,
  entry: { userId: number | null; action: AuditAction; subject?: string; data: Record<string, unknown> },
): Promise<void> {
  await tx.$client.query(
    prepared(insertAuditSql("values ($1, $2, $3, $4::jsonb)"), [
      entry.userId,
      entry.action,
      entry.subject ?? null,
      JSON.stringify(entry.data),
    ]),
  );
}
