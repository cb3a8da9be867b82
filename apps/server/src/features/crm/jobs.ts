import type { Queue, Scheduler } from "../../platform/jobs/jobs.ts";
import { findStrandedLeads } from "../crm-outbox/repository.ts";
import { pushQueue } from "../crm-outbox/service.ts";
import { beginNightlyRead } from "./decide-deletions.ts";
import { type Refresh, refreshQueue } from "./gather-refreshes.ts";
import { pushLead } from "./push-changes.ts";
import { workRefresh } from "./refresh-contact.ts";

import { beginDueChanges, hasWay, type RunContext, resumeDeadRuns, runQueue } from "./service.ts";
import { type CrmEventContext, crmEventInbox } from "./webhook-routes.ts";
import { workRun } from "./work-run.ts";

/** The queue that works sync runs. */
export function crmRunQueue(context: RunContext): Queue<{ runId: number }> {
  return {
    name: runQueue,
    retryLimit: 2,
    retryDelay: 5,
    retryDelayMax: 60,
    expireInSeconds: 300,
    concurrency: 2,
    work: ({ runId }) => workRun(context, runId),
  };
}

/** The queue that sends a lead's changes to the CRM. */
export function crmPushQueue(context: RunContext): Queue<{ leadId: number }> {
  return {
    name: pushQueue,
    retryLimit: 10,
    retryDelay: 2,
    retryDelayMax: 300,
    expireInSeconds: 120,
    concurrency: 2,
    keyed: true,
    work: ({ leadId }) => pushLead(context, leadId),
  };
}

/** The queue that reads what events named, one at a time, so that it never takes more than a part of the CRM's rate limit. */
export function crmRefreshQueue(context: RunContext): Queue<Refresh> {
  return {
    name: refreshQueue,
    retryLimit: 10,
    retryDelay: 2,
    retryDelayMax: 300,
    expireInSeconds: 60,
    concurrency: 1,
    keyed: true,
    work: (refresh) => workRefresh(context, refresh),
  };
}

const strandedMs = 5_000;
const eventsMs = 2_000;
const dueMs = 20_000;
/** Interval between runs that read changes from the CRM. */
const changesEverySeconds = 300;

/** Hands runs and changes of dead workers to new jobs. Any process may call it; each case is taken once. */
export async function resumeStranded(context: RunContext): Promise<void> {
  const mayPush = await hasWay(context);
  await context.database.transaction(async (tx) => {
    await resumeDeadRuns(context, tx);
    // Without access to the CRM they cannot be sent and wait for it.
    if (!mayPush) return;
    for (const leadId of await findStrandedLeads(tx))
      await context.jobs.enqueue(tx, pushQueue, { leadId }, { key: String(leadId) });
  });
}

/** Starts the scheduled tasks of this process: resuming after a crash, working stored events, reading changes, and the nightly full run. */
export function startCrmJobs(context: CrmEventContext & { orgTimeZone: string }, scheduler: Scheduler): void {
  scheduler.every(strandedMs, () => resumeStranded(context));
  scheduler.every(eventsMs, () => crmEventInbox(context).work());
  scheduler.every(dueMs, async () => {
    if (await hasWay(context))
      await context.database.transaction((tx) => beginDueChanges(context, tx, changesEverySeconds));
  });
  scheduler.every(dueMs, async () => {
    if (await hasWay(context))
      await context.database.transaction((tx) => beginNightlyRead(context, tx, context.orgTimeZone));
  });
}
