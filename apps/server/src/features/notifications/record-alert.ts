import type { AdminAlertKind } from "@portal/contract/routes/notifications";
import { eq } from "drizzle-orm";
import { lockText } from "../../platform/db/advisory-locks.ts";
import type { Tx } from "../../platform/db/client.ts";
import { adminAlerts } from "../../platform/db/schema/organisation.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
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
