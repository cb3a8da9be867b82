import type { SQL } from "drizzle-orm";
import { sql } from "../query.ts";

/**
 * What a lead has besides its own row since another was merged into it (`lead_aliases`): whoever looks for a lead by number, address or
 * contact looks here too.
 */

/** The ids of the leads with one of these numbers, each by an index. */
export const leadsWithPhonesSql = (numbers: SQL) =>
  sql`select id from leads where phone_e164 = any(${numbers}) union select lead_id from lead_aliases where phone_e164 = any(${numbers})`;

/** The same by addresses in lower case. */
export const leadsWithEmailsSql = (emails: SQL) =>
  sql`select id from leads where lower(email) = any(${emails}) union select lead_id from lead_aliases where lower(email) = any(${emails})`;

/** An opt-out that one of the further numbers or contacts of a lead `l` has. */
export const aliasOptOutSql = (column: "call_opt_out" | "text_opt_out") =>
  sql`(select max(a.${sql.identifier(column)}) from lead_aliases a where a.lead_id = l.id)`;

/** Values of a column of a lead `l`'s further numbers, joined with '&', those apart that are `known`; null where there are none. */
export const aliasValuesSql = (column: "time_zone" | "address_state", known: SQL) =>
  sql`(select string_agg(distinct a.${sql.identifier(column)}, '&') from lead_aliases a
    where a.lead_id = l.id and a.${sql.identifier(column)} is distinct from ${known})`;
