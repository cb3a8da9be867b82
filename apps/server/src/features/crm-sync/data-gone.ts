import type { Tx } from "../../db/client.ts";

/** A lead whose contact a run has not met. */
export interface MissingLead {
  id: number;
  contactId: string;
}

/**
 * Leads after this id whose contacts the run has not met; they may be gone from the CRM. In a transaction of its own: the planner does
 * not know yet how many contacts the run has met, and would compare each with each.
 */
export async function findMissingLeads(
  tx: Tx,
  input: { runId: number; afterId: number; limit: number },
): Promise<MissingLead[]> {
  await tx.$client.query("set local enable_nestloop = off");
  const { rows } = await tx.$client.query<MissingLead>(
    `select l.id, l.ghl_contact_id as "contactId" from leads l
      where l.ghl_contact_id is not null and l.crm_deleted_at is null and l.id > $2
        and not exists (
          select 1 from (select unnest(contact_ids) as id from crm_run_pages where run_id = $1) met where met.id = l.ghl_contact_id)
      order by l.id limit $3`,
    [input.runId, input.afterId, input.limit],
  );
  return rows;
}

/** Marks the leads of contacts that are gone from the CRM; their changes can no longer be sent. Answers those marked now. */
export async function markGone(
  tx: Tx,
  input: { contactIds: string[]; reason: string },
): Promise<{ id: number; assignedTo: number | null }[]> {
  const { rows } = await tx.$client.query<{ id: number; assignedTo: number | null }>(
    `update leads set crm_deleted_at = clock_timestamp(), crm_sync = 'none', crm_note_id = null, updated_at = now()
      where ghl_contact_id = any($1) and crm_deleted_at is null returning id, assigned_to as "assignedTo"`,
    [input.contactIds],
  );
  await tx.$client.query(
    `update crm_outbox set state = 'failed', error = $2, retriable = false, claimed_at = null
      where state in ('pending', 'failed') and lead_id = any($1)`,
    [rows.map(({ id }) => id), input.reason],
  );
  return rows;
}
