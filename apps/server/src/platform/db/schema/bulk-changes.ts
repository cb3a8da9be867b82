import {
  type BulkEdit,
  bulkEditKinds,
  bulkItemStates,
  bulkReasons,
} from "@portal/contract/entities/bulk-change";
import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { users } from "./users.ts";

/** Bulk changes of leads: who made which, and until when it waits. */
export const bulkChanges = pgTable(
  "bulk_changes",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    /** The browser's own id of the request, so that a repeated request is applied once. */
    clientRef: uuid("client_ref").notNull().unique(),
    kind: text("kind", { enum: bulkEditKinds }).notNull(),
    edit: jsonb("edit").$type<BulkEdit>().notNull(),
    /** Number of leads in the request, including those that do not exist and have no item. */
    asked: integer("asked").notNull(),
    state: text("state", { enum: ["open", "done", "undone"] }).notNull(),
    at: instant("at").notNull().defaultNow(),
    /** Effects outside of the portal (SMS, CRM, calendar) start no earlier. */
    waitsUntil: instant("waits_until").notNull(),
    /** When a worker continues it; null if nothing is left to do. The worker that processes it sets it a minute ahead. */
    nextAt: instant("next_at"),
    undoneAt: instant("undone_at"),
    undoneBy: integer("undone_by").references(() => users.id),
  },
  (t) => [
    index("bulk_changes_at_idx").on(t.at.desc(), t.id.desc()),
    index("bulk_changes_due_idx").on(t.nextAt).where(sql`${t.nextAt} is not null`),
  ],
);

/** Effect of a bulk change on one lead, and what undoing it needs. */
export const bulkChangeItems = pgTable(
  "bulk_change_items",
  {
    id: serial("id").primaryKey(),
    changeId: integer("change_id")
      .notNull()
      .references(() => bulkChanges.id, { onDelete: "cascade" }),
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    state: text("state", { enum: bulkItemStates }).notNull(),
    reason: text("reason", { enum: bulkReasons }),
    /** Previous values of the changed fields. */
    before: jsonb("before").$type<Record<string, unknown>>(),
    /**
     * Id of the lead's last timeline entry that records a change: before the bulk change, and the bulk change's own. Every later change of
     * the lead adds another entry.
     */
    versionBefore: integer("version_before"),
    version: integer("version"),
    /** Ids of its rows in the CRM's outbox. */
    outboxIds: integer("outbox_ids").array(),
    /** The meetings that were transferred with the lead. */
    meetingIds: integer("meeting_ids").array(),
    /** The reference of its SMS, so that it is never sent twice. */
    textRef: uuid("text_ref"),
    /** A merge moved the item to its lead, which may have an item of its own in the same bulk change. */
    merged: boolean("merged").notNull().default(false),
  },
  (t) => [
    uniqueIndex("bulk_change_items_lead_key").on(t.changeId, t.leadId).where(sql`not ${t.merged}`),
    index("bulk_change_items_change_idx").on(t.changeId),
    index("bulk_change_items_lead_idx").on(t.leadId),
    index("bulk_change_items_sms_idx")
      .on(t.changeId, t.leadId)
      .where(sql`${t.state} in ('waiting', 'sending')`),
  ],
);
