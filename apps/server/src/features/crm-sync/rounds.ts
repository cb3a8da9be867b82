import type { Ticker } from "../../jobs/ticker.ts";
import { findStrandedLeads } from "./data-outbox.ts";
import { beginDueChanges, type RunContext, resumeDeadRuns } from "./runs.ts";
import { pushQueue } from "./service.ts";
import { type CrmEventContext, crmEventInbox } from "./work-events.ts";

const strandedMs = 5_000;
const eventsMs = 2_000;
const dueMs = 20_000;
/** What changed in the CRM is read so often. */
const changesEverySeconds = 300;

/** Gives runs and changes whose worker died to others; any process may do it, each case is taken by one. */
export async function resumeStranded(context: RunContext): Promise<void> {
  await context.database.transaction(async (tx) => {
    await resumeDeadRuns(context, tx);
    // Without a CRM nobody could send them: they wait for one.
    if (!context.crm) return;
    for (const leadId of await findStrandedLeads(tx))
      await context.jobs.enqueue(tx, pushQueue, { leadId }, { key: String(leadId) });
  });
}

/** Begins the rounds in this process: what a crash left behind, events not yet worked, and the reading of changes. */
export function startCrmRounds(context: CrmEventContext, ticker: Ticker): void {
  ticker.every(strandedMs, () => resumeStranded(context));
  ticker.every(eventsMs, () => crmEventInbox(context).work());
  ticker.every(dueMs, () =>
    context.database.transaction((tx) => beginDueChanges(context, tx, changesEverySeconds)),
  );
}
