import type { CrmChangeField } from "@portal/contract/entities/crm";
import type { MergeRefusal } from "@portal/contract/errors";
import { limits } from "@portal/contract/limits";
import { getTableColumns } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { allOf, columnsOf, execute, query, queryFirst, queryOnly, sql } from "../../platform/db/query.ts";
import { type leadAliases, leadMerges, leads, type StoredRow } from "../../platform/db/schema/leads.ts";
import type { OwnerScope } from "../leads/lead-repository.ts";
import { notedTables } from "./moved-rows-repository.ts";

type Lead = typeof leads.$inferSelect;
export type MergeRow = typeof leadMerges.$inferSelect;

const leadColumns = columnsOf(leads);

/** A lead's current row, without a lock. */
export function findLeadRow(db: Db, leadId: number): Promise<Lead | undefined> {
  return queryFirst(db, sql`select ${leadColumns} from leads where id = ${leadId}`);
}

/** Locks leads until the transaction ends, also against new rows that refer to them; in the order of their ids. */
export async function holdLeads(tx: Tx, leadIds: number[]): Promise<Map<number, Lead>> {
  const rows = await query<Lead>(
    tx,
    sql`select ${leadColumns} from leads where id = any(${sql.param(leadIds)}::int[]) order by id for update`,
  );
  return new Map(rows.map((lead) => [lead.id, lead]));
}

/** The row of a lead as JSON. */
export async function storedRow(tx: Tx, leadId: number): Promise<StoredRow> {
  const { row } = await queryOnly<{ row: StoredRow }>(
    tx,
    sql`select to_jsonb(l) as row from leads l where id = ${leadId}`,
  );
  return row;
}

/** The first activity in progress with one of these leads; null if there is none. */
export async function findHolder(db: Db, leadIds: number[]): Promise<MergeRefusal | null> {
  const ids = sql`${sql.param(leadIds)}::int[]`;
  const row = await queryOnly<{ refusal: MergeRefusal | null }>(
    db,
    sql`select case
      when exists (select 1 from calls where lead_id = any(${ids}) and state <> 'ended')
        or exists (select 1 from inbound_calls where lead_id = any(${ids}) and stage <> 'ended') then 'call'
      when exists (select 1 from messages where lead_id = any(${ids}) and status in ('requested', 'queued', 'sending'))
        or exists (select 1 from bulk_change_items where lead_id = any(${ids}) and state in ('waiting', 'sending'))
        or exists (select 1 from scheduled_sms where lead_id = any(${ids}) and state = 'sending') then 'text'
      when exists (select 1 from dialer_items i join dialer_sessions s on s.id = i.session_id where i.lead_id = any(${ids})
        and (i.leased_at is not null or s.status in ('active', 'paused') and i.state in ('waiting', 'in_hand'))) then 'session'
      when exists (select 1 from crm_outbox where lead_id = any(${ids}) and state = 'pending'
        and claimed_at > clock_timestamp() - interval '60 seconds') then 'crm' end as refusal`,
  );
  return row.refusal;
}

/** Whether both leads have a report of the same call by the same user. */
export async function haveSameReport(db: Db, a: number, b: number): Promise<boolean> {
  const isReport = (log: string) =>
    sql`${sql.identifier(log)}.call_id is null and ${sql.identifier(log)}.inbound_call_id is null`;
  const found = await execute(
    db,
    sql`select 1 from call_logs a join call_logs b on b.call_sid = a.call_sid and b.user_id = a.user_id
      where a.lead_id = ${a} and b.lead_id = ${b} and ${isReport("a")} and ${isReport("b")} limit 1`,
  );
  return found > 0;
}

/** The numbers of a lead's calls, texts, meetings and events. */
export function countHistory(
  db: Db,
  leadId: number,
): Promise<{ calls: number; texts: number; meetings: number; events: number }> {
  const count = (table: string, where = sql`true`) =>
    sql`(select count(*)::int from ${sql.identifier(table)} where lead_id = ${leadId} and ${where})`;
  return queryOnly(
    db,
    sql`select ${count("call_logs")} as calls, ${count("messages")} as texts, ${count("meetings", sql`deleted_at is null`)} as meetings,
      ${count("lead_events")} as events`,
  );
}

/** Deletes a lead's row; no other row may refer to it. */
export async function deleteLead(tx: Tx, leadId: number): Promise<void> {
  await execute(tx, sql`delete from leads where id = ${leadId}`);
}

/** Sets the creation date to the earlier one of both leads. */
export async function setCreated(tx: Tx, leadId: number, createdAt: Date): Promise<void> {
  await execute(
    tx,
    sql`update leads set created_at = ${createdAt} where id = ${leadId} and created_at <> ${createdAt}`,
  );
}

