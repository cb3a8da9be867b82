import type { Scheduler } from "../../platform/jobs/jobs.ts";
import { notePrivateKey } from "./read-status.ts";
import { refreshDue, settleConnection } from "./refresh.ts";
import type { CrmConnectionContext } from "./types.ts";

const refreshMs = 20_000;

/** Begins the scheduled renewal in this process, and notes the private token and the location that it was started with. */
export function startCrmConnectionJobs(context: CrmConnectionContext, scheduler: Scheduler): void {
  scheduler.every(refreshMs, () => refreshDue(context));
  scheduler.once(() => notePrivateKey(context));
  // The location that is set may be another one since.
  scheduler.once(() => context.database.transaction((tx) => settleConnection(tx, context)));
}
