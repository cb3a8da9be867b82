import { followUpInstantOf } from "@portal/contract/follow-up-time";
import { limits } from "@portal/contract/limits";
import { DateTime } from "luxon";
import { AppError } from "../../../platform/http/app-error.ts";

/** A browser's clock may be behind by so much. */
const toleranceMs = 60_000;

/**
 * The instant of a day and time on the clock of a zone. A time that the clocks are set forward over is the one after the gap; of one that comes
 * twice it is the earlier. Errors: `invalid` (it is over, or too far ahead).
 */
export function decideTime({ day, time }: { day: string; time: string }, zone: string, now: Date): Date {
  const noon = DateTime.fromISO(`${day}T12:00`, { zone }).toJSDate();
  const at = followUpInstantOf(noon, { time, zone });
  if (at.getTime() < now.getTime() - toleranceMs)
    throw new AppError("invalid", "This time is over on the lead's clock. Choose a later one.");
  if (at.getTime() > now.getTime() + limits.scheduledTextDays * 86_400_000)
    throw new AppError("invalid", `A text goes out ${limits.scheduledTextDays} days ahead at most.`);
  return at;
}
