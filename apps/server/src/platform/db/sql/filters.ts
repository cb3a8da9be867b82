import { anyRep, type RepFilter } from "@portal/contract/entities/fields";
import type { PreviousRange } from "@portal/contract/entities/report";
import { limits } from "@portal/contract/limits";
import type { SQL } from "drizzle-orm";
import { sql } from "../query.ts";

/**
 * The first instant of a day (an SQL date) in a zone. If a clock change makes midnight occur twice, PostgreSQL means the second one, so the
 * hour before is checked. Written without a select, so that the planner knows the instant.
 */
export function midnightSql(day: SQL, timeZone: string): SQL {
  const zone = sql`${timeZone}::text`;
  const midnight = sql`((${day})::timestamp at time zone ${zone})`;
  const hourBefore = sql`(${midnight} - interval '1 hour')`;
  return sql`(case when (${hourBefore} at time zone ${zone})::date = (${midnight} at time zone ${zone})::date
      then ${hourBefore} else ${midnight} end)`;
}

/** Today's date in a zone, or the date a number of days ago. */
export function dateSql(timeZone: string, daysAgo = 0): SQL {
  return sql`((now() at time zone ${timeZone}::text)::date - ${sql.constant(daysAgo)})`;
}

export type PastRange = "today" | "week" | "month";

/** A range, or the previous period of equal length. */
export type ListRange = PastRange | PreviousRange;

/** Number of dates in a range, the last of which is today. */
export const rangeDays: Record<PastRange, number> = {
  today: 1,
  week: limits.weekDays,
  month: limits.monthDays,
};

/** The first instant of a range that ends now: midnight of its first date on the organization's clock. */
export function rangeStartSql(range: PastRange, timeZone: string): SQL {
  return midnightSql(dateSql(timeZone, rangeDays[range] - 1), timeZone);
}

/** The first instant of the period before a range: it has as many dates, directly before those of the range. */
export function previousStartSql(range: Exclude<PastRange, "today">, timeZone: string): SQL {
  return midnightSql(dateSql(timeZone, 2 * rangeDays[range] - 1), timeZone);
}

/** End of the period before a range: on its last date, at the current time of day, so that both are equally long. */
export function previousEndSql(range: Exclude<PastRange, "today">, timeZone: string): SQL {
  const zone = sql`${timeZone}::text`;
  return sql`(((now() at time zone ${zone}) - make_interval(days => ${sql.constant(rangeDays[range])})) at time zone ${zone})`;
}

/** Condition that an instant (SQL) is within a range. */
export function inRangeSql(at: SQL, range: ListRange, timeZone: string): SQL {
  if (range !== "previous-week" && range !== "previous-month")
    return sql`${at} >= ${rangeStartSql(range, timeZone)}`;
  const next = range === "previous-week" ? "week" : "month";
  return sql`${at} >= ${previousStartSql(next, timeZone)} and ${at} < ${previousEndSql(next, timeZone)}`;
}

interface Days {
  /** YYYY-MM-DD. */
  day: string;
  /** The last of several days from `day`. */
  until?: string | undefined;
  timeZone: string;
}

/**
 * Condition that an instant (SQL) is within a day of a zone, or within the days from it to `until`. The outer bounds allow the use of an
 * index, and are wide enough for midnights that a clock change repeats or skips; the last condition is exact, and the one used by the
 * metrics.
 */
export function onDaySql(at: SQL, { day, until = day, timeZone }: Days): SQL {
  const midnight = (of: string) => sql`(${of}::date::timestamp at time zone ${timeZone}::text)`;
  return sql`${at} >= ${midnight(day)} - interval '2 hours' and ${at} < ${midnight(until)} + interval '27 hours'
    and (${at} at time zone ${timeZone}::text)::date between ${day}::date and ${until}::date`;
}

/** A condition on the consultant: one, or anybody. */
export function byRepSql(column: SQL, rep: RepFilter): SQL {
  return rep === anyRep ? sql`${column} is not null` : sql`${column} = ${rep}`;
}
