import { limits } from "@portal/contract/limits";
import { eq, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, queryOnly, sql } from "../../../platform/db/query.ts";
import type { recordings } from "../../../platform/db/schema/calls.ts";
import { leads } from "../../../platform/db/schema/leads.ts";
import { leadsWithPhonesSql } from "../../../platform/db/sql/leads.ts";

/** The lead's owner and the id of the CRM message with the AI agent's call; undefined if the lead does not exist. */
export async function findLeadRecording(
  db: Db,
  leadId: number,
): Promise<{ assignedTo: number | null; messageId: string | null } | undefined> {
  const [row] = await db
    .select({ assignedTo: leads.assignedTo, messageId: leads.aiRecordingMessageId })
    .from(leads)
    .where(eq(leads.id, leadId));
  return row;
}

/** Whose recordings: of a user's own calls, of leads assigned to them and of unknown callers; or everyone's. */
export type RecordingScope = { userId: number } | "everyone";

type RecordingRow = typeof recordings.$inferSelect;

/** A recording for lists. */
export interface RecordingViewRow
  extends Pick<
    RecordingRow,
    "id" | "recordingSid" | "callSid" | "leadId" | "kind" | "status" | "durationSeconds" | "createdAt"
  > {
  leadName: string | null;
  leadPhone: string | null;
  keysetAt: string;
}

/** A recording to be matched with call logs: the provider's, or the AI agent's of a lead. */
export interface CallRecordingRow {
  /** The recording's id; for the AI agent's the negative id of the lead. */
  id: number;
  callSid: string | null;
  recordingSid: string | null;
  leadId: number | null;
  durationSeconds: number | null;
  callDate: Date;
  keysetAt: string;
}

interface Keyset {
  at: string;
  id: number;
}

const newestFirst = sql`order by r.created_at desc nulls last, r.id desc nulls last`;

/** Recordings `r` of unknown callers. */
const strangersSql = sql`r.lead_id is null and r.inbound_call_id is not null`;

/**
 * The selects of a scope, each with its own index: who was on the call, whose lead it is, and unknown callers. Absent recordings are left
 * out by `status`.
 */
function branches(scope: RecordingScope, status: SQL, after: Keyset | null): SQL[] {
  const shared = after
    ? sql`${status} and (r.created_at, r.id) < (${after.at}::timestamptz, ${after.id}::int)`
    : status;
  if (scope === "everyone") return [sql`select r.* from recordings r where ${shared}`];
  return [
    sql`select r.* from recordings r where r.user_id = ${scope.userId} and ${shared}`,
    sql`select r.* from leads l join recordings r on r.lead_id = l.id where l.assigned_to = ${scope.userId} and ${shared}`,
    sql`select r.* from recordings r where ${strangersSql} and ${shared}`,
  ];
}

const listed = sql`r.status not in ('absent', 'deleted')`;
const union = sql` union `;

/** Recordings of the scope, newest first, after the keyset. */
export async function listRecordings(
  db: Db,
  input: { scope: RecordingScope; after: Keyset | null; limit: number },
): Promise<RecordingViewRow[]> {
  const limit = sql`limit ${input.limit}`;
  const newest = branches(input.scope, listed, input.after).map((of) => sql`(${of} ${newestFirst} ${limit})`);
  return query<RecordingViewRow>(
    db,
    sql`select r.id, r.recording_sid as "recordingSid", r.call_sid as "callSid", r.lead_id as "leadId", r.kind, r.status,
       r.duration_seconds as "durationSeconds", r.created_at as "createdAt", l.name as "leadName",
       coalesce(l.phone, nullif(ic.from_number, 'anonymous')) as "leadPhone",
       r.created_at::text as "keysetAt"
     from (${sql.join(newest, union)}) r left join leads l on l.id = r.lead_id left join inbound_calls ic on ic.id = r.inbound_call_id
     ${newestFirst} ${limit}`,
  );
}

