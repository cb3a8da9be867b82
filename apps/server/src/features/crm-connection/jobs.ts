import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { notePrivateKey } from "./read-status.ts";
import { refreshDue, settleConnection } from "./refresh.ts";
import type { CrmConnectionContext } from "./types.ts";

const refreshMs = 20_000;

/** Schedules the renewal in this process, and records the configured private token and location. */
export function startCrmConnectionJobs(context: CrmConnectionContext, scheduler: Scheduler): void {
  scheduler.every(refreshMs, () => refreshDue(context));
  scheduler.once(() => notePrivateKey(context));
  // The configured location may have changed since.
  scheduler.once(() => context.database.transaction((tx) => settleConnection(tx, context)));
}
