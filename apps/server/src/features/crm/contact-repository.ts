import type { SQL } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../platform/db/query.ts";
import { contentHash } from "../leads/ingest/repository.ts";

/** Ids of these contacts that belong to a lead, directly or as an alias. */
export async function findContactIds(tx: Tx, contactIds: string[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    tx,
    sql`select ghl_contact_id as id from leads where ghl_contact_id = any(${sql.param(contactIds)})
     union all select ghl_contact_id from lead_aliases where ghl_contact_id = any(${sql.param(contactIds)})`,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Which of these contacts (digests by id) may change something. Left out are those whose lead is unchanged since the same contact changed
 * nothing on it, has no pending change and is not marked as deleted: merging them would have the same result. Contacts that were rejected
 * before are included, as they may be readable now.
 */
export async function findUnknownContent(tx: Tx, digests: Map<string, string>): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    tx,
    sql`select s.id from unnest(${sql.param([...digests.keys()])}::text[], ${sql.param([...digests.values()])}::text[]) as s(id, digest)
        where (
          select l.crm_hash = ${contentHash(sql`s.digest`, "l")} and not exists (
              select 1 from crm_outbox o where o.lead_id = l.id and o.state in ('pending', 'failed'))
            from leads l where l.ghl_contact_id = s.id and l.crm_deleted_at is null) is not true
          or exists (select 1 from crm_rejects r where r.external_id = s.id)`,
    { prepared: true },
  );
  return new Set(rows.map(({ id }) => id));
}

/** Stores contacts that could not be ingested, each once, and removes those that are readable now. */
export async function saveRejects(
  tx: Tx,
  rejects: { key: string; reason: string; payload: unknown }[],
  readableIds: string[],
): Promise<void> {
  await execute(tx, sql`delete from crm_rejects where external_id = any(${sql.param(readableIds)})`, {
    prepared: true,
  });
  if (rejects.length === 0) return;
  await execute(
    tx,
    sql`insert into crm_rejects as r (external_id, reason, payload)
     select distinct on (key) key, reason, payload from jsonb_to_recordset(${JSON.stringify(rejects)}::jsonb) as c(key text, reason text, payload jsonb)
     on conflict (external_id) where external_id is not null
       do update set reason = excluded.reason, payload = excluded.payload, at = now()
       where (r.reason, r.payload) is distinct from (excluded.reason, excluded.payload)`,
  );
}

/** Active consultants by the CRM's user ids. */
export async function findOwners(db: Db): Promise<Map<string, number>> {
  const rows = await query<{ id: number; crm_user_id: string }>(
    db,
    sql`select id, crm_user_id from users where crm_user_id is not null and role = 'consultant' and disabled_at is null`,
  );
  return new Map(rows.map((row) => [row.crm_user_id, row.id]));
}

/**
 * Links consultants to the CRM's users by the email that their account was given; an email that users entered themselves does not count.
 * Returns the consultants by the CRM's ids.
 */
export async function linkUsers(
  db: Db,
  crmUsers: { id: string; email: string | null }[],
): Promise<Map<string, number>> {
  const known = [...new Map(crmUsers.map((user) => [user.email, user])).values()].filter(
    ({ email }) => email !== null,
  );
  // A disabled account gives its CRM user up to the person who has that email now.
  await execute(
    db,
    sql`update users u set crm_user_id = null, updated_at = now()
       from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as c(id text, email text), users n
      where u.crm_user_id = c.id and u.disabled_at is not null
        and lower(n.email) = c.email and lower(n.given_email) = c.email and n.id <> u.id and n.disabled_at is null`,
  );
  await execute(
    db,
    sql`update users u set crm_user_id = c.id, updated_at = now()
       from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) as c(id text, email text)
      where lower(u.email) = c.email and lower(u.given_email) = c.email and u.crm_user_id is distinct from c.id
        and not exists (select 1 from users o where o.crm_user_id = c.id)`,
  );
  return findOwners(db);
}

/**
 * Links calls to the leads of their contacts, where a lead has no recording or an older one. Returns the distinct owners of those leads.
 */
