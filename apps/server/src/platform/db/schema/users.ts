import type { WorkingHours } from "@portal/contract/entities/availability";
import { lineBriefs, lineModes } from "@portal/contract/entities/line";
import { type ListSettings, languages, roles, themes } from "@portal/contract/entities/user";
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";

/** Consultants and administrators. The first seven columns are the sign-in library's. */
export const users = pgTable(
  "users",
  {
    id: serial("id").primaryKey(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    emailVerified: boolean("email_verified").notNull().default(false),
    image: text("image"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    role: text("role", { enum: roles }).notNull().default("consultant"),
    /** The consultant's own phone, as typed and as it is dialled. */
    personalPhone: text("personal_phone"),
    personalPhoneE164: text("personal_phone_e164"),
    theme: text("theme", { enum: themes }).notNull().default("auto"),
    language: text("language", { enum: languages }).notNull().default("en"),
    /** How they look at lists: layout and columns, by list. */
    lists: jsonb("lists").$type<ListSettings>().notNull().default({}),
    /** The sidebar stays open on wide screens. */
    sidebarPinned: boolean("sidebar_pinned").notNull().default(false),
    /** Keys without Ctrl, Alt or Cmd act on pages (WCAG 2.1.4: they can be switched off). */
    singleKeys: boolean("single_keys").notNull().default(true),
    /** The consultant presses 1 before the lead is dialled. */
    pressOne: boolean("press_one").notNull().default(true),
    /** The auto-dialer rings by itself after the delay. */
    autoDial: boolean("auto_dial").notNull().default(true),
    /** How their last session reached them, and what it said before each lead. */
    lineMode: text("line_mode", { enum: lineModes }).notNull().default("each_call"),
    lineBrief: text("line_brief", { enum: lineBriefs }).notNull().default("short"),
    leaveMessage: boolean("leave_message").notNull().default(false),
    /** The provider records this person's calls; voicemails for them are written down. */
    callRecording: boolean("call_recording").notNull().default(true),
    voicemailTranscription: boolean("voicemail_transcription").notNull().default(true),
    /** Which notifications they want: by e-mail, and on the desktop. */
    emailNotices: boolean("email_notifications").notNull().default(false),
    smsNotices: boolean("sms_notifications").notNull().default(true),
    callNotices: boolean("call_notifications").notNull().default(true),
    meetingNotices: boolean("meeting_notifications").notNull().default(true),
    /** Whether push notifications, which show on locked screens too, carry names and words. */
    pushNames: boolean("push_names").notNull().default(false),
    /** When they can be reached; null for every hour. */
    workingHours: jsonb("working_hours").$type<WorkingHours>(),
    /** Who takes the calls of callers while they cannot be reached. */
    standInId: integer("stand_in_id").references((): AnyPgColumn => users.id),
    /** The address that an administrator gave the account: the only one that the external login provider is first matched by. */
    givenEmail: text("given_email"),
    /** Last time they did something, and last time a browser of theirs listened; to a minute. */
    lastActiveAt: instant("last_active_at"),
    lastSeenAt: instant("last_seen_at"),
    /** The CRM's id of this person, found by e-mail. */
    crmUserId: text("crm_user_id"),
    disabledAt: instant("disabled_at"),
  },
  (t) => [
    uniqueIndex("users_email_key").on(sql`lower(${t.email})`),
    uniqueIndex("users_crm_user_key").on(t.crmUserId).where(sql`${t.crmUserId} is not null`),
  ],
);

export const sessions = pgTable(
  "sessions",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    token: text("token").notNull().unique(),
    expiresAt: instant("expires_at").notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    /** The external login provider's ID token, encrypted, for signing out there too; null for a session by password. */
    providerToken: text("provider_token"),
    /** When its second factor was given; null where none was. */
    secondFactorAt: instant("second_factor_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [index("sessions_user_idx").on(t.userId)],
);

export const accounts = pgTable(
  "accounts",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: instant("access_token_expires_at"),
    refreshTokenExpiresAt: instant("refresh_token_expires_at"),
    scope: text("scope"),
    password: text("password"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("accounts_provider_key").on(t.providerId, t.accountId),
    index("accounts_user_idx").on(t.userId),
  ],
);

export const verifications = pgTable("verifications", {
  id: serial("id").primaryKey(),
  identifier: text("identifier").notNull(),
  value: text("value").notNull(),
  expiresAt: instant("expires_at").notNull(),
  createdAt: instant("created_at").notNull().defaultNow(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

/** Refused sign-ins of the last minutes; good ones never count. */
export const loginFailures = pgTable(
  "login_failures",
  {
    id: serial("id").primaryKey(),
    /** SHA-256 of the folded e-mail, so that mistyped passwords in the e-mail field are not kept. */
    account: text("account").notNull(),
    address: text("address").notNull(),
    /** The browser, where it had signed in to the account before: it has a count of its own. */
    device: text("device"),
    at: instant("at").notNull().defaultNow(),
  },
  (t) => [
    index("login_failures_account_idx").on(t.account, t.at),
    index("login_failures_address_idx").on(t.address, t.at),
  ],
);
