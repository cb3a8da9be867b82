import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { attachKnownNumbers, type InboxContext } from "./service.ts";

const knownNumbersMs = 10_000;

/** A short round: unknown callers and texters who are leads by now. */
export function startInboxJobs(context: InboxContext, scheduler: Scheduler): void {
  scheduler.every(knownNumbersMs, () => attachKnownNumbers(context));
}
