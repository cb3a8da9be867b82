import { messageDirections, messageStatuses } from "@portal/contract/entities/message";
import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, serial, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { smsTemplateVersions } from "./sms-templates.ts";
import { users } from "./users.ts";

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
