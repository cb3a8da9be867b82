import type { CrmChangeField } from "@portal/contract/entities/crm";
import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import { getTableColumns, type SQL, type SQLWrapper } from "drizzle-orm";
import type { Tx } from "../../../platform/db/client.ts";
import { copyRows } from "../../../platform/db/copy.ts";
import { execute, query, queryOnly, sql } from "../../../platform/db/query.ts";
import { leads } from "../../../platform/db/schema/leads.ts";
import type { LeadChanges } from "../lead-repository.ts";

/** Columns that a source may fill, with the names of the database. */
export interface LeadColumns {
  name: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  phone_e164: string | null;
  time_zone: string | null;
  company: string | null;
  industry: string | null;
  deal_value: number | null;
  lead_source: string | null;
  status: LeadStatus;
  priority: Priority;
  /** ISO instant. */
  next_follow_up_date: string | null;
  next_follow_up_time: string | null;
  next_follow_up_zone: string | null;
  /** ISO instant. */
  next_follow_up_at: string | null;
  assigned_to: number | null;
  call_opt_out: string | null;
  text_opt_out: string | null;
  ghl_contact_id: string | null;
  /** ISO instant. */
  crm_updated_at: string | null;
  extra: Record<string, unknown> | null;
  search: string;
  notes: string | null;
}

export type LeadColumn = keyof LeadColumns;

/** An existing lead. */
export interface StoredLead extends LeadColumns {
  id: number;
  /** Fields changed in the portal that the CRM has not received yet. */
  held: CrmChangeField[];
  /** ISO instant at which its contact was found deleted in the CRM, or null. */
  crm_deleted_at: string | null;
  /** Numbers, addresses and contacts of leads merged into this one, oldest merge first. */
  aliases: LeadAlias[];
}

/** Number, email and contact of a merged lead; `fallback` holds values for fields that the surviving lead's contact leaves empty. */
export interface LeadAlias extends Pick<LeadColumns, "phone_e164" | "email" | "ghl_contact_id"> {
  fallback: Partial<LeadColumns> | null;
}

const sqlTypes = {
  text: sql`text`,
  numeric: sql`numeric`,
  timestamptz: sql`timestamptz`,
  int: sql`int`,
  jsonb: sql`jsonb`,
};

const types: Record<LeadColumn, keyof typeof sqlTypes> = {
  name: "text",
  first_name: "text",
  last_name: "text",
  email: "text",
  phone: "text",
  phone_e164: "text",
  time_zone: "text",
  company: "text",
  industry: "text",
  deal_value: "numeric",
  lead_source: "text",
  status: "text",
  priority: "text",
  next_follow_up_date: "timestamptz",
  next_follow_up_time: "text",
  next_follow_up_zone: "text",
  next_follow_up_at: "timestamptz",
  assigned_to: "int",
  call_opt_out: "text",
  text_opt_out: "text",
  ghl_contact_id: "text",
  crm_updated_at: "timestamptz",
  extra: "jsonb",
  search: "text",
  notes: "text",
};

const names = Object.keys(types) as LeadColumn[];
/** Columns that the CRM fills, in the order in which they are hashed. Notes are separate records there. */
export const contactColumns = names.filter((name) => name !== "notes");
const listOf = (parts: SQLWrapper[]) => sql.join(parts, sql`, `);
const columns = listOf(names.map((name) => sql.identifier(name)));

