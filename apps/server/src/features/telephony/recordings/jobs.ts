import type { Scheduler } from "../../../platform/jobs/jobs.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { Telephony } from "../../../ports/telephony.ts";
import { claimLost, claimUnmatched } from "./repository.ts";
import {
  ingestRecording,
  matchRecording,
  type RecordingInboxContext,
  recordingInbox,
} from "./webhook-routes.ts";

/** Delay in milliseconds after which the provider is asked for a missing callback, and how often. */
const recordingTimings = { afterMs: 60_000, tries: 4 };

const batch = 20;
const eventsMs = 2_000;
const lostMs = 15_000;

/** Returns false if the provider cannot be asked about others either. */
async function asked(
  context: RecordingInboxContext,
  subject: object,
  ask: () => Promise<void>,
): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ ...subject, kind: error.kind }, "provider could not be asked about a recording");
    return error.kind === "invalid" || error.kind === "not-found";
  }
}

/**
 * Asks the provider for recordings whose callback was lost, and for the calls of unmatched recordings. No connection is held meanwhile; an
 * outage of the provider ends the pass.
 */
export async function findLostRecordings(
  context: RecordingInboxContext,
  telephony: Telephony,
  timings = recordingTimings,
): Promise<void> {
  const { database } = context;
  for (const { table, id, callSid } of await claimLost(database.db, { ...timings, limit: batch })) {
    const goOn = await asked(context, { table, id }, async () => {
      for (const reported of await telephony.listRecordings(callSid)) {
        await database.transaction((tx) => ingestRecording(tx, reported, null));
      }
    });
    if (!goOn) return;
  }
  for (const recording of await claimUnmatched(database.db, { ...timings, limit: batch })) {
    const goOn = await asked(context, { recordingId: recording.id }, () =>
      matchRecording(context, telephony, recording),
    );
    if (!goOn) return;
  }
}

/** Starts the scheduled tasks: callbacks of recordings, and recordings without a callback. */
export function startRecordingJobs(context: RecordingInboxContext, scheduler: Scheduler): void {
  const { telephony } = context;
  if (!telephony) return;
  const inbox = recordingInbox(context, telephony);
  scheduler.every(eventsMs, inbox.work);
  scheduler.every(lostMs, () => findLostRecordings(context, telephony));
}
