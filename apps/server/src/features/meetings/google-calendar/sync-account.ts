import type { Queue, Scheduler } from "../../../platform/jobs/jobs.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import type { CalendarTokens } from "../../../ports/calendar.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { getUser } from "../../identity/users/service.ts";
import { pullEvents } from "./pull-events.ts";
import { pushMeetings } from "./push-meetings.ts";
import {
  type Account,
  ClaimLost,
  claimAccount,
  findDueAccounts,
  holdClaim,
  markUnsent,
  releaseClaim,
} from "./repository.ts";
import { saveSetupFault, settleSetupAlerts, syncQueue } from "./service.ts";
import { encryptTokens, type GoogleContext, openTokens, type Worker } from "./types.ts";

const keyChanged = "The stored connection cannot be read with this ENCRYPTION_KEY.";

type Claimed = Account & { claim: string };

/** Marks a connection as ended because Google rejects its tokens; changes stay pending until the user reconnects. */
async function markDisconnected(context: GoogleContext, account: Claimed, reason: string): Promise<void> {
  if (account.disconnectedReason === reason) return;
  await context.database.transaction(async (tx) => {
    // Tokens that cannot be read stay: the next sync after their key was set again works with them.
    const set = { disconnectedReason: reason, ...(reason !== keyChanged && { tokens: null }) };
    await holdClaim(tx, account, set);
    await publishEvent(tx, { topic: "meeting", id: 0, audience: [account.userId] });
    await settleSetupAlerts(tx, context);
  });
}

/** Syncs a claimed account. Changes are sent first, so that what is read is merged already. */
async function work(context: GoogleContext, account: Claimed, tokens: CalendarTokens): Promise<void> {
  const { calendar, database } = context;
  if (!calendar) return;
  let refreshed: CalendarTokens | null = null;
  const google = calendar.open(tokens, (fresh) => {
    refreshed = fresh;
  });
  const worker: Worker = {
    context,
    userId: account.userId,
    google,
    write: (write) =>
      database.transaction(async (tx) => {
        await holdClaim(tx, account, {
          ...(refreshed && { tokens: encryptTokens(context, refreshed) }),
          ...(account.disconnectedReason !== null && { disconnectedReason: null }),
        });
        return write(tx);
      }),
  };
  // Meetings scheduled while the connection was being made are not queued yet.
  await worker.write((tx) => markUnsent(tx, account.userId, ["none"]));
  const setbacks: ProviderError[] = [];
  const step = async (run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind === "auth") throw error;
      setbacks.push(error);
    }
  };
  await step(() => pushMeetings(worker));
  // The calendar of a disabled user is not read; only meetings transferred to others leave it.
  const user = await getUser(database.db, account.userId);
  // After a request without a response the next one would wait for one as long again.
  const isSilent = setbacks.some(({ ambiguous }) => ambiguous);
  if (!isSilent && user?.disabledAt === null) await step(() => pullEvents(worker, account));
  // Only an answer of Google changes the stored setting fault; without one it may still apply.
  const setup = setbacks.find((setback) => setback.setup)?.setup ?? null;
  if (setup || setbacks.length === 0) await saveSetupFault(context, account, setup);
  if (setbacks.length > 0) throw setbacks[0];
}

/**
 * Syncs one user's meetings and calendar. Returns false if they are not connected or another worker has the account. Errors:
 * `ProviderError`, if the next scheduled run retries.
 */
export async function syncAccount(context: GoogleContext, userId: number): Promise<boolean> {
  const { database, log } = context;
  if (!context.calendar) return false;
  const account = await claimAccount(database.db, userId);
  if (!account?.tokens || !account.claimedAt) return false;
  let setback: ProviderError | null = null;
  try {
    const tokens = openTokens(context, account.tokens);
    if (tokens) await work(context, account, tokens);
    else await markDisconnected(context, account, keyChanged);
    return true;
  } catch (error) {
    if (error instanceof ClaimLost) {
      log.info({ userId }, "a Google sync ended because its account was disconnected or taken over");
      return false;
    }
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind !== "auth") {
      setback = error;
      throw error;
    }
    log.warn({ err: error, userId }, "Google no longer takes a connection");
    return await markDisconnected(context, account, error.message).then(
      () => true,
      (lost: unknown) => {
        if (lost instanceof ClaimLost) return false;
        throw lost;
      },
    );
  } finally {
    await releaseClaim(database.db, { userId, claim: account.claim, since: account.claimedAt, setback });
  }
}

const intervalMs = 2_000;
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
  scheduler.every(intervalMs, () => queueDueAccounts(context));
  // Users who waited for a Google setting may have been disabled, and no sync would end their alert.
  scheduler.every(alertsMs, () => context.database.transaction((tx) => settleSetupAlerts(tx, context)));
}
