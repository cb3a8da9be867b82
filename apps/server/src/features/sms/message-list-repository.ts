import type { RepFilter } from "@portal/contract/entities/fields";
import type { Message } from "@portal/contract/entities/message";
import type { Db, Tx } from "../../platform/db/client.ts";
import { byRepSql, inRangeSql, onDaySql } from "../../platform/db/sql/filters.ts";

export interface MessageFilter {
  /** Whose texts: those that one sent and those with the leads assigned to one; everyone's for an administrator. */
  scope: { userId: number } | "everyone";
  range?: "week" | "month" | undefined;
  /** One day of the organisation's clock, YYYY-MM-DD. */
  day?: string | undefined;
  /** The last of several days from `day`. */
  until?: string | undefined;
  /** Who sent it. */
  rep?: RepFilter | undefined;
  direction?: Message["direction"] | undefined;
  /** The organisation's zone, in which its days are counted. */
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
  /** The sort key with PostgreSQL's own precision. */
  keysetAt: string;
}

interface Keyset {
  at: string;
  id: number;
}

/** The selects of a filter, each with its own index; a text may stand in two, so they are to be joined by `union`. */
function selectsOf(
  filter: MessageFilter,
  columns: string,
  after: Keyset | null,
): { sqls: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const zone = () => `${place(filter.timeZone)}::text`;
  // As the figures count: what was not delivered is none.
  const shared = ["text_label(m.direction, m.status) is not null"];
  if (filter.rep !== undefined) shared.push(byRepSql("m.user_id", filter.rep, place));
  if (filter.direction) shared.push(`m.direction = ${place(filter.direction)}`);
  if (filter.range) shared.push(inRangeSql("m.created_at", filter.range, zone()));
  if (filter.day)
    shared.push(
      onDaySql("m.created_at", place(filter.day), zone(), filter.until ? place(filter.until) : undefined),
    );
  if (after) shared.push(`(m.created_at, m.id) < (${place(after.at)}::timestamptz, ${place(after.id)}::int)`);
  const where = shared.join(" and ");
  if (filter.scope === "everyone")
    return { sqls: [`select ${columns} from messages m where ${where}`], values };
  const user = place(filter.scope.userId);
  return {
    sqls: [
      `select ${columns} from messages m where m.user_id = ${user} and ${where}`,
      `select ${columns} from leads l join messages m on m.lead_id = l.id where l.assigned_to = ${user} and ${where}`,
    ],
    values,
  };
}

/** Texts of the filter, newest first, after the keyset. */
export async function listAllMessages(
  db: Db,
  { filter, after, limit }: { filter: MessageFilter; after: Keyset | null; limit: number },
): Promise<ListedRow[]> {
  const { sqls, values } = selectsOf(filter, "m.*", after);
  const place = `limit $${values.push(limit)}`;
  // Everyone's are read backwards by an index whose nulls, of which there are none, come last.
  const newest = (nulls: string) => `order by m.created_at desc ${nulls}, m.id desc ${nulls}`;
  const nulls = filter.scope === "everyone" && filter.rep === undefined ? "nulls first" : "nulls last";
  const pages = sqls.map((sql) => `(${sql} ${newest(nulls)} ${place})`);
  const { rows } = await db.$client.query<ListedRow>(
    `select m.id, m.lead_id as "leadId", l.name as "leadName", l.assigned_to as "assignedTo",
       case m.direction when 'inbound' then m.from_number else m.to_number end as "number", m.direction, m.status, m.body,
       m.attachments, m.created_at as "createdAt", u.name as "senderName", m.created_at::text as "keysetAt"
     from (${pages.join(" union ")}) m left join leads l on l.id = m.lead_id left join users u on u.id = m.user_id
     ${newest("nulls last")} ${place}`,
    values,
  );
  return rows;
}

/** How many texts the filter holds, counted up to `cap`. */
export async function countMessages(
  db: Db,
  { filter, cap }: { filter: MessageFilter; cap: number },
): Promise<number> {
  const { sqls, values } = selectsOf(filter, "m.id", null);
  const limit = `limit $${values.push(cap)}`;
  const capped = sqls.map((sql) => `(${sql} ${limit})`);
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from (select * from (${capped.join(" union ")}) m ${limit}) capped`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/** A text of a number that belongs to no lead. */
export interface UnknownRow {
  id: number;
  from: string;
  body: string;
  attachments: number;
  createdAt: Date;
  /** The sort key with PostgreSQL's own precision. */
  keysetAt: string;
}

const waiting = "m.lead_id is null and m.dismissed_at is null";

/** Waiting texts, newest first, after the keyset. */
export async function listUnknown(
  db: Db,
  input: { after: { at: string; id: number } | null; limit: number },
): Promise<UnknownRow[]> {
  const { after, limit } = input;
  const keyset = after ? "and (m.created_at, m.id) < ($2::timestamptz, $3::int)" : "";
  const { rows } = await db.$client.query<UnknownRow>(
    `select m.id, m.from_number as "from", m.body, m.attachments, m.created_at as "createdAt", m.created_at::text as "keysetAt"
     from messages m where ${waiting} ${keyset} order by m.created_at desc nulls last, m.id desc nulls last limit $1`,
    [limit, ...(after ? [after.at, after.id] : [])],
  );
  return rows;
}

/** How many wait, counted up to `cap`. */
export async function countUnknown(db: Db, cap: number): Promise<number> {
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from messages m where ${waiting} limit $1) capped`,
    [cap],
  );
  return rows[0]?.count ?? 0;
}

/** Unseen texts of the leads that are this person's to answer; unassigned leads are the administrators'. */
export async function countUnread(db: Db, actor: { userId: number; isAdmin: boolean }): Promise<number> {
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from messages m join leads l on l.id = m.lead_id
     where m.direction = 'inbound' and m.read_at is null
       and (l.assigned_to = $1 or ($2 and l.assigned_to is null))`,
    [actor.userId, actor.isAdmin],
  );
  return rows[0]?.count ?? 0;
}

/** Gives all waiting texts of one text's number to a lead; 0 where the text waits no more. */
export async function attachWaiting(tx: Tx, input: { messageId: number; leadId: number }): Promise<number> {
  const { rowCount } = await tx.$client.query(
    `update messages m set lead_id = $2 where ${waiting} and m.from_number = (
       select m.from_number from messages m where m.id = $1 and ${waiting})`,
    [input.messageId, input.leadId],
  );
  return rowCount ?? 0;
}

/** Takes a waiting text off the inbox. */
export async function dismissWaiting(tx: Tx, messageId: number): Promise<number> {
  const { rowCount } = await tx.$client.query(
    `update messages m set dismissed_at = clock_timestamp() where m.id = $1 and ${waiting}`,
    [messageId],
  );
  return rowCount ?? 0;
}
