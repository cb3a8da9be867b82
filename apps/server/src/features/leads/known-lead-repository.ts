import type { KnownLead } from "@portal/contract/routes/leads";
import type { Db } from "../../platform/db/client.ts";
import { query, queryFirst, sql } from "../../platform/db/query.ts";
import type { leads } from "../../platform/db/schema/leads.ts";
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
  sql`select id from leads where lower(email) = ${email} union select id from leads where phone_e164 = ${phoneE164}`;

/** Leads that have the address or the number, at most five: who has the address first, then the oldest. */
export async function findLeadsByAddress(db: Db, address: LeadAddress): Promise<KnownLeadRow[]> {
  const { email, phoneE164 } = address;
  return query<KnownLeadRow>(
    db,
    sql`select l.id, l.name, l.company, l.phone, l.email, l.status, l.assigned_to as "assignedTo", u.name as "salesRepName",
         max(l.call_opt_out) over () as "callOptOut", max(l.text_opt_out) over () as "textOptOut",
         array_remove(array[case when l.phone_e164 = ${phoneE164} then 'phone' end,
           case when lower(l.email) = ${email} then 'email' end], null) as by
       from leads l ${joinRep} where l.id in (${withAddress(address)}) 
       order by (lower(l.email) = ${email}) is true desc, l.id limit ${most}`,
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
