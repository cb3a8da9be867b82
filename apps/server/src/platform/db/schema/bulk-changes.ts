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

/** Acts on many leads: who did what, and until when it waits. */
export const bulkChanges = pgTable(
  "bulk_changes",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    /** The browser's own id of the request, so that a repeated one does it once. */
    clientRef: uuid("client_ref").notNull().unique(),
    kind: text("kind", { enum: bulkEditKinds }).notNull(),
    edit: jsonb("edit").$type<BulkEdit>().notNull(),
    /** Leads that it was asked for, those included that do not exist and have no item. */
    asked: integer("asked").notNull(),
    state: text("state", { enum: ["open", "done", "undone"] }).notNull(),
    at: instant("at").notNull().defaultNow(),
    /** Effects outside of the portal (SMS, CRM, calendar) start no earlier. */
    waitsUntil: instant("waits_until").notNull(),
    /** When a worker is to go on with it; null where nothing is left to do. Whoever works it puts it a minute ahead. */
    nextAt: instant("next_at"),
    undoneAt: instant("undone_at"),
    undoneBy: integer("undone_by").references(() => users.id),
  },
  (t) => [
    index("bulk_changes_at_idx").on(t.at.desc(), t.id.desc()),
    index("bulk_changes_due_idx").on(t.nextAt).where(sql`${t.nextAt} is not null`),
  ],
);

/** What an act did to a lead, and what undoing it takes. */
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
    /** The changed fields as they were. */
    before: jsonb("before").$type<Record<string, unknown>>(),
    /** The last entry of the lead's timeline that tells of a change: before the act, and the act's own. Who changes the lead later makes another. */
    versionBefore: integer("version_before"),
    version: integer("version"),
    /** Its rows in the CRM's outbox. */
    outboxIds: integer("outbox_ids").array(),
    /** The meetings that went along. */
    meetingIds: integer("meeting_ids").array(),
    /** The reference of its text: with it there is never a second one. */
    textRef: uuid("text_ref"),
    /** It came to its lead by a merge, which may have an item of its own in the act. */
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
