import { publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";
import { deliveryExists, reopenDelivery } from "./data-deliveries.ts";
import type { LeadWebhooksContext } from "./service.ts";

/**
 * Opens a kept delivery to be worked again, as it came. What it did before is known by lead, so that nothing is made twice; one that still
 * waits is left to its turn. Errors: `not_found`.
 */
export async function replayDelivery(
  { database }: Pick<LeadWebhooksContext, "database">,
  { id, actor }: { id: number; actor: Session },
): Promise<void> {
  await database.transaction(async (tx) => {
    const source = await reopenDelivery(tx, id);
    if (!source) {
      if (await deliveryExists(tx, id)) return;
      throw new AppError("not_found", "This delivery does not exist.");
    }
    await recordAudit(tx, {
      userId: actor.userId,
      action: "webhook-replayed",
      subject: `webhook-delivery:${id}`,
      data: { source },
    });
    await publishEvent(tx, { topic: "webhook-delivery", id, audience: [] });
  });
}
