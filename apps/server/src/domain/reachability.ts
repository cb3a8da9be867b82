import type { AvailabilityState, DayHours, WorkingHours } from "@portal/contract/entities/availability";
import { DateTime } from "luxon";
import { nextInHours } from "./contact-window.ts";

const minuteMs = 60_000;
const dayMs = 24 * 3600_000;

/** An absence: from an instant until another, or open-ended. */
export interface Absence {
  from: Date;
  until: Date | null;
}

/** A person's working hours (null for every hour) and their absences. */
export interface Reachability {
  hours: WorkingHours | null;
  absences: readonly Absence[];
}

/** A period in ms: `from` is inclusive, `until` exclusive. */
export interface Stretch {
  from: number;
  until: number;
}

/**
 * The instant at which a day's clock shows a time. A time that is skipped gives the end of the gap; a time that occurs twice gives the
 * first or the last.
 */
function instantOf(day: DateTime, time: string, which: "first" | "last"): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  let at = day.set({ hour, minute });
  // For a skipped time Luxon returns a time after the gap. Go back to the end of the gap.
  if (at.hour !== hour || at.minute !== minute)
    while (at.minus({ minutes: 1 }).offset === at.offset) at = at.minus({ minutes: 1 });
  const instants = at.getPossibleOffsets().map((one) => one.toMillis());
  return which === "first" ? Math.min(...instants) : Math.max(...instants);
}

function stretchOf(day: DateTime, { from, to }: DayHours): Stretch {
  const end = to === "00:00" ? day.plus({ days: 1 }) : day;
  return {
    from: instantOf(day, from, "first"),
    until: instantOf(end, to, to === "00:00" ? "first" : "last"),
  };
}

/** Returns the working periods that overlap a span, in order. Adjacent periods are joined. */
function workingStretches({ zone, days }: WorkingHours, from: number, until: number): Stretch[] {
  const stretches: Stretch[] = [];
  // Noon is never skipped by a clock change.
  let day = DateTime.fromMillis(from, { zone })
    .startOf("day")
    .minus({ days: 1 })
    .set({ hour: 12, minute: 0 });
  for (; day.toMillis() < until + dayMs; day = day.plus({ days: 1 })) {
    const hours = days[day.weekday - 1];
    if (!hours) continue;
    const next = stretchOf(day, hours);
    const last = stretches.at(-1);
    if (last && next.from <= last.until) last.until = Math.max(last.until, next.until);
    else if (next.from < next.until) stretches.push(next);
  }
  return stretches.filter((one) => one.until > from && one.from < until);
}

function without(stretches: Stretch[], { from, until }: Absence): Stretch[] {
  const [begins, ends] = [from.getTime(), until?.getTime() ?? Number.POSITIVE_INFINITY];
  return stretches
    .flatMap((one) => [
      { from: one.from, until: Math.min(one.until, begins) },
      { from: Math.max(one.from, ends), until: one.until },
    ])
    .filter((one) => one.from < one.until);
}

/** Returns the periods in which a person can be reached within a span. */
function reachableStretches({ hours, absences }: Reachability, from: number, until: number): Stretch[] {
  const all = hours ? workingStretches(hours, from, until) : [{ from, until }];
  const within = all.map((one) => ({ from: Math.max(one.from, from), until: Math.min(one.until, until) }));
  return absences.reduce(without, within);
}

/** Every weekly schedule repeats within this time. */
const weekMs = 8 * dayMs;

const absenceAt = ({ absences }: Reachability, now: Date) =>
  absences.find(({ from, until }) => from <= now && (until === null || until > now));

/** Returns a person's state at an instant and when it ends. Null if the end is open or not within a week. */
export function availabilityAt(
  reachability: Reachability,
  now: Date,
): { state: AvailabilityState; until: Date | null } {
  const { hours } = reachability;
  const absence = absenceAt(reachability, now);
  if (absence) return { state: "away", until: absence.until };
  if (!hours) return { state: "available", until: null };
  const at = now.getTime();
  const [next] = workingStretches(hours, at, at + weekMs);
  const inHours = next !== undefined && next.from <= at;
  const until = inHours ? next.until : next?.from;
  return {
    state: inHours ? "available" : "outside_hours",
    until: until === undefined || until >= at + weekMs ? null : new Date(until),
  };
}

/**
 * Whether a person can be reached: neither away nor outside their hours. Only then their phone rings for inbound calls, push notifications
 * and emails are sent, and the time to the first call counts.
 */
export function isReachable(reachability: Reachability, now: Date): boolean {
  const { hours } = reachability;
  if (absenceAt(reachability, now)) return false;
  return hours === null || workingStretches(hours, now.getTime(), now.getTime() + 1).length > 0;
}

/** Minutes, with fractions, in which a person could be reached between two instants; 0 if the second is not later. */
export function reachableMinutesBetween(reachability: Reachability, from: Date, to: Date): number {
  const stretches = reachableStretches(reachability, from.getTime(), to.getTime());
  return stretches.reduce((sum, one) => sum + Math.max(0, one.until - one.from), 0) / minuteMs;
}

