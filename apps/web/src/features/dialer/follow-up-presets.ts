import { followUpInstant } from "../../lib/follow-up.ts";

const fourHoursMs = 4 * 3_600_000;

/** The follow-ups that one press gives, as instants; `today` is null where four hours from now is another day. */
export function followUpPresets(now: Date) {
  const inFourHours = new Date(now.getTime() + fourHoursMs);
  const day = (days: number) =>
    followUpInstant(new Date(now.getFullYear(), now.getMonth(), now.getDate() + days));
  return {
    today: inFourHours.toDateString() === now.toDateString() ? inFourHours.toISOString() : null,
    tomorrow: day(1),
    nextWeek: day(7),
  };
}
