import type { CrmChangeField } from "@portal/contract/entities/crm";
import { and, desc, eq, inArray } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { allOf, execute, query, queryFirst, sql } from "../../platform/db/query.ts";
import { crmOutbox } from "../../platform/db/schema/crm.ts";

export type OutboxRow = typeof crmOutbox.$inferSelect;

/** A worker that has claimed a lead's changes for longer is dead. */
const claimSeconds = 60;

/** Marks the lead as pending for the CRM. Returns false if the CRM never had the lead or deleted its contact. */
export async function markLeadPending(tx: Tx, leadId: number): Promise<boolean> {
  // A lead that is pending already is not written again.
  const rowCount = await execute(
    tx,
    sql`with known as (select id, crm_sync from leads where id = ${leadId} and ghl_contact_id is not null and crm_deleted_at is null
           for no key update),
         marked as (update leads l set crm_sync = 'pending' from known k where l.id = k.id and k.crm_sync <> 'pending')
       select 1 from known`,
    { prepared: true },
  );
  return rowCount === 1;
}

/** Inserts changes in their order and returns their ids. */
export async function insertOutboxRows(
  tx: Tx,
  rows: { leadId: number; field: CrmChangeField; value: unknown; userId: number | null }[],
): Promise<number[]> {
  const inserted = await query<{ id: number }>(
    tx,
    sql`insert into crm_outbox (lead_id, field, value, user_id)
       select c."leadId", c.field, c.value, c."userId"
         from rows from (json_to_recordset(${JSON.stringify(rows)}::json) as ("leadId" int, field text, value jsonb, "userId" int))
           with ordinality as c("leadId", field, value, "userId", n) order by n returning id`,
    { prepared: true },
  );
  return inserted.map(({ id }) => id);
}

export async function findOutboxRow(db: Db, outboxId: number): Promise<OutboxRow | undefined> {
  const [row] = await db.select().from(crmOutbox).where(eq(crmOutbox.id, outboxId));
  return row;
}

export interface Claim {
  ghlContactId: string;
  /** Id of the CRM's note that holds the lead's notes. */
  noteId: string | null;
  assignedTo: number | null;
  /** The latest pending value of each field, in the order of the changes. */
  rows: OutboxRow[];
}

/**
 * Claims a lead's pending changes for this worker. Earlier values of a field become 'superseded', so that an older value is never sent
 * after a newer one. Returns null if nothing is pending, 'busy' if another worker has claimed them.
 */
export async function claimOutbox(tx: Tx, leadId: number): Promise<Claim | "busy" | null> {
  const held = await query<{
    ghl_contact_id: string | null;
    crm_note_id: string | null;
    assigned_to: number | null;
    now: Date;
  }>(
    tx,
    sql`select ghl_contact_id, crm_note_id, assigned_to, clock_timestamp() as now from leads where id = ${leadId} for update`,
  );
  const lead = held[0];
  if (!lead?.ghl_contact_id) return null;
  const { now } = lead;
  const busy = await execute(
    tx,
    sql`select 1 from crm_outbox where lead_id = ${leadId} and state = 'pending'
       and claimed_at > clock_timestamp() - make_interval(secs => ${claimSeconds}) limit 1`,
  );
  if (busy) return "busy";
  const open = await tx
    .select()
    .from(crmOutbox)
    .where(and(eq(crmOutbox.leadId, leadId), inArray(crmOutbox.state, ["pending", "failed"])))
    .orderBy(desc(crmOutbox.id));
  // A held change may still be withdrawn: earlier ones are sent without it, and a later one supersedes it.
  const isHeld = ({ heldUntil }: OutboxRow) => heldUntil !== null && heldUntil > now;
  const latest = open.filter(
    (row, index) =>
      !isHeld(row) && open.findIndex((other) => other.field === row.field && !isHeld(other)) === index,
  );
  const older = open
    .filter((row) => latest.some(({ field, id }) => field === row.field && id > row.id))
    .map(({ id }) => id);
  if (older.length > 0)
    await tx.update(crmOutbox).set({ state: "superseded" }).where(inArray(crmOutbox.id, older));
  const rows = latest.filter(({ state }) => state === "pending").reverse();
  if (rows.length === 0) return null;
  const ids = sql.param(rows.map(({ id }) => id));
  await execute(
    tx,
    sql`update crm_outbox set claimed_at = clock_timestamp(), attempts = attempts + 1 where id = any(${ids})`,
  );
  return {
    ghlContactId: lead.ghl_contact_id,
    noteId: lead.crm_note_id,
    assignedTo: lead.assigned_to,
    rows,
  };
}

