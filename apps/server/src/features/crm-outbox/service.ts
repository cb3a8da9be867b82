import type { CrmChangeField } from "@portal/contract/entities/crm";
import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import type { Database, Tx } from "../../platform/db/client.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { type EventListener, waitForEvent } from "../../platform/realtime/listener.ts";
import {
  findOutboxRow,
  forgetTries,
  insertOutboxRows,
  markLeadPending,
  type RevivalScope,
  reviveFailed,
  withdrawChanges,
} from "./repository.ts";

/** Queue with one job per lead (`leadId`) that sends its changes to the CRM. */
export const pushQueue = "crm-push";

export interface CrmSyncContext {
  database: Database;
  events: EventListener;
  jobs: Jobs;
}

/** Value of each field. Instants are ISO strings, `assignedTo` is a portal user id, null clears a field. */
interface ChangeValues {
  name: string;
  status: LeadStatus;
  priority: Priority;
  notes: string | null;
  nextFollowUpDate: string | null;
  /** For example '10:00 America/New_York'. */
  nextFollowUpTime: string | null;
  assignedTo: number | null;
  /** Do-not-disturb by channel. */
  callsBlocked: boolean;
  textsBlocked: boolean;
  /** Sent in addition to the status 'converted'. */
  conversion: { value: number; at: string };
}

export type CrmChange = {
  [Field in CrmChangeField]: { field: Field; value: ChangeValues[Field] };
}[CrmChangeField];

interface ChangeSource {
  leadId: number;
  /** User who made the change; null for a vendor or sender. */
  userId: number | null;
}

/** Hands changes to a job; without one a scheduled task picks them up a few seconds later. */
type Enqueuer = Pick<Jobs, "enqueue"> | null;

/** Adds the job that sends a lead's changes. */
export async function enqueuePush(tx: Tx, jobs: Pick<Jobs, "enqueue">, leadId: number): Promise<void> {
  await jobs.enqueue(tx, pushQueue, { leadId }, { key: String(leadId) });
}

/**
 * Queues changed fields for the CRM in their order, in the transaction of the change. The lead is 'pending' until the CRM confirms them.
 * Returns the outbox ids; none if the CRM does not have the lead or deleted its contact.
 */
export async function queueCrmChanges(
  tx: Tx,
  jobs: Enqueuer,
  { leadId, userId }: ChangeSource,
  changes: CrmChange[],
): Promise<number[]> {
  if (changes.length === 0 || !(await markLeadPending(tx, leadId))) return [];
  const ids = await insertOutboxRows(
    tx,
    changes.map(({ field, value }) => ({ leadId, userId, field, value })),
  );
  if (jobs) await enqueuePush(tx, jobs, leadId);
  return ids;
}

/** `queueCrmChanges` for one field. Returns the outbox id, or null if the CRM does not have the lead. */
export async function queueCrmChange(
  tx: Tx,
  jobs: Enqueuer,
  { leadId, userId, ...change }: ChangeSource & CrmChange,
): Promise<number | null> {
  const [id = null] = await queueCrmChanges(tx, jobs, { leadId, userId }, [change]);
  return id;
}

/** Withdraws queued changes that were not sent. Returns the leads of which the CRM received nothing. The caller has locked the leads. */
export function withdrawCrmChanges(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  return withdrawChanges(tx, ids);
}

/** Waits for a queued change. Returns true only if the CRM confirmed it (read back) within `timeoutMs`. Call it after the commit. */
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

/** After a new connection: pending changes get fresh attempts, and changes that failed for temporary reasons are retried. */
export async function resumeCrmPush(tx: Tx, jobs: Pick<Jobs, "enqueue">): Promise<void> {
  await forgetTries(tx);
  await retryCrmPush(tx, jobs, { passingAfter: 0 });
}

/** Retries failed changes and returns how many there are. */
export async function retryCrmPush(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  scope: RevivalScope,
): Promise<number> {
  const { leadIds, count } = await reviveFailed(tx, scope);
  for (const leadId of leadIds) await enqueuePush(tx, jobs, leadId);
  return count;
}
