import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import type { Tx } from "../../db/client.ts";
import { copyRows } from "../../db/copy-rows.ts";

/** The columns that a lead coming in may fill, as they are in the database. */
export interface TakenColumns {
  name: string;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  phone_e164: string | null;
  time_zone: string | null;
  company: string | null;
  industry: string | null;
  status: LeadStatus;
  priority: Priority;
  notes: string | null;
  deal_value: number | null;
  lead_source: string | null;
  ghl_contact_id: string | null;
  extra: Record<string, unknown> | null;
  search: string;
}

/** A lead that is there already. */
export interface StoredLead extends TakenColumns {
  id: number;
  assigned_to: number | null;
}

const types: Record<keyof TakenColumns, string> = {
  name: "text",
  first_name: "text",
  last_name: "text",
  email: "text",
  phone: "text",
  phone_e164: "text",
  time_zone: "text",
  company: "text",
  industry: "text",
  status: "text",
  priority: "text",
  notes: "text",
  deal_value: "numeric",
  lead_source: "text",
  ghl_contact_id: "text",
  extra: "jsonb",
  search: "text",
};

export const takenColumns = Object.keys(types) as (keyof TakenColumns)[];
const columns = takenColumns.join(", ");
const declared = takenColumns.map((name) => `${name} ${types[name]}`).join(", ");
/** A parameter for each column, from the second on: an array is read in half the time that JSON takes. */
const arrays = takenColumns.map((name, index) => `$${index + 2}::${types[name]}[]`).join(", ");
const read = takenColumns
  .map((name) => (name === "deal_value" ? "l.deal_value::float8 as deal_value" : `l.${name}`))
  .join(", ");

/** Leads with one of these ids, contact ids, addresses (lower case) or numbers, oldest first; `hold` keeps them until the transaction ends. */
export async function findStoredLeads(
  tx: Tx,
  keys: { tied: number[]; contactIds: string[]; emails: string[]; phones: string[]; hold: boolean },
): Promise<StoredLead[]> {
  // Not `union`: while nothing is known of the table the planner would walk all of it in the order of ids, for each batch of a file.
  const { rows: found } = await tx.$client.query<{ id: number }>(
    `select id from leads where ghl_contact_id = any($1)
     union all select id from leads where lower(email) = any($2)
     union all select id from leads where phone_e164 = any($3)`,
    [keys.contactIds, keys.emails, keys.phones],
  );
  const ids = [...new Set([...found.map(({ id }) => id), ...keys.tied])];
  if (ids.length === 0) return [];
  const { rows } = await tx.$client.query<StoredLead>(
    `select l.id, l.assigned_to, ${read} from leads l where l.id = any($1) order by l.id ${keys.hold ? "for update" : ""}`,
    [ids],
  );
  return rows;
}

/** So many leads are copied in, for two thirds of what inserting costs Node and PostgreSQL; fewer are not worth another question. */
const copiedFrom = 100;

interface NewLeads {
  rows: TakenColumns[];
  assignTo: number | null;
  /** Called when many are on their way, and the database still writes them. */
  onSent?: () => void;
}

/** Makes leads in the order given; answers their ids in that order. */
export async function insertTakenLeads(tx: Tx, made: NewLeads): Promise<number[]> {
  if (made.rows.length === 0) return [];
  return made.rows.length < copiedFrom ? insertLeads(tx, made) : copyLeads(tx, made);
}

/** The ids are taken first: copying answers none. */
async function copyLeads(tx: Tx, { rows, assignTo, onSent }: NewLeads): Promise<number[]> {
  const { rows: taken } = await tx.$client.query<{ ids: number[]; now: string }>(
    "select array(select nextval('leads_id_seq')::int from generate_series(1, $1::int)) as ids, now()::text as now",
    [rows.length],
  );
  const { ids = [], now } = taken[0] ?? {};
  const assignedAt = assignTo === null ? null : now;
  const values = (lead: TakenColumns, index: number) => [
    ids[index],
    assignTo,
    assignedAt,
    lead.ghl_contact_id === null ? "none" : "synced",
    ...takenColumns.map((name) => lead[name]),
  ];
  await copyRows(tx, `leads (id, assigned_to, assigned_at, crm_sync, ${columns})`, { rows, values, onSent });
  return ids;
}

async function insertLeads(tx: Tx, { rows, assignTo }: NewLeads): Promise<number[]> {
  const { rows: made } = await tx.$client.query<{ id: number }>(
    `insert into leads (${columns}, assigned_to, assigned_at, crm_sync)
     select ${columns}, $1::int, case when $1::int is not null then now() end,
       case when ghl_contact_id is not null then 'synced' else 'none' end
       from unnest(${arrays}) as c(${columns})
     returning id`,
    [assignTo, ...takenColumns.map((name) => rows.map((row) => row[name]))],
  );
  return made.map(({ id }) => id);
}

/** Writes changed leads in one statement. */
export async function updateTakenLeads(tx: Tx, rows: (TakenColumns & { id: number })[]): Promise<void> {
  if (rows.length === 0) return;
  const assignments = takenColumns.map((name) => `${name} = c.${name}`).join(", ");
  await tx.$client.query(
    `update leads l set ${assignments}, updated_at = now(),
       number_fault = case when l.phone_e164 is not distinct from c.phone_e164 then l.number_fault end,
       crm_sync = case when l.ghl_contact_id is null and c.ghl_contact_id is not null then 'synced' else l.crm_sync end,
       last_contacted_at = case when l.status = 'new' and c.status <> 'new' then now() else l.last_contacted_at end
     from json_to_recordset($1::json) as c(id int, ${declared}) where l.id = c.id`,
    [JSON.stringify(rows)],
  );
}
