import { and, desc, eq, inArray, isNotNull } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { crmOutbox } from "../../db/schema/crm.ts";
import { leads } from "../../db/schema/leads.ts";

export type OutboxRow = typeof crmOutbox.$inferSelect;

/** A worker that has held a lead's changes for so long is dead. */
const claimSeconds = 60;

/** Marks the lead as waiting for the CRM; false where the CRM does not know it. */
export async function markLeadPending(tx: Tx, leadId: number): Promise<boolean> {
  const rows = await tx
    .update(leads)
    .set({ crmSync: "pending" })
    .where(and(eq(leads.id, leadId), isNotNull(leads.ghlContactId)))
    .returning({ id: leads.id });
  return rows.length > 0;
}

export async function insertOutboxRow(
  tx: Tx,
  row: { leadId: number; field: string; value: unknown; userId: number | null },
): Promise<number> {
  const [inserted] = await tx.insert(crmOutbox).values(row).returning({ id: crmOutbox.id });
  if (!inserted) throw new Error("no outbox row was written");
  return inserted.id;
}

export async function findOutboxRow(db: Db, outboxId: number): Promise<OutboxRow | undefined> {
  const [row] = await db.select().from(crmOutbox).where(eq(crmOutbox.id, outboxId));
  return row;
}

export interface Claim {
  ghlContactId: string;
  assignedTo: number | null;
  /** The latest pending value of each field, in the order of the changes. */
  rows: OutboxRow[];
}

/**
 * Takes a lead's pending changes for this worker: earlier values of a field are superseded, so that an older one never follows
 * a newer. Answers null where nothing waits, 'busy' where another worker is at it.
 */
export async function claimOutbox(tx: Tx, leadId: number): Promise<Claim | "busy" | null> {
  const { rows: held } = await tx.$client.query<{
    ghl_contact_id: string | null;
    assigned_to: number | null;
  }>("select ghl_contact_id, assigned_to from leads where id = $1 for update", [leadId]);
  const lead = held[0];
  if (!lead?.ghl_contact_id) return null;
  const { rowCount: busy } = await tx.$client.query(
    `select 1 from crm_outbox where lead_id = $1 and state = 'pending'
       and claimed_at > clock_timestamp() - make_interval(secs => $2) limit 1`,
    [leadId, claimSeconds],
  );
  if (busy) return "busy";
  const open = await tx
    .select()
    .from(crmOutbox)
    .where(and(eq(crmOutbox.leadId, leadId), inArray(crmOutbox.state, ["pending", "failed"])))
    .orderBy(desc(crmOutbox.id));
  const latest = open.filter((row, index) => open.findIndex(({ field }) => field === row.field) === index);
  const older = open.filter((row) => !latest.includes(row)).map(({ id }) => id);
  if (older.length > 0)
    await tx.update(crmOutbox).set({ state: "superseded" }).where(inArray(crmOutbox.id, older));
  const rows = latest.filter(({ state }) => state === "pending").reverse();
  if (rows.length === 0) return null;
  await tx.$client.query(
    "update crm_outbox set claimed_at = clock_timestamp(), attempts = attempts + 1 where id = any($1)",
    [rows.map(({ id }) => id)],
  );
  return { ghlContactId: lead.ghl_contact_id, assignedTo: lead.assigned_to, rows };
}

/** Settles one change and the lead's own mark, which is the worst of what is still open. */
export async function settleOutboxRow(
  tx: Tx,
  row: { id: number; leadId: number },
  outcome: { state: "pending" | "sent" | "failed"; error?: string; retriable?: boolean },
): Promise<void> {
  await tx.$client.query(
    `update crm_outbox set state = $2, error = $3, retriable = $4, claimed_at = null,
       sent_at = case when $2 = 'sent' then clock_timestamp() end where id = $1`,
    [row.id, outcome.state, outcome.error ?? null, outcome.retriable ?? false],
  );
  await refreshLeadMark(tx, row.leadId);
}

async function refreshLeadMark(tx: Tx, leadId: number): Promise<void> {
  await tx.$client.query(
    `update leads set crm_sync = coalesce(
       (select case when bool_or(state = 'failed') then 'failed' else 'pending' end
          from crm_outbox where lead_id = $1 and state in ('pending', 'failed') having count(*) > 0),
       'synced') where id = $1`,
    [leadId],
  );
}

/** Changes that failed for a passing reason become pending again, of one lead or of all. Answers the leads. */
export async function reviveFailed(tx: Tx, leadId: number | null): Promise<number[]> {
  const { rows } = await tx.$client.query<{ lead_id: number }>(
    `update crm_outbox set state = 'pending', attempts = 0, error = null, retriable = false
      where state = 'failed' and (lead_id = $1 or ($1::int is null and retriable)) returning lead_id`,
    [leadId],
  );
  const leadIds = [...new Set(rows.map(({ lead_id }) => lead_id))];
  await tx.$client.query("update leads set crm_sync = 'pending' where id = any($1)", [leadIds]);
  return leadIds;
}

/** Remembers when the CRM took our change, so that an older page of its search never undoes it. */
export async function noteCrmUpdate(tx: Tx, leadId: number, at: Date | null): Promise<void> {
  await tx.$client.query("update leads set crm_updated_at = greatest(crm_updated_at, $2) where id = $1", [
    leadId,
    at,
  ]);
}

/** Leads whose changes wait for so long that no job can be on them any more. */
export async function findStrandedLeads(tx: Tx): Promise<number[]> {
  const { rows } = await tx.$client.query<{ lead_id: number }>(
    `select distinct lead_id from crm_outbox
      where state = 'pending' and greatest(created_at, claimed_at) < clock_timestamp() - interval '15 minutes'
      limit 100`,
  );
  return rows.map(({ lead_id }) => lead_id);
}

/** The CRM's id of a consultant, or null where the CRM has nobody by that e-mail. */
export async function findCrmUserId(db: Db, userId: number): Promise<string | null> {
  const { rows } = await db.$client.query<{ crm_user_id: string | null }>(
    "select crm_user_id from users where id = $1",
    [userId],
  );
  return rows[0]?.crm_user_id ?? null;
}
