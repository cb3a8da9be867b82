import type { CrmChangeField } from "@portal/contract/entities/crm";
import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import type { Db, Tx } from "../../db/client.ts";
import { prepared } from "../../db/prepared.ts";
import { insertLeadEventsSql } from "../../db/sql/insert-history.ts";

/** The columns that the CRM fills, as they are in the database. */
export interface LeadFields {
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
  assigned_to: number | null;
  call_opt_out: string | null;
  text_opt_out: string | null;
  ghl_contact_id: string | null;
  /** ISO instant. */
  crm_updated_at: string | null;
  extra: Record<string, unknown> | null;
  search: string;
}

export interface KnownLead extends LeadFields {
  id: number;
  /** Fields changed here that the CRM does not have yet. */
  held: CrmChangeField[];
  /** When its contact was found gone from the CRM, ISO; null where it is there. */
  crm_deleted_at: string | null;
  /** The hash of its fields. */
  state: string;
}

/** The digest of a contact that says nothing new to the lead as it is written; null keeps what was proved before. */
export interface Proof {
  proof: string | null;
}

const fieldTypes: Record<keyof LeadFields, string> = {
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
  assigned_to: "int",
  call_opt_out: "text",
  text_opt_out: "text",
  ghl_contact_id: "text",
  crm_updated_at: "timestamptz",
  extra: "jsonb",
  search: "text",
};

export const leadFieldNames = Object.keys(fieldTypes) as (keyof LeadFields)[];
const columns = leadFieldNames.join(", ");
/** A parameter for each column: an array is read in half the time that JSON takes. */
const arrays = leadFieldNames.map((name, index) => `$${index + 1}::${fieldTypes[name]}[]`).join(", ");
const declared = Object.entries(fieldTypes)
  .map(([name, type]) => `${name} ${type}`)
  .join(", ");

/** The hash of a lead's fields; a row of the recordset that is written has the same names. */
export const stateHash = (row: "l" | "c") =>
  `hash_record_extended(row(${leadFieldNames.map((name) => `${row}.${name}`).join(", ")}), 0)`;
/** What `crm_hash` holds: that this contact says nothing new to a lead of this state. True for ever, so that it never has to be taken back. */
export const provedHash = (digest: string, state: string) => `hashtextextended(${digest}, ${state})`;
const writtenHash = provedHash("c.proof", stateHash("c"));

