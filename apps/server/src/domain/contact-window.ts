import { DateTime } from "luxon";

const weekMs = 7 * 24 * 3600_000;

/** Hours of the day in which contact is allowed: from the first instant of `from` until before `until`. */
export interface ContactHours {
  from: number;
  until: number;
}

/** A stretch of time in which a zone's clock stands within the hours throughout, or outside of them throughout, in ms. */
interface Span {
  from: number;
  until: number;
  open: boolean;
}

/** The last stretch looked at of each zone: lists ask about the same zones at nearly the same time. */
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

/** The first instant from `at` on, in ms, at which the clock of a zone stands within the hours. */
function firstInside(at: number, zone: string, hours: ContactHours): number {
  const { open, until } = spanAt(at, zone, hours);
  return open ? at : until;
}

/**
 * The first instant from `at` on that lies within the hours of the zone, or of every zone where several are joined with '&'; null
 * where there is none within a week. Without hours every instant does.
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

/** The zone by which the lead's days are counted, where the area spans several. */
export function dayZone(timeZone: string): string {
  return timeZone.split("&")[0] ?? timeZone;
}

/** Midnight, or what stands for it where the clocks change then: the first instant that bears the date. */
function beginning(day: DateTime): Date {
  const start = day.startOf("day");
  return (start.getPossibleOffsets()[0] ?? start).toJSDate();
}

/** The beginning of the zone's day that holds `at`. */
export function startOfDay(at: Date, timeZone: string): Date {
  return beginning(DateTime.fromJSDate(at, { zone: dayZone(timeZone) }));
}

/** The beginning of the zone's day after the one that holds `at`. */
export function startOfNextDay(at: Date, timeZone: string): Date {
  return beginning(DateTime.fromJSDate(at, { zone: dayZone(timeZone) }).plus({ days: 1 }));
}
