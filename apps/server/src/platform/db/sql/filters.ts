import { anyRep, type RepFilter } from "@portal/contract/entities/fields";
import type { PreviousRange } from "@portal/contract/entities/report";
import { limits } from "@portal/contract/limits";

/**
 * SQL of the first instant of a day (an SQL date) in a zone (SQL as well). Where a change of the clocks makes midnight come twice PostgreSQL
 * means the second one, so the hour before is looked at. Written without a select, so that the planner knows the instant.
 */
export function midnightSql(day: string, zone: string): string {
  const midnight = `((${day})::timestamp at time zone ${zone})`;
  const hourBefore = `(${midnight} - interval '1 hour')`;
  return `(case when (${hourBefore} at time zone ${zone})::date = (${midnight} at time zone ${zone})::date
      then ${hourBefore} else ${midnight} end)`;
}

/** SQL of today's date, or that of so many days ago, by the clock of a zone. */
export function dateSql(zone: string, daysAgo = 0): string {
  return `((now() at time zone ${zone})::date - ${daysAgo})`;
}

export type PastRange = "today" | "week" | "month";

/** The same, or a period of equal length before. */
export type ListRange = PastRange | PreviousRange;

/** How many dates a range has, of which the last is today. */
export const rangeDays: Record<PastRange, number> = {
  today: 1,
  week: limits.weekDays,
  month: limits.monthDays,
};

/** SQL of the first instant of a range that ends now: midnight of the first of its dates by the organisation's clock. `zone` is SQL. */
export function rangeStartSql(range: PastRange, zone: string): string {
  return midnightSql(dateSql(zone, rangeDays[range] - 1), zone);
}

/** SQL of the first instant of the period before a range: it has as many dates, which come before those of the range. */
export function previousStartSql(range: Exclude<PastRange, "today">, zone: string): string {
  return midnightSql(dateSql(zone, 2 * rangeDays[range] - 1), zone);
}

/**
 * SQL of where the period before a range ends: on the last of its dates, at the time of day that it is now, so that both are equally long.
 */
export function previousEndSql(range: Exclude<PastRange, "today">, zone: string): string {
  return `(((now() at time zone ${zone}) - interval '${rangeDays[range]} days') at time zone ${zone})`;
}

/** Condition that an instant (SQL) lies in a range. */
export function inRangeSql(at: string, range: ListRange, zone: string): string {
  if (range !== "previous-week" && range !== "previous-month")
    return `${at} >= ${rangeStartSql(range, zone)}`;
  const next = range === "previous-week" ? "week" : "month";
  return `${at} >= ${previousStartSql(next, zone)} and ${at} < ${previousEndSql(next, zone)}`;
}

/**
 * Whether an instant lies in a day of a zone, or in the days from it to `until`; all are SQL expressions. The outer bounds are for the index, wide enough for
 * midnights that a change of the clocks repeats or skips; the last condition is exact, and the one that the figures count by.
 */
export function onDaySql(at: string, day: string, zone: string, until = day): string {
  const midnight = (of: string) => `(${of}::date::timestamp at time zone ${zone})`;
  return `${at} >= ${midnight(day)} - interval '2 hours' and ${at} < ${midnight(until)} + interval '27 hours'
    and (${at} at time zone ${zone})::date between ${day}::date and ${until}::date`;
}

/** A condition on who did it: one person, or anybody. */
export function byRepSql(column: string, rep: RepFilter, place: (value: unknown) => string): string {
  return rep === anyRep ? `${column} is not null` : `${column} = ${place(rep)}`;
}
