import { type DuplicateRule, importStates } from "@portal/contract/entities/import";
import { deliveryOutcomes, webhookSourceNames } from "@portal/contract/entities/lead-webhook";
import type { ImportFault } from "@portal/contract/import-faults";
import type { LeadField } from "@portal/contract/lead-headers";
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

/** One import: a file or list of leads, processed as one job. */
export const imports = pgTable(
  "imports",
  {
    id: serial("id").primaryKey(),
    /** Who uploaded it; null for a request with a source's key. */
    userId: integer("user_id").references(() => users.id),
    sourceSystem: text("source_system").notNull(),
    fileName: text("file_name"),
    duplicates: text("duplicates").$type<DuplicateRule>().notNull().default("skip"),
    /** Headers, if the rows are arrays of cells. */
    columns: jsonb("columns").$type<string[]>(),
    mapping: jsonb("mapping").$type<Record<string, LeadField | null>>(),
    state: text("state", { enum: importStates }).notNull().default("running"),
    total: integer("total").notNull(),
    /** Number of processed rows: the next batch begins here. */
    position: integer("position").notNull().default(0),
    imported: integer("imported").notNull().default(0),
    updated: integer("updated").notNull().default(0),
    skipped: integer("skipped").notNull().default(0),
    errors: integer("errors").notNull().default(0),
    /** Imported or existing rows whose phone number cannot be called. */
    unreadablePhones: integer("unreadable_phones").notNull().default(0),
    /** Why it failed. */
    message: text("message"),
    /** The worker that holds the import; only the holder writes, and a holder without a heartbeat for a while loses it. */
    lease: text("lease"),
    heartbeatAt: instant("heartbeat_at").notNull().defaultNow(),
    /** How often a worker started or resumed it without finishing a batch since. */
    attempts: integer("attempts").notNull().default(0),
    startedAt: instant("started_at").notNull().defaultNow(),
    finishedAt: instant("finished_at"),
  },
  (t) => [
    index("imports_user_idx").on(t.userId, t.id.desc()),
    index("imports_running_idx").on(t.id).where(sql`${t.state} = 'running'`),
  ],
);

/** The rows of an import as received, one row for each batch, stored before any processing. */
export const importBatches = pgTable(
  "import_batches",
  {
    importId: integer("import_id")
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    /** Index of the batch's first row, from 0. */
    firstRow: integer("first_row").notNull(),
    rowCount: integer("row_count").notNull(),
    /**
     * A JSON array, or CSV lines after a line end, as text: JSONB cannot store U+0000 and is slower to write. Stored uncompressed
     * (migration 0015), because compression takes longer than the disk.
     */
    rows: text("rows").notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.firstRow] })],
);

/** Rows that were not imported, with the reasons. */
export const importFailures = pgTable(
  "import_failures",
  {
    importId: integer("import_id")
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    /** From 0. */
    row: integer("row").notNull(),
    reasons: jsonb("reasons").$type<ImportFault[]>().notNull().default([]),
    /** The row as received: JSON as text. */
    raw: text("raw").notNull(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.row] })],
);

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
