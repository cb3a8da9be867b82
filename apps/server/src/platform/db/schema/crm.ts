import { crmChangeFields, deletionDecisions, syncKinds } from "@portal/contract/entities/crm";
import type { SyncFault } from "@portal/contract/sync-faults";
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { users } from "./users.ts";

/** Runs of the CRM sync. At most one of a kind is running. */
export const crmSyncRuns = pgTable(
  "crm_sync_runs",
  {
    id: serial("id").primaryKey(),
    kind: text("kind", { enum: syncKinds }).notNull(),
    state: text("state", { enum: ["running", "done", "failed", "held"] })
      .notNull()
      .default("running"),
    requestedBy: integer("requested_by").references(() => users.id),
    synced: integer("synced").notNull().default(0),
    created: integer("created").notNull().default(0),
    changed: integer("changed").notNull().default(0),
    deleted: integer("deleted").notNull().default(0),
    /** The newest change seen, by the CRM's clock but never after the start of the run: the next 'changes' run begins a little before. */
    watermark: instant("watermark"),
    errors: jsonb("errors").$type<string[]>().notNull().default([]),
    message: text("message"),
    /** Code of the reason why it failed or was held. */
    fault: jsonb("fault").$type<SyncFault>(),
    /** Where the next page begins; kept when a run fails, so that the next run continues from there. */
    cursor: jsonb("cursor").$type<unknown[]>(),
    /** The worker that holds the run; only the holder writes, and a holder without a heartbeat for a minute loses it. */
    lease: text("lease"),
    heartbeatAt: instant("heartbeat_at").notNull().defaultNow(),
    /** How often a worker started or resumed the run without finishing a page since. */
    attempts: integer("attempts").notNull().default(0),
    startedAt: instant("started_at").notNull().defaultNow(),
    finishedAt: instant("finished_at"),
    /** Start of its reading, including pages taken over from a failed run: none of its data about a contact is older. */
    readSince: instant("read_since"),
    /** An administrator's decision about the deletions for which the run was held. */
    decision: text("decision", { enum: deletionDecisions }),
  },
  (t) => [
    uniqueIndex("crm_sync_runs_running_key").on(t.kind).where(sql`${t.state} = 'running'`),
    index("crm_sync_runs_kind_idx").on(t.kind, t.id.desc()),
  ],
);

/**
 * Contacts that a run has met, for its duration, one row for each page: each contact is counted once, whichever worker processes the run,
 * and contacts that a full run has not met may be deleted in the CRM.
 */
export const crmRunPages = pgTable(
  "crm_run_pages",
  {
    id: serial("id").primaryKey(),
    runId: integer("run_id").notNull(),
    contactIds: text("contact_ids").array().notNull(),
  },
  (t) => [index("crm_run_pages_run_idx").on(t.runId)],
);

/**
 * Leads whose contact does not exist in the CRM, as far as a full run has checked, until they are marked; and those that an administrator
 * left unchanged, until a run meets their contact again.
 */
export const crmMissing = pgTable(
  "crm_missing",
  {
    runId: integer("run_id").notNull(),
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    leftAt: instant("left_at"),
  },
  (t) => [primaryKey({ columns: [t.runId, t.leadId] }), index("crm_missing_lead_idx").on(t.leadId)],
);

/** Leads whose contact the last full run could not read: their data is not as recent as that run. */
export const crmUnread = pgTable("crm_unread", {
  leadId: integer("lead_id")
    .primaryKey()
    .references(() => leads.id),
  runId: integer("run_id").notNull(),
});

/**
 * Contacts named by events while too many were waiting to be read one by one: a run of changes has to meet them on a page after this one.
 */
export const crmAwaited = pgTable(
  "crm_awaited",
  {
    runId: integer("run_id").notNull(),
    contactId: text("contact_id").notNull(),
    afterPage: integer("after_page").notNull(),
    /** It was named after the run had started. */
    joined: boolean("joined").notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.contactId] })],
);

