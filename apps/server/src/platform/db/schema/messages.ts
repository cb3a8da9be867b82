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

/** Templates of texts: one person's own, or shared with everybody by administrators. Their words are those of their latest version. */
export const smsTemplates = pgTable(
  "sms_templates",
  {
    id: serial("id").primaryKey(),
    /** Whose it is; of a shared one who made it, null where it came with the portal. */
    userId: integer("user_id").references(() => users.id),
    isShared: boolean("is_shared").notNull().default(false),
    /** Sent by one press after a call that did not reach the lead. */
    isForMissedCall: boolean("is_for_missed_call").notNull().default(false),
    version: integer("version").notNull().default(1),
    /** Texts that were made of it refer to it still. */
    deletedAt: instant("deleted_at"),
  },
  (t) => [index("sms_templates_owner_idx").on(t.userId).where(sql`${t.deletedAt} is null`)],
);

/** What a template said at any time; a text names the one it was made of. */
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

/** Texts that go out later. One that has gone is a row of `messages` with its `text_ref`. */
export const scheduledSms = pgTable(
  "scheduled_sms",
  {
    id: serial("id").primaryKey(),
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    /** Who wrote it. */
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    /** Who had the lead at `since`, and under whom it goes; null for nobody's lead, where it goes under its writer. */
    ownerId: integer("owner_id").references(() => users.id),
    body: text("body").notNull(),
    templateVersionId: integer("template_version_id").references(() => smsTemplateVersions.id),
    sendAt: instant("send_at").notNull(),
    /** The lead's zone, in which the time was chosen. */
    timeZone: text("time_zone").notNull(),
    /** What happened with the lead after it holds the text back. */
    since: instant("since").notNull(),
    state: text("state", { enum: scheduledSmsStates }).notNull().default("waiting"),
    reason: text("reason", { enum: holdReasons }),
    /** The browser's own id of the request, so that a repeated one keeps one text. */
    clientRef: uuid("client_ref").notNull().unique(),
    /** The reference of the text itself: with it there is never a second one. */
    textRef: uuid("text_ref").notNull().defaultRandom(),
    /** When a worker is to take it up; null where nothing is left to do. Whoever works it puts it a minute ahead. */
    nextAt: instant("next_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    index("scheduled_sms_due_idx").on(t.nextAt).where(sql`${t.nextAt} is not null`),
    index("scheduled_sms_lead_idx").on(t.leadId).where(sql`${t.state} in ('waiting', 'sending', 'held')`),
  ],
);

/** Texts. Outbound rows are written before the provider is asked; its events move them forward only. */
export const messages = pgTable(
  "messages",
  {
    id: serial("id").primaryKey(),
    /** Null while the number of an inbound text belongs to no lead. */
    leadId: integer("lead_id").references(() => leads.id),
    /** Who wrote it; null for inbound texts. */
    userId: integer("user_id").references(() => users.id),
    direction: text("direction", { enum: messageDirections }).notNull(),
    body: text("body").notNull(),
    /** Pictures and other files that came with it; they are counted, not fetched. */
    attachments: integer("attachments").notNull().default(0),
    status: text("status", { enum: messageStatuses }).notNull(),
    errorCode: integer("error_code"),
    fromNumber: text("from_number").notNull(),
    toNumber: text("to_number").notNull(),
    segments: integer("segments"),
    messageSid: text("message_sid").unique(),
    /** The browser's own id of the request, so that a repeated one sends once. */
    clientRef: uuid("client_ref").unique(),
    /** The words that it was made of; its own are in `body`. */
    templateVersionId: integer("template_version_id").references(() => smsTemplateVersions.id),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** When the provider was asked; null while the row waits. */
    askedAt: instant("asked_at"),
    /** When the owner saw an inbound text, or it was found to ask for no answer. */
    readAt: instant("read_at"),
    /** When a text of an unknown number was taken off the inbox. */
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
    /** Who wrote before from a number that belongs to no lead. */
    index("messages_from_idx").on(t.fromNumber, t.id.desc()).where(sql`${t.direction} = 'inbound'`),
    /** Sent texts that the provider has not been asked about since. */
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

/** Who said that no texts may come, or that they may again: by number, whether a lead has it or not, now or later. */
export const stoppedNumbers = pgTable("stopped_numbers", {
  /** E.164. */
  number: text("number").primaryKey(),
  stopped: boolean("stopped").notNull(),
  /** The inbound text that said so, in the order of arrival: an older one that is worked later changes nothing. Null for the provider's word. */
  eventId: bigint("event_id", { mode: "number" }),
  changedAt: instant("changed_at").notNull().defaultNow(),
});
