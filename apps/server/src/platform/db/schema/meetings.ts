import { calendarTypes, meetingSyncStates, setupFaults } from "@portal/contract/entities/meeting";
import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";
import { users } from "./users.ts";

/** Meetings of consultants. A `version` ahead of `pushedVersion` has not been sent to Google yet: this is the outbox. */
export const meetings = pgTable(
  "meetings",
  {
    id: serial("id").primaryKey(),
    /** The owner of the meeting. */
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    leadId: integer("lead_id").references(() => leads.id),
    title: text("title").notNull(),
    description: text("description"),
    startsAt: instant("starts_at").notNull(),
    endsAt: instant("ends_at").notNull(),
    timeZone: text("time_zone").notNull(),
    calendarType: text("calendar_type", { enum: calendarTypes }).notNull(),
    meetingLink: text("meeting_link"),
    attendeeEmails: text("attendee_emails"),
    wantsMeetLink: boolean("wants_meet_link").notNull().default(false),
    /** Shown as free in Google: it does not count as busy time. */
    transparent: boolean("transparent").notNull().default(false),
    clientRef: uuid("client_ref").unique(),
    /** Increases with every change made here that Google has to receive. */
    version: integer("version").notNull().default(1),
    pushedVersion: integer("pushed_version").notNull().default(0),
    sync: text("sync", { enum: meetingSyncStates }).notNull().default("none"),
    syncError: text("sync_error"),
    /** Created by us, so that an insert can be repeated; for events that came from Google, theirs. */
    googleEventId: text("google_event_id"),
    /** Whose Google calendar contains it; after a transfer the meeting moves to the new owner's calendar. */
    googleUserId: integer("google_user_id").references(() => users.id),
    /** Set once Google is known to have the event. */
    googleEtag: text("google_etag"),
    /** The event's fields as Google last had them: differences were changed here since. */
    googleBase: jsonb("google_base").$type<Record<string, unknown>>(),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    /** Deleted here or in Google; the row stays until it is deleted in both. */
    deletedAt: instant("deleted_at"),
  },
  (t) => [
    index("meetings_user_idx").on(t.userId, t.startsAt, t.id).where(sql`${t.deletedAt} is null`),
    index("meetings_lead_idx").on(t.leadId, t.startsAt).where(sql`${t.deletedAt} is null`),
    uniqueIndex("meetings_google_key")
      .on(t.googleUserId, t.googleEventId)
      .where(sql`${t.googleEventId} is not null`),
    index("meetings_pending_idx").on(t.userId).where(sql`${t.sync} = 'pending'`),
  ],
);

/** A consultant's connection to Google Calendar: one each. */
export const googleAccounts = pgTable("google_accounts", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  email: text("email"),
  scope: text("scope").notNull(),
  /** Encrypted with ENCRYPTION_KEY; null once Google has refused them. */
  tokens: text("tokens"),
  /** Why Google refuses the tokens, as a text; null while it accepts them. */
  disconnectedReason: text("disconnected_reason"),
  /** A setting that an administrator has to enable at Google before this calendar can be reached; null after any other response. */
  setupFault: text("setup_fault", { enum: setupFaults }),
  /** Where the incremental sync continues; null requires a full one. */
  syncToken: text("sync_token"),
  lastSyncedAt: instant("last_synced_at"),
  /** When the whole window, which moves on with time, was last read. */
  fullSyncedAt: instant("full_synced_at"),
  /** The worker that sends requests to Google for this account now; one at a time. */
  claim: uuid("claim"),
  claimedAt: instant("claimed_at"),
  connectedAt: instant("connected_at").notNull().defaultNow(),
  /** Increases when a new connection replaces an earlier one; a running sync notices by `claim`. */
  generation: integer("generation").notNull().default(1),
});

/** Busy times from Google events that are no meetings: whole days, absences, focus time. */
export const googleBusyTimes = pgTable(
  "google_busy_times",
  {
    userId: integer("user_id")
      .notNull()
      .references(() => googleAccounts.userId, { onDelete: "cascade" }),
    eventId: text("event_id").notNull(),
    startsAt: instant("starts_at").notNull(),
    endsAt: instant("ends_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.eventId] })],
);

/** Consents in progress; each is used once, by the session that started it. */
export const googleConsents = pgTable("google_consents", {
  /** SHA-256 of the `state` parameter. */
  stateHash: text("state_hash").primaryKey(),
  userId: integer("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  sessionId: integer("session_id").notNull(),
  /** Encrypted PKCE verifier. */
  codeVerifier: text("code_verifier").notNull(),
  expiresAt: instant("expires_at").notNull(),
});
