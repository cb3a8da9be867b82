import { sql } from "drizzle-orm";
import { check, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { users } from "./users.ts";

/** The location at which the portal is installed as an app: one row, or none. */
export const crmConnections = pgTable(
  "crm_connections",
  {
    id: integer("id").primaryKey().default(1),
    locationId: text("location_id").notNull(),
    /** Null until it was read. */
    locationName: text("location_name"),
    companyId: text("company_id"),
    /** What the portal needs and was not granted. */
    missingScopes: jsonb("missing_scopes").$type<string[]>().notNull().default([]),
    /** Encrypted with ENCRYPTION_KEY; null once the app was removed there. */
    tokens: text("tokens"),
    /** When the access token ends, and when it is renewed. */
    expiresAt: instant("expires_at").notNull(),
    refreshAt: instant("refresh_at").notNull(),
    refreshedAt: instant("refreshed_at").notNull().defaultNow(),
    /** Another with every pair of tokens, also after a forgotten row: what came of an older pair is written no more. */
    generation: integer("generation").notNull().default(1),
    /** The worker that renews them now; one at a time. */
    claim: uuid("claim"),
    claimedAt: instant("claimed_at"),
    /** Since when it must be connected again, and why; null while it stands. */
    lostAt: instant("lost_at"),
    lostReason: text("lost_reason", { enum: ["refused", "uninstalled", "key-changed"] }),
    /** Why the last renewal failed, where another may work; null after one that did. */
    renewalFailure: text("renewal_failure", { enum: ["app-refused", "unanswered"] }),
    connectedAt: instant("connected_at").notNull().defaultNow(),
    connectedBy: integer("connected_by").references(() => users.id, { onDelete: "set null" }),
  },
  (t) => [check("crm_connections_one", sql`${t.id} = 1`)],
);

/** Installations that were begun here; each is finished once, by the session that began it. */
export const crmInstalls = pgTable("crm_installs", {
  /** SHA-256 of the `state` parameter. */
  stateHash: text("state_hash").primaryKey(),
  userId: integer("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  sessionId: integer("session_id").notNull(),
  expiresAt: instant("expires_at").notNull(),
});

/** Private tokens that were in use, each by its SHA-256: since when, as first seen or as an administrator said. */
export const crmPrivateTokens = pgTable("crm_private_tokens", {
  hash: text("hash").primaryKey(),
  since: instant("since").notNull().defaultNow(),
});
