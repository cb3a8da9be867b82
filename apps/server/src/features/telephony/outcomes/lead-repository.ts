import type { LeadStatus } from "@portal/contract/entities/lead";
import type { Tx } from "../../../platform/db/client.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import type { numberFaults } from "../../../platform/db/schema/leads.ts";

export type NumberFault = (typeof numberFaults)[number];

/** Notes that the lead was reached, and takes it from 'new' to 'contacted'. Answers its status before and after, or null where nothing changed. */
export async function markContacted(
  tx: Tx,
  input: { leadId: number; at: Date },
): Promise<{ before: LeadStatus; after: LeadStatus } | null> {
  const { rows } = await tx.$client.query<{ before: LeadStatus; after: LeadStatus }>(
    `with known as (select id, status from leads where id = $1 for update)
     update leads l set last_contacted_at = greatest(l.last_contacted_at, $2),
       status = case when l.status = 'new' then 'contacted' else l.status end, updated_at = clock_timestamp()
     from known where l.id = known.id
       and (l.status = 'new' or l.last_contacted_at is null or l.last_contacted_at < $2)
     returning known.status as before, l.status as after`,
    [input.leadId, input.at],
  );
  return rows[0] ?? null;
}

/** Keeps that the lead's number is wrong or dead; a number changed since is another. */
export async function setNumberFault(
  tx: Tx,
  input: { leadId: number; number: string | null; fault: NumberFault },
): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    `update leads set number_fault = $3, updated_at = clock_timestamp() where id = $1
       and ($2::text is null or phone_e164 = $2) and number_fault is distinct from $3`,
    [input.leadId, input.number, input.fault],
  );
  return rowCount === 1;
}

/** The outcome that found the number at fault was taken back. */
export async function clearNumberFault(
  tx: Tx,
  input: { leadId: number; fault: NumberFault },
): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    "update leads set number_fault = null, updated_at = clock_timestamp() where id = $1 and number_fault = $2",
    [input.leadId, input.fault],
  );
  return rowCount === 1;
}

/** Somebody was reached at the number: it is no dead one for whoever has it, and no wrong one for this lead. Answers whose fault is gone. */
export async function proveNumber(
  tx: Tx,
  input: { leadId: number; number: string | null },
): Promise<{ id: number; assignedTo: number | null; before: NumberFault }[]> {
  const { rows } = await tx.$client.query<{ id: number; assignedTo: number | null; before: NumberFault }>(
    `with known as (
       select h.id, h.number_fault from leads l join leads h on h.id = l.id or h.phone_e164 = l.phone_e164
       where l.id = $1 and ($2::text is null or l.phone_e164 = $2)
         and (h.number_fault = 'disconnected' or (h.id = l.id and h.number_fault is not null))
       order by h.id for update of h)
     update leads l set number_fault = null, updated_at = clock_timestamp() from known where l.id = known.id
     returning l.id, l.assigned_to as "assignedTo", known.number_fault as before`,
    [input.leadId, input.number],
  );
  return rows;
}

export async function findAssignee(tx: Tx, leadId: number): Promise<number | null> {
  const { rows } = await tx.$client.query<{ assigned_to: number | null }>(
    prepared("select assigned_to from leads where id = $1", [leadId]),
  );
  return rows[0]?.assigned_to ?? null;
}
