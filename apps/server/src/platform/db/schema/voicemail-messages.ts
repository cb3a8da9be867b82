import { languages } from "@portal/contract/entities/user";
import { recordingFailures, soundFormats } from "@portal/contract/routes/voicemail-messages";
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, serial, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { bytes } from "./people.ts";
import { users } from "./users.ts";

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
