import { TZDate } from "@date-fns/tz/date";
import { tzOffset } from "@date-fns/tz/tzOffset";
import type { Meeting } from "@portal/contract/entities/meeting";
import { addDays } from "date-fns/addDays";
import { format } from "date-fns/format";
import { isSameDay } from "date-fns/isSameDay";
import { formatDate, formatTime, formatTimeIn } from "../../lib/format.ts";

/** A wall clock without a zone: day `yyyy-MM-dd`, time `HH:mm`. */
interface WallTime {
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

type Times = Pick<Meeting, "startTime" | "endTime">;

/** '9:30 AM' in the browser's zone; with the zone's name in the night in which an hour comes twice. */
export function clockTime(instant: string): string {
  const zone = browserZone();
  return isDoubled(instant, zone) ? formatTimeIn(instant, zone, true) : formatTime(instant);
}

/** '9:00 AM – 9:30 AM' in the browser's zone; with the zone's name in the night in which an hour comes twice. */
export function timeRange({ startTime, endTime }: Times): string {
  const end = isSameDay(startTime, endTime) ? "" : `${formatDate(endTime)}, `;
  return `${clockTime(startTime)} – ${end}${clockTime(endTime)}`;
}

/** The same on the clocks of the zone that the meeting was scheduled in; null where they show what the browser's show. */
export function rangeElsewhere(meeting: Times & Pick<Meeting, "timeZone">): string | null {
  const { startTime, endTime, timeZone } = meeting;
  if (sameClock(startTime, timeZone, browserZone())) return null;
  return `${formatTimeIn(startTime, timeZone)} – ${formatTimeIn(endTime, timeZone)}`;
}

/** The meetings of one day of the browser's zone. */
export interface MeetingDay {
  key: string;
  label: "today" | "tomorrow" | "date";
  /** An instant of the day. */
  at: string;
  meetings: Meeting[];
}

/** Meetings by day, all sorted by start time; of earlier ones the latest day comes first. */
export function groupMeetings(
  meetings: readonly Meeting[],
  now: number,
  order: "soonest" | "latest" = "soonest",
): MeetingDay[] {
  const days: MeetingDay[] = [];
  const sorted = [...meetings].sort(
    (one, other) => Date.parse(one.startTime) - Date.parse(other.startTime) || one.id - other.id,
  );
  for (const meeting of sorted) {
    const start = new Date(meeting.startTime);
    const key = start.toDateString();
    const last = days.at(-1);
    if (last?.key === key) last.meetings.push(meeting);
    else {
      const label = isSameDay(start, now) ? "today" : isSameDay(start, addDays(now, 1)) ? "tomorrow" : "date";
      days.push({ key, label, at: meeting.startTime, meetings: [meeting] });
    }
  }
  return order === "latest" ? days.reverse() : days;
}

/** How many people are invited. */
export function attendeeCount({ attendeeEmails }: Pick<Meeting, "attendeeEmails">): number {
  return attendeeEmails ? attendeeEmails.split(",").length : 0;
}
