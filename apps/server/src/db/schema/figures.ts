import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  check,
  date,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";
import { leads } from "./leads.ts";

/**
 * What is counted, by whom (`userId`) and as what (`label`). Days are the organisation's.
 * - `call`: logs by consultant and outcome ('' none); `amount` is their seconds.
 * - `call_hour`, `answered_hour`: logs by hour of the day ('0' to '23').
 * - `inbound_call`: logs of calls that came in, by consultant.
 * - `text`: messages by consultant and direction.
 * - `conversion`: leads converted, by the consultant who did it; `amount` is what they are worth.
 * - `lead`: leads created, by their status now. `lead_source`: by source, its first 200 characters ('' none).
 * - `lead_owner`: leads by consultant and status, of no day. `lead_calls`: called leads by how often
 *   ('1', '2', '3+'), of no day; `amount` is the calls.
 */
export const figureKinds = [
  "call",
  "call_hour",
  "answered_hour",
  "inbound_call",
  "text",
  "conversion",
  "lead",
  "lead_source",
  "lead_owner",
  "lead_calls",
] as const;

const figureColumns = {
  kind: text("kind", { enum: figureKinds }).notNull(),
  day: date("day").notNull(),
  /** 0 is nobody. */
  userId: integer("user_id").notNull().default(0),
  label: text("label").notNull().default(""),
  n: bigint("n", { mode: "number" }).notNull(),
  amount: numeric("amount", { precision: 20, scale: 2, mode: "number" }).notNull().default(0),
};

/**
 * Daily aggregates of calls, texts, conversions and leads. Written by triggers in the transaction of the row itself, as `figureChanges`;
 * a round adds those up here. What is true now is both together.
 */
export const figures = pgTable("figures", figureColumns, (t) => [
  primaryKey({ name: "figures_key", columns: [t.kind, t.day, t.userId, t.label] }),
]);

/** Changes of figures that are not added up yet: appended only, so that no two writers ever wait for one row. */
export const figureChanges = pgTable("figure_changes", {
  id: bigserial("id", { mode: "number" }).primaryKey(),
  ...figureColumns,
});

/** The zone whose days the figures count: one row. Another one makes them be counted anew. */
export const figureState = pgTable(
  "figure_state",
  {
    id: integer("id").primaryKey().default(1),
    timeZone: text("time_zone").notNull(),
    countedAt: instant("counted_at").notNull().defaultNow(),
  },
  (t) => [check("figure_state_one", sql`${t.id} = 1`)],
);

/** How often each called lead was called: logged outbound calls. Kept by the same triggers. */
export const leadCalls = pgTable(
  "lead_calls",
  {
    leadId: integer("lead_id")
      .primaryKey()
      .references(() => leads.id, { onDelete: "cascade" }),
    calls: integer("calls").notNull(),
    firstCallAt: instant("first_call_at").notNull(),
    lastCallAt: instant("last_call_at").notNull(),
  },
  (t) => [index("lead_calls_most_idx").on(t.calls.desc(), t.lastCallAt.desc(), t.leadId.desc())],
);
