import { defaultRetryRules, type RetryRules } from "@portal/contract/entities/retry";
import { firstCallMinutes } from "@portal/contract/entities/today";
import type { Role } from "@portal/contract/entities/user";
import { goLiveSteps, testCallFailures } from "@portal/contract/routes/go-live";
import { adminAlertKinds } from "@portal/contract/routes/notifications";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { users } from "./users.ts";

/** Settings of the organization: one row, or none while nothing has been set. */
export const organisationSettings = pgTable(
  "organisation_settings",
  {
    id: integer("id").primaryKey().default(1),
    machineDetection: boolean("machine_detection").notNull().default(true),
    voicemailDrop: boolean("voicemail_drop").notNull().default(false),
    /** Minutes of working time within which a new lead should be called. */
    firstCallMinutes: integer("first_call_minutes").notNull().default(firstCallMinutes.usual),
    /** Roles that must set up a second factor before anything else. */
    secondFactorRoles: jsonb("second_factor_roles").$type<Role[]>().notNull().default([]),
    retryRules: jsonb("retry_rules").$type<RetryRules>().notNull().default(defaultRetryRules),
    /** Version of the retry rules, from 1; increases with every change. */
    retryVersion: integer("retry_version").notNull().default(1),
  },
  (t) => [check("organisation_settings_one", sql`${t.id} = 1`)],
);

/** Started backups, scheduled or manual. One that has ended without a size failed. */
export const backupRuns = pgTable(
  "backup_runs",
  {
    id: serial("id").primaryKey(),
    startedAt: instant("started_at").notNull().defaultNow(),
    endedAt: instant("ended_at"),
    /** The file's name, without its folder. */
    file: text("file"),
    bytes: bigint("bytes", { mode: "number" }),
    rows: bigint("rows", { mode: "number" }),
    isEncrypted: boolean("is_encrypted"),
  },
  (t) => [index("backup_runs_started").on(t.startedAt)],
);

/** Steps of the go-live checklist that were marked as done, for the whole organization: one row for each step. */
export const goLiveMarks = pgTable("go_live_marks", {
  step: text("step", { enum: goLiveSteps }).primaryKey(),
  userId: integer("user_id")
    .notNull()
    .references(() => users.id),
  markedAt: instant("marked_at").notNull().defaultNow(),
});

/** Test calls of administrators to their own phones. The provider's reports only add to a row. */
export const testCalls = pgTable(
  "test_calls",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the one-time key in the callback addresses. */
    keyHash: text("key_hash").notNull(),
    callSid: text("call_sid"),
    /** The furthest state that the phone is known to have reached, in the terms of `ports/telephony.ts`. */
    leg: text("leg"),
    askedAt: instant("asked_at").notNull().defaultNow(),
    /** When the provider first called us back with the key. */
    reachedAt: instant("reached_at"),
    /** When the provider asked what to say to the person who answered. */
    answeredAt: instant("answered_at"),
    endedAt: instant("ended_at"),
    /** Why the call failed, and the provider's error code. */
    failure: text("failure", { enum: testCallFailures }),
    failureCode: integer("failure_code"),
    /** The public address for the provider's callbacks; null for calls from before it was stored. */
    publicUrl: text("public_url"),
  },
  // Pressing twice is one call: the second request finds the first one's.
  (t) => [uniqueIndex("test_calls_live_key").on(t.userId).where(sql`${t.endedAt} is null`)],
);

/** The portal's keys for push services (VAPID, RFC 8292): one pair for all processes. */
export const pushKeys = pgTable(
  "push_keys",
  {
    id: integer("id").primaryKey().default(1),
    publicKey: text("public_key").notNull(),
    /** Encrypted with ENCRYPTION_KEY. */
    privateKey: text("private_key").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (t) => [check("push_keys_one", sql`${t.id} = 1`)],
);

/** Problems that administrators have to fix now: one row for each kind while it lasts. */
export const adminAlerts = pgTable("admin_alerts", {
  kind: text("kind", { enum: adminAlertKinds }).primaryKey(),
  since: instant("since").notNull().defaultNow(),
});
