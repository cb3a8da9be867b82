import { DateTime } from "luxon";

const weekMs = 7 * 24 * 3600_000;

/** Hours of the day in which contact is allowed, from `from` (inclusive) to `until` (exclusive). */
export interface ContactHours {
  from: number;
  until: number;
}

/** A period, in ms, during which a zone's local time is always inside the hours (`open`) or always outside them. */
interface Span {
  from: number;
  until: number;
  open: boolean;
}

/** The last computed period for each zone and hours. Cached because lists ask about the same zones at nearly the same time. */
const spans = new Map<string, Span>();

function spanAt(at: number, zone: string, hours: ContactHours): Span {
  const key = `${zone} ${hours.from} ${hours.until}`;
  const known = spans.get(key);
  if (known && at >= known.from && at < known.until) return known;
  const local = DateTime.fromMillis(at, { zone });
  const open = local.hour >= hours.from && local.hour < hours.until;
  const day = open || local.hour < hours.from ? local : local.plus({ days: 1 });
  const until = day.startOf("day").set({ hour: open ? hours.until : hours.from });
  const span = { from: at, until: until.toMillis(), open };
  spans.set(key, span);
  return span;
}

/** Returns the first instant from `at` on, in ms, at which the zone's local time is within the hours. */
function firstInside(at: number, zone: string, hours: ContactHours): number {
  const { open, until } = spanAt(at, zone, hours);
  return open ? at : until;
}

/**
 * Returns the first instant from `at` on that is within the hours of the zone, or of every zone if several are joined with '&'. Null if
 * there is none within a week. Without hours, returns `at`.
 */
export function nextInHours(at: Date, timeZone: string, hours: ContactHours | null): Date | null {
  if (!hours) return at;
  const [zone = timeZone, ...others] = timeZone.split("&");
  let instant = firstInside(at.getTime(), zone, hours);
  if (others.length === 0) return new Date(instant);
  while (instant < at.getTime() + weekMs) {
    const before = instant;
    for (const next of [...others, zone]) instant = firstInside(instant, next, hours);
    if (instant === before) return new Date(instant);
  }
  return null;
}

/** The zone that determines the lead's calendar days if the area has several zones. */
export function dayZone(timeZone: string): string {
  return timeZone.split("&")[0] ?? timeZone;
}

/** Returns the first instant of a date. If clocks change at midnight, that instant may not be 00:00. */
function beginning(day: DateTime): Date {
  const start = day.startOf("day");
  return (start.getPossibleOffsets()[0] ?? start).toJSDate();
}

/** Returns the start of the zone's day that contains `at`. */
export function startOfDay(at: Date, timeZone: string): Date {
  return beginning(DateTime.fromJSDate(at, { zone: dayZone(timeZone) }));
}

/** Returns the start of the zone's day after the one that contains `at`. */
export function startOfNextDay(at: Date, timeZone: string): Date {
  return beginning(DateTime.fromJSDate(at, { zone: dayZone(timeZone) }).plus({ days: 1 }));
}
