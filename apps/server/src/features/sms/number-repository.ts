import type { Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../platform/db/query.ts";
import { leadsWithPhonesSql } from "../../platform/db/sql/leads.ts";

export interface LeadOfNumber {
  id: number;
  assignedTo: number | null;
}

/**
 * The lead that an inbound SMS belongs to: of the leads with the number the one contacted last, else the newest; if none has it, the lead
 * to which an earlier SMS of the number was attached.
 */
export async function findLeadOfNumber(tx: Tx, number: string): Promise<LeadOfNumber | null> {
  const row = await queryFirst<LeadOfNumber>(
    tx,
    sql`(select l.id, l.assigned_to as "assignedTo", 0 as place, greatest(
         (select max(m.created_at) from messages m where m.lead_id = l.id and m.direction = 'outbound'),
         (select max(c.requested_at) from calls c where c.lead_id = l.id)) as touched, l.created_at as made
       from leads l where l.id in (${leadsWithPhonesSql(sql`array[${number}]`)}))
     union all
     (select l.id, l.assigned_to, 1, null, l.created_at from messages m join leads l on l.id = m.lead_id
       where m.from_number = ${number} and m.direction = 'inbound' order by m.id desc limit 1)
     order by place, touched desc nulls last, made desc, id desc limit 1`,
  );
  return row ?? null;
}

/** Whether the holder of a number opted out of SMS. */
export async function isStopped(tx: Tx, number: string): Promise<boolean> {
  const known = await queryFirst<{ stopped: boolean }>(
    tx,
    sql`select stopped from stopped_numbers where number = ${number}`,
  );
  return known?.stopped ?? false;
}

/**
 * Stores whether the holder of a number wants SMS, even if no lead has it. Returns false if a later SMS of theirs said otherwise. `eventId`
 * orders inbound SMS; null if the provider reported the opt-out.
 */
export async function saveWish(
  tx: Tx,
  wish: { number: string; stopped: boolean; eventId: number | null },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`insert into stopped_numbers as s (number, stopped, event_id) values (${wish.number}, ${wish.stopped}, ${wish.eventId})
     on conflict (number) do update set stopped = excluded.stopped, event_id = coalesce(excluded.event_id, s.event_id),
       changed_at = clock_timestamp()
       where excluded.event_id is null or s.event_id is null or s.event_id < excluded.event_id`,
  );
  return rowCount === 1;
}

/** Blocks SMS to a number. Returns the leads for which this is new, by their main number or an alias. */
export async function blockNumber(tx: Tx, number: string): Promise<LeadOfNumber[]> {
  return query<LeadOfNumber>(
    tx,
    sql`with own as (update leads set text_opt_out = 'stop', updated_at = clock_timestamp()
         where phone_e164 = ${number} and text_opt_out is distinct from 'stop' returning id, assigned_to),
       further as (update lead_aliases set text_opt_out = 'stop'
         where phone_e164 = ${number} and text_opt_out is distinct from 'stop' returning lead_id)
     select id, assigned_to as "assignedTo" from own
     union select l.id, l.assigned_to from further f join leads l on l.id = f.lead_id`,
  );
}

/**
 * Unblocks SMS to a number after a stop. Other reasons stay, and for a lead with this number as an alias the stops of its other numbers.
 */
export async function unblockNumber(tx: Tx, number: string): Promise<LeadOfNumber[]> {
  return query<LeadOfNumber>(
    tx,
    sql`with own as (update leads set text_opt_out = null, updated_at = clock_timestamp()
         where phone_e164 = ${number} and text_opt_out = 'stop' returning id, assigned_to),
       further as (update lead_aliases set text_opt_out = null
         where phone_e164 = ${number} and text_opt_out = 'stop' returning lead_id, merge_id)
     select id, assigned_to as "assignedTo" from own o where not exists (select 1 from lead_aliases a
         where a.lead_id = o.id and a.text_opt_out is not null and a.phone_e164 is distinct from ${number})
     union select l.id, l.assigned_to from further f join leads l on l.id = f.lead_id
       where (l.text_opt_out is null or l.phone_e164 = ${number}) and not exists (select 1 from lead_aliases a
         where a.lead_id = l.id and a.text_opt_out is not null and a.phone_e164 is distinct from ${number})`,
  );
}