/**
 * Withdraws changes that were not sent. The caller has locked their leads. Returns the leads of which all changes were withdrawn, so that
 * the CRM received none.
 */
export async function withdrawChanges(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await query<{ lead_id: number; withdrawn: boolean }>(
    tx,
    sql`with asked as (select id, lead_id from crm_outbox where id = any(${sql.param(ids)}::int[])),
       withdrawn as (update crm_outbox o set state = 'superseded' from asked a
         where o.id = a.id and o.state = 'pending' and o.claimed_at is null and o.attempts = 0 returning o.id)
     select a.lead_id, bool_and(w.id is not null) as withdrawn from asked a left join withdrawn w on w.id = a.id group by a.lead_id`,
  );
  const leadIds = rows.filter(({ withdrawn }) => withdrawn).map(({ lead_id }) => lead_id);
  await markSync(tx, leadIds);
  return new Set(leadIds);
}

/** Sets the leads' sync state to the worst of their open changes. The caller has locked the leads. */
async function markSync(tx: Tx, leadIds: readonly number[]): Promise<void> {
  await execute(
    tx,
    sql`update leads l set crm_sync = coalesce(
       (select case when bool_or(state = 'failed') then 'failed' else 'pending' end
          from crm_outbox where lead_id = l.id and state in ('pending', 'failed') having count(*) > 0),
       'synced') where l.id = any(${sql.param(leadIds)}::int[]) and l.crm_deleted_at is null`,
  );
}

/**
 * Result of sending a change. `retriable`: it failed for a temporary reason; `isUntried`: nothing was sent, so it does not count as an
 * attempt.
 */
export type Outcome =
  | { state: "sent" }
  | { state: "pending" | "failed"; error: string; retriable: boolean; isUntried?: boolean };

/** Stores the results of a lead's changes and updates the lead's sync state. */
export async function settleOutboxRows(
  tx: Tx,
  leadId: number,
  settled: { id: number; outcome: Outcome }[],
): Promise<void> {
  // Locked before counting: a change that is being written holds the lead and has to be counted.
  await execute(tx, sql`select 1 from leads where id = ${leadId} for no key update`);
  const rows = settled.map(({ id, outcome }) => ({
    id,
    state: outcome.state,
    error: outcome.state === "sent" ? null : outcome.error,
    retriable: outcome.state !== "sent" && outcome.retriable,
    untried: outcome.state !== "sent" && outcome.isUntried === true ? 1 : 0,
  }));
  await execute(
    tx,
    sql`update crm_outbox o set state = c.state, error = c.error, retriable = c.retriable,
       attempts = greatest(o.attempts - c.untried, 0),
       claimed_at = case when c.state = 'failed' then o.claimed_at end,
       sent_at = case when c.state = 'sent' then clock_timestamp() end
       from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(id int, state text, error text, retriable boolean, untried int)
      where o.id = c.id and o.state = 'pending'`,
  );
  await markSync(tx, [leadId]);
}