const isoText = (name: string) => {
  const column = sql.identifier(name);
  return sql`to_char(l.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;
};

/** `deal_value` as a number and instants as ISO text, to compare rows with incoming records. */
const read = listOf([
  ...names.map((name) => {
    if (name === "deal_value") return sql`l.deal_value::float8 as deal_value`;
    return types[name] === "timestamptz" ? isoText(name) : sql`l.${sql.identifier(name)}`;
  }),
  isoText("crm_deleted_at"),
]);
const held = sql`(select coalesce(array_agg(distinct o.field), '{}') from crm_outbox o
  where o.lead_id = l.id and o.state in ('pending', 'failed'))`;

const aliases = sql`(select coalesce(json_agg(json_build_object('phone_e164', a.phone_e164, 'email', a.email,
    'ghl_contact_id', a.ghl_contact_id, 'fallback', a.fallback) order by a.merge_id), '[]') from lead_aliases a where a.lead_id = l.id)`;

/**
 * Expression for `crm_hash`: a contact with this digest changes nothing on a lead with these columns. It needs no invalidation, as a
 * changed lead has another hash. `row` is the alias of a lead or of a row to be written.
 */
export const contentHash = (digest: SQL, row: "l" | "c" | "n") => {
  const columns = contactColumns.map((name) => sql`${sql.identifier(row)}.${sql.identifier(name)}`);
  return sql`hashtextextended(${digest}, hash_record_extended(row(${listOf(columns)}), 0))`;
};

interface LeadKeys {
  /** Ids of leads that the senders' own records are tied to. */
  tied: number[];
  contactIds: string[];
  /** Lower case. */
  emails: string[];
  phones: string[];
}

/** Leads with one of these keys, oldest first; `lock` locks them until the transaction ends. */
export async function findStoredLeads(
  tx: Tx,
  keys: LeadKeys,
  { lock, withHeld }: { lock: boolean; withHeld: boolean },
): Promise<StoredLead[]> {
  const [contactIds, emails, phones] = [keys.contactIds, keys.emails, keys.phones].map(
    (values) => sql`${sql.param(values)}::text[]`,
  ) as [SQL, SQL, SQL];
  // Not `union`: without statistics the planner would scan the whole table in the order of ids for each batch of a file.
  const found = await query<{ id: number }>(
    tx,
    sql`select id from leads where ghl_contact_id = any(${contactIds})
     union all select id from leads where lower(email) = any(${emails})
     union all select id from leads where phone_e164 = any(${phones})
     union all select lead_id from lead_aliases where ghl_contact_id = any(${contactIds})
     union all select lead_id from lead_aliases where lower(email) = any(${emails})
     union all select lead_id from lead_aliases where phone_e164 = any(${phones})`,
  );
  const ids = [...new Set([...found.map(({ id }) => id), ...keys.tied])];
  if (ids.length === 0) return [];
  // The lock has a statement of its own: one that waits for it would see the outbox as it was before the wait.
  if (lock)
    await execute(tx, sql`select 1 from leads where id = any(${sql.param(ids)}) order by id for update`);
  return query<StoredLead>(
    tx,
    sql`select l.id, ${read}, ${withHeld ? held : sql`'{}'::text[]`} as held, ${aliases} as aliases from leads l where l.id = any(${sql.param(ids)}) order by l.id`,
  );
}

/** By lead id the name that a consultant replaced by the current one. */
export async function findRenames(tx: Tx, leads: StoredLead[]): Promise<Map<number, string>> {
  if (leads.length === 0) return new Map();
  const ids = sql.param(leads.map(({ id }) => id));
  const rows = await query<{ id: number; before: string; after: string }>(
    tx,
    sql`select distinct on (lead_id) lead_id as id, data->>'before' as before, data->>'after' as after
     from lead_events where lead_id = any(${ids}) and kind = 'renamed' order by lead_id, at desc, id desc`,
  );
  const now = new Map(leads.map(({ id, name }) => [id, name]));
  return new Map(rows.filter(({ id, after }) => now.get(id) === after).map(({ id, before }) => [id, before]));
}

export interface NewLead {
  lead: LeadColumns;
  /** ISO instant at which its contact was created in the CRM; null for now. */
  createdAt: string | null;
  /** Digest of the contact that the lead already agrees with. */
  digest: string | null;
}

/** Batches from this size are copied, at two thirds of the cost of an insert; for fewer the extra query is not worth it. */
const copiedFrom = 100;

/** Creates leads in the order given and returns their ids in that order. `onSent` is called while the database writes a large batch. */
export async function insertLeads(
  tx: Tx,
  rows: NewLead[],
  onSent: (() => void) | undefined,
): Promise<number[]> {
  if (rows.length === 0) return [];
  // A digest is hashed with the columns by PostgreSQL, which COPY cannot do.
  const isPlain = rows.every(({ createdAt, digest }) => createdAt === null && digest === null);
  return isPlain && rows.length >= copiedFrom ? copyLeads(tx, rows, onSent) : insertFew(tx, rows);
}

/** The ids are reserved first, as COPY returns none. */
async function copyLeads(tx: Tx, rows: NewLead[], onSent: (() => void) | undefined): Promise<number[]> {
  const { ids, now } = await queryOnly<{ ids: number[]; now: string }>(
    tx,
    sql`select array(select nextval('leads_id_seq')::int from generate_series(1, ${rows.length}::int)) as ids, now()::text as now`,
  );
  const values = ({ lead }: NewLead, index: number) => [
    ids[index],
    lead.assigned_to === null ? null : now,
    lead.ghl_contact_id === null ? "none" : "synced",
    ...names.map((name) => lead[name]),
  ];
  const into = { table: "leads", columns: ["id", "assigned_at", "crm_sync", ...names] };
  await copyRows(tx, into, { rows, values, ...(onSent && { onSent }) });
  return ids;
}

async function insertFew(tx: Tx, rows: NewLead[]): Promise<number[]> {
  // PostgreSQL parses an array in half the time of JSON.
  const arrays = names.map(
    (name) => sql`${sql.param(rows.map(({ lead }) => lead[name]))}::${sqlTypes[types[name]]}[]`,
  );
  const made = await query<{ id: number }>(
    tx,
    sql`insert into leads (${columns}, created_at, assigned_at, crm_sync, crm_hash)
     select ${columns}, coalesce(created_at, now()), case when assigned_to is not null then now() end,
       case when ghl_contact_id is not null then 'synced' else 'none' end, ${contentHash(sql`c.digest`, "c")}
       from unnest(${listOf(arrays)}, ${sql.param(rows.map(({ createdAt }) => createdAt))}::timestamptz[],
         ${sql.param(rows.map(({ digest }) => digest))}::text[]) as c(${columns}, created_at, digest)
     returning id`,
  );
  return made.map(({ id }) => id);
}

const fields = getTableColumns(leads);
const fieldOf = new Map(Object.entries(fields).map(([field, { name }]) => [name, field]));

/** Column values by the names of a lead's fields. */
export const fieldsOf = (columns: Partial<LeadColumns>): LeadChanges =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [fieldOf.get(name), value]));

/** Stores that these contacts change nothing on their leads, so that the next sync can skip them. The caller has locked the leads. */
export async function saveContentHashes(tx: Tx, rows: { id: number; digest: string }[]): Promise<void> {
  if (rows.length === 0) return;
  await execute(
    tx,
    sql`update leads l set crm_hash = ${contentHash(sql`c.digest`, "l")}
       from unnest(${sql.param(rows.map(({ id }) => id))}::int[], ${sql.param(rows.map(({ digest }) => digest))}::text[])
         as c(id, digest) where l.id = c.id`,
  );
}
