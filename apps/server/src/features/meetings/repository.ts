import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { googleAccounts, type meetings } from "../../platform/db/schema/meetings.ts";

type Columns = Pick<
  typeof meetings.$inferSelect,
  | "id"
  | "userId"
  | "title"
  | "description"
  | "startsAt"
  | "endsAt"
  | "timeZone"
  | "leadId"
  | "calendarType"
  | "meetingLink"
  | "attendeeEmails"
  | "wantsMeetLink"
  | "sync"
  | "syncError"
  | "version"
  | "createdAt"
  | "updatedAt"
>;

/** A meeting as the lists show it. */
export interface MeetingRow extends Columns {
  leadName: string | null;
  /** The sort key with PostgreSQL's own precision. */
  keysetAt: string;
}

export interface MeetingFilter {
  userId: number;
  /** Meetings that end after this instant, and begin before `to`. */
  from: Date;
  to?: Date | undefined;
  leadId?: number | undefined;
}

const columns = `m.id, m.user_id as "userId", m.title, m.description, m.starts_at as "startsAt", m.ends_at as "endsAt",
  m.time_zone as "timeZone", m.lead_id as "leadId", m.calendar_type as "calendarType", m.meeting_link as "meetingLink",
  m.attendee_emails as "attendeeEmails", m.wants_meet_link as "wantsMeetLink", m.sync, m.sync_error as "syncError", m.version,
  m.created_at as "createdAt", m.updated_at as "updatedAt", l.name as "leadName", m.starts_at::text as "keysetAt"`;
const source = "meetings m left join leads l on l.id = m.lead_id";

function where(filter: MeetingFilter): { sql: string; values: unknown[] } {
  const values: unknown[] = [filter.userId, filter.from];
  // Meetings from Google may last for days: the bound on the start only keeps the index in use.
  let sql = `m.user_id = $1 and m.deleted_at is null and m.ends_at > $2 and m.starts_at > $2::timestamptz - interval '31 days'`;
  if (filter.to) sql += ` and m.starts_at < $${values.push(filter.to)}`;
  if (filter.leadId) sql += ` and m.lead_id = $${values.push(filter.leadId)}`;
  return { sql, values };
}

/** Meetings of the filter by start time, after the keyset. */
export async function listMeetings(
  db: Db,
  input: { filter: MeetingFilter; after: { at: string; id: number } | null; limit: number },
): Promise<MeetingRow[]> {
  const { sql, values } = where(input.filter);
  const place = (value: unknown) => `$${values.push(value)}`;
  const keyset = input.after
    ? `and (m.starts_at, m.id) > (${place(input.after.at)}::timestamptz, ${place(input.after.id)}::int)`
    : "";
  const { rows } = await db.$client.query<MeetingRow>(
    `select ${columns} from ${source} where ${sql} ${keyset} order by m.starts_at, m.id limit ${place(input.limit)}`,
    values,
  );
  return rows;
}

const earlier = "m.user_id = $1 and m.deleted_at is null and m.ends_at <= $2 and m.starts_at < $2";

/** One's meetings that were over by an instant, the latest first, after the keyset. */
export async function listEarlierMeetings(
  db: Db,
  input: { userId: number; before: Date; after: { at: string; id: number } | null; limit: number },
): Promise<MeetingRow[]> {
  const { userId, before, after, limit } = input;
  const keyset = after ? "and (m.starts_at, m.id) < ($4::timestamptz, $5::int)" : "";
  const { rows } = await db.$client.query<MeetingRow>(
    `select ${columns} from ${source} where ${earlier} ${keyset} order by m.starts_at desc, m.id desc limit $3`,
    [userId, before, limit, ...(after ? [after.at, after.id] : [])],
  );
  return rows;
}

/** How many of one's meetings were over by an instant, counted up to `cap`. */
export async function countEarlierMeetings(
  db: Db,
  { userId, before, cap }: { userId: number; before: Date; cap: number },
): Promise<number> {
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from meetings m where ${earlier} limit $3) capped`,
    [userId, before, cap],
  );
  return rows[0]?.count ?? 0;
}

/** How many meetings the filter holds, counted up to `cap`. */
export async function countMeetings(db: Db, input: { filter: MeetingFilter; cap: number }): Promise<number> {
  const { sql, values } = where(input.filter);
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from meetings m where ${sql} limit $${values.push(input.cap)}) capped`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/** One meeting that is not deleted, or undefined. */
export async function findMeeting(db: Db, meetingId: number): Promise<MeetingRow | undefined> {
  const { rows } = await db.$client.query<MeetingRow>(
    `select ${columns} from ${source} where m.id = $1 and m.deleted_at is null`,
    [meetingId],
  );
  return rows[0];
}

/** What a request with this reference has scheduled before, deleted since or not; undefined where it is new. */
export async function findByClientRef(db: Db, clientRef: string): Promise<MeetingRow | undefined> {
  const { rows } = await db.$client.query<MeetingRow>(
    `select ${columns} from ${source} where m.client_ref = $1`,
    [clientRef],
  );
  return rows[0];
}

/** The first of one's meetings that overlaps this time, or undefined. One that ends when the other begins does not. */
export async function findClash(
  db: Db,
  input: { userId: number; start: Date; end: Date; except: number | null },
): Promise<Pick<MeetingRow, "title" | "startsAt" | "endsAt"> | undefined> {
  const { rows } = await db.$client.query<Pick<MeetingRow, "title" | "startsAt" | "endsAt">>(
    `select m.title, m.starts_at as "startsAt", m.ends_at as "endsAt" from meetings m
     where m.user_id = $1 and m.deleted_at is null and m.starts_at < $3 and m.ends_at > $2
       and m.starts_at > $2::timestamptz - interval '31 days' and m.id is distinct from $4
     order by m.starts_at, m.id limit 1`,
    [input.userId, input.start, input.end, input.except],
  );
  return rows[0];
}

type Row = Pick<typeof meetings.$inferSelect, "calendarType" | "googleEventId">;

/** Whether this person has connected Google, also where Google no longer takes the tokens: changes wait meanwhile. */
export async function hasGoogle(tx: Tx, userId: number): Promise<boolean> {
  const found = await tx
    .select({ one: sql`1` })
    .from(googleAccounts)
    .where(eq(googleAccounts.userId, userId));
  return found.length > 0;
}

/**
 * Whether Google is to hear of a meeting that changed here: of those meant for it once its owner is connected, and of those it
 * has (or may have) already, whatever became of them. A row marked `pending` is the outbox; its version grows with every change.
 */
export function syncAfterChange(row: Row, connected: boolean): "pending" | "none" {
  return row.googleEventId !== null || (row.calendarType === "google" && connected) ? "pending" : "none";
}
