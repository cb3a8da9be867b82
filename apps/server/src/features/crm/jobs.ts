import type { Queue, Scheduler } from "../../platform/jobs/jobs.ts";
import { findStrandedLeads } from "../crm-outbox/repository.ts";
import { pushQueue } from "../crm-outbox/service.ts";
import { beginNightlyRead } from "./decide-deletions.ts";
import { type Refresh, refreshQueue } from "./gather-refreshes.ts";
import { pushLead } from "./push-changes.ts";
import { workRefresh } from "./refresh-contact.ts";
import { beginDueChanges, hasWay, type RunContext, resumeDeadRuns, runQueue } from "./service.ts";
import { type CrmEventContext, crmEventInbox } from "./work-events.ts";
import { workRun } from "./work-run.ts";

/** The queue of runs, for the composition root. */
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

/** The queue of changes on their way to the CRM, for the composition root. */
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

/** The queue of what events named, for the composition root. One at a time: it is never more than a part of the CRM's limit. */
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
/** What changed in the CRM is read so often. */
const changesEverySeconds = 300;

/** Gives runs and changes whose worker died to others; any process may do it, each case is taken by one. */
export async function resumeStranded(context: RunContext): Promise<void> {
  const mayPush = await hasWay(context);
  await context.database.transaction(async (tx) => {
    await resumeDeadRuns(context, tx);
    // Without a way to the CRM nobody could send them: they wait for one.
    if (!mayPush) return;
    for (const leadId of await findStrandedLeads(tx))
      await context.jobs.enqueue(tx, pushQueue, { leadId }, { key: String(leadId) });
  });
}

/** Begins the scheduled tasks in this process: what a crash left behind, events not yet worked, the reading of changes, and of all at night. */
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
