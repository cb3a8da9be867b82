import { type Deps, leadWebhooksContext } from "./deps.ts";
import { startCallRounds } from "./features/calls/rounds.ts";
import { crmPushQueue } from "./features/crm-sync/push-job.ts";
import { crmRefreshQueue } from "./features/crm-sync/refresh-job.ts";
import { startCrmRounds } from "./features/crm-sync/rounds.ts";
import { crmRunQueue } from "./features/crm-sync/run-job.ts";
import { startDialerRounds } from "./features/dialer/rounds.ts";
import { startFigureRounds } from "./features/figures/service.ts";
import { startZoneRounds } from "./features/gate/fill-zones.ts";
import { googleSyncQueue, startGoogleRounds } from "./features/google-calendar/sync-job.ts";
import { importsQueue, startImportRounds } from "./features/imports/import-job.ts";
import { startInboundRounds } from "./features/inbound-calls/rounds.ts";
import { startDeliveryRounds } from "./features/lead-webhooks/rounds.ts";
import { mailJobs } from "./features/notices/mail-job.ts";
import { startNoticeRounds } from "./features/notices/rounds.ts";
import { startRecordingRounds } from "./features/recordings/rounds.ts";
import { startTextRounds } from "./features/sms/rounds.ts";

/** Begins the background work of this process: queues and rounds of every feature. */
export async function startJobs(deps: Deps): Promise<void> {
  const crm = { ...deps, defaultCountry: deps.env.defaultCountry };
  await deps.jobs.start([
    crmRunQueue(crm),
    crmPushQueue(crm),
    crmRefreshQueue(crm),
    importsQueue(crm),
    googleSyncQueue(deps.google),
    mailJobs(deps.notices),
  ]);
  startCallRounds(deps.calls, deps.ticker);
  startInboundRounds(deps.calls, deps.ticker);
  startRecordingRounds(deps.calls, deps.ticker);
  startTextRounds(deps.sms, deps.ticker);
  startCrmRounds(crm, deps.ticker);
  startImportRounds(crm, deps.ticker);
  startDeliveryRounds(leadWebhooksContext(deps), deps.ticker);
  startDialerRounds(deps.dialer);
  startGoogleRounds(deps.google, deps.ticker);
  startNoticeRounds(deps.notices, deps.ticker);
  startFigureRounds(deps.database.db, deps.ticker);
  startZoneRounds(deps.database.db, deps.ticker);
}