/** Adds words to a lead's search text; the trigger `leads_alias_words` keeps them there. */
export async function addSearch(tx: Tx, leadId: number, words: string): Promise<void> {
  await execute(tx, sql`update leads set search = search || ' ' || ${words}::text where id = ${leadId}`);
}

/** Deletes the markers of CRM runs for both leads; returns them by table. */
export async function removeNoted(tx: Tx, leadIds: number[]): Promise<Record<string, StoredRow[]>> {
  const noted: Record<string, StoredRow[]> = {};
  for (const table of notedTables) {
    const { rows } = await queryOnly<{ rows: StoredRow[] }>(
      tx,
      sql`with taken as (delete from ${sql.identifier(table)} t where lead_id = any(${sql.param(leadIds)}::int[]) returning to_jsonb(t) as row)
        select coalesce(jsonb_agg(row), '[]') as rows from taken`,
    );
    noted[table] = rows;
  }
  return noted;
}

/** Inserts such markers; existing ones stay. */
export async function writeNoted(tx: Tx, noted: Record<string, StoredRow[]>): Promise<void> {
  for (const table of notedTables) {
    const name = sql.identifier(table);
    await execute(
      tx,
      sql`insert into ${name} select * from jsonb_populate_recordset(null::${name}, ${JSON.stringify(noted[table] ?? [])}::jsonb)
        on conflict do nothing`,
    );
  }
}

/** Withdraws pending CRM changes of a lead, all or those of these fields; returns them with their former state. */
export async function withdrawOpen(
  tx: Tx,
  leadId: number,
  fields?: readonly CrmChangeField[],
): Promise<{ id: number; state: string; field: CrmChangeField }[]> {
  const ofFields = fields && sql`field = any(${sql.param(fields)}::text[])`;
  return query(
    tx,
    sql`with open as (select id, state, field from crm_outbox
        where ${allOf(sql`lead_id = ${leadId} and state in ('pending', 'failed')`, ofFields)} for update),
      taken as (update crm_outbox set state = 'superseded' where id in (select id from open))
      select id, state, field from open`,
  );
}

/** Assigns pending changes to another lead, whose contact they are for. */
export async function handOverOpen(tx: Tx, { from, to }: { from: number; to: number }): Promise<void> {
  await execute(
    tx,
    sql`update crm_outbox set lead_id = ${to} where lead_id = ${from} and state in ('pending', 'failed')`,
  );
}

/** Makes withdrawn changes pending again. */
export async function restoreOpen(tx: Tx, rows: { id: number; state: string }[]): Promise<void> {
  await execute(
    tx,
    sql`update crm_outbox o set state = r.state, claimed_at = null
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id int, state text) where o.id = r.id and o.state = 'superseded'`,
  );
}

export async function insertMerge(tx: Tx, values: typeof leadMerges.$inferInsert): Promise<number> {
  const [row] = await tx
    .insert(leadMerges)
    .values({ ...values, mergedAt: sql`clock_timestamp()` })
    .returning({ id: leadMerges.id });
  if (!row) throw new Error("no merge was written");
  return row.id;
}

export async function setAfter(tx: Tx, mergeId: number, after: StoredRow): Promise<void> {
  await execute(
    tx,
    sql`update lead_merges set after = ${JSON.stringify(after)}::jsonb where id = ${mergeId}`,
  );
}

/** The merge of an earlier request with this reference. */
export function findMergeByRef(
  db: Db,
  clientRef: string,
): Promise<Pick<MergeRow, "id" | "mergedBy" | "leadId" | "otherId"> | undefined> {
  return queryFirst(
    db,
    sql`select id, merged_by as "mergedBy", lead_id as "leadId", other_id as "otherId" from lead_merges where client_ref = ${clientRef}`,
  );
}

/** Reads a merge and locks it until the transaction ends. */
export function holdMerge(tx: Tx, mergeId: number): Promise<MergeRow | undefined> {
  return queryFirst(
    tx,
    sql`select ${columnsOf(leadMerges)} from lead_merges where id = ${mergeId} for update`,
  );
}

/** Whether the lead was merged with another one after this merge. */
export async function hasLaterMerge(db: Db, merge: { id: number; leadId: number }): Promise<boolean> {
  const found = await execute(
    db,
    sql`select 1 from lead_merges where lead_id = ${merge.leadId} and id > ${merge.id} and undone_at is null limit 1`,
  );
  return found > 0;
}

/** Deletes the other number, address and contact of a merge; returns their opt-outs. */
export function removeAlias(tx: Tx, mergeId: number): Promise<typeof leadAliases.$inferSelect | undefined> {
  return queryFirst(
    tx,
    sql`delete from lead_aliases where merge_id = ${mergeId} returning call_opt_out as "callOptOut", text_opt_out as "textOptOut"`,
  );
}

