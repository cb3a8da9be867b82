import type { KnownLead } from "@portal/contract/routes/leads";
import type { Db } from "../../platform/db/client.ts";
import { query, queryFirst, sql } from "../../platform/db/query.ts";
import type { leads } from "../../platform/db/schema/leads.ts";
import {
  aliasOptOutSql,
  leadsWithEmailsSql,
  leadsWithPhonesSql,
} from "../../platform/db/sql/lead-aliases.ts";
import { joinRep } from "./lead-repository.ts";

/** What somebody is known by: an address in lower case, a number in E.164. */
export interface LeadAddress {
  email: string | null;
  phoneE164: string | null;
}

/** A lead with one of these, and whether any that has asked for no more calls or texts, named here or not. */
export type KnownLeadRow = KnownLead & Pick<typeof leads.$inferSelect, "callOptOut" | "textOptOut">;

const most = 5;

/** The ids of the leads that have the address or the number, each by its own index. */
const withAddress = ({ email, phoneE164 }: LeadAddress) =>
  sql`${leadsWithEmailsSql(sql`array[${email}]::text[]`)} union ${leadsWithPhonesSql(sql`array[${phoneE164}]::text[]`)}`;

/** Leads that have the address or the number, at most five: who has the address first, then the oldest. */
export async function findLeadsByAddress(db: Db, address: LeadAddress): Promise<KnownLeadRow[]> {
  const { email, phoneE164 } = address;
  return query<KnownLeadRow>(
    db,
    sql`select l.id, l.name, l.company, l.phone, l.email, l.status, l.assigned_to as "assignedTo", u.name as "salesRepName",
         max(coalesce(l.call_opt_out, ${aliasOptOutSql("call_opt_out")})) over () as "callOptOut",
         max(coalesce(l.text_opt_out, ${aliasOptOutSql("text_opt_out")})) over () as "textOptOut",
         array_remove(array[case when h.phone then 'phone' end, case when h.email then 'email' end], null) as by
       from leads l ${joinRep} cross join lateral (select
           l.phone_e164 = ${phoneE164} or coalesce(bool_or(a.phone_e164 = ${phoneE164}), false) as phone,
           lower(l.email) = ${email} or coalesce(bool_or(lower(a.email) = ${email}), false) as email
         from lead_aliases a where a.lead_id = l.id) h
       where l.id in (${withAddress(address)})
       order by h.email is true desc, l.id limit ${most}`,
  );
}

/** The lead with the address or the number that this person made by the request with this reference. */
export async function findLeadMadeBy(
  db: Db,
  { userId, clientRef, ...address }: LeadAddress & { userId: number; clientRef: string },
): Promise<number | null> {
  const made = await queryFirst<{ id: number }>(
    db,
    sql`select e.lead_id as id from lead_events e where e.lead_id in (${withAddress(address)})
       and e.kind = 'created' and e.user_id = ${userId} and e.data ->> 'clientRef' = ${clientRef}`,
  );
  return made?.id ?? null;
}
