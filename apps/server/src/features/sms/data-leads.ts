import type { Tx } from "../../db/client.ts";

export interface LeadOfNumber {
  id: number;
  assignedTo: number | null;
}

/**
 * Whose text it is: of the leads that hold the number the one whom we texted or called last, else the newest; where none holds it,
 * the lead to whom an earlier text of the number was given.
 */
export async function findLeadOfNumber(tx: Tx, number: string): Promise<LeadOfNumber | null> {
  const { rows } = await tx.$client.query<LeadOfNumber>(
    `(select l.id, l.assigned_to as "assignedTo", 0 as place, greatest(
         (select max(m.created_at) from messages m where m.lead_id = l.id and m.direction = 'outbound'),
         (select max(c.requested_at) from calls c where c.lead_id = l.id)) as touched, l.created_at as made
       from leads l where l.phone_e164 = $1)
     union all
     (select l.id, l.assigned_to, 1, null, l.created_at from messages m join leads l on l.id = m.lead_id
       where m.from_number = $1 and m.direction = 'inbound' order by m.id desc limit 1)
     order by place, touched desc nulls last, made desc, id desc limit 1`,
    [number],
  );
  return rows[0] ?? null;
}

/** Locks texts to a number for good; answers the leads for whom that is new. */
export async function lockTexts(tx: Tx, number: string): Promise<LeadOfNumber[]> {
  const { rows } = await tx.$client.query<LeadOfNumber>(
    `update leads set text_opt_out = 'stop', updated_at = clock_timestamp()
     where phone_e164 = $1 and text_opt_out is distinct from 'stop' returning id, assigned_to as "assignedTo"`,
    [number],
  );
  return rows;
}

/** Unlocks texts to a number after a stop; other reasons stay. */
export async function unlockTexts(tx: Tx, number: string): Promise<LeadOfNumber[]> {
  const { rows } = await tx.$client.query<LeadOfNumber>(
    `update leads set text_opt_out = null, updated_at = clock_timestamp()
     where phone_e164 = $1 and text_opt_out = 'stop' returning id, assigned_to as "assignedTo"`,
    [number],
  );
  return rows;
}
