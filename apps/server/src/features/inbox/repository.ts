import type { InboxCall } from "@portal/contract/entities/inbox";
import type { SQL } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { allOf, query, queryOnly, sql } from "../../platform/db/query.ts";
import {
  noTranscriptionSql,
  type RecordingOfLog,
  recordingOfLogSql,
} from "../../platform/db/sql/call-logs.ts";
import { leadsWithPhonesSql } from "../../platform/db/sql/leads.ts";

/** Whose entries: those that one person has to answer, or everyone's. */
export type InboxScope = { userId: number; isAdmin: boolean } | "everyone";

/** What an entry is about: a lead, an unknown number or a call with a hidden number. */
export type Subject = { leadId: number } | { number: string } | { callId: number };

/** Maximum number of SMS and of calls that are listed with an entry. */
const shown = 50;

export interface EntryRow {
  id: string;
  leadId: number | null;
  leadName: string | null;
  company: string | null;
  assignedTo: number | null;
  salesRepName: string | null;
  number: string;
  at: Date;
  textCount: number;
  callCount: number;
  lastTextId: number | null;
  lastCallId: number | null;
  texts: TextRow[];
  calls: CallRow[];
  /** The sort key at PostgreSQL's full precision, and a number that is unique among entries. */
  keysetAt: string;
  keysetId: number;
}

interface TextRow {
  id: number;
  message: string;
  attachments: number;
  createdAt: Date;
}

interface CallRow
  extends Pick<InboxCall, "id" | "logId" | "number" | "result" | "transcription" | "noTranscription"> {
  startedAt: Date;
  recording: RecordingOfLog | null;
}

/** Whether lead `l` is in the scope. Unassigned leads belong to administrators. */
function inScope(scope: InboxScope): SQL {
  if (scope === "everyone") return sql`true`;
  const { userId, isAdmin } = scope;
  return isAdmin ? sql`(l.assigned_to = ${userId} or l.assigned_to is null)` : sql`l.assigned_to = ${userId}`;
}

const isMissed = sql`i.result in ('missed', 'voicemail') and i.settled_at is null`;
const isUnknownText = sql`m.lead_id is null and m.dismissed_at is null`;

/**
 * Everything that waits: unread SMS of leads, missed calls, SMS of unknown numbers, each through its partial index. `kind` is 0 for an SMS
 * and 1 for a call.
 */
const waitingSql = (scope: InboxScope) => sql`
  select m.lead_id, m.from_number as number, m.id, 0 as kind, m.created_at as at
    from leads l join messages m on m.lead_id = l.id
    where l.unread_messages > 0 and m.direction = 'inbound' and m.read_at is null and ${inScope(scope)}
  union all
  select i.lead_id, i.from_number, i.id, 1, i.started_at
    from inbound_calls i left join leads l on l.id = i.lead_id
    where ${isMissed} and (i.lead_id is null or ${inScope(scope)})
  union all
  select null, m.from_number, m.id, 0, m.created_at from messages m where ${isUnknownText}`;

/** The entry of a waiting SMS or call `w`. Calls with a hidden number may come from different people, so each is an entry of its own. */
const entrySql = sql`case when w.lead_id is not null then 'lead:' || w.lead_id
  when w.kind = 1 and w.number = 'anonymous' then 'call:' || w.id else 'number:' || w.number end`;

const newestSql = (kind: 0 | 1) =>
  sql`(array_agg(w.id order by w.at desc, w.id desc) filter (where w.kind = ${sql.constant(kind)}))[1:${sql.constant(shown)}]`;

/** Entries of the scope after the keyset, sorted by the newest SMS or call, newest first. */
export async function listEntries(
  db: Db,
  input: { scope: InboxScope; after: { at: string; id: number } | null; limit: number },
): Promise<EntryRow[]> {
  const { scope, after, limit } = input;
  const rows = await query<Omit<EntryRow, "texts" | "calls"> & { textIds: number[]; callIds: number[] }>(
    db,
    sql`select e.id, e."leadId", l.name as "leadName", l.company, l.assigned_to as "assignedTo", u.name as "salesRepName", e.number, e.at,
       e."textCount", e."callCount", e."lastTextId", e."lastCallId",
       coalesce(e."textIds", '{}') as "textIds", coalesce(e."callIds", '{}') as "callIds", e.at::text as "keysetAt", e.tie as "keysetId"
     from (select ${entrySql} as id, max(w.lead_id) as "leadId", max(w.number) as number, max(w.at) as at,
         (array_agg(w.id::float8 * 2 + w.kind order by w.at desc, w.id::float8 * 2 + w.kind desc))[1] as tie,
         count(*) filter (where w.kind = 0)::int as "textCount", count(*) filter (where w.kind = 1)::int as "callCount",
         max(w.id) filter (where w.kind = 0) as "lastTextId", max(w.id) filter (where w.kind = 1) as "lastCallId",
         ${newestSql(0)} as "textIds", ${newestSql(1)} as "callIds"
       from (${waitingSql(scope)}) w group by 1) e
     left join leads l on l.id = e."leadId" left join users u on u.id = l.assigned_to
     where ${allOf(after && sql`(e.at, e.tie) < (${after.at}::timestamptz, ${after.id}::float8)`)}
     order by e.at desc, e.tie desc limit ${limit}`,
  );
  const texts = await readTexts(
    db,
    rows.flatMap(({ textIds }) => textIds),
  );
  const calls = await readCalls(
    db,
    rows.flatMap(({ callIds }) => callIds),
  );
  return rows.map(({ textIds, callIds, ...row }) => ({
    ...row,
    texts: textIds.flatMap((id) => texts.get(id) ?? []),
    calls: callIds.flatMap((id) => calls.get(id) ?? []),
  }));
}

