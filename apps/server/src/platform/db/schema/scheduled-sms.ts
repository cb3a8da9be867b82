import { holdReasons, scheduledSmsStates } from "@portal/contract/entities/scheduled-sms";
import { sql } from "drizzle-orm";
import { index, integer, pgTable, serial, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { smsTemplateVersions } from "./sms-templates.ts";
import { users } from "./users.ts";

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
