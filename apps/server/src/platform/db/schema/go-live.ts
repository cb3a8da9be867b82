import { goLiveSteps, testCallFailures } from "@portal/contract/routes/go-live";
import { sql } from "drizzle-orm";
import { integer, pgTable, serial, text, uniqueIndex } from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { users } from "./users.ts";

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
