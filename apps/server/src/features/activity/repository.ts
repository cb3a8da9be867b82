import type { CallLog } from "@portal/contract/entities/call";
import type { Message } from "@portal/contract/entities/message";
import type { TimelineKind } from "@portal/contract/entities/timeline";
import type { SQL } from "drizzle-orm";
import { foldText } from "../../domain/search-text.ts";
import type { Db } from "../../platform/db/client.ts";
import { allOf, query, queryFirst, queryOnly, sql } from "../../platform/db/query.ts";
import {
  checkingSql,
  noTranscriptionSql,
  type RecordingOfLog,
  recordingOfLogSql,
} from "../../platform/db/sql/call-logs.ts";

/** Wrap-up of a call: changes of the lead that its consultant makes within this many seconds of its end belong to it. */
const wrapUpSeconds = 300;

/** Events that repeat the call log or SMS next to them. */
const shadowedSql = sql`e.kind in ('call-ended', 'call-logged', 'text-sent', 'text-received')`;

/** An outcome that only confirms the provider's suggestion, and a field that was written with its old value, are no changes. */
const unchangedSql = sql`(e.kind = 'outcome-confirmed' and (e.data #> '{before,outcome}') is not distinct from (e.data #> '{after,outcome}')
  and (e.data #> '{before,notes}') is not distinct from (e.data #> '{after,notes}')
  or e.kind in ('changed', 'renamed', 'assigned') and e.data ? 'before' and e.data -> 'before' = e.data -> 'after')`;

/** Technical events: changes from and to the CRM, and the last contact that follows from a call or SMS. */
const systemSql = sql`(e.kind in ('crm-synced', 'crm-pushed', 'crm-unanswered')
  or e.kind = 'changed' and e.data ->> 'field' = 'lastContactedAt')`;

/**
 * The call that an event `e` belongs to, or null: an outcome names its call; a change of status or follow-up by the call's consultant, or
 * by the system, belongs to the call during or shortly after which it was made.
 */
const foldedIntoSql = sql`(select c.id from call_logs c where c.lead_id = e.lead_id and (
    e.kind = 'outcome-confirmed' and e.data ->> 'callLogId' = c.id::text
    or e.kind = 'changed' and e.data ->> 'field' in ('status', 'nextFollowUpDate', 'nextFollowUpTime')
      and (e.user_id is null or e.user_id = c.user_id) and e.at >= c.call_date
      and e.at < c.call_date + make_interval(secs => greatest(c.duration_seconds, coalesce(c.reported_seconds, 0)) + ${sql.constant(wrapUpSeconds)}))
  order by c.call_date desc, c.id desc limit 1)`;

const isNoteSql = sql`(e.kind in ('note-added', 'crm-note') or e.kind = 'changed' and e.data ->> 'field' = 'notes')`;
const isMeetingSql = sql`e.kind in ('meeting-scheduled', 'meeting-changed', 'meeting-deleted')`;
const isOfCallSql = sql`e.kind in ('call-attempt', 'message-left', 'message-cut', 'outcome-confirmed', 'missed-call-done', 'missed-call-reopened')`;

const kindSql: Record<Exclude<TimelineKind, "texts">, SQL> = {
  calls: isOfCallSql,
  notes: isNoteSql,
  meetings: isMeetingSql,
  changes: sql`not (${isOfCallSql} or ${isNoteSql} or ${isMeetingSql})`,
};

/** Which events `e` of a lead are listed. */
function eventWhere({ kind, withSystem }: { kind: TimelineKind | null; withSystem: boolean }): SQL {
  return allOf(
    sql`not (${shadowedSql})`,
    sql`not coalesce(${unchangedSql}, false)`,
    !withSystem && sql`not coalesce(${systemSql}, false)`,
    kind !== null && kind !== "texts" && sql`coalesce(${kindSql[kind]}, false)`,
  );
}

/** All texts within the data of an event `e`. */
const eventTextSql = sql`(select string_agg(v #>> '{}', ' ') from jsonb_path_query(e.data, '$.**') v where jsonb_typeof(v) in ('string', 'number'))`;

/** Lower case without accents, as `foldText` does it. */
const foldSql = (text: SQL) =>
  sql`lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'))`;

