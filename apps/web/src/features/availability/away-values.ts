import type { Availability } from "@portal/contract/entities/availability";
import { followUpInstantOf } from "@portal/contract/follow-up-time";
import { browserZone, followUpInstant, startOfDay } from "../../lib/follow-up.ts";

export const awayChoices = ["whenBack", "halfHour", "endOfDay", "tomorrow"] as const;
type AwayChoice = (typeof awayChoices)[number];

function daysLater(day: Date, days: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days);
}

/** The start of the next working day; without working hours 8:00 in the browser's zone. */
function nextMorning({ hours }: Pick<Availability, "hours">, now: Date): Date {
  const offset = hours
    ? ([1, 2, 3, 4, 5, 6, 7].find((days) => hours.days[(daysLater(now, days).getDay() + 6) % 7]) ?? 1)
    : 1;
  const day = daysLater(now, offset);
  const time = hours?.days[(day.getDay() + 6) % 7]?.from ?? "08:00";
  return followUpInstantOf(followUpInstant(day), { time, zone: hours?.zone ?? browserZone() });
}

/**
 * The end of an absence; null is open-ended. 'Rest of the day' ends with the current working hours, else at midnight in the browser's zone.
 */
export function awayUntil(
  choice: AwayChoice,
  { state, until, hours }: Pick<Availability, "state" | "until" | "hours">,
  now: Date,
): Date | null {
  switch (choice) {
    case "whenBack":
      return null;
    case "halfHour":
      return new Date(now.getTime() + 30 * 60_000);
    case "endOfDay":
      return hours && state === "available" && until !== null
        ? new Date(until)
        : daysLater(startOfDay(now), 1);
    case "tomorrow":
      return nextMorning({ hours }, now);
  }
}
