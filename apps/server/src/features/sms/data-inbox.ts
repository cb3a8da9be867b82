import type { Db, Tx } from "../../db/client.ts";

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
