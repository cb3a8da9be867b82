import type { RepFilter } from "@portal/contract/entities/fields";
import type { Message } from "@portal/contract/entities/message";
import type { SQL } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { allOf, execute, query, queryOnly, sql } from "../../platform/db/query.ts";
import { byRepSql, inRangeSql, onDaySql } from "../../platform/db/sql/filters.ts";

export interface MessageFilter {
  /** Whose SMS: those that a user sent and those of leads assigned to them, or everyone's. */
  scope: { userId: number } | "everyone";
  range?: "week" | "month" | undefined;
  /** A day in the organization's zone, YYYY-MM-DD. */
  day?: string | undefined;
  /** Last of several days from `day`. */
  until?: string | undefined;
  /** Who sent it. */
  rep?: RepFilter | undefined;
  direction?: Message["direction"] | undefined;
  /** The organization's zone, in which days are counted. */
  timeZone: string;
}

export interface ListedRow {
  id: number;
  leadId: number | null;
  leadName: string | null;
  assignedTo: number | null;
  number: string;
  direction: Message["direction"];
  status: Message["status"];
  body: string;
  attachments: number;
  createdAt: Date;
  senderName: string | null;
  /** Sort key at PostgreSQL's full precision. */
  keysetAt: string;
}

interface Keyset {
  at: string;
  id: number;
}

/** The selects of a filter, each with its own index. A message may be in two of them, so join them by `union`. */
function selectsOf(filter: MessageFilter, columns: SQL, after: Keyset | null): SQL[] {
  const { scope, rep, direction, range, day, until, timeZone } = filter;
  const at = sql`m.created_at`;
  const where = allOf(
    // As in the metrics: an undelivered SMS does not count.
    sql`text_label(m.direction, m.status) is not null`,
    rep !== undefined && byRepSql(sql`m.user_id`, rep),
    direction && sql`m.direction = ${direction}`,
    range && inRangeSql(at, range, timeZone),
    day && onDaySql(at, { day, until, timeZone }),
    after && sql`(m.created_at, m.id) < (${after.at}::timestamptz, ${after.id}::int)`,
  );
  if (scope === "everyone") return [sql`select ${columns} from messages m where ${where}`];
  return [
    sql`select ${columns} from messages m where m.user_id = ${scope.userId} and ${where}`,
    sql`select ${columns} from leads l join messages m on m.lead_id = l.id where l.assigned_to = ${scope.userId} and ${where}`,
  ];
}

const union = sql` union `;

/** SMS of the filter, newest first, after the keyset. */
export async function listAllMessages(
  db: Db,
  { filter, after, limit }: { filter: MessageFilter; after: Keyset | null; limit: number },
): Promise<ListedRow[]> {
  const most = sql`limit ${limit}`;
  // The index for everyone's SMS is read backwards, where nulls (there are none) come first.
  const newest = (nulls: SQL) => sql`order by m.created_at desc ${nulls}, m.id desc ${nulls}`;
  const nulls = filter.scope === "everyone" && filter.rep === undefined ? sql`nulls first` : sql`nulls last`;
  const pages = selectsOf(filter, sql`m.*`, after).map((select) => sql`(${select} ${newest(nulls)} ${most})`);
  return query<ListedRow>(
    db,
    sql`select m.id, m.lead_id as "leadId", l.name as "leadName", l.assigned_to as "assignedTo",
       case m.direction when 'inbound' then m.from_number else m.to_number end as "number", m.direction, m.status, m.body,
       m.attachments, m.created_at as "createdAt", u.name as "senderName", m.created_at::text as "keysetAt"
     from (${sql.join(pages, union)}) m left join leads l on l.id = m.lead_id left join users u on u.id = m.user_id
     ${newest(sql`nulls last`)} ${most}`,
  );
}

/** Number of SMS of the filter, counted up to `cap`. */
export async function countMessages(
  db: Db,
  { filter, cap }: { filter: MessageFilter; cap: number },
): Promise<number> {
  const limit = sql`limit ${cap}`;
  const capped = selectsOf(filter, sql`m.id`, null).map((select) => sql`(${select} ${limit})`);
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (select * from (${sql.join(capped, union)}) m ${limit}) capped`,
  );
  return count;
}

/** An SMS from a number that belongs to no lead. */
export interface UnknownRow {
  id: number;
  from: string;
  body: string;
  attachments: number;
  createdAt: Date;
  /** Sort key at PostgreSQL's full precision. */
  keysetAt: string;
}

const waiting = sql`m.lead_id is null and m.dismissed_at is null`;

/** Waiting SMS of unknown numbers, newest first, after the keyset. */
export async function listUnknown(
  db: Db,
  input: { after: { at: string; id: number } | null; limit: number },
): Promise<UnknownRow[]> {
  const { after, limit } = input;
  const where = allOf(
    waiting,
    after && sql`(m.created_at, m.id) < (${after.at}::timestamptz, ${after.id}::int)`,
  );
  return query<UnknownRow>(
    db,
    sql`select m.id, m.from_number as "from", m.body, m.attachments, m.created_at as "createdAt", m.created_at::text as "keysetAt"
     from messages m where ${where} order by m.created_at desc nulls last, m.id desc nulls last limit ${limit}`,
  );
}

/** Number of waiting SMS, counted up to `cap`. */
export async function countUnknown(db: Db, cap: number): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (select 1 from messages m where ${waiting} limit ${cap}) capped`,
  );
  return count;
}

/** Unread SMS of the leads that this user answers; those of unassigned leads belong to administrators. */
export async function countUnread(db: Db, actor: { userId: number; isAdmin: boolean }): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from messages m join leads l on l.id = m.lead_id
     where m.direction = 'inbound' and m.read_at is null
       and (l.assigned_to = ${actor.userId} or (${actor.isAdmin} and l.assigned_to is null))`,
  );
  return count;
}

/** Attaches all waiting SMS of this SMS's number to a lead; returns 0 if the SMS no longer waits. */
export async function attachWaiting(tx: Tx, input: { messageId: number; leadId: number }): Promise<number> {
  return execute(
    tx,
    sql`update messages m set lead_id = ${input.leadId} where ${waiting} and m.from_number = (
       select m.from_number from messages m where m.id = ${input.messageId} and ${waiting})`,
  );
}

/** Attaches all SMS of an unknown number to a lead; those dismissed before count as read. Returns how many. */
export async function attachMessagesOfNumber(
  tx: Tx,
  input: { number: string; leadId: number },
): Promise<number> {
  return execute(
    tx,
    sql`update messages m set lead_id = ${input.leadId}, read_at = coalesce(m.read_at, m.dismissed_at)
     where m.lead_id is null and m.direction = 'inbound' and m.from_number = ${input.number}`,
  );
}

/** Dismisses a waiting SMS. */
export async function dismissWaiting(tx: Tx, messageId: number): Promise<number> {
  return execute(
    tx,
    sql`update messages m set dismissed_at = clock_timestamp() where m.id = ${messageId} and ${waiting}`,
  );
}
