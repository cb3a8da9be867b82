import { eq } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { allOf, query, queryFirst, queryOnly, sql } from "../../platform/db/query.ts";
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

/** A meeting for lists. */
export interface MeetingRow extends Columns {
  leadName: string | null;
  /** Sort key at PostgreSQL's full precision. */
  keysetAt: string;
}

export interface MeetingFilter {
  userId: number;
  /** Meetings that end after this instant and begin before `to`. */
  from: Date;
  to?: Date | undefined;
  leadId?: number | undefined;
}

const columns = sql`m.id, m.user_id as "userId", m.title, m.description, m.starts_at as "startsAt", m.ends_at as "endsAt",
  m.time_zone as "timeZone", m.lead_id as "leadId", m.calendar_type as "calendarType", m.meeting_link as "meetingLink",
  m.attendee_emails as "attendeeEmails", m.wants_meet_link as "wantsMeetLink", m.sync, m.sync_error as "syncError", m.version,
  m.created_at as "createdAt", m.updated_at as "updatedAt", l.name as "leadName", m.starts_at::text as "keysetAt"`;
const source = sql`meetings m left join leads l on l.id = m.lead_id`;

/** Meetings from Google may last for days; the bound on the start lets the index be used. */
const where = ({ userId, from, to, leadId }: MeetingFilter) =>
  allOf(
    sql`m.user_id = ${userId} and m.deleted_at is null and m.ends_at > ${from} and m.starts_at > ${from}::timestamptz - interval '31 days'`,
    to && sql`m.starts_at < ${to}`,
    leadId !== undefined && sql`m.lead_id = ${leadId}`,
  );

type Keyset = { at: string; id: number } | null;

/** Meetings of the filter by start time, after the keyset. */
export async function listMeetings(
  db: Db,
  { filter, after, limit }: { filter: MeetingFilter; after: Keyset; limit: number },
): Promise<MeetingRow[]> {
  const keyset = after
    ? sql`and (m.starts_at, m.id) > (${after.at}::timestamptz, ${after.id}::int)`
    : sql.empty();
  return query<MeetingRow>(
    db,
    sql`select ${columns} from ${source} where ${where(filter)} ${keyset} order by m.starts_at, m.id limit ${limit}`,
  );
}

const earlier = (userId: number, before: Date) =>
  sql`m.user_id = ${userId} and m.deleted_at is null and m.ends_at <= ${before} and m.starts_at < ${before}`;

/** A user's meetings that ended before an instant, latest first, after the keyset. */
export async function listEarlierMeetings(
  db: Db,
  { userId, before, after, limit }: { userId: number; before: Date; after: Keyset; limit: number },
): Promise<MeetingRow[]> {
  const keyset = after
    ? sql`and (m.starts_at, m.id) < (${after.at}::timestamptz, ${after.id}::int)`
    : sql.empty();
  return query<MeetingRow>(
    db,
    sql`select ${columns} from ${source} where ${earlier(userId, before)} ${keyset} order by m.starts_at desc, m.id desc limit ${limit}`,
  );
}

/** Number of a user's meetings that ended before an instant, counted up to `cap`. */
export async function countEarlierMeetings(
  db: Db,
  { userId, before, cap }: { userId: number; before: Date; cap: number },
): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (select 1 from meetings m where ${earlier(userId, before)} limit ${cap}) capped`,
  );
  return count;
}

/** Number of meetings of the filter, counted up to `cap`. */
export async function countMeetings(db: Db, input: { filter: MeetingFilter; cap: number }): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (select 1 from meetings m where ${where(input.filter)} limit ${input.cap}) capped`,
  );
  return count;
}

/** One meeting that is not deleted, or undefined. */
export async function findMeeting(db: Db, meetingId: number): Promise<MeetingRow | undefined> {
  return queryFirst<MeetingRow>(
    db,
    sql`select ${columns} from ${source} where m.id = ${meetingId} and m.deleted_at is null`,
  );
}

/** The meeting that an earlier request with this reference scheduled, even if deleted since; undefined if there is none. */
export async function findByClientRef(db: Db, clientRef: string): Promise<MeetingRow | undefined> {
  return queryFirst<MeetingRow>(db, sql`select ${columns} from ${source} where m.client_ref = ${clientRef}`);
}

/** The first of a user's meetings that overlaps this time, or undefined. Adjacent meetings do not overlap. */
export async function findClash(
  db: Db,
  input: { userId: number; start: Date; end: Date; except: number | null },
): Promise<Pick<MeetingRow, "title" | "startsAt" | "endsAt"> | undefined> {
  return queryFirst<Pick<MeetingRow, "title" | "startsAt" | "endsAt">>(
    db,
    sql`select m.title, m.starts_at as "startsAt", m.ends_at as "endsAt" from meetings m
     where m.user_id = ${input.userId} and m.deleted_at is null and not m.transparent and m.starts_at < ${input.end} and m.ends_at > ${input.start}
       and m.starts_at > ${input.start}::timestamptz - interval '31 days' and m.id is distinct from ${input.except}
     order by m.starts_at, m.id limit 1`,
  );
}

/** Times within a span taken by a user's meetings and by hidden events of their Google calendar, in ms. */
export async function listBusyTimes(
  db: Db,
  { userId, from, until }: { userId: number; from: Date; until: Date },
): Promise<{ from: number; until: number }[]> {
  const rows = await query<{ from: Date; until: Date }>(
    db,
    sql`select m.starts_at as "from", m.ends_at as "until" from meetings m
     where m.user_id = ${userId} and m.deleted_at is null and not m.transparent and m.ends_at > ${from}
       and m.starts_at > ${from}::timestamptz - interval '31 days' and m.starts_at < ${until}
     union all
     select b.starts_at, b.ends_at from google_busy_times b
     where b.user_id = ${userId} and b.ends_at > ${from} and b.starts_at < ${until}`,
  );
  return rows.map((row) => ({ from: row.from.getTime(), until: row.until.getTime() }));
}

/** Locks a user's calendar until the transaction ends, so that two bookings of the same time run one after the other. */
export async function lockCalendar(tx: Tx, userId: number): Promise<void> {
  await query(tx, sql`select 1 from users where id = ${userId} for no key update`);
}

type Row = Pick<typeof meetings.$inferSelect, "calendarType" | "googleEventId">;

/** Whether this user has connected Google. Also true if Google rejects the tokens now: changes stay pending meanwhile. */
export async function hasGoogle(tx: Tx, userId: number): Promise<boolean> {
  const found = await tx
    .select({ one: sql`1` })
    .from(googleAccounts)
    .where(eq(googleAccounts.userId, userId));
  return found.length > 0;
}

/**
 * Whether a change has to be sent to Google: for meetings meant for it once its owner is connected, and for those that have an event id. A
 * `pending` row serves as the outbox; its version grows with every change.
 */
export function syncAfterChange(row: Row, connected: boolean): "pending" | "none" {
  return row.googleEventId !== null || (row.calendarType === "google" && connected) ? "pending" : "none";
}