export async function tieRecordings(
  tx: Tx,
  calls: { contact_id: string; message_id: string; at: string; duration_seconds: number | null }[],
): Promise<(number | null)[]> {
  const rows = await query<{ assigned_to: number | null }>(
    tx,
    sql`update leads l set ai_recording_message_id = c.message_id, ai_recording_at = c.at, ai_recording_seconds = c.duration_seconds, updated_at = now()
       from jsonb_to_recordset(${JSON.stringify(calls)}::jsonb) as c(contact_id text, message_id text, at timestamptz, duration_seconds int)
      where l.id = coalesce((select o.id from leads o where o.ghl_contact_id = c.contact_id),
          (select a.lead_id from lead_aliases a where a.ghl_contact_id = c.contact_id)) and (l.ai_recording_at is null or l.ai_recording_at < c.at
        or l.ai_recording_message_id = c.message_id and l.ai_recording_seconds is null and c.duration_seconds is not null)
      returning l.assigned_to`,
  );
  return rows.map(({ assigned_to }) => assigned_to);
}

/** The lead of a contact, locked, with the id of the note that holds its notes. */
export async function lockLeadOfContact(
  tx: Tx,
  contactId: string,
): Promise<
  { id: number; notes: string | null; noteId: string | null; assignedTo: number | null } | undefined
> {
  return queryFirst<{
    id: number;
    notes: string | null;
    noteId: string | null;
    assignedTo: number | null;
  }>(
    tx,
    sql`select id, notes, crm_note_id as "noteId", assigned_to as "assignedTo" from leads
      where ghl_contact_id = ${contactId} for update`,
  );
}

/** Whether the lead's notes are pending for the CRM or were sent since that instant (database clock). */
export async function notesAreOurs(tx: Tx, leadId: number, since: Date): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`select 1 from crm_outbox where lead_id = ${leadId} and field = 'notes'
        and (state in ('pending', 'failed') or sent_at >= ${since}) limit 1`,
  );
  return rowCount !== 0;
}

/** Marks the leads of contacts that were deleted in the CRM and fails their pending changes. Returns the leads marked now. */
export async function markLeadsDeleted(
  tx: Tx,
  input: { contactIds: string[]; reason: string },
): Promise<{ id: number; assignedTo: number | null }[]> {
  const rows = await query<{ id: number; assignedTo: number | null }>(
    tx,
    sql`update leads set crm_deleted_at = clock_timestamp(), crm_sync = 'none', crm_note_id = null, updated_at = now()
      where ghl_contact_id = any(${sql.param(input.contactIds)}) and crm_deleted_at is null returning id, assigned_to as "assignedTo"`,
  );
  await execute(
    tx,
    sql`update crm_outbox set state = 'failed', error = ${input.reason}, retriable = false, claimed_at = null
      where state in ('pending', 'failed') and lead_id = any(${sql.param(rows.map(({ id }) => id))})`,
  );
  return rows;
}

/** Stores the do-not-disturb state of further contacts of leads, so that the main contact's state does not undo it. */
export async function saveAliasOptOuts(
  tx: Tx,
  contacts: { id: string; callsBlocked: boolean | null; textsBlocked: boolean | null }[],
): Promise<void> {
  const said = (column: SQL, blocked: SQL) =>
    sql`case when ${blocked} then coalesce(${column}, 'dnd') when not ${blocked} and ${column} = 'dnd' then null else ${column} end`;
  const rows = contacts.map(({ id, callsBlocked, textsBlocked }) => ({ id, callsBlocked, textsBlocked }));
  await execute(
    tx,
    sql`update lead_aliases a set call_opt_out = ${said(sql`a.call_opt_out`, sql`c."callsBlocked"`)},
         text_opt_out = ${said(sql`a.text_opt_out`, sql`c."textsBlocked"`)}
       from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c(id text, "callsBlocked" boolean, "textsBlocked" boolean)
      where a.ghl_contact_id = c.id`,
  );
}

const rejectsMax = 200;

interface RejectView {
  id: number;
  externalId: string | null;
  reason: string;
  at: Date;
}

export async function listRejects(db: Db): Promise<RejectView[]> {
  return query<RejectView>(
    db,
    sql`select id, case when external_id like 'content:%' then null else external_id end as "externalId", reason, at
       from crm_rejects order by id desc limit ${rejectsMax}`,
  );
}
