import { messageDirections, messageStatuses } from "@portal/contract/entities/message";
import { holdReasons, scheduledSmsStates } from "@portal/contract/entities/scheduled-sms";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  serial,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { users } from "./users.ts";

/** SMS templates: one person's own, or shared with everybody by administrators. Their text is that of their latest version. */
export const smsTemplates = pgTable(
  "sms_templates",
  {
    id: serial("id").primaryKey(),
    /** The owner; for a shared one its creator, null if it came with the portal. */
    userId: integer("user_id").references(() => users.id),
    isShared: boolean("is_shared").notNull().default(false),
    /** Sent with one press after a call that did not reach the lead. */
    isForMissedCall: boolean("is_for_missed_call").notNull().default(false),
    version: integer("version").notNull().default(1),
    /** SMS that were created from it still refer to it. */
    deletedAt: instant("deleted_at"),
  },
  (t) => [index("sms_templates_owner_idx").on(t.userId).where(sql`${t.deletedAt} is null`)],
);

/** The texts of a template over time; an SMS refers to the version it was created from. */
export const smsTemplateVersions = pgTable(
  "sms_template_versions",
  {
    id: serial("id").primaryKey(),
    templateId: integer("template_id")
      .notNull()
      .references(() => smsTemplates.id),
    version: integer("version").notNull(),
    name: text("name").notNull(),
    en: text("en"),
    es: text("es"),
    savedBy: integer("saved_by").references(() => users.id),
    savedAt: instant("saved_at").notNull().defaultNow(),
  },
  (t) => [uniqueIndex("sms_template_versions_key").on(t.templateId, t.version)],
);

/** Scheduled SMS. A sent one has a row in `messages` with its `text_ref`. */
export const scheduledSms = pgTable(
  "scheduled_sms",
  {
    id: serial("id").primaryKey(),
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    /** The author. */
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    /** The lead's consultant at `since`, in whose name it is sent; null if nobody had the lead, so that it is sent in its author's name. */
    ownerId: integer("owner_id").references(() => users.id),
    body: text("body").notNull(),
    templateVersionId: integer("template_version_id").references(() => smsTemplateVersions.id),
    sendAt: instant("send_at").notNull(),
    /** The lead's zone, in which the time was chosen. */
    timeZone: text("time_zone").notNull(),
    /** A later activity of the lead holds the SMS back. */
    since: instant("since").notNull(),
    state: text("state", { enum: scheduledSmsStates }).notNull().default("waiting"),
    reason: text("reason", { enum: holdReasons }),
    /** The browser's own id of the request, so that a repeated request schedules one SMS. */
    clientRef: uuid("client_ref").notNull().unique(),
    /** The reference of the SMS itself, so that it is never sent twice. */
    textRef: uuid("text_ref").notNull().defaultRandom(),
    /** When a worker processes it next; null if nothing is left to do. The worker that processes it sets it a minute ahead. */
    nextAt: instant("next_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    index("scheduled_sms_due_idx").on(t.nextAt).where(sql`${t.nextAt} is not null`),
    index("scheduled_sms_lead_idx").on(t.leadId).where(sql`${t.state} in ('waiting', 'sending', 'held')`),
  ],
);

/** SMS. Outbound rows are written before the provider is asked; the provider's events only move them forward. */
export const messages = pgTable(
  "messages",
  {
    id: serial("id").primaryKey(),
    /** Null while the number of an inbound SMS belongs to no lead. */
    leadId: integer("lead_id").references(() => leads.id),
    /** The author; null for inbound SMS. */
    userId: integer("user_id").references(() => users.id),
    direction: text("direction", { enum: messageDirections }).notNull(),
    body: text("body").notNull(),
    /** Number of pictures and other files that came with it; they are not fetched. */
    attachments: integer("attachments").notNull().default(0),
    status: text("status", { enum: messageStatuses }).notNull(),
    errorCode: integer("error_code"),
    fromNumber: text("from_number").notNull(),
    toNumber: text("to_number").notNull(),
    segments: integer("segments"),
    messageSid: text("message_sid").unique(),
    /** The browser's own id of the request, so that a repeated request sends once. */
    clientRef: uuid("client_ref").unique(),
    /** The template version it was created from; the sent text is in `body`. */
    templateVersionId: integer("template_version_id").references(() => smsTemplateVersions.id),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** When the provider was asked; null while the row waits. */
    askedAt: instant("asked_at"),
    /** When the owner read an inbound SMS, or when it was found to need no answer. */
    readAt: instant("read_at"),
    /** When an SMS from an unknown number was removed from the inbox. */
    dismissedAt: instant("dismissed_at"),
    lastEventAt: instant("last_event_at").notNull().defaultNow(),
    checkedAt: instant("checked_at"),
  },
  (t) => [
    index("messages_lead_idx").on(t.leadId, t.createdAt.desc(), t.id.desc()),
    index("messages_user_idx").on(t.userId, t.createdAt.desc()),
    index("messages_created_idx").on(t.createdAt),
    index("messages_unread_idx").on(t.leadId).where(sql`${t.direction} = 'inbound' and ${t.readAt} is null`),
    index("messages_inbox_idx")
      .on(t.createdAt.desc(), t.id.desc())
      .where(sql`${t.leadId} is null and ${t.dismissedAt} is null`),
    /** Earlier senders whose number belongs to no lead. */
    index("messages_from_idx").on(t.fromNumber, t.id.desc()).where(sql`${t.direction} = 'inbound'`),
    /** Sent SMS that the provider has not been asked about since. */
    index("messages_unconfirmed_idx")
      .on(t.lastEventAt)
      .where(sql`${t.status} = 'sent' and ${t.checkedAt} is null`),
    index("messages_open_idx")
      .on(t.lastEventAt)
      .where(sql`${t.status} in ('requested', 'queued', 'sending')`),
    index("messages_template_idx").on(t.templateVersionId).where(sql`${t.templateVersionId} is not null`),
    index("messages_body_idx").using("gin", sql`${t.body} gin_trgm_ops`),
  ],
);

/** Opt-outs from SMS and their withdrawals by number, whether or not a lead has the number now or later. */
export const stoppedNumbers = pgTable("stopped_numbers", {
  /** E.164. */
  number: text("number").primaryKey(),
  stopped: boolean("stopped").notNull(),
  /**
   * The inbound SMS that caused it, in the order of arrival: an older one that is processed later changes nothing. Null if the provider
   * reported it.
   */
  eventId: bigint("event_id", { mode: "number" }),
  changedAt: instant("changed_at").notNull().defaultNow(),
});
