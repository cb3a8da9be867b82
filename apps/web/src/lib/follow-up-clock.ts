import { followUpInstantOf } from "@portal/contract/follow-up-time";
import { clockAt, type FollowUpChoice } from "./follow-up.ts";

/** The instant at which a choice is due; null without a time. */
export function followUpAt({ date, time, zone }: FollowUpChoice): string | null {
  return time === null || zone === null ? null : followUpInstantOf(date, { time, zone }).toISOString();
}

/** The due time of a choice, in the format of `clockAt`; null without a time. */
export function followUpClock(choice: FollowUpChoice): string | null {
  const at = followUpAt(choice);
  return at === null || choice.zone === null ? null : clockAt(at, choice.zone);
}
