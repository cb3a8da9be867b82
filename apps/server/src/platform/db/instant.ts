import { timestamp } from "drizzle-orm/pg-core";

/** A column for an instant: `timestamptz`, a `Date` in code. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
