import { randomUUID } from "node:crypto";
import { limits } from "@portal/contract/limits";
import type { ExportedThing } from "@portal/contract/routes/notifications";
import type { Tx } from "../../platform/db/client.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { listAdministrators } from "./repository.ts";
import { type NotificationsContext, queueEmail } from "./service.ts";

/** An export that is about to be sent. */
export interface LargeExport {
  /** The exporting user; null for the holder of a key. */
  userId: number | null;
  what: ExportedThing;
  format: "csv" | "json" | "jsonl";
  count: number;
}

/**
 * Reports an export of many rows to administrators before its first row is sent: an audit entry, which the others see on their screens, and
 * an email to all administrators if mail is configured, including the exporting one, as somebody else may be using their session.
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
