import type { Deps } from "./deps.ts";
import { startCallRounds } from "./features/calls/rounds.ts";
import { crmPushQueue } from "./features/crm-sync/push-job.ts";
import { startCrmRounds } from "./features/crm-sync/rounds.ts";
import { crmRunQueue } from "./features/crm-sync/run-job.ts";
import { startZoneRounds } from "./features/gate/fill-zones.ts";
import { googleSyncQueue, startGoogleRounds } from "./features/google-calendar/sync-job.ts";
import { startInboundRounds } from "./features/inbound-calls/rounds.ts";
import { startRecordingRounds } from "./features/recordings/rounds.ts";
import { startTextRounds } from "./features/sms/rounds.ts";

/** Begins the background work of this process: queues and rounds of every feature. */
export async function startJobs(deps: Deps): Promise<void> {
  const crm = { ...deps, defaultCountry: deps.env.defaultCountry };
  await deps.jobs.start([crmRunQueue(crm), crmPushQueue(crm), googleSyncQueue(deps.google)]);
  startCallRounds(deps.calls, deps.ticker);
  startInboundRounds(deps.calls, deps.ticker);
  startRecordingRounds(deps.calls, deps.ticker);
  startTextRounds(deps.sms, deps.ticker);
  startCrmRounds(crm, deps.ticker);
  startGoogleRounds(deps.google, deps.ticker);
  startZoneRounds(deps.database.db, deps.ticker);
}
