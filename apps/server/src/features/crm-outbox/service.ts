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

/** Queue of changes on their way to the CRM: a job a lead, by `leadId`. */
export const pushQueue = "crm-push";

export interface CrmSyncContext {
  database: Database;
  events: EventListener;
  jobs: Jobs;
}

/** What each field carries. Instants are ISO texts; `assignedTo` is a consultant's id here; null empties a field. */
interface ChangeValues {
  name: string;
  status: LeadStatus;
  priority: Priority;
  notes: string | null;
  nextFollowUpDate: string | null;
  /** '10:00 America/New_York'. */
  nextFollowUpTime: string | null;
  assignedTo: number | null;
  /** Do-not-disturb by channel. */
  callsBlocked: boolean;
  textsBlocked: boolean;
  /** Beside the status 'converted', which is a change of its own. */
  conversion: { value: number; at: string };
}

/** One changed field. */
export type CrmChange = {
  [Field in CrmChangeField]: { field: Field; value: ChangeValues[Field] };
}[CrmChangeField];

interface ChangeSource {
  leadId: number;
  /** Who changed it; null for a provider. */
  userId: number | null;
}

/** Who hands the change to a job; without, a scheduled task does, some seconds later. */
type Enqueuer = Pick<Jobs, "enqueue"> | null;

/** Hands a lead's queued changes to a job. */
export async function enqueuePush(tx: Tx, jobs: Pick<Jobs, "enqueue">, leadId: number): Promise<void> {
  await jobs.enqueue(tx, pushQueue, { leadId }, { key: String(leadId) });
}

/**
 * Queues fields that were changed here for the CRM, in their order and in the transaction of the change itself. The lead shows 'pending'
 * until they are confirmed. Answers the rows to wait for; none where the CRM does not know the lead or its contact is gone.
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

/** The same for one field. Answers the row to wait for, or null where the CRM does not know the lead. */
export async function queueCrmChange(
  tx: Tx,
  jobs: Enqueuer,
  { leadId, userId, ...change }: ChangeSource & CrmChange,
): Promise<number | null> {
  const [id = null] = await queueCrmChanges(tx, jobs, { leadId, userId }, [change]);
  return id;
}

/** Takes queued changes back that nobody has sent; answers the leads of which the CRM knows nothing. The caller holds the leads. */
export function withdrawCrmChanges(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  return withdrawChanges(tx, ids);
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

/** What waited for a connection goes on, as if it had just been made: the scheduled task takes it up; what failed for want of one too. */
export async function resumeCrmPush(tx: Tx, jobs: Pick<Jobs, "enqueue">): Promise<void> {
  await forgetTries(tx);
  await retryCrmPush(tx, jobs, { passingAfter: 0 });
}

/** Sends failed changes again. Answers how many. */
export async function retryCrmPush(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  scope: RevivalScope,
): Promise<number> {
  const { leadIds, count } = await reviveFailed(tx, scope);
  for (const leadId of leadIds) await enqueuePush(tx, jobs, leadId);
  return count;
}
