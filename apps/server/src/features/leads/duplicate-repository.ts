import type { DuplicateKey, Duplicates, KnownLead } from "@portal/contract/routes/leads";
import type { Db } from "../../platform/db/client.ts";
import { query, queryFirst, queryOnly, sql } from "../../platform/db/query.ts";
import type { leads } from "../../platform/db/schema/leads.ts";
import {
  aliasOptOutSql,
  leadsWithEmailsSql,
  leadsWithPhonesSql,
  namesakeSql,
} from "../../platform/db/sql/leads.ts";
import { joinRep } from "./lead-repository.ts";

/** Contact data to search by: an email address in lower case, a number in E.164. */
export interface LeadAddress {
  email: string | null;
  phoneE164: string | null;
}

/** A lead that has one of these. The opt-outs are true if any lead with the address or number opted out, listed here or not. */
export type KnownLeadRow = KnownLead & Pick<typeof leads.$inferSelect, "callOptOut" | "textOptOut">;

const most = 5;

/** Ids of the leads with the address or the number; each part of the union uses its own index. */
const withAddress = ({ email, phoneE164 }: LeadAddress) =>
  sql`${leadsWithEmailsSql(sql`array[${email}]::text[]`)} union ${leadsWithPhonesSql(sql`array[${phoneE164}]::text[]`)}`;

/** Leads with the address or the number, at most five: those with the address first, then the oldest. */
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

/** Id of the lead with the address or number that this user created by the request with this reference, or null. */
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

/** For each kind of comparison the key of leads `l`, as its index holds it, and which leads have one. */
const comparisons = {
  phone: { key: sql`l.phone_e164`, has: sql`l.phone_e164 is not null` },
  email: { key: sql`lower(l.email)`, has: sql`l.email is not null` },
  name: { key: namesakeSql, has: sql`l.company is not null` },
};

/** Which duplicates: of the leads of one consultant, or of all leads (`ownerId` null). */
export interface DuplicateQuery {
  by: DuplicateKey;
  ownerId: number | null;
}

export type DuplicatesRow = Duplicates & { key: string };

/** At most this many leads of a group are listed, and counted if the query is for one owner. */
const named = 10;
const counted = 1_000;

/** Keys that more than one lead has, in ascending order after `after`, read along the index only as far as the page needs. */
function keysSql({ by, ownerId }: DuplicateQuery, after: string | null, limit: number) {
  const { key, has } = comparisons[by];
  const isAfter = after === null ? sql`true` : sql`${key} > ${after}`;
  if (ownerId === null)
    return sql`select ${key} as key, count(*)::int as count from leads l where ${has} and ${isAfter}
      group by 1 having count(*) > 1 order by 1 limit ${limit}`;
  return sql`select k.key, n.count from (select distinct ${key} as key from leads l
        where l.assigned_to = ${ownerId} and ${has} and ${isAfter}) k,
      lateral (select count(*)::int as count from (select 1 from leads l where ${has} and ${key} = k.key
        limit ${sql.constant(counted)}) same) n
    where n.count > 1 order by 1 limit ${limit}`;
}

/** A page of groups of possible duplicates, each with its oldest leads. */
export async function findDuplicates(
  db: Db,
  asked: DuplicateQuery & { after: string | null; limit: number },
): Promise<DuplicatesRow[]> {
  const { key, has } = comparisons[asked.by];
  return query<DuplicatesRow>(
    db,
    sql`select k.key, k.count, d.leads from (${keysSql(asked, asked.after, asked.limit)}) k,
      lateral (select json_agg(l) as leads from (
        select l.id, l.name, l.company, l.phone, l.email, l.status, l.assigned_to as "assignedTo", u.name as "salesRepName"
        from leads l ${joinRep} where ${has} and ${key} = k.key order by l.id limit ${sql.constant(named)}) l) d
      order by k.key`,
  );
}

/** Number of groups, counted up to `cap`. */
export async function countDuplicates(db: Db, asked: DuplicateQuery, cap: number): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (${keysSql(asked, null, cap)}) k`,
  );
  return count;
}
