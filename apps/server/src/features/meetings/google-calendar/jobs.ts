import type { Queue, Scheduler } from "../../../platform/jobs/jobs.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { findDueAccounts } from "./repository.ts";
import { settleSetupAlerts, syncQueue } from "./service.ts";
import { syncAccount } from "./sync-account.ts";
import type { GoogleContext } from "./types.ts";

const roundMs = 2_000;
const alertsMs = 10 * 60_000;

/** The queue that syncs accounts. It does not retry, because the scheduled task does. */
export function googleSyncQueue(context: GoogleContext): Queue<{ userId: number }> {
  return {
    name: syncQueue,
    retryLimit: 0,
    retryDelay: 1,
    retryDelayMax: 60,
    expireInSeconds: 300,
    concurrency: 2,
    keyed: true,
    work: async ({ userId }) => {
      await syncAccount(context, userId).catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error;
        context.log.warn({ err: error, userId }, "a Google sync failed and will be tried again");
      });
    },
  };
}

/** Queues every account that is due; any process may do so, and each account is queued once. */
async function queueDueAccounts({ database, jobs }: GoogleContext): Promise<void> {
  const due = await findDueAccounts(database.db);
  if (due.length === 0) return;
  await database.transaction(async (tx) => {
    for (const userId of due) await jobs.enqueue(tx, syncQueue, { userId }, { key: String(userId) });
  });
}

/** Starts the scheduled tasks of this process. */
export function startGoogleJobs(context: GoogleContext, scheduler: Scheduler): void {
  if (!context.calendar) return;
  scheduler.every(roundMs, () => queueDueAccounts(context));
  // Users who waited for a Google setting may have been disabled, and no sync would end their alert.
  scheduler.every(alertsMs, () => context.database.transaction((tx) => settleSetupAlerts(tx, context)));
}
