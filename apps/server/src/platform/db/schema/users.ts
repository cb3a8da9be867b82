import type { WorkingHours } from "@portal/contract/entities/availability";
import { lineBriefs, lineModes } from "@portal/contract/entities/line";
import { type ListSettings, languages, roles, themes } from "@portal/contract/entities/user";
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
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

/** Consultants and administrators. The first seven columns belong to the sign-in library. */
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
    /** The consultant's own phone, as typed and in E.164. */
    personalPhone: text("personal_phone"),
    personalPhoneE164: text("personal_phone_e164"),
    theme: text("theme", { enum: themes }).notNull().default("auto"),
    language: text("language", { enum: languages }).notNull().default("en"),
    /** Their layout and columns of each list. */
    lists: jsonb("lists").$type<ListSettings>().notNull().default({}),
    /** The sidebar stays open on wide screens. */
    sidebarPinned: boolean("sidebar_pinned").notNull().default(false),
    /** Keyboard shortcuts without Ctrl, Alt or Cmd are on (WCAG 2.1.4: they can be switched off). */
    singleKeys: boolean("single_keys").notNull().default(true),
    /** The consultant presses 1 before the lead is dialed. */
    pressOne: boolean("press_one").notNull().default(true),
    /** The auto-dialer dials automatically after the delay. */
    autoDial: boolean("auto_dial").notNull().default(true),
    /** Line mode and brief of their last dialer session. */
    lineMode: text("line_mode", { enum: lineModes }).notNull().default("each_call"),
    lineBrief: text("line_brief", { enum: lineBriefs }).notNull().default("short"),
    leaveMessage: boolean("leave_message").notNull().default(false),
    /** The provider records this person's calls; voicemails for them are transcribed. */
    callRecording: boolean("call_recording").notNull().default(true),
    voicemailTranscription: boolean("voicemail_transcription").notNull().default(true),
    /** Which notifications they want: by email, and on the desktop. */
    emailNotices: boolean("email_notifications").notNull().default(false),
    smsNotices: boolean("sms_notifications").notNull().default(true),
    callNotices: boolean("call_notifications").notNull().default(true),
    meetingNotices: boolean("meeting_notifications").notNull().default(true),
    /** Whether push notifications, which locked screens show too, contain names and texts. */
    pushNames: boolean("push_names").notNull().default(false),
    /** When they can be reached; null for always. */
    workingHours: jsonb("working_hours").$type<WorkingHours>(),
    /** Who takes their callers while they cannot be reached. */
    standInId: integer("stand_in_id").references((): AnyPgColumn => users.id),
    /** The address that an administrator gave the account: the only one by which the external login provider is first matched. */
    givenEmail: text("given_email"),
    /** Last action, and last time a browser of theirs was connected; to the minute. */
    lastActiveAt: instant("last_active_at"),
    lastSeenAt: instant("last_seen_at"),
    /** The CRM's id of this person, found by email. */
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
    /** When the second factor was confirmed; null if there was none. */
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

/** Failed sign-ins of the last minutes; successful ones are not counted. */
export const loginFailures = pgTable(
  "login_failures",
  {
    id: serial("id").primaryKey(),
    /** SHA-256 of the folded email, so that a password typed into the email field is not stored. */
    account: text("account").notNull(),
    address: text("address").notNull(),
    /** The browser, if it had signed in to the account before: it is counted separately. */
    device: text("device"),
    at: instant("at").notNull().defaultNow(),
  },
  (t) => [
    index("login_failures_account_idx").on(t.account, t.at),
    index("login_failures_address_idx").on(t.address, t.at),
  ],
);

/** Each person's secret for codes of an authenticator app. It is valid once it is confirmed. */
export const totpSecrets = pgTable("totp_secrets", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Encrypted with ENCRYPTION_KEY. */
  secret: text("secret").notNull(),
  /** The 30-second step, counted from 1970, of the last accepted code, so that no code is accepted twice. */
  lastStep: integer("last_step"),
  createdAt: instant("created_at").notNull().defaultNow(),
  confirmedAt: instant("confirmed_at"),
});

/** One-time codes that replace a lost second factor. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** SHA-256 of a code of 120 random bits. */
    codeHash: text("code_hash").notNull(),
    usedAt: instant("used_at"),
  },
  (t) => [
    uniqueIndex("recovery_codes_hash_key").on(t.codeHash),
    index("recovery_codes_user_idx").on(t.userId),
  ],
);

/** Public keys of passkeys, each of which counts as both factors. */
export const passkeys = pgTable(
  "passkeys",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** Both in base64url. */
    credentialId: text("credential_id").notNull(),
    publicKey: text("public_key").notNull(),
    transports: jsonb("transports").$type<string[]>().notNull().default([]),
    /** The passkey's own count of its uses; 0 if it does not count. */
    counter: bigint("counter", { mode: "number" }).notNull().default(0),
    /** When the challenge that it last answered was created, in Unix milliseconds, so that no response is accepted twice. */
    challengedAt: bigint("challenged_at", { mode: "number" }).notNull().default(0),
    createdAt: instant("created_at").notNull().defaultNow(),
    lastUsedAt: instant("last_used_at"),
  },
  (t) => [uniqueIndex("passkeys_credential_key").on(t.credentialId), index("passkeys_user_idx").on(t.userId)],
);
