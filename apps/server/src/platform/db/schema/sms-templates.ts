import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, serial, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
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
