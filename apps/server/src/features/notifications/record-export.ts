import { randomUUID } from "node:crypto";
import { limits } from "@portal/contract/limits";
import type { ExportedThing } from "@portal/contract/routes/notifications";
import type { Tx } from "../../platform/db/client.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/record-audit.ts";
import { listAdministrators } from "./repository.ts";
import { type NotificationsContext, queueEmail } from "./service.ts";

/** An export that is about to be sent. */
export interface LargeExport {
  /** Who takes it; null for the holder of a key. */
  userId: number | null;
  what: ExportedThing;
  format: "csv" | "json" | "jsonl";
  count: number;
}

/**
 * Tells administrators of an export of many rows before its first one leaves: an entry in the audit, which the others see on their screens, and
 * an e-mail to all of them where the portal sends some, to who exports as well: it may be somebody else with their session.
 */
export async function recordLargeExport(
  tx: Tx,
  context: Pick<NotificationsContext, "jobs" | "mailer">,
  { userId, what, format, count }: LargeExport,
): Promise<void> {
  if (count <= limits.exportRowsUntold) return;
  await recordAudit(tx, { userId, action: "large-export", data: { what, format, count } });
  await publishEvent(tx, { topic: "admin-alert", id: 0, audience: [] });
  if (!context.mailer) return;
  const reference = `export-${randomUUID()}`;
  for (const admin of await listAdministrators(tx))
    await queueEmail(tx, context, {
      kind: "large-export",
      userId: admin,
      by: userId,
      what,
      count,
      at: new Date().toISOString(),
      reference: `${reference}-${admin}`,
    });
}
