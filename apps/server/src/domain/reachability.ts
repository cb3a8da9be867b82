import type { AvailabilityState, DayHours, WorkingHours } from "@portal/contract/entities/availability";
import { DateTime } from "luxon";

const minuteMs = 60_000;
const dayMs = 24 * 3600_000;

/** Being away: from an instant on until another, or until one says otherwise. */
export interface Absence {
  from: Date;
  until: Date | null;
}

/** What decides whether a person can be reached: their hours (null for every hour), and when they were or are away. */
export interface Reachability {
  hours: WorkingHours | null;
  absences: readonly Absence[];
}

/** From the first instant until before the second, in ms. */
export interface Stretch {
  from: number;
  until: number;
}

/** The first instant of a day at which its clock has come to a time: in a gap of the clock its end, of a time that comes twice one of the two. */
function instantOf(day: DateTime, time: string, which: "first" | "last"): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  let at = day.set({ hour, minute });
  // A time that the clock leaves out comes out after the gap: back to where the gap ends.
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

/** The stretches within the hours that touch a span of time, in order; those that meet are one. */
function workingStretches({ zone, days }: WorkingHours, from: number, until: number): Stretch[] {
  const stretches: Stretch[] = [];
  // Days are named by a time that no clock leaves out.
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

/** When a person could be reached within a span of time. */
export function reachableStretches(
  { hours, absences }: Reachability,
  from: number,
  until: number,
): Stretch[] {
  const all = hours ? workingStretches(hours, from, until) : [{ from, until }];
  const within = all.map((one) => ({ from: Math.max(one.from, from), until: Math.min(one.until, until) }));
  return absences.reduce(without, within);
}

/** Every week's hours come again within so long. */
const weekMs = 8 * dayMs;

const absenceAt = ({ absences }: Reachability, now: Date) =>
  absences.find(({ from, until }) => from <= now && (until === null || until > now));

/** What a person's state is at an instant, and when it ends by itself: null where that is open, or not within a week. */
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
 * Whether a person can be reached: neither away nor outside their hours. Only then a phone of theirs rings for a caller, is a push or an
 * e-mail sent, and does the clock of a first call run.
 */
export function isReachable(reachability: Reachability, now: Date): boolean {
  const { hours } = reachability;
  if (absenceAt(reachability, now)) return false;
  return hours === null || workingStretches(hours, now.getTime(), now.getTime() + 1).length > 0;
}

/** For how many minutes, with their fraction, a person could be reached between two instants; 0 where the second is not later. */
export function reachableMinutesBetween(reachability: Reachability, from: Date, to: Date): number {
  const stretches = reachableStretches(reachability, from.getTime(), to.getTime());
  return stretches.reduce((sum, one) => sum + Math.max(0, one.until - one.from), 0) / minuteMs;
}

/** So far back a time of not being reachable is looked for. */
const longestAbsenceMs = 60 * dayMs;
/** A shorter stay may have ended before the summary of what had waited was shown; what came shortly before somebody left may not have been shown either. */
const toldWithinMs = 2 * minuteMs;

/**
 * Since when reminders are owed to a person who can be reached now: since `at`, or where they could not be reached then, since two minutes
 * before that began; a time of two minutes in between does not count. What came due meanwhile is not lost; of what is offered twice there is one.
 */
export function reachableBefore(reachability: Reachability, at: Date): Date {
  if (isReachable(reachability, at)) return at;
  const earliest = at.getTime() - longestAbsenceMs;
  const last = reachableStretches(reachability, earliest, at.getTime())
    .filter(({ from, until }) => until - from > toldWithinMs)
    .reduce((latest, { until }) => Math.max(latest, until - toldWithinMs), earliest);
  return new Date(last);
}

/** When a person could have been reached for so many minutes from an instant on; null where that is not within sixty days. */
export function reachableFor(reachability: Reachability, from: Date, minutes: number): Date | null {
  // Most such times are over within a day.
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
