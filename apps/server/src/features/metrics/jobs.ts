import type { Database } from "../../platform/db/client.ts";
import { storeMetrics } from "../../platform/db/metrics.ts";
import type { Scheduler } from "../../platform/jobs/jobs.ts";

const intervalMs = 15_000;

/** Stores the metrics of changed parts, so that few parts have to be computed from their rows. */
export function startMetricJobs(database: Database, scheduler: Scheduler): void {
  scheduler.every(intervalMs, () => storeMetrics(database));
}
