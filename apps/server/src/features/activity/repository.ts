import type { CallLog } from "@portal/contract/entities/call";
import type { Message } from "@portal/contract/entities/message";
import type { SQL } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { query, queryFirst, queryOnly, sql } from "../../platform/db/query.ts";
import {
  checkingSql,
  noTranscriptionSql,
  type RecordingOfLog,
  recordingOfLogSql,
} from "../../platform/db/sql/call-logs.ts";

/** Where a page ended: the instant, and a number that no other entry of the lead has. */
export interface TimelineKeyset {
  at: string;
  id: number;
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
  /** Names of the people that an assignment speaks of. */
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
}

export interface TextRow extends Common {
  source: "text";
  direction: Message["direction"];
  body: string;
  status: Message["status"];
  attachments: number;
}

export type TimelineRow = EventRow | CallRow | TextRow;

/** Each source numbers its rows by itself: `id * 4 + rank` tells all of a lead apart. */
const ranks = { event: 0, call: 1, text: 2 } as const;

/** Events that say what the call log or the text beside them says. */
const shadowed = ["call-ended", "call-logged", "text-sent", "text-received"];

/** An outcome that only confirms what the provider said is no change. */
const confirmsOnly = sql`e.kind = 'outcome-confirmed' and (e.data #> '{before,outcome}') is not distinct from (e.data #> '{after,outcome}')
  and (e.data #> '{before,notes}') is not distinct from (e.data #> '{after,notes}')`;

/** The person a value of an assignment stands for; what went to the CRM has the new one only. */
const assignee = (side: "before" | "after") => {
  const sent =
    side === "after"
      ? sql`when e.kind in ('crm-pushed', 'crm-push-failed') and e.data ->> 'field' = 'assignedTo' then (e.data ->> 'value')::int`
      : sql.empty();
  return sql`(select u.name from users u where u.id = case
    when e.kind = 'assigned' and jsonb_typeof(e.data -> ${side}::text) = 'number' then (e.data ->> ${side}::text)::int ${sent} end)`;
};

async function select<Row extends TimelineRow>(
  db: Db,
  input: { leadId: number; after: TimelineKeyset | null; limit: number },
  source: {
    name: Row["source"];
    alias: SQL;
    at: SQL;
    columns: SQL;
    from: SQL;
    where: SQL;
  },
): Promise<Row[]> {
  const { name, alias, at, columns, from, where } = source;
  const { leadId, after, limit } = input;
  const number = sql`(${alias}.id::bigint * 4 + ${sql.constant(ranks[name])})`;
  // The first comparison is the index's, the second the merge's.
  const keyset = after
    ? sql`and ${at} <= ${after.at}::timestamptz and (${at}, ${number}) < (${after.at}::timestamptz, ${after.id}::bigint)`
    : sql.empty();
  return query<Row>(
    db,
    sql`select ${name} as source, ${alias}.id, ${at} as at, ${at}::text as "keysetAt", ${number}::float8 as "keysetId",
       u.name as "actorName", ${columns}
     from ${from} left join users u on u.id = ${alias}.user_id
     where ${alias}.lead_id = ${leadId} and ${where} ${keyset}
     order by ${at} desc nulls last, ${alias}.id desc nulls last limit ${limit}`,
  );
}

/** The order of the timeline: by instant to the microsecond, then by number; newest first. */
function newerFirst(a: TimelineRow, b: TimelineRow): number {
  const byMillisecond = b.at.getTime() - a.at.getTime();
  if (byMillisecond !== 0) return byMillisecond;
  // Within a millisecond the texts of PostgreSQL differ in their microseconds, which it writes without trailing zeros.
  const byMicrosecond = microseconds(b.keysetAt) - microseconds(a.keysetAt);
  return byMicrosecond !== 0 ? byMicrosecond : b.keysetId - a.keysetId;
}

function microseconds(at: string): number {
  return Number((/\.(\d+)/.exec(at)?.[1] ?? "").padEnd(6, "0"));
}

/** What happened to a lead, newest first, after the keyset: events, calls and texts, merged. */
export async function listTimeline(
  db: Db,
  input: { leadId: number; after: TimelineKeyset | null; limit: number },
): Promise<TimelineRow[]> {
  const events = await select<EventRow>(db, input, {
    name: "event",
    alias: sql`e`,
    at: sql`e.at`,
    columns: sql`e.kind, e.data, ${assignee("before")} as "beforeName", ${assignee("after")} as "afterName"`,
    from: sql`lead_events e`,
    where: sql`e.kind <> all(${sql.param(shadowed)}::text[]) and not (${confirmsOnly})`,
  });
  const calls = await select<CallRow>(db, input, {
    name: "call",
    alias: sql`c`,
    at: sql`c.call_date`,
    columns: sql`case when ${checkingSql} then 'checking' else c.outcome end as outcome, c.duration_seconds as "durationSeconds", c.reported_seconds as "reportedSeconds", c.direction, c.notes, ic.transcription, ${noTranscriptionSql} as "noTranscription",
      ${recordingOfLogSql} as recording`,
    from: sql`call_logs c left join inbound_calls ic on ic.id = c.inbound_call_id`,
    where: sql`true`,
  });
  const texts = await select<TextRow>(db, input, {
    name: "text",
    alias: sql`m`,
    at: sql`m.created_at`,
    columns: sql`m.direction, m.body, m.status, m.attachments`,
    from: sql`messages m`,
    where: sql`true`,
  });
  return [...events, ...calls, ...texts].sort(newerFirst).slice(0, input.limit);
}

/** How many entries the timeline has, counted up to `cap`. */
export async function countTimeline(db: Db, input: { leadId: number; cap: number }): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select least(${input.cap}::bigint,
       (select count(*) from (select 1 from lead_events e where e.lead_id = ${input.leadId} and e.kind <> all(${sql.param(shadowed)}::text[]) and not (${confirmsOnly}) limit ${input.cap}) a)
       + (select count(*) from (select 1 from call_logs where lead_id = ${input.leadId} limit ${input.cap}) b)
       + (select count(*) from (select 1 from messages where lead_id = ${input.leadId} limit ${input.cap}) c))::int as count`,
  );
  return count;
}

/** Whose lead it is, or undefined where there is none. */
export async function findOwner(db: Db, leadId: number): Promise<{ assignedTo: number | null } | undefined> {
  return queryFirst<{ assignedTo: number | null }>(
    db,
    sql`select assigned_to as "assignedTo" from leads where id = ${leadId}`,
  );
}
