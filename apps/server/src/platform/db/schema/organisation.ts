import { sql } from "drizzle-orm";
import { boolean, check, integer, pgTable } from "drizzle-orm/pg-core";

/** What administrators set for everybody: one row, or none where nobody has set anything. */
export const organisationSettings = pgTable(
  "organisation_settings",
  {
    id: integer("id").primaryKey().default(1),
    machineDetection: boolean("machine_detection").notNull().default(true),
  },
  (t) => [check("organisation_settings_one", sql`${t.id} = 1`)],
);
