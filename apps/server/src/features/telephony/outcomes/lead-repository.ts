import type { LeadStatus } from "@portal/contract/entities/lead";
import type { Tx } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../../platform/db/query.ts";
import type { numberFaults } from "../../../platform/db/schema/leads.ts";

export type NumberFault = (typeof numberFaults)[number];

/** Notes that the lead was reached, and takes it from 'new' to 'contacted'. Answers its status before and after, or null where nothing changed. */
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

/** Keeps that the lead's number is wrong or dead; a number changed since is another. */
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

/** The outcome that found the number at fault was taken back. */
export async function clearNumberFault(
  tx: Tx,
  input: { leadId: number; fault: NumberFault },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update leads set number_fault = null, updated_at = clock_timestamp() where id = ${input.leadId} and number_fault = ${input.fault}`,
  );
  return rowCount === 1;
}

/** Somebody was reached at the number: it is no dead one for whoever has it, and no wrong one for this lead. Answers whose fault is gone. */
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
