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

/** One run of taking in what the CRM has. At most one of a kind is under way. */
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
    /** The newest change seen, by the CRM's clock but never after the run began: the next 'changes' begins a little before. */
    watermark: instant("watermark"),
    errors: jsonb("errors").$type<string[]>().notNull().default([]),
    message: text("message"),
    /** Why it failed or was held, as a code. */
    fault: jsonb("fault").$type<SyncFault>(),
    /** Where the next page begins; kept when a run fails, so that the next one goes on from there. */
    cursor: jsonb("cursor").$type<unknown[]>(),
    /** The worker that holds the run; only the holder writes, and a holder silent for a minute loses it. */
    lease: text("lease"),
    heartbeatAt: instant("heartbeat_at").notNull().defaultNow(),
    /** How often a worker began or resumed the run without finishing a page since. */
    attempts: integer("attempts").notNull().default(0),
    startedAt: instant("started_at").notNull().defaultNow(),
    finishedAt: instant("finished_at"),
    /** When its reading began, what it took over from a failed run included: nothing that it knows of a contact is older. */
    readSince: instant("read_since"),
    /** What an administrator decided about the deletions for which it was held. */
    decision: text("decision", { enum: deletionDecisions }),
  },
  (t) => [
    uniqueIndex("crm_sync_runs_running_key").on(t.kind).where(sql`${t.state} = 'running'`),
    index("crm_sync_runs_kind_idx").on(t.kind, t.id.desc()),
  ],
);

/**
 * Contacts that a run has met, while it lasts, a row a page: each is counted once, whoever works the run, and what a full run has not
 * met may be gone from the CRM.
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
 * Leads whose contact does not exist in the CRM, as far as a full run has asked, until they are marked; and those that an administrator left
 * as they are, until a run meets their contact again.
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

/** Leads whose contact the last full run could not read: what is known of them is no younger for that run. */
export const crmUnread = pgTable("crm_unread", {
  leadId: integer("lead_id")
    .primaryKey()
    .references(() => leads.id),
  runId: integer("run_id").notNull(),
});

/** Contacts that events named while very many waited: a run of changes is to meet them, by a page after this one. */
export const crmAwaited = pgTable(
  "crm_awaited",
  {
    runId: integer("run_id").notNull(),
    contactId: text("contact_id").notNull(),
    afterPage: integer("after_page").notNull(),
    /** It was named after the run had begun. */
    joined: boolean("joined").notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.contactId] })],
);

/** Changes made here that the CRM does not have yet: a row a field, in order for each lead. */
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
    /** 'superseded' never left: a later value of the field was sent in its place. */
    state: text("state", { enum: ["pending", "sent", "failed", "superseded"] })
      .notNull()
      .default("pending"),
    attempts: integer("attempts").notNull().default(0),
    error: text("error"),
    /** Failed for a reason that passes (key, outage): sent again after the next good sync. */
    retriable: boolean("retriable").notNull().default(false),
    /** It is not sent before: until then it can be taken back. */
    heldUntil: instant("held_until"),
    /** When a worker took it; another waits until that one is done or a minute has passed. */
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

/** What the CRM sent and could not be mapped: kept with its reason, and listed. */
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

/** The location at which the portal is installed as an app: one row, or none. */
export const crmConnections = pgTable(
  "crm_connections",
  {
    id: integer("id").primaryKey().default(1),
    locationId: text("location_id").notNull(),
    /** Null until it was read. */
    locationName: text("location_name"),
    companyId: text("company_id"),
    /** What the portal needs and was not granted. */
    missingScopes: jsonb("missing_scopes").$type<string[]>().notNull().default([]),
    /** Encrypted with ENCRYPTION_KEY; null once the app was removed there. */
    tokens: text("tokens"),
    /** When the access token ends, and when it is renewed. */
    expiresAt: instant("expires_at").notNull(),
    refreshAt: instant("refresh_at").notNull(),
    refreshedAt: instant("refreshed_at").notNull().defaultNow(),
    /** Another with every pair of tokens, also after a forgotten row: what came of an older pair is written no more. */
    generation: integer("generation").notNull().default(1),
    /** The worker that renews them now; one at a time. */
    claim: uuid("claim"),
    claimedAt: instant("claimed_at"),
    /** Since when it must be connected again, and why; null while it stands. */
    lostAt: instant("lost_at"),
    lostReason: text("lost_reason", { enum: ["refused", "uninstalled", "key-changed"] }),
    /** Why the last renewal failed, where another may work; null after one that did. */
    renewalFailure: text("renewal_failure", { enum: ["app-refused", "unanswered"] }),
    connectedAt: instant("connected_at").notNull().defaultNow(),
    connectedBy: integer("connected_by").references(() => users.id, { onDelete: "set null" }),
  },
  (t) => [check("crm_connections_one", sql`${t.id} = 1`)],
);

/** Installations that were begun here; each is finished once, by the session that began it. */
export const crmInstalls = pgTable("crm_installs", {
  /** SHA-256 of the `state` parameter. */
  stateHash: text("state_hash").primaryKey(),
  userId: integer("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  sessionId: integer("session_id").notNull(),
  expiresAt: instant("expires_at").notNull(),
});

/** Private tokens that were in use, each by its SHA-256: since when, as first seen or as an administrator said. */
export const crmPrivateTokens = pgTable("crm_private_tokens", {
  hash: text("hash").primaryKey(),
  since: instant("since").notNull().defaultNow(),
});