export async function markUndone(tx: Tx, mergeId: number, userId: number): Promise<void> {
  await execute(
    tx,
    sql`update lead_merges set undone_at = clock_timestamp(), undone_by = ${userId} where id = ${mergeId}`,
  );
}

/** Columns that triggers compute from calls and texts: a restored row begins without them, and its calls and texts set them again. */
const derived = [
  "unread_messages",
  "attempts",
  "first_attempt_at",
  "last_attempt_at",
  "last_attempt_outcome",
  "last_activity_at",
];
const columnNames = Object.values(getTableColumns(leads)).map(({ name }) => name);
/** The columns that an undo restores. */
export const givenBack = columnNames.filter((name) => !["id", "updated_at", ...derived].includes(name));

/** Inserts a lead's former row, under its own id; columns that are newer than the merge get their default. Errors: unique violations. */
export async function insertLeadRow(tx: Tx, row: StoredRow): Promise<void> {
  const columns = columnNames.filter((name) => name in row && !derived.includes(name));
  const names = sql.join(
    columns.map((name) => sql.identifier(name)),
    sql`, `,
  );
  await execute(
    tx,
    sql`insert into leads (${names}) select ${names} from jsonb_populate_record(null::leads, ${JSON.stringify(row)}::jsonb)`,
  );
}

/** Sets columns of a lead by their names. */
export async function setColumns(tx: Tx, leadId: number, columns: StoredRow): Promise<void> {
  const names = Object.keys(columns);
  const assigned = sql.join(names.map((name) => sql`${sql.identifier(name)} = n.${sql.identifier(name)}, `));
  await execute(
    tx,
    sql`update leads l set ${assigned} updated_at = clock_timestamp()
      from jsonb_populate_record(null::leads, ${JSON.stringify(columns)}::jsonb) n where l.id = ${leadId}`,
  );
}

/** Recomputes the time of the last call or text of leads: the triggers only increase it. */
export async function recountActivity(tx: Tx, leadIds: number[]): Promise<void> {
  await execute(
    tx,
    sql`update leads l set last_activity_at = greatest((select max(requested_at) from calls where lead_id = l.id),
        (select max(started_at) from inbound_calls where lead_id = l.id), (select max(created_at) from messages where lead_id = l.id))
      where l.id = any(${sql.param(leadIds)}::int[])`,
  );
}

/** The remaining lead if this one was merged into another; else the same id. */
export async function findLivingLead(db: Db, leadId: number): Promise<number> {
  const row = await queryFirst<{ id: number }>(
    db,
    sql`select lead_id as id from lead_merges where other_id = ${leadId} and undone_at is null`,
    { prepared: true },
  );
  return row?.id ?? leadId;
}

/** A merge for display. */
export interface ListedMerge {
  id: number;
  leadId: number;
  leadName: string;
  otherId: number;
  otherName: string;
  phone: string | null;
  email: string | null;
  ghlContactId: string | null;
  userName: string;
  at: Date;
  undoneAt: Date | null;
  isLast: boolean;
  isMine: boolean;
  now: Date;
}

/** Merges of a lead, or of the last seven days within the scope; newest first. */
export function listMerges(
  db: Db,
  asked: { scope: OwnerScope } & ({ leadId: number } | { mergeId: number } | { recent: true }),
): Promise<ListedMerge[]> {
  const { scope } = asked;
  const isOwn = scope === "everyone" ? sql`true` : sql`l.assigned_to = ${scope.salesRepId}`;
  const which = allOf(
    "leadId" in asked && sql`m.lead_id = ${asked.leadId}`,
    "mergeId" in asked && sql`m.id = ${asked.mergeId}`,
    "recent" in asked &&
      sql`m.merged_at > clock_timestamp() - ${limits.mergeUndoDays} * interval '1 day' and ${isOwn}`,
  );
  const ownBack =
    scope === "everyone" ? sql`true` : sql`(m.other ->> 'assigned_to')::int = ${scope.salesRepId}`;
  return query(
    db,
    sql`select m.id, m.lead_id as "leadId", l.name as "leadName", m.other_id as "otherId", m.other ->> 'name' as "otherName",
        a.phone, a.email, a.ghl_contact_id as "ghlContactId", u.name as "userName", m.merged_at as at, m.undone_at as "undoneAt",
        not exists (select 1 from lead_merges n where n.lead_id = m.lead_id and n.id > m.id and n.undone_at is null) as "isLast",
        ${isOwn} and ${ownBack} as "isMine", clock_timestamp() as now
      from lead_merges m join leads l on l.id = m.lead_id join users u on u.id = m.merged_by
        left join lead_aliases a on a.merge_id = m.id
      where ${which} order by m.merged_at desc, m.id desc limit 200`,
  );
}
