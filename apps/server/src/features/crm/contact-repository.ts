import type { Db, Tx } from "../../platform/db/client.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { contentHash } from "../leads/ingest/repository.ts";

/** Which of these contacts have a lead. */
export async function findContactIds(tx: Tx, contactIds: string[]): Promise<Set<string>> {
  const { rows } = await tx.$client.query<{ id: string }>(
    "select ghl_contact_id as id from leads where ghl_contact_id = any($1)",
    [contactIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Which of these contacts, by id with their digests, may change something. Not those whose lead is exactly as it was when the same contact
 * changed nothing of it, has no change on its way to the CRM and is not marked as deleted: for them the merge would come out the same. A
 * contact that could not be read before may be readable now.
 */
export async function findUnknownContent(tx: Tx, digests: Map<string, string>): Promise<Set<string>> {
  const { rows } = await tx.$client.query<{ id: string }>(
    prepared(
      // One look by index for each, whatever the planner knows of the table.
      `select s.id from unnest($1::text[], $2::text[]) as s(id, digest)
        where (
          select l.crm_hash = ${contentHash("s.digest", "l")} and not exists (
              select 1 from crm_outbox o where o.lead_id = l.id and o.state in ('pending', 'failed'))
            from leads l where l.ghl_contact_id = s.id and l.crm_deleted_at is null) is not true
          or exists (select 1 from crm_rejects r where r.external_id = s.id)`,
      [[...digests.keys()], [...digests.values()]],
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Keeps what could not be ingested, each once; forgets what is readable by now. */
export async function saveRejects(
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
  calls: { contact_id: string; message_id: string; at: string; seconds: number | null }[],
): Promise<(number | null)[]> {
  const { rows } = await tx.$client.query<{ assigned_to: number | null }>(
    `update leads l set ai_recording_message_id = c.message_id, ai_recording_at = c.at, ai_recording_seconds = c.seconds, updated_at = now()
       from jsonb_to_recordset($1::jsonb) as c(contact_id text, message_id text, at timestamptz, seconds int)
      where l.ghl_contact_id = c.contact_id and (l.ai_recording_at is null or l.ai_recording_at < c.at
        or l.ai_recording_message_id = c.message_id and l.ai_recording_seconds is null and c.seconds is not null)
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

/** Marks the leads of contacts that were deleted in the CRM; their changes can no longer be sent. Answers those marked now. */
export async function markLeadsDeleted(
  tx: Tx,
  input: { contactIds: string[]; reason: string },
): Promise<{ id: number; assignedTo: number | null }[]> {
  const { rows } = await tx.$client.query<{ id: number; assignedTo: number | null }>(
    `update leads set crm_deleted_at = clock_timestamp(), crm_sync = 'none', crm_note_id = null, updated_at = now()
      where ghl_contact_id = any($1) and crm_deleted_at is null returning id, assigned_to as "assignedTo"`,
    [input.contactIds],
  );
  await tx.$client.query(
    `update crm_outbox set state = 'failed', error = $2, retriable = false, claimed_at = null
      where state in ('pending', 'failed') and lead_id = any($1)`,
    [rows.map(({ id }) => id), input.reason],
  );
  return rows;
}

const rejectsMax = 200;

interface RejectView {
  id: number;
  externalId: string | null;
  reason: string;
  at: Date;
}

export async function listRejects(db: Db): Promise<RejectView[]> {
  const { rows } = await db.$client.query<RejectView>(
    `select id, case when external_id like 'content:%' then null else external_id end as "externalId", reason, at
       from crm_rejects order by id desc limit $1`,
    [rejectsMax],
  );
  return rows;
}
