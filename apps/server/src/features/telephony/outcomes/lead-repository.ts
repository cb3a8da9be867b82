import type { LeadStatus } from "@portal/contract/entities/lead";
import type { Tx } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../../platform/db/query.ts";
import type { numberFaults } from "../../../platform/db/schema/leads.ts";

export type NumberFault = (typeof numberFaults)[number];

/** Stores that the lead was contacted and changes 'new' to 'contacted'. Returns the status before and after, or null if nothing changed. */
export async function markContacted(
  tx: Tx,
  input: { leadId: number; at: Date },
): Promise<{ before: LeadStatus; after: LeadStatus } | null> {
  const row = await queryFirst<{ before: LeadStatus; after: LeadStatus }>(
    tx,
    sql`with known as (select id, status from leads where id = ${input.leadId} for update)
     update leads l set last_contacted_at = greatest(l.last_contacted_at, ${input.at}),
       status = case when l.status = 'new' then 'contacted' else l.status end, updated_at = clock_timestamp()
     from known where l.id = known.id
       and (l.status = 'new' or l.last_contacted_at is null or l.last_contacted_at < ${input.at})
     returning known.status as before, l.status as after`,
  );
  return row ?? null;
}

/** Marks the lead's number as wrong or dead, unless it was changed since. */
export async function setNumberFault(
  tx: Tx,
  input: { leadId: number; number: string | null; fault: NumberFault },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update leads set number_fault = ${input.fault}, updated_at = clock_timestamp() where id = ${input.leadId}
       and (${input.number}::text is null or phone_e164 = ${input.number}) and number_fault is distinct from ${input.fault}`,
  );
  return rowCount === 1;
}

/** Removes the fault of a number, because the outcome that set it was replaced. */
export async function clearNumberFault(
  tx: Tx,
  input: { leadId: number; number: string | null; fault: NumberFault },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update leads set number_fault = null, updated_at = clock_timestamp() where id = ${input.leadId} and number_fault = ${input.fault}
       and (${input.number}::text is null or phone_e164 = ${input.number})`,
  );
  return rowCount === 1;
}

/**
 * Somebody was reached at the number: removes its 'dead' mark from every lead that has it, and the 'wrong' mark from this lead. Returns the
 * affected leads.
 */
export async function proveNumber(
  tx: Tx,
  input: { leadId: number; number: string | null },
): Promise<{ id: number; assignedTo: number | null; before: NumberFault }[]> {
  return query<{ id: number; assignedTo: number | null; before: NumberFault }>(
    tx,
    sql`with known as (
       select h.id, h.number_fault from leads l join leads h on h.id = l.id or h.phone_e164 = l.phone_e164
       where l.id = ${input.leadId} and (${input.number}::text is null or l.phone_e164 = ${input.number})
         and (h.number_fault = 'disconnected' or (h.id = l.id and h.number_fault is not null))
       order by h.id for update of h)
     update leads l set number_fault = null, updated_at = clock_timestamp() from known where l.id = known.id
     returning l.id, l.assigned_to as "assignedTo", known.number_fault as before`,
  );
}

export async function findAssignee(tx: Tx, leadId: number): Promise<number | null> {
  const row = await queryFirst<{ assigned_to: number | null }>(
    tx,
    sql`select assigned_to from leads where id = ${leadId}`,
    { prepared: true },
  );
  return row?.assigned_to ?? null;
}
