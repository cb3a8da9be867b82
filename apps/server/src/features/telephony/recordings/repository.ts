import { limits } from "@portal/contract/limits";
import { eq } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import type { recordings } from "../../../platform/db/schema/calls.ts";
import { leads } from "../../../platform/db/schema/leads.ts";

/** Whose lead it is and which CRM message holds the AI agent's call, or undefined. */
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

/** Whose recordings: of one's own calls, of the leads assigned to one, and of callers who are no lead; everyone's for an administrator. */
export type RecordingScope = { userId: number } | "everyone";

type RecordingRow = typeof recordings.$inferSelect;

/** A recording as the list shows it. */
export interface RecordingViewRow
  extends Pick<
    RecordingRow,
    "id" | "recordingSid" | "callSid" | "leadId" | "kind" | "status" | "durationSeconds" | "createdAt"
  > {
  leadName: string | null;
  leadPhone: string | null;
  keysetAt: string;
}

/** A recording that call logs are matched with: the provider's, or the AI agent's of a lead. */
export interface CallRecordingRow {
  /** The recording's number; the lead's, below zero, for the AI agent's. */
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

const newestFirst = "order by r.created_at desc nulls last, r.id desc nulls last";

/** Recording `r` is of a caller whose number belongs to no lead. */
const strangersSql = "r.lead_id is null and r.inbound_call_id is not null";

/** The branches of a scope, each with its own index: who was on the call, whose lead it is, and strangers. An absent recording is none. */
function branches(
  scope: RecordingScope,
  status: string,
  after: Keyset | null,
): { sqls: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const shared = [status];
  if (after) shared.push(`(r.created_at, r.id) < (${place(after.at)}::timestamptz, ${place(after.id)}::int)`);
  const where = (...own: string[]) => [...own, ...shared].join(" and ");
  if (scope === "everyone") return { sqls: [`select r.* from recordings r where ${where()}`], values };
  const user = place(scope.userId);
  const own = `select r.* from recordings r where ${where(`r.user_id = ${user}`)}`;
  const ownLeads = `select r.* from leads l join recordings r on r.lead_id = l.id where ${where(`l.assigned_to = ${user}`)}`;
  const strangers = `select r.* from recordings r where ${where(strangersSql)}`;
  return { sqls: [own, ownLeads, strangers], values };
}

const listed = "r.status not in ('absent', 'deleted')";

/** Recordings of the scope, newest first, after the keyset. */
export async function listRecordings(
  db: Db,
  input: { scope: RecordingScope; after: Keyset | null; limit: number },
): Promise<RecordingViewRow[]> {
  const { sqls, values } = branches(input.scope, listed, input.after);
  const limit = `limit $${values.length + 1}`;
  const newest = sqls.map((sql) => `(${sql} ${newestFirst} ${limit})`);
  const { rows } = await db.$client.query<RecordingViewRow>(
    `select r.id, r.recording_sid as "recordingSid", r.call_sid as "callSid", r.lead_id as "leadId", r.kind, r.status,
       r.duration_seconds as "durationSeconds", r.created_at as "createdAt", l.name as "leadName",
       coalesce(l.phone, nullif(ic.from_number, 'anonymous')) as "leadPhone",
       r.created_at::text as "keysetAt"
     from (${newest.join(" union ")}) r left join leads l on l.id = r.lead_id left join inbound_calls ic on ic.id = r.inbound_call_id
     ${newestFirst} ${limit}`,
    [...values, input.limit],
  );
  return rows;
}

/** How many recordings the scope holds, counted up to `cap`. */
export async function countRecordings(
  db: Db,
  input: { scope: RecordingScope; cap: number },
): Promise<number> {
  const { sqls, values } = branches(input.scope, listed, null);
  const limit = `limit $${values.length + 1}`;
  const capped = sqls.map((sql) => `(${sql} ${limit})`);
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from (select * from (${capped.join(" union ")}) r ${limit}) capped`,
    [...values, input.cap],
  );
  return rows[0]?.count ?? 0;
}

/** What can be played of the scope: finished recordings, and the AI agent's calls; newest first, after the keyset. */
export async function listCallRecordings(
  db: Db,
  input: { scope: RecordingScope; after: Keyset | null; limit: number },
): Promise<CallRecordingRow[]> {
  const { scope, after, limit } = input;
  const { sqls, values } = branches(scope, "r.status = 'completed'", after);
  const place = (value: unknown) => `$${values.push(value)}`;
  const own = scope === "everyone" ? "true" : `l.assigned_to = ${place(scope.userId)}`;
  const at = "coalesce(l.ai_recording_at, l.created_at)";
  const before = after
    ? `and (${at}, -l.id) < (${place(after.at)}::timestamptz, ${place(after.id)}::int)`
    : "";
  const most = `limit ${place(limit)}`;
  const calls = sqls.map(
    (sql) => `(select r.id, r.call_sid as "callSid", r.recording_sid as "recordingSid", r.lead_id as "leadId",
      r.duration_seconds as "durationSeconds", r.created_at as "callDate" from (${sql} ${newestFirst} ${most}) r)`,
  );
  const { rows } = await db.$client.query<CallRecordingRow>(
    `select x.*, x."callDate"::text as "keysetAt" from (${calls.join(" union ")} union all
       (select -l.id, null, null, l.id, l.ai_recording_seconds, ${at} from leads l
        where l.ai_recording_message_id is not null and ${own} ${before} order by ${at} desc, l.id ${most})) x
     order by x."callDate" desc, x.id desc ${most}`,
    values,
  );
  return rows;
}

/** A recording with whether this person may listen to it; undefined where it is not known. */
export async function findRecording(
  db: Db,
  input: { recordingSid: string; actor: { userId: number; role: string } },
): Promise<
  | (Pick<RecordingRow, "kind" | "status" | "createdAt"> & { leadName: string | null; mayListen: boolean })
  | undefined
> {
  const { rows } = await db.$client.query<
    Pick<RecordingRow, "kind" | "status" | "createdAt"> & { leadName: string | null; mayListen: boolean }
  >(
    `select r.kind, r.status, r.created_at as "createdAt", l.name as "leadName",
       coalesce($2 or r.user_id = $3 or l.assigned_to = $3 or (${strangersSql}), false) as "mayListen"
     from recordings r left join leads l on l.id = r.lead_id where r.recording_sid = $1`,
    [input.recordingSid, input.actor.role === "admin", input.actor.userId],
  );
  return rows[0];
}

/** Whose recording it is. */
export interface RecordingOwner {
  callId: number | null;
  inboundCallId: number | null;
  leadId: number | null;
  userId: number | null;
}

/** Statuses in the order in which a recording passes through them. */
const ranks = ["in-progress", "paused", "stopped", "processing", "completed", "absent", "deleted"];

const columns = `"callId", "inboundCallId", "leadId", "userId"`;

/** The call of a recording: by the first leg's id, else by our own id from the address where that leg's id never reached us. */
export async function findRecordedCall(
  tx: Tx,
  input: { callSid: string; callId: number | null },
): Promise<RecordingOwner | undefined> {
  const { rows } = await tx.$client.query<RecordingOwner>(
    `select ${columns} from (
       select id as "callId", null::int as "inboundCallId", lead_id as "leadId", user_id as "userId", 1 as place
         from calls where call_sid = $1
       union all select null, id, lead_id, taken_by, 2 from inbound_calls where call_sid = $1
       union all select id, null, lead_id, user_id, 3 from calls where id = $2 and call_sid is null
     ) found order by place limit 1`,
    [input.callSid, input.callId],
  );
  return rows[0];
}

/** Saves what is reported of a recording. A later status stays; whose it is stays once it is known. */
export async function upsertRecording(
  tx: Tx,
  values: Omit<typeof recordings.$inferInsert, "id" | "matchTries" | "matchedAt">,
): Promise<Omit<RecordingOwner, "callId"> & { id: number }> {
  const { rows } = await tx.$client.query<Omit<RecordingOwner, "callId"> & { id: number }>(
    `insert into recordings as r (recording_sid, call_sid, call_id, inbound_call_id, lead_id, user_id, kind, status,
       duration_seconds, started_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, least(coalesce($10, clock_timestamp()), clock_timestamp()))
     on conflict (recording_sid) do update set
       status = case when array_position($11::text[], excluded.status) > array_position($11::text[], r.status)
         then excluded.status else r.status end,
       duration_seconds = greatest(r.duration_seconds, excluded.duration_seconds),
       started_at = coalesce(r.started_at, excluded.started_at), call_id = coalesce(r.call_id, excluded.call_id),
       inbound_call_id = coalesce(r.inbound_call_id, excluded.inbound_call_id),
       lead_id = coalesce(r.lead_id, excluded.lead_id), user_id = coalesce(r.user_id, excluded.user_id)
     returning id, inbound_call_id as "inboundCallId", lead_id as "leadId", user_id as "userId"`,
    [
      values.recordingSid,
      values.callSid,
      values.callId,
      values.inboundCallId,
      values.leadId,
      values.userId,
      values.kind,
      values.status,
      values.durationSeconds,
      values.startedAt,
      ranks,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error("no recording was written");
  return row;
}

export async function findAssignee(tx: Tx, leadId: number | null): Promise<number | null> {
  const { rows } = await tx.$client.query<{ assignedTo: number | null }>(
    `select assigned_to as "assignedTo" from leads where id = $1`,
    [leadId],
  );
  return rows[0]?.assignedTo ?? null;
}

export interface LostRecording {
  table: "calls" | "inbound_calls";
  id: number;
  callSid: string;
}

/**
 * Talks and voicemails that ended a while ago and whose recording nobody reported, for one worker at a time. Each is asked about
 * `tries` times, at growing distances, and no more after a day.
 */
export async function claimLost(
  db: Db,
  input: { afterMs: number; tries: number; limit: number },
): Promise<LostRecording[]> {
  const claim = async (table: LostRecording["table"], ended: string) => {
    const { rows } = await db.$client.query<{ id: number; callSid: string }>(
      `update ${table} set recording_tries = recording_tries + 1, recording_asked_at = clock_timestamp() where id in (
         select c.id from ${table} c where ${ended} and c.call_sid is not null
           and c.ended_at between clock_timestamp() - interval '1 day' and clock_timestamp() - $1 * interval '1 ms'
           and c.recording_tries < $2 and (c.recording_asked_at is null
             or c.recording_asked_at < clock_timestamp() - $1 * power(4, c.recording_tries - 1) * interval '1 ms')
           and not exists (select 1 from recordings r
             where r.call_sid = c.call_sid and r.status in ('completed', 'absent', 'deleted'))
         order by c.ended_at limit $3 for update skip locked)
       returning id, call_sid as "callSid"`,
      [input.afterMs, input.tries, input.limit],
    );
    return rows.map((row) => ({ table, ...row }));
  };
  return [
    // Without machine detection an answered call has no result of its own.
    ...(await claim(
      "calls",
      "c.state = 'ended' and (c.result in ('answered', 'voicemail') or c.answered_at is not null)",
    )),
    ...(await claim("inbound_calls", "c.stage = 'ended' and c.result in ('answered', 'voicemail')")),
  ];
}

export interface UnmatchedRecording {
  id: number;
  callSid: string;
  createdAt: Date;
}

/** Recordings that belong to no known call, for one worker at a time; each is looked up three times in its first day. */
export async function claimUnmatched(
  db: Db,
  input: { afterMs: number; tries: number; limit: number },
): Promise<UnmatchedRecording[]> {
  const { rows } = await db.$client.query<UnmatchedRecording>(
    `update recordings set match_tries = match_tries + 1, matched_at = clock_timestamp() where id in (
       select id from recordings where call_id is null and inbound_call_id is null and match_tries < $2
         and created_at > clock_timestamp() - interval '1 day'
         and (matched_at is null or matched_at < clock_timestamp() - $1 * interval '1 ms')
       order by created_at limit $3 for update skip locked)
     returning id, call_sid as "callSid", created_at as "createdAt"`,
    [input.afterMs, input.tries, input.limit],
  );
  return rows;
}

/**
 * The call with one of these numbers that is nearest in time and has no recording, at most the match window away.
 * Consultants share an office line: by the rep's phone only a call is meant whose own leg the provider never named.
 */
export async function findCallNear(
  tx: Tx,
  input: { numbers: string[]; at: Date },
): Promise<RecordingOwner | undefined> {
  const { rows } = await tx.$client.query<RecordingOwner>(
    `select c.id as "callId", null::int as "inboundCallId", c.lead_id as "leadId", c.user_id as "userId" from calls c
     where c.state = 'ended' and c.ended_at between $2::timestamptz - $3 * interval '1 ms' and $2::timestamptz + interval '3 hours'
       and c.requested_at between $2::timestamptz - $3 * interval '1 ms' and $2::timestamptz + $3 * interval '1 ms'
       and (c.lead_number = any($1) or (c.rep_number = any($1) and c.call_sid is null))
       and not exists (select 1 from recordings r where r.call_id = c.id)
     order by abs(extract(epoch from c.requested_at - $2::timestamptz)) limit 1`,
    [input.numbers, input.at, limits.recordingMatchMs],
  );
  return rows[0];
}

/** The lead that alone has one of these numbers. */
export async function findOnlyLead(tx: Tx, numbers: string[]): Promise<number | null> {
  const { rows } = await tx.$client.query<{ id: number }>(
    "select id from leads where phone_e164 = any($1) limit 2",
    [numbers],
  );
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}

export async function setOwner(tx: Tx, recordingId: number, owner: RecordingOwner): Promise<void> {
  await tx.$client.query(
    "update recordings set call_id = $2, inbound_call_id = $3, lead_id = $4, user_id = $5 where id = $1",
    [recordingId, owner.callId, owner.inboundCallId, owner.leadId, owner.userId],
  );
}
