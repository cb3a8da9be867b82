import { defaultRetryRules, type RetryRules } from "@portal/contract/entities/retry";
import { firstCallMinutes } from "@portal/contract/entities/today";
import { sql } from "drizzle-orm";
import { boolean, check, integer, jsonb, pgTable } from "drizzle-orm/pg-core";

/** What administrators set for everybody: one row, or none where nobody has set anything. */
export const organisationSettings = pgTable(
  "organisation_settings",
  {
    id: integer("id").primaryKey().default(1),
    machineDetection: boolean("machine_detection").notNull().default(true),
    voicemailDrop: boolean("voicemail_drop").notNull().default(false),
    /** Minutes of working time that the first call to a new lead may take. */
    firstCallMinutes: integer("first_call_minutes").notNull().default(firstCallMinutes.usual),
    retryRules: jsonb("retry_rules").$type<RetryRules>().notNull().default(defaultRetryRules),
    /** Counts the changes of the retry rules, from 1. */
    retryVersion: integer("retry_version").notNull().default(1),
  },
  (t) => [check("organisation_settings_one", sql`${t.id} = 1`)],
);