/** The person named by a value of an assignment; an event of the CRM push has only the new one. */
const eventAssigneeSql = (side: "before" | "after") => {
  const sent =
    side === "after"
      ? sql`when e.kind in ('crm-pushed', 'crm-push-failed') and e.data ->> 'field' = 'assignedTo' then (e.data ->> 'value')::int`
      : sql.empty();
  return sql`(select u.name from users u where u.id = case
    when e.kind = 'assigned' and jsonb_typeof(e.data -> ${side}::text) = 'number' then (e.data ->> ${side}::text)::int ${sent} end)`;
};

/** The last entry of the previous page: its instant, and a number that is unique among the lead's entries. */
export interface TimelineKeyset {
  at: string;
  id: number;
}

/** Which entries of a timeline are requested. */
export interface TimelineFilter {
  leadId: number;
  kind: TimelineKind | null;
  /** Whether entries that only concern synchronization are listed too. */
  withSystem: boolean;
  /** Words that must all occur, in any case and with any accents. */
  search: string;
}

interface Common {
  id: number;
  at: Date;
  actorName: string | null;
  /** The sort key with PostgreSQL's own precision, and the entry's number. */
  keysetAt: string;
  keysetId: number;
}

export interface EventRow extends Common {
  source: "event";
  kind: string;
  data: Record<string, unknown>;
  /** Names of the users in an assignment. */
  beforeName: string | null;
  afterName: string | null;
}

export interface CallRow extends Common {
  source: "call";
  outcome: CallLog["outcome"] | "checking";
  durationSeconds: number;
  reportedSeconds: number | null;
  recording: RecordingOfLog | null;
  direction: CallLog["direction"];
  notes: string | null;
  transcription: string | null;
  noTranscription: CallLog["noTranscription"];
  /** The changes made with the call: its outcome, the lead's status and follow-up. */
  related: EventRow[];
}

export interface TextRow extends Common {
  source: "text";
  direction: Message["direction"];
  body: string;
  status: Message["status"];
  attachments: number;
}

export type TimelineRow = EventRow | CallRow | TextRow;

/** Each table has its own ids: `id * 4 + rank` is a unique key for all entries of a lead. */
const ranks = { event: 0, call: 1, text: 2 } as const;

interface Source {
  name: TimelineRow["source"];
  alias: SQL;
  at: SQL;
  columns: SQL;
  from: SQL;
  where: SQL;
  /** The text that a search is compared with. */
  text: SQL;
}

const eventColumns = sql`e.kind, e.data, ${eventAssigneeSql("before")} as "beforeName", ${eventAssigneeSql("after")} as "afterName"`;

const callSource: Source = {
  name: "call",
  alias: sql`c`,
  at: sql`c.call_date`,
  columns: sql`case when ${checkingSql} then 'checking' else c.outcome end as outcome, c.duration_seconds as "durationSeconds", c.reported_seconds as "reportedSeconds", c.direction, c.notes, ic.transcription, ${noTranscriptionSql} as "noTranscription",
    ${recordingOfLogSql} as recording`,
  from: sql`call_logs c left join inbound_calls ic on ic.id = c.inbound_call_id`,
  where: sql`true`,
  text: sql`u.name, replace(c.outcome, '_', ' '), c.notes, ic.transcription`,
};

const textSource: Source = {
  name: "text",
  alias: sql`m`,
  at: sql`m.created_at`,
  columns: sql`m.direction, m.body, m.status, m.attachments`,
  from: sql`messages m`,
  where: sql`true`,
  text: sql`u.name, m.body`,
};

/** The tables to read for a filter. */
function sourcesOf({ kind, withSystem }: TimelineFilter): Source[] {
  const eventSource: Source = {
    name: "event",
    alias: sql`e`,
    at: sql`e.at`,
    columns: eventColumns,
    from: sql`lead_events e`,
    where: sql`${eventWhere({ kind, withSystem })} and ${foldedIntoSql} is null`,
    text: sql`u.name, ${eventTextSql}`,
  };
  return [
    ...(kind === "texts" ? [] : [eventSource]),
    ...(kind === null || kind === "calls" ? [callSource] : []),
    ...(kind === null || kind === "texts" ? [textSource] : []),
  ];
}