async function readTexts(db: Db, ids: number[]): Promise<Map<number, TextRow>> {
  if (ids.length === 0) return new Map();
  const rows = await query<TextRow>(
    db,
    sql`select m.id, m.body as message, m.attachments, m.created_at as "createdAt" from messages m
     where m.id = any(${sql.param(ids)}::int[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function readCalls(db: Db, ids: number[]): Promise<Map<number, CallRow>> {
  if (ids.length === 0) return new Map();
  const rows = await query<CallRow>(
    db,
    sql`select ic.id, c.id as "logId", nullif(ic.from_number, 'anonymous') as number, ic.result, ic.started_at as "startedAt", ic.transcription,
       ${noTranscriptionSql} as "noTranscription", ${recordingOfLogSql} as recording
     from inbound_calls ic left join call_logs c on c.inbound_call_id = ic.id where ic.id = any(${sql.param(ids)}::int[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Number of entries of the scope, counted up to `cap`. */
export async function countEntries(
  db: Db,
  { scope, cap }: { scope: InboxScope; cap: number },
): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (select distinct ${entrySql} from (${waitingSql(scope)}) w limit ${cap}) capped`,
  );
  return count;
}

const textsOf = (subject: Subject): SQL => {
  if ("leadId" in subject) return sql`m.direction = 'inbound' and m.lead_id = ${subject.leadId}`;
  if ("number" in subject) return sql`m.lead_id is null and m.from_number = ${subject.number}`;
  return sql`false`;
};

const callsOf = (subject: Subject): SQL => {
  if ("leadId" in subject) return sql`i.lead_id = ${subject.leadId}`;
  if ("number" in subject)
    return sql`i.lead_id is null and i.from_number <> 'anonymous' and i.from_number = ${subject.number}`;
  return sql`i.lead_id is null and i.id = ${subject.callId}`;
};

/** Removes the SMS of an entry up to this one from the inbox. Returns their ids. */
export async function settleMessages(tx: Tx, subject: Subject, upTo: number): Promise<number[]> {
  const [waits, done] =
    "leadId" in subject
      ? [sql`m.read_at is null`, sql`read_at = clock_timestamp()`]
      : [
          sql`m.dismissed_at is null`,
          sql`dismissed_at = clock_timestamp(), read_at = coalesce(read_at, clock_timestamp())`,
        ];
  const rows = await query<{ id: number }>(
    tx,
    sql`update messages m set ${done} where ${textsOf(subject)} and ${waits} and m.id <= ${upTo} returning m.id`,
  );
  return rows.map(({ id }) => id);
}

/** Puts these SMS of an entry back into the inbox. Returns the ids of those that were not in it. */
export async function reopenMessages(tx: Tx, subject: Subject, ids: number[]): Promise<number[]> {
  const rows = await query<{ id: number }>(
    tx,
    sql`update messages m set read_at = null, dismissed_at = null where ${textsOf(subject)} and m.id = any(${sql.param(ids)}::int[])
       and ${"leadId" in subject ? sql`m.read_at is not null` : sql`m.dismissed_at is not null`} returning m.id`,
  );
  return rows.map(({ id }) => id);
}

/** An inbound call that was settled or reopened. */
export interface ChangedCall {
  id: number;
  ownerId: number | null;
  takenBy: number | null;
  leadId: number | null;
  /** Id of its call log. */
  logId: number | null;
}

const changedCall = sql`i.id, i.owner_id as "ownerId", i.taken_by as "takenBy", i.lead_id as "leadId",
  (select c.id from call_logs c where c.inbound_call_id = i.id) as "logId"`;

/** Removes the missed calls of an entry up to this one from the inbox. */
export async function settleCalls(
  tx: Tx,
  subject: Subject,
  { upTo, userId }: { upTo: number; userId: number },
): Promise<ChangedCall[]> {
  return query<ChangedCall>(
    tx,
    sql`update inbound_calls i set settled_at = clock_timestamp(), settled_by = ${userId}
     where ${callsOf(subject)} and ${isMissed} and i.id <= ${upTo} returning ${changedCall}`,
  );
}

/** Puts these missed calls of an entry back into the inbox. */
export async function reopenCalls(tx: Tx, subject: Subject, ids: number[]): Promise<ChangedCall[]> {
  return query<ChangedCall>(
    tx,
    sql`update inbound_calls i set settled_at = null, settled_by = null where ${callsOf(subject)}
       and i.result in ('missed', 'voicemail') and i.settled_at is not null and i.id = any(${sql.param(ids)}::int[])
     returning ${changedCall}`,
  );
}

/** Unknown numbers with waiting SMS or calls that now belong to a lead. */
export async function listKnownNumbers(db: Db, limit: number): Promise<string[]> {
  const rows = await query<{ number: string }>(
    db,
    sql`select distinct w.number from (
       select m.from_number as number from messages m where ${isUnknownText}
       union all select i.from_number from inbound_calls i where ${isMissed} and i.lead_id is null) w
     where exists (select 1 from leads l where l.id in (${leadsWithPhonesSql(sql`array[w.number]`)}) and l.crm_deleted_at is null) limit ${limit}`,
  );
  return rows.map(({ number }) => number);
}
