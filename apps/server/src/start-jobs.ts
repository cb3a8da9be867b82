import { type Deps, leadWebhooksContext } from "./deps.ts";
import { startBackupJobs } from "./features/backups/service.ts";
import { startBulkJobs } from "./features/bulk-changes/jobs.ts";
import { startZoneJobs } from "./features/contact-policy/service.ts";
import { crmPushQueue, crmRefreshQueue, crmRunQueue, startCrmJobs } from "./features/crm/jobs.ts";
import { startCrmConnectionJobs } from "./features/crm-connection/jobs.ts";
import { startDialerJobs, startLineJobs } from "./features/dialer/jobs.ts";
import { startKeyJobs } from "./features/encryption-keys/service.ts";
import { startGoLiveJobs } from "./features/go-live/make-test-call.ts";
import { importsQueue, startImportJobs } from "./features/imports/jobs.ts";
import { startInboxJobs } from "./features/inbox/service.ts";
import { startDeliveryJobs } from "./features/lead-webhooks/service.ts";
import { googleSyncQueue, startGoogleJobs } from "./features/meetings/google-calendar/sync-account.ts";
import { mailJobs, startNotificationJobs } from "./features/notifications/jobs.ts";
import { pushJobs, startPushJobs } from "./features/notifications/send-pushes.ts";
import { startScheduledSms, startSmsJobs } from "./features/sms/jobs.ts";
import { startInboundJobs } from "./features/telephony/inbound/service.ts";
import { startCallJobs } from "./features/telephony/outbound/jobs.ts";
import { startRecordingJobs } from "./features/telephony/recordings/jobs.ts";
import { messagesQueue, startMessageJobs } from "./features/telephony/voicemail-messages/leave-message.ts";

import { recordingsQueue } from "./features/telephony/voicemail-messages/record-message.ts";
import { followClock } from "./platform/db/clock.ts";
import { storeMetrics } from "./platform/db/metrics.ts";

/** How often the metrics of changed parts are stored, so that few parts have to be computed from their rows. */
const metricsMs = 15_000;

/**
 * Starts the background work of this process: the queues and scheduled tasks of every feature. A process that is no worker only opens the
 * queues.
 */
export async function startJobs(deps: Deps): Promise<void> {
  const crm = { ...deps, defaultCountry: deps.env.defaultCountry };
  const isWorker = deps.env.roles.includes("worker");
  const queues = [
    crmRunQueue(crm),
    crmPushQueue(crm),
    crmRefreshQueue(crm),
    importsQueue(crm),
    googleSyncQueue(deps.google),
    mailJobs(deps.notifications),
    pushJobs(deps.notifications),
    messagesQueue(deps.calls),
    recordingsQueue(deps.calls),
  ];
  await deps.jobs.start(queues, isWorker);
  const { db } = deps.database;
  await followClock(db);
  deps.scheduler.every(60_000, () => followClock(db));
  startKeyJobs(deps, deps.scheduler);
  if (!isWorker) return;
  startCallJobs(deps.calls, deps.scheduler);
  startInboundJobs(deps.calls, deps.scheduler);
  startRecordingJobs(deps.calls, deps.scheduler);
  startMessageJobs(deps.calls, deps.scheduler);
  startSmsJobs(deps.sms, deps.scheduler);
  startInboxJobs(deps, deps.scheduler);
  startBulkJobs(deps.bulk, deps.scheduler);
  startScheduledSms(deps.scheduledSms, deps.scheduler);
  startCrmConnectionJobs(deps.crmConnection, deps.scheduler);
  startCrmJobs({ ...crm, orgTimeZone: deps.env.orgTimeZone }, deps.scheduler);
  startImportJobs(crm, deps.scheduler);
  startDeliveryJobs(leadWebhooksContext(deps), deps.scheduler);
  startDialerJobs(deps.dialer);
  startLineJobs(deps.dialer);
  startGoogleJobs(deps.google, deps.scheduler);
  startNotificationJobs(deps.notifications, deps.scheduler);
  startPushJobs(deps.notifications, deps.scheduler);
  startGoLiveJobs(deps.calls, deps.scheduler);
  startBackupJobs(deps, deps.scheduler);
  deps.scheduler.every(metricsMs, () => storeMetrics(deps.database));
  startZoneJobs(deps.database.db, deps.scheduler);
}
