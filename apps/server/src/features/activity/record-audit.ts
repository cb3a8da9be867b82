import type { AuditAction } from "@portal/contract/entities/audit";
import type { Tx } from "../../platform/db/client.ts";
import { execute, sql } from "../../platform/db/query.ts";
import { insertAuditSql } from "../../platform/db/sql/leads.ts";

/** Who did what. `userId` null means the system; `subject` names the object, for example `lead:42`. */
export interface AuditEntry {
  userId: number | null;
  action: AuditAction;
  subject?: string;
  data: Record<string, unknown>;
}

/** Writes an audit entry, in the transaction of the change itself. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { userId, action, subject = null, data } = entry;
  const row = sql`values (${userId}, ${action}, ${subject}, ${JSON.stringify(data)}::jsonb)`;
  await execute(tx, insertAuditSql(row), { prepared: true });
}

/** Writes several audit entries in their order, with one statement. */
export async function recordAudits(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = JSON.stringify(entries);
  await execute(
    tx,
    insertAuditSql(
      sql`select "userId", action, subject, data from json_to_recordset(${rows}::json) as r("userId" int, action text, subject text, data jsonb)`,
    ),
  );
}
