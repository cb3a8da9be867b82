import { adminAlertKinds } from "@portal/contract/routes/notifications";
import { sql } from "drizzle-orm";
import { check, integer, pgTable, serial, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { sessions } from "./users.ts";

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

/** Problems that administrators have to fix now: one row for each kind while it lasts. */
export const adminAlerts = pgTable("admin_alerts", {
  kind: text("kind", { enum: adminAlertKinds }).primaryKey(),
  since: instant("since").notNull().defaultNow(),
});
