import type { Scheduler } from "../../../platform/jobs/jobs.ts";
import { type ScheduledContext, sendDueSms } from "./send-scheduled.ts";

const dueMs = 1_000;
/** SMS sent concurrently, so that a slow provider does not block all of them. */
const atOnce = 4;

/** Starts the scheduled task that sends SMS when they are due. */
export function startScheduledSms(context: ScheduledContext, scheduler: Scheduler): void {
  if (!context.sms.smsProvider) return;
  scheduler.every(dueMs, async () => {
    await Promise.all(Array.from({ length: atOnce }, () => sendDueSms(context)));
  });
}
