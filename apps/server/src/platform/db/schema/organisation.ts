import { defaultRetryRules, type RetryRules } from "@portal/contract/entities/retry";
import { firstCallMinutes } from "@portal/contract/entities/today";
import type { Role } from "@portal/contract/entities/user";
import { goLiveSteps, testCallFailures } from "@portal/contract/routes/go-live";
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

/** What administrators set for everybody: one row, or none where nobody has set anything. */
export const organisationSettings = pgTable(
  "organisation_settings",
  {
    id: integer("id").primaryKey().default(1),
    machineDetection: boolean("machine_detection").notNull().default(true),
    voicemailDrop: boolean("voicemail_drop").notNull().default(false),
    /** Minutes of working time that the first call to a new lead may take. */
    firstCallMinutes: integer("first_call_minutes").notNull().default(firstCallMinutes.usual),
    /** Roles that may do nothing before they have set up a second factor. */
    secondFactorRoles: jsonb("second_factor_roles").$type<Role[]>().notNull().default([]),
    retryRules: jsonb("retry_rules").$type<RetryRules>().notNull().default(defaultRetryRules),
    /** Counts the changes of the retry rules, from 1. */
    retryVersion: integer("retry_version").notNull().default(1),
  },
  (t) => [check("organisation_settings_one", sql`${t.id} = 1`)],
);

/** Backups that were begun, by the schedule or by hand. One that has ended and has no size failed. */
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

/** Steps of the go-live checklist that somebody said are done: the organisation's, a row each. */
export const goLiveMarks = pgTable("go_live_marks", {
  step: text("step", { enum: goLiveSteps }).primaryKey(),
  userId: integer("user_id")
    .notNull()
    .references(() => users.id),
  markedAt: instant("marked_at").notNull().defaultNow(),
});

/** Test calls of administrators to their own phones. What the provider reports only adds to a row. */
export const testCalls = pgTable(
  "test_calls",
  {
    id: serial("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the one-time key in the addresses that the provider was given. */
    keyHash: text("key_hash").notNull(),
    callSid: text("call_sid"),
    /** The furthest that the phone is known to have come, in the words of `ports/telephony.ts`. */
    leg: text("leg"),
    askedAt: instant("asked_at").notNull().defaultNow(),
    /** When the provider first came to us with the key. */
    reachedAt: instant("reached_at"),
    /** When it asked what to say to the one who answered. */
    answeredAt: instant("answered_at"),
    endedAt: instant("ended_at"),
    /** Why it was not made, and the provider's own code for it. */
    failure: text("failure", { enum: testCallFailures }),
    failureCode: integer("failure_code"),
    /** The address at which the provider was to reach the portal; null for calls from before it was kept. */
    publicUrl: text("public_url"),
  },
  // One press is one call: the second finds the first one's.
  (t) => [uniqueIndex("test_calls_live_key").on(t.userId).where(sql`${t.endedAt} is null`)],
);
