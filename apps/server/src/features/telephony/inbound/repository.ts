import { and, desc, eq, inArray, isNull, ne, or } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { query, queryFirst, queryOnly, sql } from "../../../platform/db/query.ts";
import { callLogs, inboundCalls } from "../../../platform/db/schema/calls.ts";
import { leads } from "../../../platform/db/schema/leads.ts";
import { users } from "../../../platform/db/schema/users.ts";
import { leadsWithPhonesSql } from "../../../platform/db/sql/leads.ts";
import { lockReport, lockSid } from "../outcomes/report-repository.ts";

export type InboundRow = typeof inboundCalls.$inferSelect;

/** Facts about a caller for the scripts of both sides. */
export interface InboundFacts {
  callerName: string | null;
  /** The lead's language, or null if unknown. */
  leadLanguage: "en" | "es" | null;
  /** Name of the lead's owner. */
  ownerName: string | null;
  /** Own numbers (E.164) of the consultant who is rung and of the lead's owner; null without one, or if the account is disabled. */
  repNumber: string | null;
  ownerNumber: string | null;
  repLanguage: "en" | "es";
  /** Whether these consultants have their calls recorded; true for callers without an owner. */
  recordsRep: boolean;
  recordsOwner: boolean;
  /** Whether the lead's owner has voicemails transcribed; true for callers without an owner. */
  transcribe: boolean;
  /** The consultant is on another call, keeps an open line, or is being rung for another caller. */
  repBusy: boolean;
}

/** The lead with this number: of several the one contacted last, else the newest. */
export async function findCaller(
  tx: Tx,
  number: string,
): Promise<{ leadId: number; ownerId: number | null } | undefined> {
  return queryFirst<{ leadId: number; ownerId: number | null }>(
    tx,
    sql`select l.id as "leadId", l.assigned_to as "ownerId" from leads l
     where l.id in (${leadsWithPhonesSql(sql`array[${number}]`)}) and l.crm_deleted_at is null
     order by greatest(
       (select max(c.requested_at) from calls c where c.lead_id = l.id),
       (select max(m.created_at) from messages m where m.lead_id = l.id and m.direction = 'outbound')) desc nulls last,
       l.created_at desc, l.id desc limit 1`,
  );
}

/** Inserts a new call; an existing one stays as it is. */
export async function insertInbound(
  tx: Tx,
  values: Pick<InboundRow, "callSid" | "fromNumber" | "leadId" | "ownerId"> &
    Partial<Pick<InboundRow, "startedAt" | "endedAt">>,
): Promise<void> {
  await tx
    .insert(inboundCalls)
    .values({ ...values, stage: "ringing_rep" })
    .onConflictDoNothing();
}

/** Locks an inbound call. */
export async function lockInbound(
  tx: Tx,
  by: { id: number } | { callSid: string },
): Promise<InboundRow | undefined> {
  const condition = "id" in by ? eq(inboundCalls.id, by.id) : eq(inboundCalls.callSid, by.callSid);
  const [row] = await tx.select().from(inboundCalls).where(condition).for("update");
  return row;
}

export async function updateInbound(
  tx: Tx,
  inboundCallId: number,
  patch: Partial<InboundRow>,
): Promise<InboundRow> {
  const [row] = await tx
    .update(inboundCalls)
    .set({ ...patch, lastEventAt: sql`clock_timestamp()` })
    .where(eq(inboundCalls.id, inboundCallId))
    .returning();
  if (!row) throw new Error(`no inbound call ${inboundCallId}`);
  return row;
}

/** Facts for the scripts, and whether the consultant `rungUserId` (by default the lead's owner) can be rung. */
export async function findInboundFacts(
  tx: Tx,
  { id, rungUserId }: Pick<InboundRow, "id" | "rungUserId">,
): Promise<InboundFacts> {
  const row = await queryFirst<InboundFacts>(
    tx,
    sql`select l.name as "callerName", l.language as "leadLanguage", u.name as "ownerName", coalesce(r.language, 'en') as "repLanguage",
       case when r.disabled_at is null then r.personal_phone_e164 end as "repNumber",
       case when u.disabled_at is null then u.personal_phone_e164 end as "ownerNumber",
       coalesce(r.call_recording, true) as "recordsRep", coalesce(u.call_recording, true) as "recordsOwner",
       coalesce(u.voicemail_transcription, true) as transcribe,
       exists (select 1 from calls c where c.user_id = r.id and c.state <> 'ended')
         or exists (select 1 from lines k where k.user_id = r.id and k.state <> 'ended')
         or exists (select 1 from inbound_calls o where o.id <> i.id and o.stage <> 'ended'
           and (o.stage = 'ringing_rep' and coalesce(o.rung_user_id, o.owner_id) = r.id
             or o.stage = 'talking' and o.taken_by = r.id)) as "repBusy"
     from inbound_calls i left join leads l on l.id = i.lead_id left join users u on u.id = i.owner_id
       left join users r on r.id = coalesce(${rungUserId}::int, i.owner_id)
     where i.id = ${id}`,
  );
  if (!row) throw new Error(`no inbound call ${id}`);
  return row;
}

