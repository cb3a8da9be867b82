import { listPages } from "@portal/contract/entities/lead-list";
import { contactChannels, contactRefusals } from "@portal/contract/errors";
import { boolean, customType, index, integer, pgTable, serial, text } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { users } from "./users.ts";

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** Pictures of users: png, jpeg or webp, checked by content. `users.image` names the address they are served at. */
export const userPhotos = pgTable("user_photos", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  type: text("type", { enum: ["image/png", "image/jpeg", "image/webp"] }).notNull(),
  content: bytes("content").notNull(),
  changedAt: instant("changed_at").notNull().defaultNow(),
});

/** When somebody was or is away. Of one person they do not overlap. */
export const absences = pgTable(
  "absences",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    startedAt: instant("started_at").notNull(),
    /** Null until one says otherwise; whoever is back earlier ends it then. */
    until: instant("until"),
  },
  (t) => [index("absences_user_idx").on(t.userId, t.startedAt)],
);

/** One-time links to choose a password. The token is kept as its SHA-256 only. */
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

/** Contacts that the contact policy refused. */
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

/** Names for addresses of lists: one person's own, or everybody's, which administrators keep. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: serial("id").primaryKey(),
    /** Who made it; with one that is everybody's it says no more than that. */
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    page: text("page", { enum: listPages }).notNull(),
    name: text("name").notNull(),
    /** Filters, order and columns as they stand in the address, without the question mark. */
    query: text("query").notNull(),
    isForEverybody: boolean("is_for_everybody").notNull().default(false),
    /** Its place among the person's own views of the page, or among everybody's. */
    position: integer("position").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [index("saved_views_page_idx").on(t.page, t.userId)],
);
