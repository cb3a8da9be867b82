import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  check,
  date,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { instant } from "../instant.ts";

/** Kinds of metrics, each defined in `metrics.ts` of the folder above. */
export const metricKinds = [
  "call",
  "call_hour",
  "answered_hour",
  "inbound_call",
  "reported_call",
  "text",
  "conversion",
  "lead",
  "lead_source",
  "lead_owner",
  "lead_calls",
] as const;

/** Rows are counted in parts: calls, SMS, conversions and leads by day, and leads by owner as a whole. */
export const metricSources = ["calls", "texts", "conversions", "leads", "owners"] as const;

/** The day of metrics without a day, and the user of metrics without a user. */
const noDay = "0001-01-01";
const nobody = 0;

/** Stored aggregates; a part with a row in `dirtyMetrics` is counted from its rows instead. */
export const metrics = pgTable(
  "metrics",
  {
    kind: text("kind", { enum: metricKinds }).notNull(),
    /** In the organization's zone. */
    day: date("day").notNull(),
    userId: integer("user_id").notNull(),
    label: text("label").notNull(),
    n: bigint("n", { mode: "number" }).notNull(),
    amount: numeric("amount", { precision: 20, scale: 2, mode: "number" }).notNull(),
  },
  (t) => [primaryKey({ name: "metrics_key", columns: [t.kind, t.day, t.userId, t.label] })],
);

/** Parts whose rows changed since they were stored. Triggers append to it, so that no two writers ever wait for one row. */
export const dirtyMetrics = pgTable("dirty_metrics", {
  id: bigserial("id", { mode: "number" }).primaryKey(),
  source: text("source", { enum: metricSources }).notNull(),
  day: date("day").notNull().default(noDay),
  userId: integer("user_id").notNull().default(nobody),
});

/**
 * One row: the zone that defines the days, and the definitions of the metrics. If either differs, all metrics are recounted at the start.
 */
export const metricState = pgTable(
  "metric_state",
  {
    id: integer("id").primaryKey().default(1),
    timeZone: text("time_zone").notNull(),
    definition: text("definition").notNull(),
    countedAt: instant("counted_at").notNull().defaultNow(),
  },
  (t) => [check("metric_state_one", sql`${t.id} = 1`)],
);
