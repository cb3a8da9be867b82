import type { Ticker } from "../../jobs/ticker.ts";
import { findStrandedLeads } from "./data-outbox.ts";
import { type RunContext, resumeDeadRuns } from "./runs.ts";
import { pushQueue } from "./service.ts";

const roundMs = 15_000;

/** Gives runs and changes whose worker died to others; any process may do it, each case is taken by one. */
export async function resumeStranded(context: RunContext): Promise<void> {
  await context.database.transaction(async (tx) => {
    await resumeDeadRuns(context, tx);
    for (const leadId of await findStrandedLeads(tx))
      await context.jobs.enqueue(tx, pushQueue, { leadId }, { key: String(leadId) });
  });
}

/** Begins the round in this process. */
export function startCrmRounds(context: RunContext, ticker: Ticker): void {
  ticker.every(roundMs, () => resumeStranded(context));
}
