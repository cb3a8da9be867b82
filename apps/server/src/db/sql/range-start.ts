import { limits } from "@portal/contract/limits";

export type PastRange = "today" | "week" | "month";

/**
 * SQL of the first instant of a range that ends now: the organisation's day, or so many days by its clock (specification §9). `zone` is
 * SQL of its time zone.
 */
export function rangeStartSql(range: PastRange, zone: string): string {
  if (range === "today") return `date_trunc('day', now() at time zone ${zone}) at time zone ${zone}`;
  const days = range === "week" ? limits.weekDays : limits.monthDays;
  return `((now() at time zone ${zone}) - interval '${days} days') at time zone ${zone}`;
}
