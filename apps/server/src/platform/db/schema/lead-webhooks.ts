import { deliveryOutcomes, webhookSourceNames } from "@portal/contract/entities/lead-webhook";
import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { providerEvents } from "./calls.ts";
import { leads } from "./leads.ts";
import { users } from "./users.ts";

/** Keys and settings of the sources that send leads; a source without settings has no row. */
export const leadWebhookSources = pgTable("lead_webhook_sources", {
  source: text("source", { enum: webhookSourceNames }).primaryKey(),
  /** SHA-256 of the key, hexadecimal: a fast hash is enough, as keys are long and random. */
  keyHash: text("key_hash"),
  /** The key, encrypted with ENCRYPTION_KEY, only if bodies are signed with it. */
  keyEncrypted: text("key_encrypted"),
  keyHint: text("key_hint"),
  keyCreatedAt: instant("key_created_at"),
  keyCreatedBy: integer("key_created_by").references(() => users.id),
  /** The previous key, which is accepted until then. */
  previousHash: text("previous_hash"),
  previousEncrypted: text("previous_encrypted"),
  previousUntil: instant("previous_until"),
  /** HubSpot's client secret, encrypted with ENCRYPTION_KEY. */
  clientSecretEncrypted: text("client_secret_encrypted"),
  /** The first 15 characters of Salesforce's organization id. */
  organizationId: text("organization_id"),
});

/** The result of each event of a delivery; the delivery itself is in `provider_events`. */
export const leadDeliveryItems = pgTable(
  "lead_delivery_items",
  {
    id: serial("id").primaryKey(),
    deliveryId: bigint("delivery_id", { mode: "number" })
      .notNull()
      .references(() => providerEvents.id, { onDelete: "cascade" }),
    source: text("source").notNull(),
    /** Unique key of the event at its sender; null if the sender provides none. */
    eventKey: text("event_key"),
    outcome: text("outcome", { enum: deliveryOutcomes }).notNull(),
    reason: text("reason"),
    leadId: integer("lead_id").references(() => leads.id),
  },
  (t) => [
    index("lead_delivery_items_delivery_idx").on(t.deliveryId),
    // A rejected event may be sent again after a correction; one that took effect may not.
    uniqueIndex("lead_delivery_items_event_key")
      .on(t.source, t.eventKey)
      .where(sql`${t.eventKey} is not null and ${t.outcome} not in ('repeat', 'rejected', 'tested')`),
  ],
);

/** The lead of a sender's record and the values that the sender reported, also if there is no lead yet. */
export const leadOrigins = pgTable(
  "lead_origins",
  {
    source: text("source").notNull(),
    /** Id of the record at the sender. */
    externalId: text("external_id").notNull(),
    leadId: integer("lead_id").references(() => leads.id),
    /** The latest value of each property from the sender, with the time of its change in ms: `{ email: { value, at } }`. */
    properties: jsonb("properties").$type<Record<string, { value: string | number | boolean; at: number }>>(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.source, t.externalId] }), index("lead_origins_lead_idx").on(t.leadId)],
);
