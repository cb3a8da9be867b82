import type { WorkingHours } from "@portal/contract/entities/availability";
import { DateTime } from "luxon";
import { nextInHours } from "./contact-window.ts";
import { type Reachability, reachableStretches, type Stretch } from "./reachability.ts";

const minuteMs = 60_000;
/** Slots begin at every full and half hour of the clock. */
const stepMs = 30 * minuteMs;
/** Nothing that begins sooner is offered: it could not be prepared. */
const noticeMs = 15 * minuteMs;
/** So many days are looked at for days with free slots. */
const searchedDays = 14;
/** On the lead's clock nothing is offered outside of these hours. */
const leadHours = { from: 8, until: 21 };

/** The hours of a consultant who has named none. */
const usualHours = (zone: string): WorkingHours => {
  const day = { from: "09:00", to: "18:00" };
  return { zone, days: [day, day, day, day, day, null, null] };
};

export interface SlotSearch {
  /** The consultant's hours and absences. */
  reachability: Reachability;
  /** Times that are taken, in ms. */
  busy: readonly Stretch[];
  now: Date;
  /** The zone of the consultant's clock. */
  zone: string;
  /** The lead's, or several joined with '&'; null where it is not known. */
  leadZone: string | null;
  /** How long the meeting lasts. */
  minutes: number;
  /** How many days with free slots are answered, and how many slots of each. */
  days: number;
  perDay: number;
}

/** Until when the calendar is looked at. */
export function slotHorizon(now: Date, zone: string): Date {
  return DateTime.fromJSDate(now, { zone })
    .startOf("day")
    .plus({ days: searchedDays + 1 })
    .toJSDate();
}

/** An absence without an end is one of today: nobody says in the morning until when they are out. */
function closeAbsences({ hours, absences }: Reachability, now: Date, zone: string): Reachability {
  const tomorrow = DateTime.fromJSDate(now, { zone }).startOf("day").plus({ days: 1 }).toJSDate();
  return {
    hours: hours ?? usualHours(zone),
    absences: absences.map(({ from, until }) => ({ from, until: until ?? tomorrow })),
  };
}

/** Some of a day's slots, from its first to its last. */
function spread(slots: number[], count: number): number[] {
  if (slots.length <= count) return slots;
  const step = (slots.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_value, index) => slots[Math.round(index * step)] ?? 0);
}

/**
 * When a meeting could begin: within the consultant's hours (usual ones where none are named), beside what is taken, and at an hour that suits
 * the lead's clock; of each of the next days with such times a few, spread over the day.
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
