import type { SmsContext } from "../types.ts";

/** Waits of texts that go out later, in milliseconds. */
export interface ScheduledTimings {
  /** A text that could not go so long after its time is held back: what it says may be over. */
  lateMs: number;
  /** Where the provider is out of reach, its next try. */
  againMs: number;
}

export const scheduledTimings: ScheduledTimings = { lateMs: 2 * 3_600_000, againMs: 30_000 };

export type ScheduledContext = { sms: SmsContext; timings: ScheduledTimings };
