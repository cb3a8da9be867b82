import type { Logger } from "pino";
import type { EncryptionKeys } from "../../domain/encryption.ts";
import type { Database } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { createEventInbox, type EventInbox } from "../../platform/jobs/event-inbox.ts";
import type { Jobs, Scheduler } from "../../platform/jobs/jobs.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import type { WebhookSourceAuth } from "./check-source.ts";
import { ingestDeliveries } from "./ingest-deliveries.ts";
import { type DeliveryPayload, deliveryExists, deliveryInbox, reopenDelivery } from "./repository.ts";

/** Maximum number of deliveries processed together. */
const deliveriesTogether = 100;

export interface LeadWebhooksContext {
  database: Database;
  log: Logger;
  jobs: Pick<Jobs, "enqueue">;
  sourceAuth: WebhookSourceAuth;
  defaultCountry: "US" | "ES";
  publicUrl: string;
  encryptionKeys: EncryptionKeys;
}

/** Deliveries of leads, stored before the response and processed afterwards. */
export function deliveriesOf(context: LeadWebhooksContext): EventInbox<DeliveryPayload> {
  return createEventInbox<DeliveryPayload>(context, {
    source: deliveryInbox,
    together: deliveriesTogether,
    applyAll: (tx, events) => ingestDeliveries(context, tx, events),
  });
}

/**
 * Queues a stored delivery to be processed again. Its earlier results are recorded by lead, so nothing is created twice. A delivery that is
 * still waiting is unchanged. Errors: `not_found`.
 */
export async function replayDelivery(
  { database }: Pick<LeadWebhooksContext, "database">,
  { id, actor }: { id: number; actor: AuthSession },
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

const deliveriesMs = 2_000;

/** Starts the scheduled task that processes deliveries left after a crash, and retries. */
export function startDeliveryJobs(context: LeadWebhooksContext, scheduler: Scheduler): void {
  scheduler.every(deliveriesMs, () => deliveriesOf(context).work());
}
