import type { Scheduler } from "../../platform/jobs/scheduler.ts";
import { attachKnownNumbers } from "./service.ts";
import type { InboxContext } from "./types.ts";

const knownNumbersMs = 10_000;

/** A short round: unknown callers and texters who are leads by now. */
export function startInboxJobs(context: InboxContext, scheduler: Scheduler): void {
  scheduler.every(knownNumbersMs, () => attachKnownNumbers(context));
}