/** Changes made in the portal that the CRM does not have yet: one row for each field, in order for each lead. */
export const crmOutbox = pgTable(
  "crm_outbox",
  {
    id: serial("id").primaryKey(),
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    field: text("field", { enum: crmChangeFields }).notNull(),
    value: jsonb("value").$type<unknown>(),
    /** Who changed it. */
    userId: integer("user_id").references(() => users.id),
    /** 'superseded' was never sent, because a later value of the field was sent instead. */
    state: text("state", { enum: ["pending", "sent", "failed", "superseded"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    error: text("error"),
    /** Failed for a temporary reason (key, outage): sent again after the next successful sync. */
    retriable: boolean("retriable").notNull().default(false),
    /** Not sent before this time: until then it can be undone. */
    heldUntil: instant("held_until"),
    /** When a worker claimed it; another worker waits until that one is done or a minute has passed. */
    claimedAt: instant("claimed_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    sentAt: instant("sent_at"),
  },
  (t) => [
    index("crm_outbox_open_idx").on(t.leadId, t.id).where(sql`${t.state} in ('pending', 'failed')`),
    index("crm_outbox_lead_idx").on(t.leadId, t.id.desc()),
    index("crm_outbox_sent_idx").on(t.sentAt).where(sql`${t.state} = 'sent'`),
  ],
);

/** Data of the CRM that could not be mapped, stored and listed with the reason. */
export const crmRejects = pgTable(
  "crm_rejects",
  {
    id: serial("id").primaryKey(),
    externalId: text("external_id"),
    reason: text("reason").notNull(),
    payload: jsonb("payload").$type<unknown>(),
    at: instant("at").notNull().defaultNow(),
  },
  (t) => [uniqueIndex("crm_rejects_external_key").on(t.externalId).where(sql`${t.externalId} is not null`)],
);

/** The location in which the portal is installed as an app: one row, or none. */
export const crmConnections = pgTable(
  "crm_connections",
  {
    id: integer("id").primaryKey().default(1),
    locationId: text("location_id").notNull(),
    /** Null until it has been read. */
    locationName: text("location_name"),
    companyId: text("company_id"),
    /** Scopes that the portal needs and was not granted. */
    missingScopes: jsonb("missing_scopes").$type<string[]>().notNull().default([]),
    /** Encrypted with ENCRYPTION_KEY; null after the app was uninstalled. */
    tokens: text("tokens"),
    /** When the access token expires, and when it is renewed. */
    expiresAt: instant("expires_at").notNull(),
    refreshAt: instant("refresh_at").notNull(),
    refreshedAt: instant("refreshed_at").notNull().defaultNow(),
    /** Increases with every new pair of tokens, even after the row was deleted: results of an older pair are no longer written. */
    generation: integer("generation").notNull().default(1),
    /** The worker that renews the tokens now; one at a time. */
    claim: uuid("claim"),
    claimedAt: instant("claimed_at"),
    /** When and why the connection was lost, so that it must be connected again; null while it works. */
    lostAt: instant("lost_at"),
    lostReason: text("lost_reason", { enum: ["refused", "uninstalled", "key-changed"] }),
    /** Why the last renewal failed, if another attempt may succeed; null after a successful one. */
    renewalFailure: text("renewal_failure", { enum: ["app-refused", "unanswered"] }),
    connectedAt: instant("connected_at").notNull().defaultNow(),
    connectedBy: integer("connected_by").references(() => users.id, { onDelete: "set null" }),
  },
  (t) => [check("crm_connections_one", sql`${t.id} = 1`)],
);

/** Installations started here; each is finished once, by the session that started it. */
export const crmInstalls = pgTable("crm_installs", {
  /** SHA-256 of the `state` parameter. */
  stateHash: text("state_hash").primaryKey(),
  userId: integer("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  sessionId: integer("session_id").notNull(),
  expiresAt: instant("expires_at").notNull(),
});

/** Private tokens in use by their SHA-256: since when, as first seen or as given by an administrator. */
export const crmPrivateTokens = pgTable("crm_private_tokens", {
  hash: text("hash").primaryKey(),
  since: instant("since").notNull().defaultNow(),
});
