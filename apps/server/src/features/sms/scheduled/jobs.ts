import type { Scheduler } from "../../../platform/jobs/jobs.ts";
import { type ScheduledContext, sendDueSms } from "./send-scheduled.ts";

const dueMs = 1_000;
/** A slow provider holds up one of so many texts at a time. */
const atOnce = 4;

/** Begins the scheduled task that sends the texts whose time has come. */
export function startScheduledSms(context: ScheduledContext, scheduler: Scheduler): void {
  if (!context.sms.smsProvider) return;
  scheduler.every(dueMs, async () => {
    await Promise.all(Array.from({ length: atOnce }, () => sendDueSms(context)));
  });
}
