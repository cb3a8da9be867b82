/** The time of a follow-up, stored besides its date: a local time and its IANA zone. */
export interface FollowUpTime {
  /** 'HH:MM', 24 hours. */
  readonly time: string;
  readonly zone: string;
}

const clockPattern = /^([01]\d|2[0-3]):[0-5]\d$/;
/** Names such as 'America/New_York'; no offsets, because the meaning of their sign is ambiguous. */
const zonePattern = /^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/;

export const isClockTime = (text: string): boolean => clockPattern.test(text);

export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !zonePattern.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** Local date and time in a zone at an instant, as if they were UTC, in ms. */
function wallMs(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(instant);
  const of = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  return Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"));
}

const dayMs = 86_400_000;

/**
 * Returns the instant of a follow-up: its time on the date's day in its zone. A time skipped when clocks go forward moves to after the gap;
 * of a time that occurs twice, the earlier one is used.
 */
export function followUpInstantOf(date: string | Date, { time, zone }: FollowUpTime): Date {
  const day = Math.floor(wallMs(new Date(date).getTime(), zone) / dayMs) * dayMs;
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  const wanted = day + (hours * 60 + minutes) * 60_000;
  const guesses = [-dayMs, dayMs].map((near) => wanted - (wallMs(wanted + near, zone) - (wanted + near)));
  const shown = guesses.filter((guess) => wallMs(guess, zone) === wanted);
  return new Date(Math.min(...(shown.length > 0 ? shown : [Math.max(...guesses)])));
}

/** '10:00 America/New_York', the format used in the timeline and the CRM. */
export const followUpTimeText = ({ time, zone }: FollowUpTime): string => `${time} ${zone}`;

/** Parses that format; null for anything else. */
export function readFollowUpTime(text: string | null | undefined): FollowUpTime | null {
  const [time = "", zone = "", ...rest] = (text ?? "").trim().split(/\s+/);
  return rest.length === 0 && isClockTime(time) && isTimeZone(zone) ? { time, zone } : null;
}
