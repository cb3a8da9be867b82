import type { Database, Tx } from "../../db/client.ts";
import type { EventListener } from "../../events/listener.ts";
import { waitForEvent } from "../../events/wait-for-event.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { findOutboxRow, insertOutboxRow, markLeadPending, reviveFailed } from "./data-outbox.ts";

/** Queue of changes on their way to the CRM: a job a lead, by `leadId`. */
export const pushQueue = "crm-push";

export interface CrmSyncContext {
  database: Database;
  events: EventListener;
  jobs: Jobs;
}

/** `textsBlocked`: the contact's do-not-disturb for texts; `assignedTo`: a consultant's id here. */
export type CrmChange = {
  leadId: number;
  /** Who changed it; null where a provider told of it. */
  userId: number | null;
} & (
  | { field: "name"; value: string }
  | { field: "textsBlocked"; value: boolean }
  | { field: "assignedTo"; value: number }
);

/**
 * Queues a field that was changed here for the CRM, in the transaction of the change itself. The lead shows 'pending' until it is
 * confirmed. Answers the row to wait for, or null where the CRM does not know the lead.
 */
export async function queueCrmChange(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  change: CrmChange,
): Promise<number | null> {
  if (!(await markLeadPending(tx, change.leadId))) return null;
  const outboxId = await insertOutboxRow(tx, change);
  await jobs.enqueue(tx, pushQueue, { leadId: change.leadId }, { key: String(change.leadId) });
  return outboxId;
}

/** Waits for a queued change; true only where the CRM confirmed it (read back) within `timeoutMs`. Call it after the commit. */
export async function waitForCrmPush(
  context: Pick<CrmSyncContext, "database" | "events">,
  input: { outboxId: number; timeoutMs: number },
): Promise<boolean> {
  const state = await waitForEvent({
    events: context.events,
    concerns: (event) => event.topic === "lead",
    timeoutMs: input.timeoutMs,
    look: async () => {
      const row = await findOutboxRow(context.database.db, input.outboxId);
      return row && row.state !== "pending" ? row.state : null;
    },
  });
  return state === "sent";
}

/** Sends a lead's failed changes again, or all leads' that failed for a passing reason. Answers how many leads. */
export async function retryCrmPush(tx: Tx, jobs: Jobs, input: { leadId: number | null }): Promise<number> {
  const leadIds = await reviveFailed(tx, input.leadId);
  for (const leadId of leadIds) await jobs.enqueue(tx, pushQueue, { leadId }, { key: String(leadId) });
  return leadIds.length;
}
