import type { Scheduler } from "../../../platform/jobs/jobs.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { dialStatuses } from "../../../ports/telephony.ts";
import { lockCall } from "../outbound/repository.ts";
import type { CallsContext } from "../types.ts";
import { endMessage } from "./leave-message.ts";
import { listUnendedMessages } from "./repository.ts";

const everyMs = 10_000;
const batch = 20;
/** Playing a message never takes longer; after this its end is assumed. */
const givenUpMs = 10 * 60_000;

/** Asks the provider about messages without an end callback. A lost proof of playing cannot be recovered, and the timeline says so. */
export async function checkMessages(context: CallsContext): Promise<void> {
  const { telephony, database, timings, log } = context;
  if (!telephony) return;
  for (const { id, leadSid, askedAt } of await listUnendedMessages(database.db, {
    olderMs: timings.messageMs,
    limit: batch,
  })) {
    try {
      const leg = leadSid === null ? null : await telephony.findLeg(leadSid);
      const isOver = !leg || dialStatuses.some((end) => end === leg.status);
      if (!isOver && Date.now() - askedAt.getTime() < givenUpMs) continue;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      log.warn({ callId: id, kind: error.kind }, "provider could not be asked about a message");
      continue;
    }
    await database.transaction(async (tx) => {
      const call = await lockCall(tx, { id });
      if (call) await endMessage(tx, call, { isWhole: false });
    });
  }
}

/** Starts the scheduled task for messages without an end callback. */
export function startMessageJobs(context: CallsContext, scheduler: Scheduler): void {
  scheduler.every(everyMs, () => checkMessages(context));
}