/** What the consultant who took a call reported about it by its sid before it ended. */
async function lockReportOf(
  tx: Tx,
  { callSid, userId, leadId }: Pick<typeof callLogs.$inferInsert, "callSid" | "userId" | "leadId">,
) {
  if (!callSid || !userId || !leadId) return undefined;
  await lockSid(tx, callSid);
  return lockReport(tx, { callSid, userId, leadId });
}

/** Inserts or updates the log of an ended call; a confirmed outcome stays. Returns the log's id, or null if nothing changed. */
export async function saveInboundLog(
  tx: Tx,
  values: Pick<
    typeof callLogs.$inferInsert,
    "leadId" | "userId" | "outcome" | "confirmed" | "durationSeconds" | "callDate" | "callSid"
  > & { inboundCallId: number },
): Promise<number | null> {
  const [known] = await tx
    .select()
    .from(callLogs)
    .where(eq(callLogs.inboundCallId, values.inboundCallId))
    .for("update");
  if (!known) {
    const report = await lockReportOf(tx, values);
    if (report) {
      const { inboundCallId, durationSeconds, callDate } = values;
      const own = { inboundCallId, durationSeconds, callDate, reportedSeconds: null };
      await tx
        .update(callLogs)
        .set({ ...own, direction: "inbound", callType: "inbound" })
        .where(eq(callLogs.id, report.id));
      return report.id;
    }
    const confirmedAt = values.confirmed ? new Date() : null;
    const [log] = await tx
      .insert(callLogs)
      .values({ ...values, confirmedAt, direction: "inbound", callType: "inbound" })
      .returning({ id: callLogs.id });
    return log?.id ?? null;
  }
  // An outcome given by a person is kept; of the derived ones only 'no answer' can still improve.
  const ours = !known.confirmed || (known.userId === null && known.outcome === "no_answer");
  const outcome = ours ? values.outcome : known.outcome;
  if (known.outcome === outcome && known.durationSeconds === values.durationSeconds) return null;
  await tx
    .update(callLogs)
    .set({ outcome, durationSeconds: values.durationSeconds })
    .where(eq(callLogs.id, known.id));
  return known.id;
}

/**
 * Removes a lead's missed calls from the list, because somebody has contacted the lead since. For an unknown caller by number; withheld
 * numbers are left, as they may be anybody. Returns the ids of the calls.
 */
export async function settleMissed(
  tx: Tx,
  caller: { leadId: number } | { leadId: null; fromNumber: string },
  before: Date,
): Promise<number[]> {
  const whose =
    caller.leadId === null
      ? sql`lead_id is null and from_number <> 'anonymous' and from_number = ${caller.fromNumber}`
      : sql`lead_id = ${caller.leadId}`;
  const rows = await query<{ id: number }>(
    tx,
    sql`update inbound_calls set settled_at = clock_timestamp()
     where ${whose} and settled_at is null and stage = 'ended' and started_at < ${before} returning id`,
  );
  return rows.map(({ id }) => id);
}

/**
 * Attaches the calls of an unknown number to the lead created from it, with logs and recordings; returns how many. A user who does so
 * during a call on the office line is stored as the one who took it; `userId` null stands for the portal.
 */
export async function attachCallsOfNumber(
  tx: Tx,
  input: { number: string; leadId: number; userId: number | null },
): Promise<number> {
  const { number, leadId, userId } = input;
  const { count } = await queryOnly<{ count: number }>(
    tx,
    sql`with attached as (update inbound_calls set lead_id = ${leadId},
         owner_id = coalesce(owner_id, (select assigned_to from leads where id = ${leadId})),
         taken_by = coalesce(taken_by, case when stage = 'talking' then ${userId}::int end)
       where lead_id is null and from_number <> 'anonymous' and from_number = ${number} returning id),
     logs as (update call_logs set lead_id = ${leadId} where inbound_call_id in (select id from attached)),
     sounds as (update recordings set lead_id = ${leadId} where inbound_call_id in (select id from attached))
     select count(*)::int as count from attached`,
  );
  return count;
}

