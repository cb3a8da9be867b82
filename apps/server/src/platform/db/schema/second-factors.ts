import { bigint, index, integer, jsonb, pgTable, serial, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { users } from "./users.ts";

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
