import type { Db } from "../../db/client.ts";
import type { recordings } from "../../db/schema/calls.ts";

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
       (select -l.id, null, null, l.id, null::int, ${at} from leads l
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