/** Number of recordings of the scope, counted up to `cap`. */
export async function countRecordings(
  db: Db,
  input: { scope: RecordingScope; cap: number },
): Promise<number> {
  const limit = sql`limit ${input.cap}`;
  const capped = branches(input.scope, listed, null).map((of) => sql`(${of} ${limit})`);
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (select * from (${sql.join(capped, union)}) r ${limit}) capped`,
  );
  return count;
}

/** Playable recordings of the scope: completed ones and the AI agent's calls; newest first, after the keyset. */
export async function listCallRecordings(
  db: Db,
  input: { scope: RecordingScope; after: Keyset | null; limit: number },
): Promise<CallRecordingRow[]> {
  const { scope, after, limit } = input;
  const own = scope === "everyone" ? sql`true` : sql`l.assigned_to = ${scope.userId}`;
  const at = sql`coalesce(l.ai_recording_at, l.created_at)`;
  const before = after ? sql`and (${at}, -l.id) < (${after.at}::timestamptz, ${after.id}::int)` : sql.empty();
  const most = sql`limit ${limit}`;
  const calls = branches(scope, sql`r.status = 'completed'`, after).map(
    (
      of,
    ) => sql`(select r.id, r.call_sid as "callSid", r.recording_sid as "recordingSid", r.lead_id as "leadId",
      r.duration_seconds as "durationSeconds", r.created_at as "callDate" from (${of} ${newestFirst} ${most}) r)`,
  );
  return query<CallRecordingRow>(
    db,
    sql`select x.*, x."callDate"::text as "keysetAt" from (${sql.join(calls, union)} union all
       (select -l.id, null, null, l.id, l.ai_recording_seconds, ${at} from leads l
        where l.ai_recording_message_id is not null and ${own} ${before} order by ${at} desc, l.id ${most})) x
     order by x."callDate" desc, x.id desc ${most}`,
  );
}

/** A recording and whether this user may listen to it; undefined if it is unknown. */
export async function findRecording(
  db: Db,
  input: { recordingSid: string; actor: { userId: number; role: string } },
): Promise<
  | (Pick<RecordingRow, "kind" | "status" | "createdAt"> & { leadName: string | null; mayListen: boolean })
  | undefined
> {
  return queryFirst<
    Pick<RecordingRow, "kind" | "status" | "createdAt"> & { leadName: string | null; mayListen: boolean }
  >(
    db,
    sql`select r.kind, r.status, r.created_at as "createdAt", l.name as "leadName",
       coalesce(${input.actor.role === "admin"} or r.user_id = ${input.actor.userId} or l.assigned_to = ${input.actor.userId} or (${strangersSql}), false) as "mayListen"
     from recordings r left join leads l on l.id = r.lead_id where r.recording_sid = ${input.recordingSid}`,
  );
}

/** The call, lead and user of a recording. */
export interface RecordingOwner {
  callId: number | null;
  inboundCallId: number | null;
  leadId: number | null;
  userId: number | null;
}

/** Statuses in the order in which a recording passes through them. */
const ranks = ["in-progress", "paused", "stopped", "processing", "completed", "absent", "deleted"];

const columns = sql`"callId", "inboundCallId", "leadId", "userId"`;

/** A call that was recorded. */
export interface RecordedCall extends RecordingOwner {
  /** Set if the lead was joined to an open line: the provider records the line's leg. `leadSid` is the lead's own leg, if known. */
  joined: { leadSid: string | null } | null;
}

/**
 * The call of a recording: by the first leg's sid; else by our id from the address, if that sid never arrived or belongs to a line; else by
 * the line and the lead's part of it in which the recording began (in whole seconds).
 */
export async function findRecordedCall(
  tx: Tx,
  input: { callSid: string; callId: number | null; startedAt: Date | null },
): Promise<RecordedCall | undefined> {
  const joined = sql`json_build_object('leadSid', c.call_sid)`;
  return queryFirst<RecordedCall>(
    tx,
    sql`select ${columns}, joined from (
       select id as "callId", null::int as "inboundCallId", lead_id as "leadId", user_id as "userId", null::json as joined, 1 as place
         from calls where call_sid = ${input.callSid}
       union all select null, id, lead_id, taken_by, null, 2 from inbound_calls where call_sid = ${input.callSid}
       union all select c.id, null, c.lead_id, c.user_id, case when c.line_id is not null then ${joined} end, 3
         from calls c where c.id = ${input.callId} and (c.call_sid is null or c.line_id is not null)
       union all (select c.id, null, c.lead_id, c.user_id, ${joined}, 4
         from lines l join calls c on c.line_id = l.id
         where ${input.callId}::int is null and l.call_sid = ${input.callSid} and date_trunc('second', c.asked_at) <= ${input.startedAt}
           and coalesce(c.ended_at, clock_timestamp()) >= ${input.startedAt}
         order by c.id desc limit 1)
     ) found order by place limit 1`,
  );
}

/** Saves what is reported about a recording. The status only moves forward, and a known owner stays. */
export async function upsertRecording(
  tx: Tx,
  values: Omit<typeof recordings.$inferInsert, "id" | "matchTries" | "matchedAt">,
): Promise<Omit<RecordingOwner, "callId"> & { id: number }> {
  const { recordingSid, callSid, kind = null, status } = values;
  const { callId = null, inboundCallId = null, leadId = null, userId = null } = values;
  const { durationSeconds = null, startedAt = null } = values;
  const rank = (of: SQL) => sql`array_position(${sql.param(ranks)}::text[], ${of})`;
  return queryOnly<Omit<RecordingOwner, "callId"> & { id: number }>(
    tx,
    sql`insert into recordings as r (recording_sid, call_sid, call_id, inbound_call_id, lead_id, user_id, kind, status,
       duration_seconds, started_at, created_at)
     values (${recordingSid}, ${callSid}, ${callId}, ${inboundCallId}, ${leadId}, ${userId}, ${kind}, ${status},
       ${durationSeconds}, ${startedAt}, least(coalesce(${startedAt}, clock_timestamp()), clock_timestamp()))
     on conflict (recording_sid) do update set
       call_sid = case when coalesce(r.call_id = excluded.call_id, true) then excluded.call_sid else r.call_sid end,
       status = case when ${rank(sql`excluded.status`)} > ${rank(sql`r.status`)} then excluded.status else r.status end,
       duration_seconds = greatest(r.duration_seconds, excluded.duration_seconds),
       started_at = coalesce(r.started_at, excluded.started_at), call_id = coalesce(r.call_id, excluded.call_id),
       inbound_call_id = coalesce(r.inbound_call_id, excluded.inbound_call_id),
       lead_id = coalesce(r.lead_id, excluded.lead_id), user_id = coalesce(r.user_id, excluded.user_id)
     returning id, inbound_call_id as "inboundCallId", lead_id as "leadId", user_id as "userId"`,
  );
}

export async function findAssignee(tx: Tx, leadId: number | null): Promise<number | null> {
  const row = await queryFirst<{ assignedTo: number | null }>(
    tx,
    sql`select assigned_to as "assignedTo" from leads where id = ${leadId}`,
  );
  return row?.assignedTo ?? null;
}

export interface LostRecording {
  table: "calls" | "inbound_calls";
  id: number;
  callSid: string;
}

/**
 * Claims answered calls and voicemails that ended a while ago without a reported recording, for one worker at a time. Each is asked about
 * `tries` times at growing intervals, within a day.
 */
export async function claimLost(
  db: Db,
  input: { afterMs: number; tries: number; limit: number },
): Promise<LostRecording[]> {
  const claim = async (table: LostRecording["table"], ended: SQL, legSid = sql`lost.call_sid`) => {
    const claimed = sql.identifier(table);
    const rows = await query<{ id: number; callSid: string }>(
      db,
      sql`update ${claimed} lost set recording_tries = recording_tries + 1, recording_asked_at = clock_timestamp() where id in (
         select c.id from ${claimed} c where ${ended} and c.call_sid is not null
           and c.ended_at between clock_timestamp() - interval '1 day' and clock_timestamp() - ${input.afterMs} * interval '1 ms'
           and c.recording_tries < ${input.tries} and (c.recording_asked_at is null
             or c.recording_asked_at < clock_timestamp() - ${input.afterMs} * power(4, c.recording_tries - 1) * interval '1 ms')
           and not exists (select 1 from recordings r
             where r.call_sid = c.call_sid and r.status in ('completed', 'absent', 'deleted'))
         order by c.ended_at limit ${input.limit} for update skip locked)
       returning id, ${legSid} as "callSid"`,
    );
    return rows.map((row) => ({ table, ...row }));
  };
  return [
    // Without machine detection an answered call has no distinct result.
    ...(await claim(
      "calls",
      sql`c.state = 'ended' and (c.result in ('answered', 'voicemail') or c.answered_at is not null)`,
      // On an open line the provider stores the recording under the line's sid.
      sql`coalesce((select l.call_sid from lines l where l.id = lost.line_id), lost.call_sid)`,
    )),
    ...(await claim("inbound_calls", sql`c.stage = 'ended' and c.result in ('answered', 'voicemail')`)),
  ];
}

export interface UnmatchedRecording {
  id: number;
  callSid: string;
  createdAt: Date;
}

/** Claims recordings without a known call, for one worker at a time; each is looked up three times within its first day. */
export async function claimUnmatched(
  db: Db,
  input: { afterMs: number; tries: number; limit: number },
): Promise<UnmatchedRecording[]> {
  return query<UnmatchedRecording>(
    db,
    sql`update recordings set match_tries = match_tries + 1, matched_at = clock_timestamp() where id in (
       select id from recordings where call_id is null and inbound_call_id is null and match_tries < ${input.tries}
         and created_at > clock_timestamp() - interval '1 day'
         and (matched_at is null or matched_at < clock_timestamp() - ${input.afterMs} * interval '1 ms')
       order by created_at limit ${input.limit} for update skip locked)
     returning id, call_sid as "callSid", created_at as "createdAt"`,
  );
}

/**
 * The call with one of these numbers that is nearest in time and has no recording, within the match window. Consultants share an office
 * line, so the consultant's number only matches a call whose own leg is unknown.
 */
export async function findCallNear(
  tx: Tx,
  input: { numbers: string[]; at: Date },
): Promise<RecordingOwner | undefined> {
  return queryFirst<RecordingOwner>(
    tx,
    sql`select c.id as "callId", null::int as "inboundCallId", c.lead_id as "leadId", c.user_id as "userId" from calls c
     where c.state = 'ended' and c.ended_at between ${input.at}::timestamptz - ${limits.recordingMatchMs} * interval '1 ms' and ${input.at}::timestamptz + interval '3 hours'
       and c.requested_at between ${input.at}::timestamptz - ${limits.recordingMatchMs} * interval '1 ms' and ${input.at}::timestamptz + ${limits.recordingMatchMs} * interval '1 ms'
       and (c.lead_number = any(${sql.param(input.numbers)}) or (c.rep_number = any(${sql.param(input.numbers)}) and c.call_sid is null))
       and not exists (select 1 from recordings r where r.call_id = c.id)
     order by abs(extract(epoch from c.requested_at - ${input.at}::timestamptz)) limit 1`,
  );
}

/** The lead with one of these numbers, if there is exactly one. */
export async function findOnlyLead(tx: Tx, numbers: string[]): Promise<number | null> {
  const rows = await query<{ id: number }>(
    tx,
    sql`select id from (${leadsWithPhonesSql(sql`${sql.param(numbers)}::text[]`)}) l limit 2`,
  );
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}

export async function setOwner(tx: Tx, recordingId: number, owner: RecordingOwner): Promise<void> {
  await execute(
    tx,
    sql`update recordings set call_id = ${owner.callId}, inbound_call_id = ${owner.inboundCallId}, lead_id = ${owner.leadId}, user_id = ${owner.userId} where id = ${recordingId}`,
  );
}
