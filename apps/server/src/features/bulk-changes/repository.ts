import type { BulkEdit, BulkGroup, BulkItemState, BulkReason } from "@portal/contract/entities/bulk-change";
import { limits } from "@portal/contract/limits";
import { eq, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { allOf, columnsOf, execute, query, queryFirst, sql } from "../../platform/db/query.ts";
import { bulkChanges } from "../../platform/db/schema/bulk-changes.ts";
import { listedContactFactsSql } from "../../platform/db/sql/contact-facts.ts";
import type { LeadFacts } from "../contact-policy/decide-contact.ts";
import type { OwnerScope } from "../leads/lead-repository.ts";

export type ChangeRow = typeof bulkChanges.$inferSelect;

/** The number of names in each group. */
const namesShown = 20;
const afterMs = (ms: number) => sql`clock_timestamp() + ${ms} * interval '1 ms'`;

/** A bulk change for display, with the database's clock. */
export interface ListedChange extends ChangeRow {
  userName: string;
  salesRepName: string | null;
  now: Date;
}

const listed = sql`select ${columnsOf(bulkChanges)}, u.name as "userName", r.name as "salesRepName", clock_timestamp() as now
  from bulk_changes join users u on u.id = bulk_changes.user_id left join users r on r.id = (edit ->> 'salesRepId')::int`;

const inScope = (scope: OwnerScope) =>
  scope !== "everyone" && sql`bulk_changes.user_id = ${scope.salesRepId}`;

/** The bulk changes of the last day, newest first. */
export function listChanges(db: Db, scope: OwnerScope): Promise<ListedChange[]> {
  const recent = sql`bulk_changes.at > clock_timestamp() - ${limits.bulkUndoHours} * interval '1 hour'`;
  return query<ListedChange>(
    db,
    sql`${listed} where ${allOf(recent, inScope(scope))} order by bulk_changes.at desc, bulk_changes.id desc limit 200`,
  );
}

export function findChange(db: Db, id: number, scope: OwnerScope): Promise<ListedChange | undefined> {
  return queryFirst<ListedChange>(
    db,
    sql`${listed} where ${allOf(sql`bulk_changes.id = ${id}`, inScope(scope))}`,
  );
}

export async function findChangeByRef(db: Db, clientRef: string): Promise<ChangeRow | undefined> {
  const [row] = await db.select().from(bulkChanges).where(eq(bulkChanges.clientRef, clientRef));
  return row;
}

/** Reads a bulk change and locks it until the transaction ends. */
export async function holdChange(tx: Tx, id: number): Promise<ChangeRow | undefined> {
  const [row] = await tx.select().from(bulkChanges).where(eq(bulkChanges.id, id)).for("update");
  return row;
}

/**
 * The results of bulk changes by lead. An SMS that the provider never received counts as not sent, regardless of what was recorded first.
 */
export function listGroups(
  db: Db,
  changeIds: readonly number[],
): Promise<(BulkGroup & { changeId: number })[]> {
  return query<BulkGroup & { changeId: number }>(
    db,
    sql`select i.change_id as "changeId", s.state, s.reason, count(*)::int as count,
       to_json((array_agg(json_build_object('id', l.id, 'name', l.name) order by l.name, l.id))[1:${sql.constant(namesShown)}]) as leads
     from bulk_change_items i join leads l on l.id = i.lead_id left join messages m on m.client_ref = i.text_ref
       cross join lateral (select i.state = 'sent' and m.status = 'failed' and m.message_sid is null as failed) f
       cross join lateral (select case when f.failed then 'left_out' else i.state end as state,
         case when f.failed then 'not_sent' else i.reason end as reason) s
     where i.change_id = any(${sql.param(changeIds)}::int[])
     group by i.change_id, s.state, s.reason order by i.change_id, count(*) desc, s.state, s.reason`,
  );
}

/**
 * Inserts a bulk change; a worker continues it after `waitMs` if it is open. Errors: the unique violation `bulk_changes_client_ref_unique`.
 */
export async function insertChange(
  tx: Tx,
  input: { userId: number; clientRef: string; edit: BulkEdit; asked: number; waitMs: number },
): Promise<number> {
  const { userId, clientRef, edit, asked, waitMs } = input;
  const [row] = await tx
    .insert(bulkChanges)
    .values({
      userId,
      clientRef,
      kind: edit.kind,
      edit,
      asked,
      state: "done",
      at: sql`clock_timestamp()`,
      waitsUntil: afterMs(waitMs),
    })
    .returning({ id: bulkChanges.id });
  if (!row) throw new Error("no act was written");
  return row.id;
}

/** Marks a bulk change as done, or due again in `inMs`, never before its wait is over. An undone one stays undone. */
export async function setNext(db: Db, changeId: number, inMs: number | null): Promise<void> {
  await execute(
    db,
    sql`update bulk_changes set state = case when state = 'undone' then state else ${inMs === null ? "done" : "open"} end,
       next_at = ${inMs === null ? null : sql`greatest(waits_until, ${afterMs(inMs)})`} where id = ${changeId}`,
  );
}

/** Claims the bulk change that has been due for longest; if the worker dies, another can claim it after a minute. */
export function claimChange(db: Db): Promise<{ id: number; kind: ChangeRow["kind"] } | undefined> {
  return queryFirst(
    db,
    sql`update bulk_changes set next_at = ${afterMs(60_000)} where id = (select id from bulk_changes
       where next_at <= clock_timestamp() order by next_at limit 1 for update skip locked) returning id, kind`,
  );
}

export async function markUndone(tx: Tx, changeId: number, userId: number): Promise<void> {
  await execute(
    tx,
    sql`update bulk_changes set state = 'undone', undone_at = clock_timestamp(), undone_by = ${userId} where id = ${changeId}`,
  );
}

/** The result of a bulk change for one lead. */
export interface ItemRow {
  leadId: number;
  state: BulkItemState;
  reason: BulkReason | null;
  before: Record<string, unknown> | null;
  versionBefore: number | null;
  version: number | null;
  outboxIds: number[] | null;
  meetingIds: number[] | null;
  textRef: string | null;
}

const itemColumns = sql`lead_id as "leadId", state, reason, before, version_before as "versionBefore", version,
  outbox_ids as "outboxIds", meeting_ids as "meetingIds", text_ref as "textRef"`;

export async function insertItems(
  tx: Tx,
  changeId: number,
  items: (Pick<ItemRow, "leadId" | "state"> & Partial<ItemRow>)[],
): Promise<void> {
  await execute(
    tx,
    sql`insert into bulk_change_items (change_id, lead_id, state, reason, before, version_before, version, outbox_ids, text_ref)
       select ${changeId}, i."leadId", i.state, i.reason, i.before, i."versionBefore", i.version, i."outboxIds", i."textRef"
         from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i("leadId" int, state text, reason text, before jsonb,
           "versionBefore" int, version int, "outboxIds" int[], "textRef" uuid)`,
  );
}

export function listItems(db: Db, changeId: number, states: readonly BulkItemState[]): Promise<ItemRow[]> {
  return query<ItemRow>(
    db,
    sql`select ${itemColumns} from bulk_change_items
       where change_id = ${changeId} and state = any(${sql.param(states)}::text[]) order by lead_id`,
  );
}

/** Moves items of a bulk change from one of the states `from` to another; all of them, or those of the given leads. */
export function moveItems(
  db: Db,
  changeId: number,
  move: {
    from: readonly BulkItemState[];
    to: BulkItemState;
    reason?: BulkReason;
    leadIds?: readonly number[];
  },
): Promise<number> {
  const { from, to, reason = null, leadIds } = move;
  return execute(
    db,
    sql`update bulk_change_items set state = ${to}, reason = ${reason} where ${allOf(
      sql`change_id = ${changeId} and state = any(${sql.param(from)}::text[])`,
      leadIds && sql`lead_id = any(${sql.param(leadIds)}::int[])`,
    )}`,
  );
}

/** A timeline entry `e` that is not about the CRM alone. */
const isTouchSql = sql`e.kind not in ('crm-pushed', 'crm-push-failed', 'crm-unanswered')`;

/** The version of leads: the last entry of their timelines, except those about the CRM alone. */
export async function findVersions(tx: Tx, leadIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await query<{ leadId: number; version: number }>(
    tx,
    sql`select e.lead_id as "leadId", max(e.id) as version from lead_events e
       where e.lead_id = any(${sql.param(leadIds)}::int[]) and ${isTouchSql} group by 1`,
  );
  return new Map(rows.map(({ leadId, version }) => [leadId, version]));
}

/**
 * The leads of a bulk change that were changed since by anyone, except by later bulk changes of the same user to other fields, which do not
 * affect the values to restore. A later assignment counts, because the lead then has another assignee.
 */
export async function listChangedSince(
  tx: Tx,
  change: Pick<ChangeRow, "id" | "userId">,
): Promise<Set<number>> {
  const rows = await query<{ id: number }>(
    tx,
    sql`select i.lead_id as id from bulk_change_items i where i.change_id = ${change.id} and i.state = 'changed'
       and exists (select 1 from lead_events e where e.lead_id = i.lead_id and e.id > i.version and ${isTouchSql}
         and not exists (select 1 from bulk_change_items o join bulk_changes c on c.id = o.change_id
           where c.id = (e.data ->> 'bulkChangeId')::int and o.lead_id = e.lead_id and c.user_id = ${change.userId}
             and e.user_id = c.user_id and not o.before ? 'assignedTo'
             and not o.before ?| array(select jsonb_object_keys(i.before))))`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Sets the former version of restored leads, so that earlier bulk changes recognise their own version again. */
export async function restoreVersions(
  tx: Tx,
  leads: readonly { leadId: number; versionBefore: number; version: number }[],
): Promise<void> {
  await execute(
    tx,
    sql`update bulk_change_items i set version = n.version
       from jsonb_to_recordset(${JSON.stringify(leads)}::jsonb) as n("leadId" int, "versionBefore" int, version int)
      where i.lead_id = n."leadId" and i.version = n."versionBefore" and i.state = 'changed'`,
  );
}

export async function recordMeetings(
  tx: Tx,
  changeId: number,
  leadId: number,
  meetingIds: number[],
): Promise<void> {
  await execute(
    tx,
    sql`update bulk_change_items set meeting_ids = ${sql.param(meetingIds)}::int[] where change_id = ${changeId} and lead_id = ${leadId}`,
  );
}

/** Claims the next SMS of a bulk change: first one that a dead worker had claimed. */
export function claimSms(db: Db, changeId: number): Promise<{ leadId: number; textRef: string } | undefined> {
  return queryFirst(
    db,
    sql`update bulk_change_items set state = 'sending' where change_id = ${changeId} and lead_id = (
       select i.lead_id from bulk_change_items i join bulk_changes c on c.id = i.change_id where i.change_id = ${changeId}
         and (i.state = 'sending' or (i.state = 'waiting' and c.state <> 'undone')) order by i.state, i.lead_id limit 1)
     returning lead_id as "leadId", text_ref as "textRef"`,
  );
}

/** Returns a text that was certainly not sent to the queue, with a new reference. */
export async function putBack(db: Db, changeId: number, leadId: number): Promise<void> {
  await execute(
    db,
    sql`update bulk_change_items i set text_ref = gen_random_uuid(),
       state = case when c.state = 'undone' then 'undone' else 'waiting' end from bulk_changes c
      where c.id = i.change_id and i.change_id = ${changeId} and i.lead_id = ${leadId} and i.state = 'sending'`,
  );
}

/** The fields of a lead that decide whether a bulk change applies. */
export interface JudgedLead {
  id: number;
  name: string;
  status: "new" | "contacted" | "qualified" | "interested" | "not_interested" | "converted";
  priority: "high" | "medium" | "low";
  assignedTo: number | null;
}

/** The leads; with `facts`, also the facts for the contact policy as this user sees them. */
export function listLeads(
  db: Db,
  leadIds: readonly number[],
  facts: { userId: number } | null,
): Promise<(JudgedLead & Partial<LeadFacts>)[]> {
  const asked: SQL = facts ? sql`, ${listedContactFactsSql(sql`${facts.userId}::int`)}` : sql.empty();
  return query(
    db,
    sql`select l.id, l.name, l.status, l.priority, l.assigned_to as "assignedTo" ${asked}
       from leads l where l.id = any(${sql.param(leadIds)}::int[]) order by l.name, l.id`,
  );
}

/** Which of these users are active consultants. */
export async function listActiveReps(tx: Tx, userIds: readonly number[]): Promise<Set<number>> {
  const rows = await query<{ id: number }>(
    tx,
    sql`select id from users where id = any(${sql.param(userIds)}::int[]) and role = 'consultant' and disabled_at is null for share`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Which of these leads have meetings that are not over. */
export async function listLeadsWithMeetings(tx: Tx, leadIds: readonly number[]): Promise<number[]> {
  const rows = await query<{ id: number }>(
    tx,
    sql`select distinct lead_id as id from meetings
       where lead_id = any(${sql.param(leadIds)}::int[]) and deleted_at is null and ends_at > now()`,
  );
  return rows.map(({ id }) => id);
}