type LiveInboundRow = Pick<
  InboundRow,
  | "id"
  | "callSid"
  | "fromNumber"
  | "stage"
  | "facts"
  | "startedAt"
  | "answeredAt"
  | "takenBy"
  | "leadId"
  | "ownerId"
> & { leadName: string | null; ownerName: string | null };

/**
 * Inbound calls for this user: on their own phone or taken by them; and on the office line, if nobody is known to have taken them, those of
 * their own leads and of unknown callers. The call that they took comes first, then those of leads.
 */
export async function listLiveInbound(db: Db, userId: number): Promise<LiveInboundRow[]> {
  const { stage, ownerId, rungUserId, takenBy, leadId } = inboundCalls;
  const isOnOfficeLine = or(eq(stage, "ringing_office"), and(eq(stage, "talking"), isNull(takenBy)));
  return db
    .select({
      id: inboundCalls.id,
      callSid: inboundCalls.callSid,
      fromNumber: inboundCalls.fromNumber,
      stage,
      facts: inboundCalls.facts,
      startedAt: inboundCalls.startedAt,
      answeredAt: inboundCalls.answeredAt,
      takenBy,
      leadId,
      leadName: leads.name,
      ownerId,
      ownerName: users.name,
    })
    .from(inboundCalls)
    .leftJoin(leads, eq(leads.id, leadId))
    .leftJoin(users, eq(users.id, ownerId))
    .where(
      and(
        ne(stage, "ended"),
        or(
          and(eq(stage, "talking"), eq(takenBy, userId)),
          and(eq(stage, "ringing_rep"), sql`coalesce(${rungUserId}, ${ownerId}) = ${userId}`),
          and(isOnOfficeLine, or(eq(ownerId, userId), isNull(leadId))),
        ),
      ),
    )
    .orderBy(sql`(${takenBy} is null)`, sql`(${leadId} is null)`, desc(inboundCalls.startedAt));
}

/** The inbound call of a log, locked. */
export async function lockInboundOfLog(tx: Tx, logId: number): Promise<InboundRow | undefined> {
  const [log] = await tx.select().from(callLogs).where(eq(callLogs.id, logId));
  return log?.inboundCallId ? lockInbound(tx, { id: log.inboundCallId }) : undefined;
}

/** Whether since an instant the lead's phone rang for one of our calls, or the lead talked to us on an inbound call. */
export async function reachedSince(tx: Tx, input: { leadId: number; since: Date }): Promise<boolean> {
  const rows = await query(
    tx,
    sql`select 1 from calls where lead_id = ${input.leadId} and requested_at > ${input.since} and lead_ringing_at is not null
     union all select 1 from inbound_calls where lead_id = ${input.leadId} and started_at > ${input.since} and result = 'answered' limit 1`,
  );
  return rows.length > 0;
}

/** Claims inbound calls without a callback for a while, for one worker at a time. */
export async function claimSilentInbound(
  db: Db,
  input: { silenceMs: number; limit: number },
): Promise<InboundRow[]> {
  const rows = await query<{ id: number }>(
    db,
    sql`update inbound_calls set last_event_at = clock_timestamp() where id in (
       select id from inbound_calls where stage <> 'ended'
         and last_event_at < clock_timestamp() - ${input.silenceMs} * interval '1 ms'
       order by last_event_at limit ${input.limit} for update skip locked)
     returning id`,
  );
  const ids = rows.map(({ id }) => id);
  return ids.length > 0 ? db.select().from(inboundCalls).where(inArray(inboundCalls.id, ids)) : [];
}

/** Time of the newest stored call before an instant, or null. */
export async function findNewestInboundCall(db: Db, before: Date): Promise<Date | null> {
  const row = await queryFirst<{ at: Date | null }>(
    db,
    sql`select max(started_at) as at from inbound_calls where started_at < ${before}`,
  );
  return row?.at ?? null;
}

/** Which of these sids are stored. */
export async function knownInboundSids(db: Db, sids: string[]): Promise<Set<string>> {
  if (sids.length === 0) return new Set();
  const rows = await db
    .select({ sid: inboundCalls.callSid })
    .from(inboundCalls)
    .where(inArray(inboundCalls.callSid, sids));
  return new Set(rows.map(({ sid }) => sid));
}
