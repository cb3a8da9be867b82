import type { SQL } from "drizzle-orm";
import { sql } from "../query.ts";

/** What came with a lead `l`, by import or webhook, and has no field here, by the sender's names: JSONB, or null. */
export const extraFieldsSql = sql`case when jsonb_typeof(l.extra -> 'imported') = 'object' then l.extra -> 'imported' end`;

/** A value of the CRM's as text; several are parted by commas. */
const plainSql = (value: SQL) =>
  sql`coalesce(case jsonb_typeof(${value}) when 'array' then (select string_agg(part, ', ') from jsonb_array_elements_text(${value}) part) else ${value} #>> '{}' end, '')`;

/** What came with a lead `l` and has no column, as a JSON array of name, value and who sent it. */
export const extraItemsSql = sql`coalesce((select json_agg(json_build_object('name', i.name, 'value', i.value, 'from', i.sender) order by i.place, i.name collate "C") from (
    select 1 as place, 'import' as sender, e.key as name, coalesce(e.value, '') as value from jsonb_each_text(${extraFieldsSql}) e
    union all select 2, 'crm', e.key, ${plainSql(sql`e.value`)} from jsonb_each(case when jsonb_typeof(l.extra) = 'object' then l.extra end) e where e.key in ('state', 'timeZone', 'tags')
    union all select 3, 'crm-field', e.key, ${plainSql(sql`e.value`)} from jsonb_each(case when jsonb_typeof(l.extra -> 'fields') = 'object' then l.extra -> 'fields' end) e
  ) i), '[]')`;

/** A spreadsheet's cell holds 32,767 characters, and breaks what is longer into the rows below. */
const cellMax = 32_000;

/** The same as `name: value`, a line each, in the order of the names and cut at what a spreadsheet's cell can hold: text, or null. */
export const extraLinesSql = sql`case when l.extra is not null then
  (select left(string_agg(e.key || ': ' || coalesce(e.value, ''), e'\\n' order by e.key collate "C"), ${sql.constant(cellMax)})
     from jsonb_each_text(${extraFieldsSql}) e) end`;

/**
 * Writes what happened to leads, as a part of the statement that does it: `rows` selects lead, person, kind and data, in the order of the
 * events. Their instant is that of the writing.
 */
export const insertLeadEventsSql = (rows: SQL) =>
  sql`insert into lead_events (lead_id, user_id, kind, data, at)
   select e.lead_id, e.user_id, e.kind, e.data, clock_timestamp() from (${rows}) e(lead_id, user_id, kind, data)`;

/** The same of the audit: `rows` selects, or lists, user, action, subject and data. */
export const insertAuditSql = (rows: SQL) =>
  sql`insert into audit_log (user_id, action, subject, data) ${rows}`;

/**
 * Name and company of a lead `l` in small letters without accents, null where it has no company: leads that agree in it may be one. The index
 * `leads_namesake_idx` holds the same expression.
 */
export const namesakeSql = sql`translate(lower(left(l.name, 200) || ' · ' || left(l.company, 200)), 'áàâãäéèêëíìîïóòôõöúùûüñç', 'aaaaaeeeeiiiiooooouuuunc')`;

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
