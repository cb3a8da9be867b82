import type { Meeting } from "@portal/contract/entities/meeting";
import { isSameDay } from "date-fns/isSameDay";
import { formatDate, formatTime, formatTimeIn } from "../../lib/format.ts";
import { browserZone, isDoubled, sameClock } from "./local-time.ts";

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

/** 'Europe/Madrid' as a person reads it. */
export function zoneName(zone: string): string {
  return zone.replaceAll("_", " ");
}
