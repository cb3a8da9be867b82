import type { Logger } from "pino";
import type { Database } from "../../db/client.ts";
import { createEventInbox, type EventInbox } from "../../jobs/event-inbox.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { type DeliveryPayload, deliveryInbox } from "./data-deliveries.ts";
import type { Intake } from "./intake.ts";
import { takeDeliveries } from "./take-deliveries.ts";

/** A burst is worked in few statements. */
const deliveriesTogether = 100;

export interface LeadWebhooksContext {
  database: Database;
  log: Logger;
  jobs: Pick<Jobs, "enqueue">;
  intake: Intake;
  defaultCountry: "US" | "ES";
  publicUrl: string;
  encryptionKey: string;
}

/** Deliveries of leads: kept before they are answered, worked from the table. */
export function deliveriesOf(context: LeadWebhooksContext): EventInbox<DeliveryPayload> {
  return createEventInbox<DeliveryPayload>(context, {
    source: deliveryInbox,
    together: deliveriesTogether,
    applyAll: (tx, events) => takeDeliveries(context, tx, events),
  });
}
