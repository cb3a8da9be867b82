import type { Scheduler } from "../../../platform/jobs/jobs.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import { dialStatuses } from "../../../ports/telephony.ts";
import { lockCall } from "../outbound/repository.ts";
import type { CallsContext } from "../types.ts";
import { endMessage } from "./leave-message.ts";
import { listUnendedMessages } from "./repository.ts";

const everyMs = 10_000;
const batch = 20;
/** A message that the provider still does not know to be over is given up after so long: none takes longer. */
const givenUpMs = 10 * 60_000;

/** Asks about messages whose end nobody told: a proof that was lost stays lost, and the timeline says so. */
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

/** Beside the requests: messages whose end was never told. */
export function startMessageJobs(context: CallsContext, scheduler: Scheduler): void {
  scheduler.every(everyMs, () => checkMessages(context));
}
