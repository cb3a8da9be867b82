import { followUpInstantOf } from "@portal/contract/follow-up-time";
import { clockAt, type FollowUpChoice } from "./follow-up.ts";

/** The due time of a choice, in the format of `clockAt`; null without a time. */
export function followUpClock({ date, time, zone }: FollowUpChoice): string | null {
  return time === null || zone === null ? null : clockAt(followUpInstantOf(date, { time, zone }), zone);
}