/** `from` and `where` for the rows of a source that match the filter. */
function foundSql({ from, alias, where, text }: Source, { leadId, search }: TimelineFilter): SQL {
  const words = foldText(search).split(" ").filter(Boolean).slice(0, 8);
  const folded = foldSql(sql`concat_ws(' ', ${text})`);
  const matches = allOf(...words.map((word) => sql`strpos(${folded}, ${word}) > 0`));
  return sql`${from} left join users u on u.id = ${alias}.user_id where ${alias}.lead_id = ${leadId} and ${where} and ${matches}`;
}

async function select(
  db: Db,
  source: Source,
  { filter, after, limit }: { filter: TimelineFilter; after: TimelineKeyset | null; limit: number },
): Promise<TimelineRow[]> {
  const { alias, at, name, columns } = source;
  const number = sql`(${alias}.id::bigint * 4 + ${sql.constant(ranks[name])})`;
  // The first comparison uses the index, the second decides between equal instants.
  const keyset = after
    ? sql`and ${at} <= ${after.at}::timestamptz and (${at}, ${number}) < (${after.at}::timestamptz, ${after.id}::bigint)`
    : sql.empty();
  return query<TimelineRow>(
    db,
    sql`select ${name} as source, ${alias}.id, ${at} as at, ${at}::text as "keysetAt", ${number}::float8 as "keysetId",
       u.name as "actorName", ${columns}
     from ${foundSql(source, filter)} ${keyset}
     order by ${at} desc nulls last, ${alias}.id desc nulls last limit ${limit}`,
  );
}

/** The order of the timeline: by instant to the microsecond, then by number; newest first. */
function newerFirst(a: TimelineRow, b: TimelineRow): number {
  const byMillisecond = b.at.getTime() - a.at.getTime();
  if (byMillisecond !== 0) return byMillisecond;
  // PostgreSQL writes microseconds without trailing zeros, so the texts are compared as numbers.
  const byMicrosecond = microseconds(b.keysetAt) - microseconds(a.keysetAt);
  return byMicrosecond !== 0 ? byMicrosecond : b.keysetId - a.keysetId;
}

function microseconds(at: string): number {
  return Number((/\.(\d+)/.exec(at)?.[1] ?? "").padEnd(6, "0"));
}

/** Adds the related changes to the calls of a page. */
async function addRelated(db: Db, leadId: number, rows: readonly TimelineRow[]): Promise<void> {
  const calls = rows.filter((row) => row.source === "call");
  if (calls.length === 0) return;
  const events = await query<EventRow & { callLogId: number }>(
    db,
    sql`select * from (select 'event' as source, e.id, e.at, u.name as "actorName", ${eventColumns}, ${foldedIntoSql} as "callLogId"
       from lead_events e left join users u on u.id = e.user_id
       where e.lead_id = ${leadId} and ${eventWhere({ kind: null, withSystem: false })}) related
     where "callLogId" = any(${sql.param(calls.map(({ id }) => id))}::int[]) order by at, id`,
  );
  for (const call of calls) call.related = events.filter(({ callLogId }) => callLogId === call.id);
}

/** Events, calls and texts of a lead after the keyset, newest first; each call with the changes made with it. */
export async function listTimeline(
  db: Db,
  input: { filter: TimelineFilter; after: TimelineKeyset | null; limit: number },
): Promise<TimelineRow[]> {
  const found: TimelineRow[] = [];
  for (const source of sourcesOf(input.filter)) found.push(...(await select(db, source, input)));
  const rows = found.sort(newerFirst).slice(0, input.limit);
  await addRelated(db, input.filter.leadId, rows);
  return rows;
}

/** The number of entries that match the filter, counted up to `cap`. */
export async function countTimeline(
  db: Db,
  { filter, cap }: { filter: TimelineFilter; cap: number },
): Promise<number> {
  let total = 0;
  for (const source of sourcesOf(filter)) {
    const { count } = await queryOnly<{ count: number }>(
      db,
      sql`select count(*)::int as count from (select 1 from ${foundSql(source, filter)} limit ${cap}) capped`,
    );
    total += count;
  }
  return Math.min(total, cap);
}

/** The lead's assignee; undefined if the lead does not exist. */
export async function findOwner(db: Db, leadId: number): Promise<{ assignedTo: number | null } | undefined> {
  return queryFirst<{ assignedTo: number | null }>(
    db,
    sql`select assigned_to as "assignedTo" from leads where id = ${leadId}`,
  );
}
