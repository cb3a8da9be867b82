import { listPages } from "@portal/contract/entities/lead-list";
import { contactChannels, contactRefusals } from "@portal/contract/errors";
import { boolean, customType, index, integer, pgTable, serial, text } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { users } from "./users.ts";

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Pictures of users: PNG, JPEG or WebP, checked by content. `users.image` is the address that serves them. */
export const userPhotos = pgTable("user_photos", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  type: text("type", { enum: ["image/png", "image/jpeg", "image/webp"] }).notNull(),
  content: bytes("content").notNull(),
  changedAt: instant("changed_at").notNull().defaultNow(),
});

/** Past and current absences. Those of one person do not overlap. */
export const absences = pgTable(
  "absences",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    startedAt: instant("started_at").notNull(),
    /** Null if open; an earlier return ends it then. */
    until: instant("until"),
  },
  (t) => [index("absences_user_idx").on(t.userId, t.startedAt)],
);

/** One-time links to choose a password. Only the SHA-256 of the token is stored. */
export const passwordLinks = pgTable(
  "password_links",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tokenHash: text("token_hash").notNull().unique(),
    createdBy: integer("created_by").references(() => users.id),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
  },
  (t) => [index("password_links_user_idx").on(t.userId)],
);

/** Contacts refused by the contact policy. */
export const contactRefusalLog = pgTable(
  "contact_refusals",
  {
    id: serial("id").primaryKey(),
    at: instant("at").notNull().defaultNow(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    leadId: integer("lead_id")
      .notNull()
      .references(() => leads.id),
    channel: text("channel", { enum: contactChannels }).notNull(),
    by: text("by", { enum: ["person", "dialer"] }).notNull(),
    reason: text("reason", { enum: contactRefusals }).notNull(),
  },
  (t) => [
    index("contact_refusals_at_idx").on(t.at.desc(), t.id.desc()),
    index("contact_refusals_user_idx").on(t.userId, t.at.desc()),
  ],
);

/** Named addresses of lists: one person's own, or shared with everybody by administrators. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: serial("id").primaryKey(),
    /** The creator; for a shared view only for information. */
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    page: text("page", { enum: listPages }).notNull(),
    name: text("name").notNull(),
    /** Filters, order and columns as in the address, without the question mark. */
    query: text("query").notNull(),
    isForEverybody: boolean("is_for_everybody").notNull().default(false),
    /** Its position among the person's own views of the page, or among the shared ones. */
    position: integer("position").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [index("saved_views_page_idx").on(t.page, t.userId)],
);
