import type { Deps } from "./deps.ts";

/** Begins the background work of this process: queues and rounds of every feature. */
export async function startJobs(deps: Deps): Promise<void> {
  await deps.jobs.start([]);
}
