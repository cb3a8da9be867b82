import type { Logger } from "pino";
import type { Database } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { createEventInbox, type EventInbox } from "../../platform/jobs/event-inbox.ts";
import type { Jobs, Scheduler } from "../../platform/jobs/jobs.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/record-audit.ts";
import type { WebhookSourceAuth } from "./check-source.ts";
import {
  type DeliveryPayload,
  deliveryExists,
  deliveryInbox,
  reopenDelivery,
} from "./delivery-repository.ts";
import { ingestDeliveries } from "./ingest-deliveries.ts";

/** A burst is worked in few statements. */
const deliveriesTogether = 100;

export interface LeadWebhooksContext {
  database: Database;
  log: Logger;
  jobs: Pick<Jobs, "enqueue">;
  sourceAuth: WebhookSourceAuth;
  defaultCountry: "US" | "ES";
  publicUrl: string;
  encryptionKey: string;
}

/** Deliveries of leads: kept before they are answered, worked from the table. */
export function deliveriesOf(context: LeadWebhooksContext): EventInbox<DeliveryPayload> {
  return createEventInbox<DeliveryPayload>(context, {
    source: deliveryInbox,
    together: deliveriesTogether,
    applyAll: (tx, events) => ingestDeliveries(context, tx, events),
  });
}

/**
 * Opens a kept delivery to be worked again, as it came. What it did before is known by lead, so that nothing is made twice; one that still
 * waits is left to its turn. Errors: `not_found`.
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

/** A scheduled task beside the requests: deliveries that a crash left behind, and those to be tried again. */
export function startDeliveryJobs(context: LeadWebhooksContext, scheduler: Scheduler): void {
  scheduler.every(deliveriesMs, () => deliveriesOf(context).work());
}
