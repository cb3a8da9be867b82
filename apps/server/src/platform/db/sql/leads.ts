import type { SQL } from "drizzle-orm";
import { sql } from "../query.ts";

/** Fields of a lead `l` from an import or webhook that have no column, by the sender's names: JSONB, or null. */
export const extraFieldsSql = sql`case when jsonb_typeof(l.extra -> 'imported') = 'object' then l.extra -> 'imported' end`;

/** A value from the CRM as text; several are separated by commas. */
const plainSql = (value: SQL) =>
  sql`coalesce(case jsonb_typeof(${value}) when 'array' then (select string_agg(part, ', ') from jsonb_array_elements_text(${value}) part) else ${value} #>> '{}' end, '')`;

/** Fields of a lead `l` that have no column, as a JSON array of name, value and sender. */
export const extraItemsSql = sql`coalesce((select json_agg(json_build_object('name', i.name, 'value', i.value, 'from', i.sender) order by i.place, i.name collate "C") from (
    select 1 as place, 'import' as sender, e.key as name, coalesce(e.value, '') as value from jsonb_each_text(${extraFieldsSql}) e
    union all select 2, 'crm', e.key, ${plainSql(sql`e.value`)} from jsonb_each(case when jsonb_typeof(l.extra) = 'object' then l.extra end) e where e.key in ('state', 'timeZone', 'tags')
    union all select 3, 'crm-field', e.key, ${plainSql(sql`e.value`)} from jsonb_each(case when jsonb_typeof(l.extra -> 'fields') = 'object' then l.extra -> 'fields' end) e
  ) i), '[]')`;

/** A spreadsheet's cell holds 32,767 characters, and longer text spills into the rows below. */
const cellMax = 32_000;

/** The same as `name: value` lines, ordered by name and cut to a spreadsheet's cell: text, or null. */
export const extraLinesSql = sql`case when l.extra is not null then
  (select left(string_agg(e.key || ': ' || coalesce(e.value, ''), e'\\n' order by e.key collate "C"), ${sql.constant(cellMax)})
     from jsonb_each_text(${extraFieldsSql}) e) end`;

/**
 * Writes events of leads as a part of the statement that causes them: `rows` selects lead, user, kind and data, in the order of the events.
 * Their instant is the time of writing.
 */
export const insertLeadEventsSql = (rows: SQL) =>
  sql`insert into lead_events (lead_id, user_id, kind, data, at)
   select e.lead_id, e.user_id, e.kind, e.data, clock_timestamp() from (${rows}) e(lead_id, user_id, kind, data)`;

/** The same for the audit log: `rows` selects, or lists, user, action, subject and data. */
export const insertAuditSql = (rows: SQL) =>
  sql`insert into audit_log (user_id, action, subject, data) ${rows}`;

/**
 * Name and company of a lead `l` in lower case without accents, null without a company: leads with the same value may be duplicates. The
 * index `leads_namesake_idx` contains the same expression.
 */
export const namesakeSql = sql`translate(lower(left(l.name, 200) || ' · ' || left(l.company, 200)), 'áàâãäéèêëíìîïóòôõöúùûüñç', 'aaaaaeeeeiiiiooooouuuunc')`;

/** Aliases of a lead after a merge (`lead_aliases`): every search by number, address or contact has to read them too. */

/** Ids of the leads with one of these numbers, each found by an index. */
export const leadsWithPhonesSql = (numbers: SQL) =>
  sql`select id from leads where phone_e164 = any(${numbers}) union select lead_id from lead_aliases where phone_e164 = any(${numbers})`;

/** The same by email addresses in lower case. */
export const leadsWithEmailsSql = (emails: SQL) =>
  sql`select id from leads where lower(email) = any(${emails}) union select lead_id from lead_aliases where lower(email) = any(${emails})`;

/** Whether another lead was merged into a lead `l`, and still is. */
export const isMergedSql = sql`exists (select 1 from lead_aliases a where a.lead_id = l.id)`;

/** An opt-out of one of the aliases of a lead `l`. */
export const aliasOptOutSql = (column: "call_opt_out" | "text_opt_out") =>
  sql`(select max(a.${sql.identifier(column)}) from lead_aliases a where a.lead_id = l.id)`;

/** Values of a column of a lead `l`'s aliases, joined with '&', except `known` ones; null if there are none. */
export const aliasValuesSql = (column: "time_zone" | "address_state", known: SQL) =>
  sql`(select string_agg(distinct a.${sql.identifier(column)}, '&') from lead_aliases a
    where a.lead_id = l.id and a.${sql.identifier(column)} is distinct from ${known})`;