const isoText = (column: string) =>
  `to_char(l.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;

/** `deal_value` as a number and instants as ISO texts, so that rows compare with what comes in. */
const read = leadFieldNames
  .map((name) => {
    if (name === "deal_value") return "l.deal_value::float8 as deal_value";
    return fieldTypes[name] === "timestamptz" ? isoText(name) : `l.${name}`;
  })
  .concat(isoText("crm_deleted_at"), `${stateHash("l")}::text as state`)
  .join(", ");
const held = `(select coalesce(array_agg(distinct o.field), '{}') from crm_outbox o
  where o.lead_id = l.id and o.state in ('pending', 'failed')) as held`;

/** Leads of these contacts, and unknown to the CRM those with these addresses (lower case). */
export async function findKnownLeads(
  tx: Tx,
  keys: { contactIds: string[]; emails: string[] },
): Promise<KnownLead[]> {
  const { rows } = await tx.$client.query<KnownLead>(
    `select l.id, ${read}, ${held} from leads l where l.ghl_contact_id = any($1)
     union all
     select l.id, ${read}, ${held} from leads l where lower(l.email) = any($2) and l.ghl_contact_id is null
     order by id`,
    [keys.contactIds, keys.emails],
  );
  return rows;
}

/** The same leads as they are now, locked until the end of the transaction. */
export async function lockLeads(tx: Tx, ids: number[]): Promise<KnownLead[]> {
  await tx.$client.query("select 1 from leads where id = any($1) order by id for update", [ids]);
  const { rows } = await tx.$client.query<KnownLead>(
    `select l.id, ${read}, ${held} from leads l where l.id = any($1)`,
    [ids],
  );
  return rows;
}

const madeEvents = insertLeadEventsSql(
  `select id, null::int, 'created', jsonb_build_object('from', 'gohighlevel', 'ghlContactId', ghl_contact_id) from made`,
);

/** Makes leads and begins their timelines, one statement; answers the contacts of those that were made. */
export async function insertLeads(
  tx: Tx,
  rows: (LeadFields & Proof & { created_at: string | null })[],
): Promise<string[]> {
  const { rows: made } = await tx.$client.query<{ ghl_contact_id: string }>(
    `with made as (
     insert into leads (${columns}, created_at, assigned_at, crm_sync, crm_hash)
     select ${columns}, coalesce(created_at, now()), case when assigned_to is not null then now() end, 'synced', ${writtenHash}
       from unnest(${arrays}, $${leadFieldNames.length + 1}::timestamptz[], $${leadFieldNames.length + 2}::text[])
         as c(${columns}, created_at, proof)
     on conflict (ghl_contact_id) where ghl_contact_id is not null do nothing
     returning id, ghl_contact_id
     ), told as (${madeEvents})
     select ghl_contact_id from made`,
    [...leadFieldNames, "created_at" as const, "proof" as const].map((name) => rows.map((row) => row[name])),
  );
  return made.map(({ ghl_contact_id }) => ghl_contact_id);
}

/** Writes changed leads, one statement; their contacts are there. Notes are the portal's own and never among them. */
export async function updateLeads(tx: Tx, rows: (LeadFields & Proof & { id: number })[]): Promise<void> {
  const assignments = leadFieldNames.map((name) => `${name} = c.${name}`).join(", ");
  await tx.$client.query(
    `update leads l set ${assignments}, updated_at = now(), crm_deleted_at = null,
       crm_hash = coalesce(${writtenHash}, l.crm_hash),
       number_fault = case when l.phone_e164 is not distinct from c.phone_e164 then l.number_fault end,
       assigned_at = case when l.assigned_to is not distinct from c.assigned_to then l.assigned_at
                          when c.assigned_to is not null then now() end,
       crm_sync = case when l.crm_sync <> 'none' then l.crm_sync
                       when exists (select 1 from crm_outbox o where o.lead_id = l.id and o.state = 'failed') then 'failed'
                       else 'synced' end
     from jsonb_to_recordset($1::jsonb) as c(id int, ${declared}, proof text) where l.id = c.id`,
    [JSON.stringify(rows)],
  );
}

/** Keeps what could not be taken in, each once; forgets what is readable by now. */
export async function keepRejects(
  tx: Tx,
  rejects: { key: string; reason: string; payload: unknown }[],
  readableIds: string[],
): Promise<void> {
  await tx.$client.query(prepared("delete from crm_rejects where external_id = any($1)", [readableIds]));
  if (rejects.length === 0) return;
  await tx.$client.query(
    `insert into crm_rejects as r (external_id, reason, payload)
     select distinct on (key) key, reason, payload from jsonb_to_recordset($1::jsonb) as c(key text, reason text, payload jsonb)
     on conflict (external_id) where external_id is not null
       do update set reason = excluded.reason, payload = excluded.payload, at = now()
       where (r.reason, r.payload) is distinct from (excluded.reason, excluded.payload)`,
    [JSON.stringify(rejects)],
  );
}

/** The consultants by the CRM's ids, as far as they were tied. */
export async function findOwners(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.$client.query<{ id: number; crm_user_id: string }>(
    "select id, crm_user_id from users where crm_user_id is not null and role = 'consultant' and disabled_at is null",
  );
  return new Map(rows.map((row) => [row.crm_user_id, row.id]));
}

/** Ties consultants to the CRM's users by e-mail, never by an address that only they themselves chose; answers the consultants by the CRM's ids. */
export async function linkUsers(
  db: Db,
  crmUsers: { id: string; email: string | null }[],
): Promise<Map<string, number>> {
  const known = [...new Map(crmUsers.map((user) => [user.email, user])).values()].filter(
    ({ email }) => email !== null,
  );
  // Whose account here is closed makes room for the person who has the CRM's address by now.
  await db.$client.query(
    `update users u set crm_user_id = null, updated_at = now()
       from jsonb_to_recordset($1::jsonb) as c(id text, email text), users n
      where u.crm_user_id = c.id and u.disabled_at is not null
        and lower(n.email) = c.email and lower(n.given_email) = c.email and n.id <> u.id and n.disabled_at is null`,
    [JSON.stringify(known)],
  );
  await db.$client.query(
    `update users u set crm_user_id = c.id, updated_at = now()
       from jsonb_to_recordset($1::jsonb) as c(id text, email text)
      where lower(u.email) = c.email and lower(u.given_email) = c.email and u.crm_user_id is distinct from c.id
        and not exists (select 1 from users o where o.crm_user_id = c.id)`,
    [JSON.stringify(known)],
  );
  return findOwners(db);
}

/** Ties calls to the leads of their contacts where none or an earlier one is; answers those leads' owners, one each. */
export async function tieRecordings(
  tx: Tx,
  calls: { contact_id: string; message_id: string; at: string }[],
): Promise<(number | null)[]> {
  const { rows } = await tx.$client.query<{ assigned_to: number | null }>(
    `update leads l set ai_recording_message_id = c.message_id, ai_recording_at = c.at, updated_at = now()
       from jsonb_to_recordset($1::jsonb) as c(contact_id text, message_id text, at timestamptz)
      where l.ghl_contact_id = c.contact_id and (l.ai_recording_at is null or l.ai_recording_at < c.at)
      returning l.assigned_to`,
    [JSON.stringify(calls)],
  );
  return rows.map(({ assigned_to }) => assigned_to);
}

/** The lead of a contact, locked, with the note that holds its notes. */
export async function lockLeadOfContact(
  tx: Tx,
  contactId: string,
): Promise<
  { id: number; notes: string | null; noteId: string | null; assignedTo: number | null } | undefined
> {
  const { rows } = await tx.$client.query<{
    id: number;
    notes: string | null;
    noteId: string | null;
    assignedTo: number | null;
  }>(
    `select id, notes, crm_note_id as "noteId", assigned_to as "assignedTo" from leads
      where ghl_contact_id = $1 for update`,
    [contactId],
  );
  return rows[0];
}

/** Takes over the notes that someone wrote in the CRM; without a note there is none to update any more. */
export async function writeNotes(
  tx: Tx,
  input: { leadId: number; notes: string | null; noteId: string | null },
): Promise<void> {
  await tx.$client.query("update leads set notes = $2, crm_note_id = $3, updated_at = now() where id = $1", [
    input.leadId,
    input.notes,
    input.noteId,
  ]);
}

/** Whether the lead's notes are on their way to the CRM, or came there since then (database clock). */
export async function notesAreOurs(tx: Tx, leadId: number, since: Date): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    `select 1 from crm_outbox where lead_id = $1 and field = 'notes'
        and (state in ('pending', 'failed') or sent_at >= $2) limit 1`,
    [leadId, since],
  );
  return rowCount !== 0;
}
