import type { WorkingHours } from "@portal/contract/entities/availability";
import { DateTime } from "luxon";
import { nextInHours } from "./contact-window.ts";
import { type Reachability, reachableStretches, type Stretch } from "./reachability.ts";

const minuteMs = 60_000;
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
