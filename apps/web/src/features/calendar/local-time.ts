import { TZDate } from "@date-fns/tz/date";
import { tzOffset } from "@date-fns/tz/tzOffset";
import { format } from "date-fns/format";

/** A wall clock without a zone: day `yyyy-MM-dd`, time `HH:mm`. */
export interface WallTime {
  day: string;
  time: string;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The zone of this browser, by its IANA name. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** What the clock on a zone's wall shows at an instant. */
export function wallTime(instant: string | Date, zone: string): WallTime {
  const local = new TZDate(new Date(instant), zone);
  return { day: format(local, "yyyy-MM-dd"), time: format(local, "HH:mm") };
}

/**
 * The instants at which a zone's wall clock shows this: one, none where the clocks are set forward over it, two where they are set
 * back (the earlier first).
 */
export function instantsOf({ day, time }: WallTime, zone: string): Date[] {
  const asUtc = Date.parse(`${day}T${time}:00.000Z`);
  if (Number.isNaN(asUtc)) return [];
  const offsets = new Set([asUtc - dayMs, asUtc + dayMs].map((near) => tzOffset(zone, new Date(near))));
  return [...offsets]
    .map((minutes) => new Date(asUtc - minutes * minuteMs))
    .filter((instant) => {
      const shown = wallTime(instant, zone);
      return shown.day === day && shown.time === time;
    })
    .sort((one, other) => one.getTime() - other.getTime());
}

/** Whether a wall clock of the zone shows this instant's time twice in its night. */
export function isDoubled(instant: string, zone: string): boolean {
  return instantsOf(wallTime(instant, zone), zone).length === 2;
}

/** Whether clocks of two zones show the same at an instant. */
export function sameClock(instant: string, one: string, other: string): boolean {
  const at = new Date(instant);
  return one === other || tzOffset(one, at) === tzOffset(other, at);
}
