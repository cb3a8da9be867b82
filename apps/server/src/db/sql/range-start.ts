import type { PreviousRange } from "@portal/contract/entities/report";
import { limits } from "@portal/contract/limits";

export type PastRange = "today" | "week" | "month";

/** The same, or a period of equal length before. */
export type ListRange = PastRange | PreviousRange;

const daysAgoSql = (days: number, zone: string) =>
  `((now() at time zone ${zone}) - interval '${days} days') at time zone ${zone}`;

/**
 * SQL of the first instant of a range that ends now: the organisation's day, or so many days by its clock (specification §9). `zone` is
 * SQL of its time zone.
 */
export function rangeStartSql(range: PastRange, zone: string): string {
  if (range === "today") return `date_trunc('day', now() at time zone ${zone}) at time zone ${zone}`;
  return daysAgoSql(range === "week" ? limits.weekDays : limits.monthDays, zone);
}

/** SQL of the first instant of the period before a range of days, which ends where that one begins. */
export function previousStartSql(range: Exclude<PastRange, "today">, zone: string): string {
  return daysAgoSql(2 * (range === "week" ? limits.weekDays : limits.monthDays), zone);
}

/** Condition that an instant (SQL) lies in a range. */
export function inRangeSql(at: string, range: ListRange, zone: string): string {
  if (range !== "previous-week" && range !== "previous-month")
    return `${at} >= ${rangeStartSql(range, zone)}`;
  const next = range === "previous-week" ? "week" : "month";
  return `${at} >= ${previousStartSql(next, zone)} and ${at} < ${rangeStartSql(next, zone)}`;
}
