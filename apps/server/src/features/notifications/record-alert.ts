import { randomUUID } from "node:crypto";
import { limits } from "@portal/contract/limits";
import type { AdminAlertKind, ExportedThing } from "@portal/contract/routes/notifications";
import { eq } from "drizzle-orm";
import { lockText } from "../../platform/db/advisory-locks.ts";
import type { Tx } from "../../platform/db/client.ts";
import { adminAlerts } from "../../platform/db/schema/organisation.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { listAdministrators } from "./repository.ts";
import { type NotificationsContext, queueEmail } from "./service.ts";

type AlertContext = Pick<NotificationsContext, "jobs" | "mailer">;

/**
 * Opens or closes an alert for administrators. `isOpen` returns whether there is something to fix; it runs while no other transaction
 * decides about the same alert. When the alert opens administrators are notified once, on their screens and by email if mail is configured;
 * not while it stays open or when it closes. Call it last in a transaction.
 */
export async function settleAdminAlert(
  tx: Tx,
  context: AlertContext,
  { kind, isOpen }: { kind: AdminAlertKind; isOpen: () => Promise<boolean> },
): Promise<void> {
  await lockText(tx, "adminAlert", kind);
  if (!(await isOpen())) {
    const gone = await tx.delete(adminAlerts).where(eq(adminAlerts.kind, kind)).returning();
    if (gone.length > 0) await publishEvent(tx, { topic: "admin-alert", id: 0, audience: [] });
    return;
  }
  const [opened] = await tx.insert(adminAlerts).values({ kind }).onConflictDoNothing().returning();
  if (!opened) return;
  await publishEvent(tx, { topic: "admin-alert", id: 0, audience: [] });
  if (!context.mailer) return;
  for (const userId of await listAdministrators(tx))
    await queueEmail(tx, context, {
      kind: "admin-alert",
      alert: kind,
      userId,
      reference: `${kind}-${opened.since.getTime()}-${userId}`,
    });
}

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
