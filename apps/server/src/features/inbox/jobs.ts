import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { attachKnownNumbers, type InboxContext } from "./service.ts";

const knownNumbersMs = 10_000;

/** Starts the scheduled task that attaches waiting calls and SMS of unknown numbers that have become leads' numbers. */
export function startInboxJobs(context: InboxContext, scheduler: Scheduler): void {
  scheduler.every(knownNumbersMs, () => attachKnownNumbers(context));
}
