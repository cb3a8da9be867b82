import { DateTime } from "luxon";

const weekMs = 7 * 24 * 3600_000;

/** Hours of the day in which contact is allowed: from the first instant of `from` until before `until`. */
export interface ContactHours {
  from: number;
  until: number;
}

/** The first instant from `at` on, in ms, at which the clock of a zone stands within the hours. */
function firstInside(at: number, zone: string, { from, until }: ContactHours): number {
  const local = DateTime.fromMillis(at, { zone });
  if (local.hour >= from && local.hour < until) return at;
  const day = local.hour < from ? local : local.plus({ days: 1 });
  return day.startOf("day").set({ hour: from }).toMillis();
}

/**
 * The first instant from `at` on that lies within the hours of the zone, or of every zone where several are joined with '&'; null
 * where there is none within a week. Without hours every instant does.
 */
export function nextInHours(at: Date, timeZone: string, hours: ContactHours | null): Date | null {
  if (!hours) return at;
  const zones = timeZone.split("&");
  let instant = at.getTime();
  while (instant < at.getTime() + weekMs) {
    const before = instant;
    for (const zone of zones) instant = firstInside(instant, zone, hours);
    if (instant === before) return new Date(instant);
  }
  return null;
}

/** The zone by which the lead's days are counted, where the area spans several. */
function dayZone(timeZone: string): string {
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
