import { TZDate } from "@date-fns/tz/date";
import { tzOffset } from "@date-fns/tz/tzOffset";
import type { Meeting } from "@portal/contract/entities/meeting";
import { addDays } from "date-fns/addDays";
import { format } from "date-fns/format";
import { isSameDay } from "date-fns/isSameDay";
import { formatDate, formatTime, formatTimeIn } from "../../lib/format.ts";

/** A local time without a zone: day `yyyy-MM-dd`, time `HH:mm`. */
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

/** The local time of an instant in a zone. */
export function wallTime(instant: string | Date, zone: string): WallTime {
  const local = new TZDate(new Date(instant), zone);
  return { day: format(local, "yyyy-MM-dd"), time: format(local, "HH:mm") };
}

/** The instants of a local time in a zone: one, none if daylight saving time skips it, or two if it repeats it (the earlier first). */
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

/** Whether daylight saving time repeats the local time of this instant. */
export function isDoubled(instant: string, zone: string): boolean {
  return instantsOf(wallTime(instant, zone), zone).length === 2;
}

/** Whether two zones have the same local time at an instant. */
export function sameClock(instant: string, one: string, other: string): boolean {
  const at = new Date(instant);
  return one === other || tzOffset(one, at) === tzOffset(other, at);
}

type Times = Pick<Meeting, "startTime" | "endTime">;

/** '9:30 AM' in the browser's zone; with the zone's name if daylight saving time repeats this time. */
export function clockTime(instant: string): string {
  const zone = browserZone();
  return isDoubled(instant, zone) ? formatTimeIn(instant, zone, true) : formatTime(instant);
}

/** '9:00 AM – 9:30 AM' in the browser's zone; with the zone's name if daylight saving time repeats one of the times. */
export function timeRange({ startTime, endTime }: Times): string {
  const end = isSameDay(startTime, endTime) ? "" : `${formatDate(endTime)}, `;
  return `${clockTime(startTime)} – ${end}${clockTime(endTime)}`;
}

/** The meeting's times in its own zone; null if they are the same as in the browser's. */
export function rangeElsewhere(meeting: Times & Pick<Meeting, "timeZone">): string | null {
  const { startTime, endTime, timeZone } = meeting;
  if (sameClock(startTime, timeZone, browserZone())) return null;
  return `${formatTimeIn(startTime, timeZone)} – ${formatTimeIn(endTime, timeZone)}`;
}

/** The meetings of a day in the browser's zone. */
export interface MeetingDay {
  key: string;
  label: "today" | "tomorrow" | "date";
  /** An instant within the day. */
  at: string;
  meetings: Meeting[];
}

/** Meetings by day, sorted by start time; with `latest` the latest day comes first. */
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

/** The number of invited people. */
export function attendeeCount({ attendeeEmails }: Pick<Meeting, "attendeeEmails">): number {
  return attendeeEmails ? attendeeEmails.split(",").length : 0;
}
