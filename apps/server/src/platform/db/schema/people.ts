import { listPages } from "@portal/contract/entities/lead-list";
import { languages } from "@portal/contract/entities/user";
import { contactChannels, contactRefusals } from "@portal/contract/errors";
import { recordingFailures, soundFormats } from "@portal/contract/routes/voicemail-messages";
import { sql } from "drizzle-orm";
import { boolean, customType, index, integer, pgTable, serial, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { sessions, users } from "./users.ts";

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

/** Recorded messages that consultants leave at the voicemails of leads. */
export const voicemailMessages = pgTable(
  "voicemail_messages",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    name: text("name").notNull(),
    language: text("language", { enum: languages }).notNull(),
    format: text("format", { enum: soundFormats }).notNull(),
    seconds: integer("seconds").notNull(),
    sound: bytes("sound").notNull(),
    /** The one that is left for leads of its language. */
    isDefault: boolean("is_default").notNull(),
    /** The secret in the address from which the provider plays it. */
    token: text("token").notNull().unique(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [
    index("voicemail_messages_user_idx").on(t.userId),
    uniqueIndex("voicemail_messages_default_key").on(t.userId, t.language).where(sql`${t.isDefault}`),
  ],
);

/** Calls to consultants' own phones in which they record a message. */
export const voicemailRecordings = pgTable(
  "voicemail_recordings",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    name: text("name").notNull(),
    language: text("language", { enum: languages }).notNull(),
    /** SHA-256 of the key in this call's callback addresses. */
    keyHash: text("key_hash").notNull(),
    callSid: text("call_sid"),
    recordingSid: text("recording_sid"),
    messageId: integer("message_id").references(() => voicemailMessages.id, { onDelete: "set null" }),
    failure: text("failure", { enum: recordingFailures }),
    askedAt: instant("asked_at").notNull().defaultNow(),
    answeredAt: instant("answered_at"),
    endedAt: instant("ended_at"),
  },
  (t) => [uniqueIndex("voicemail_recordings_live_key").on(t.userId).where(sql`${t.endedAt} is null`)],
);

/** Devices with push notifications, each for as long as the session that enabled them. */
export const pushDevices = pgTable(
  "push_devices",
  {
    id: serial("id").primaryKey(),
    sessionId: integer("session_id")
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** The address at the browser's push service, and the browser's keys in base64url (RFC 8291). */
    endpoint: text("endpoint").notNull(),
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    /** Earlier events cause no push notification. */
    createdAt: instant("created_at").notNull().defaultNow(),
    /** When its owner last requested a test. */
    testedAt: instant("tested_at"),
  },
  (t) => [
    uniqueIndex("push_devices_session_key").on(t.sessionId),
    uniqueIndex("push_devices_endpoint_key").on(t.endpoint),
  ],
);