/** Whether the timeline already has this change's failure with this reason; a repeated failure adds no entry. */
export async function isFailureRecorded(
  tx: Tx,
  change: { leadId: number; outboxId: number; reason: string },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`select 1 from lead_events where lead_id = ${change.leadId} and kind = 'crm-push-failed'
        and data ->> 'outboxId' = ${change.outboxId}::text and data ->> 'reason' = ${change.reason} limit 1`,
  );
  return rowCount !== 0;
}

/** Which failed changes are retried: one, a lead's, those of a consultant's leads, or all. */
export interface RevivalScope {
  id?: number | undefined;
  leadId?: number | undefined;
  salesRepId?: number | undefined;
  /** Only changes that failed for a temporary reason and whose last attempt was at least this many seconds ago. */
  passingAfter?: number | undefined;
}

/** Makes failed changes pending again; their error stays until they are sent. Returns the leads and the number of changes. */
export async function reviveFailed(
  tx: Tx,
  scope: RevivalScope,
): Promise<{ leadIds: number[]; count: number }> {
  const { id, leadId, salesRepId, passingAfter } = scope;
  const lastTry = sql`coalesce(o.claimed_at, o.created_at)`;
  const where = allOf(
    sql`l.id = o.lead_id and l.crm_deleted_at is null and o.state = 'failed'`,
    id !== undefined && sql`o.id = ${id}`,
    leadId !== undefined && sql`o.lead_id = ${leadId}`,
    salesRepId !== undefined && sql`l.assigned_to = ${salesRepId}`,
    passingAfter !== undefined &&
      sql`o.retriable and ${lastTry} <= clock_timestamp() - make_interval(secs => ${passingAfter})`,
  );
  const rows = await query<{ lead_id: number }>(
    tx,
    sql`update crm_outbox o set state = 'pending', attempts = 0, retriable = false, claimed_at = null
       from leads l where ${where} returning o.lead_id`,
  );
  const leadIds = [...new Set(rows.map(({ lead_id }) => lead_id))];
  await execute(tx, sql`update leads set crm_sync = 'pending' where id = any(${sql.param(leadIds)})`);
  return { leadIds, count: rows.length };
}

/** Resets the attempts of pending changes after a new connection: the earlier ones failed because there was no connection. */
export async function forgetTries(tx: Tx): Promise<void> {
  await tx.update(crmOutbox).set({ attempts: 0 }).where(eq(crmOutbox.state, "pending"));
}

/** Stores when the CRM accepted our change, so that an older search page does not undo it. */
export async function noteCrmUpdate(tx: Tx, leadId: number, at: Date | null): Promise<void> {
  await execute(
    tx,
    sql`update leads set crm_updated_at = greatest(crm_updated_at, ${at}) where id = ${leadId}`,
  );
}

/** Stores the id of the note that holds the lead's notes; null if there is no longer one. */
export async function saveNoteId(db: Db, leadId: number, noteId: string | null): Promise<void> {
  await execute(db, sql`update leads set crm_note_id = ${noteId} where id = ${leadId}`);
}

/** The CRM's id of a consultant, or null if the CRM has no user with that email. */
export async function findCrmUserId(db: Db, userId: number): Promise<string | null> {
  const row = await queryFirst<{ crm_user_id: string | null }>(
    db,
    sql`select crm_user_id from users where id = ${userId}`,
  );
  return row?.crm_user_id ?? null;
}

/** Leads with changes whose worker died, that were handed to no job, or that are pending for longer than any worker takes. */
export async function findStrandedLeads(tx: Tx): Promise<number[]> {
  const rows = await query<{ lead_id: number }>(
    tx,
    sql`select distinct lead_id from crm_outbox where state = 'pending' and case
        when claimed_at is not null then claimed_at < clock_timestamp() - make_interval(secs => ${claimSeconds})
        when attempts = 0 then greatest(created_at, held_until) < clock_timestamp() - interval '3 seconds'
        else created_at < clock_timestamp() - interval '15 minutes' end
      limit 100`,
  );
  return rows.map(({ lead_id }) => lead_id);
}
