import type { AvailabilityState, DayHours, WorkingHours } from "@portal/contract/entities/availability";
import { DateTime } from "luxon";

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
export function reachableStretches(
  { hours, absences }: Reachability,
  from: number,
  until: number,
): Stretch[] {
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