/** How far back `reachableBefore` searches for the time before an absence. */
const longestAbsenceMs = 60 * dayMs;
/**
 * In a shorter reachable period the summary of missed reminders may not have been shown, nor a reminder that came shortly before the
 * period's end.
 */
const shownWithinMs = 2 * minuteMs;

/**
 * Returns the instant from which reminders are due for a person who can be reached now. If they could be reached at `at`, that instant;
 * else two minutes before the absence began. Reachable periods of at most two minutes are ignored. No reminder is lost, and duplicates are
 * shown once.
 */
export function reachableBefore(reachability: Reachability, at: Date): Date {
  if (isReachable(reachability, at)) return at;
  const earliest = at.getTime() - longestAbsenceMs;
  const last = reachableStretches(reachability, earliest, at.getTime())
    .filter(({ from, until }) => until - from > shownWithinMs)
    .reduce((latest, { until }) => Math.max(latest, until - shownWithinMs), earliest);
  return new Date(last);
}

/** Returns when a person will have been reachable for that many minutes from an instant on; null if not within sixty days. */
export function reachableFor(reachability: Reachability, from: Date, minutes: number): Date | null {
  // One day is enough in most cases.
  for (const span of [dayMs, longestAbsenceMs]) {
    let left = minutes * minuteMs;
    for (const one of reachableStretches(reachability, from.getTime(), from.getTime() + span)) {
      const length = one.until - one.from;
      if (length >= left) return new Date(one.from + left);
      left -= length;
    }
  }
  return null;
}

/** Slots start on every full and half hour. */
const stepMs = 30 * minuteMs;
/** Minimum time before a slot, so that the meeting can be prepared. */
const noticeMs = 15 * minuteMs;
/** Number of days that are searched for free slots. */
const searchedDays = 14;
/** Slots are offered only within these hours of the lead's local time. */
const leadHours = { from: 8, until: 21 };

/** Working hours of a consultant who has set none. */
const usualHours = (zone: string): WorkingHours => {
  const day = { from: "09:00", to: "18:00" };
  return { zone, days: [day, day, day, day, day, null, null] };
};

export interface SlotSearch {
  /** The consultant's working hours and absences. */
  reachability: Reachability;
  /** Busy times, in ms. */
  busy: readonly Stretch[];
  now: Date;
  /** The consultant's zone. */
  zone: string;
  /** The lead's zone, or several joined with '&'; null if it is unknown. */
  leadZone: string | null;
  /** Length of the meeting. */
  minutes: number;
  /** Maximum number of days with free slots, and of slots per day. */
  days: number;
  perDay: number;
}

/** The end of the period for which the calendar's busy times are needed. */
export function slotHorizon(now: Date, zone: string): Date {
  return DateTime.fromJSDate(now, { zone })
    .startOf("day")
    .plus({ days: searchedDays + 1 })
    .toJSDate();
}

/** An absence without an end counts until the end of today, because people rarely enter an end for it. */
function closeAbsences({ hours, absences }: Reachability, now: Date, zone: string): Reachability {
  const tomorrow = DateTime.fromJSDate(now, { zone }).startOf("day").plus({ days: 1 }).toJSDate();
  return {
    hours: hours ?? usualHours(zone),
    absences: absences.map(({ from, until }) => ({ from, until: until ?? tomorrow })),
  };
}

/** Picks `count` of a day's slots, evenly spread from the first to the last. */
function spread(slots: number[], count: number): number[] {
  if (slots.length <= count) return slots;
  const step = (slots.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_value, index) => slots[Math.round(index * step)] ?? 0);
}

/**
 * Returns the possible starts of a meeting: within the consultant's hours (or the default hours), not overlapping busy times, and within
 * the hours of the lead's local time. For each of the next days with free slots, a few are returned, spread over the day.
 */
export function freeSlots(search: SlotSearch): Date[] {
  const { busy, now, zone, leadZone, days, perDay } = search;
  const lengthMs = search.minutes * minuteMs;
  const horizon = slotHorizon(now, zone).getTime();
  const stretches = reachableStretches(closeAbsences(search.reachability, now, zone), now.getTime(), horizon);
  const suitsLead = (at: number) =>
    leadZone === null || nextInHours(new Date(at), leadZone, leadHours)?.getTime() === at;
  const isFree = (from: number) => {
    const until = from + lengthMs;
    return (
      from >= now.getTime() + noticeMs &&
      stretches.some((one) => one.from <= from && until <= one.until) &&
      !busy.some((one) => one.from < until && from < one.until) &&
      suitsLead(from) &&
      suitsLead(until - minuteMs)
    );
  };
  const found: number[][] = [];
  let day = DateTime.fromJSDate(now, { zone }).startOf("day");
  for (; day.toMillis() < horizon && found.length < days; day = day.plus({ days: 1 }).startOf("day")) {
    const next = day.plus({ days: 1 }).startOf("day").toMillis();
    const slots: number[] = [];
    for (let at = day.toMillis(); at < next; at += stepMs) if (isFree(at)) slots.push(at);
    if (slots.length > 0) found.push(spread(slots, perDay));
  }
  return found.flat().map((at) => new Date(at));
}
