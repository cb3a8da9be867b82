import { eq, inArray } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../../platform/db/query.ts";
import { calls, lines } from "../../../platform/db/schema/calls.ts";
import type { ScriptLanguage } from "../../../ports/telephony.ts";
import { findLine, type LineRow, lockLine } from "../../telephony/outbound/line-repository.ts";
import { type CallRow, lockCall } from "../../telephony/outbound/repository.ts";
import type { LoggedOutcome } from "../../telephony/outcomes/log-repository.ts";
import { type DialerRow, findSession, lockSession } from "../session-repository.ts";

/** A line with its session and its newest call. */
export interface OnLine {
  session: DialerRow;
  line: LineRow;
  call: CallRow | null;
  /** The call was manual and has ended without an outcome. */
  asksOutcome: boolean;
}

async function findSessionId(db: Db, lineId: number): Promise<number | null> {
  const row = await queryFirst<{ id: number }>(
    db,
    sql`select id from dialer_sessions where line_id = ${lineId} order by id desc limit 1`,
  );
  return row?.id ?? null;
}

async function newestCall(db: Db, lineId: number): Promise<CallRow | null> {
  const [row] = await db
    .select()
    .from(calls)
    .where(eq(calls.lineId, lineId))
    .orderBy(sql`${calls.id} desc nulls last`)
    .limit(1);
  return row ?? null;
}

/** Adds to a call whether it was manual and has ended without an outcome. */
async function withOutcome(db: Db, call: CallRow | null): Promise<Pick<OnLine, "call" | "asksOutcome">> {
  if (call?.state !== "ended") return { call, asksOutcome: false };
  const missing = await execute(
    db,
    sql`select 1 from call_logs g where g.call_id = ${call.id} and not g.confirmed
       and not exists (select 1 from dialer_items i where i.call_id = g.call_id)`,
  );
  return { call, asksOutcome: missing > 0 };
}

/** `OnLine` with its rows locked, and the consultant's language. */
export interface LockedLine extends OnLine {
  language: ScriptLanguage;
}

/** A session's line, or undefined. */
export async function findOnLine(db: Db, sessionId: number): Promise<OnLine | undefined> {
  const session = await findSession(db, sessionId);
  const line = session?.lineId ? await findLine(db, session.lineId) : undefined;
  return session && line && { session, line, ...(await withOutcome(db, await newestCall(db, line.id))) };
}

/** Locks a session, its line and the newest call on it, in that order; undefined without such a line. */
export async function lockOnLine(tx: Tx, lineId: number): Promise<LockedLine | undefined> {
  const sessionId = await findSessionId(tx, lineId);
  const session = sessionId === null ? undefined : await lockSession(tx, { id: sessionId });
  // The line moved to another session while this one waited for the lock.
  if (session && session.lineId !== lineId) return lockOnLine(tx, lineId);
  const line = session && (await lockLine(tx, lineId));
  if (!line) return undefined;
  const newest = await newestCall(tx, lineId);
  // The call is read again under its lock: callbacks of its legs may have changed it meanwhile.
  const call = (newest && (await lockCall(tx, { id: newest.id }))) ?? null;
  const language = await findLanguage(tx, line.userId);
  return { session, line, ...(await withOutcome(tx, call)), language };
}

/** Marks the line as requested from the provider, once. */
export async function claimRing(db: Db, lineId: number): Promise<boolean> {
  const count = await execute(
    db,
    sql`update lines set asked_at = clock_timestamp(), last_event_at = clock_timestamp(), version = version + 1
     where id = ${lineId} and asked_at is null and state = 'requested' and end_requested_at is null`,
  );
  return count === 1;
}

/** Marks the line as woken; returns false if it has changed meanwhile. */
export async function claimWake(db: Db, { id, version }: Pick<LineRow, "id" | "version">): Promise<boolean> {
  const count = await execute(
    db,
    sql`update lines set step = 'waking', checked_at = clock_timestamp(), last_work_at = clock_timestamp(), version = version + 1
     where id = ${id} and version = ${version} and state = 'open'`,
  );
  return count === 1;
}

/** Marks that the lead's leg is being ended, once. */
export async function claimLeadEnd(db: Db, callId: number): Promise<boolean> {
  const count = await execute(
    db,
    sql`update calls set end_requested_at = clock_timestamp() where id = ${callId} and end_requested_at is null`,
  );
  return count === 1;
}

/** Sessions with a live line. */
export async function findSessionsOnLine(db: Db): Promise<number[]> {
  const rows = await query<{ id: number }>(
    db,
    sql`select s.id from lines l join dialer_sessions s on s.line_id = l.id where l.state <> 'ended' order by s.id`,
  );
  return rows.map(({ id }) => id);
}

/** Claims lines that are due for a check at the provider, for one worker at a time. */
export async function claimSilentLines(
  db: Db,
  waits: { silenceMs: number; unansweredMs: number; againMs: number },
): Promise<LineRow[]> {
  const ms = (value: number) => sql`${value} * interval '1 ms'`;
  const rows = await query<{ id: number }>(
    db,
    sql`update lines set checked_at = clock_timestamp() where id in (
       select id from lines where state <> 'ended' and asked_at is not null
         and (checked_at is null or checked_at < clock_timestamp() - ${ms(waits.againMs)})
         and (last_event_at < clock_timestamp() - ${ms(waits.silenceMs)}
           or (call_sid is null and asked_at < clock_timestamp() - ${ms(waits.unansweredMs)}))
       for update skip locked)
     returning id`,
  );
  const ids = rows.map(({ id }) => id);
  return db.select().from(lines).where(inArray(lines.id, ids)).orderBy(lines.id);
}

/** Facts about a lead for its brief. */
export interface BriefFacts {
  name: string;
  city: string | null;
  /** Attempts before this one. */
  attempts: number;
  followUpDate: Date | null;
  followUpTime: string | null;
  followUpZone: string | null;
}

/** Facts about the lead at a position of a session; undefined after the last one. */
export async function findBrief(
  db: Db,
  place: { sessionId: number; position: number },
): Promise<BriefFacts | undefined> {
  return queryFirst<BriefFacts>(
    db,
    sql`select l.name, coalesce(l.extra ->> 'city', l.extra ->> 'City', l.extra ->> 'address.city', l.extra ->> 'ciudad') as city,
       l.attempts, l.next_follow_up_date as "followUpDate", l.next_follow_up_time as "followUpTime", l.next_follow_up_zone as "followUpZone"
     from dialer_items i join leads l on l.id = i.lead_id
     where i.session_id = ${place.sessionId} and i.position = ${place.position}`,
  );
}

async function findLanguage(db: Db, userId: number): Promise<ScriptLanguage> {
  const row = await queryFirst<{ language: ScriptLanguage }>(
    db,
    sql`select language from users where id = ${userId}`,
  );
  return row?.language ?? "en";
}

/** Whether a call is the first one of a session on its line: the keys are explained once. */
export async function isFirstOnLine(db: Db, sessionId: number, callId: number): Promise<boolean> {
  const count = await execute(
    db,
    sql`select 1 from dialer_items i join calls c on c.id = i.call_id
     where i.session_id = ${sessionId} and c.line_id is not null and c.id < ${callId} limit 1`,
  );
  return count === 0;
}

/** The call of a session, or a manual one on its line, whose outcome was given last, other than this one. */
export async function findLastGiven(
  db: Db,
  { session, line }: OnLine,
  exceptCallId: number | null,
): Promise<{ callId: number; name: string; outcome: LoggedOutcome } | undefined> {
  return queryFirst<{ callId: number; name: string; outcome: LoggedOutcome }>(
    db,
    sql`select g.call_id as "callId", l.name, g.outcome from call_logs g join leads l on l.id = g.lead_id
     where (g.call_id in (select i.call_id from dialer_items i where i.session_id = ${session.id})
         or g.call_id in (select c.id from calls c where c.line_id = ${line.id})) and g.confirmed and g.outcome is not null and g.call_id is distinct from ${exceptCallId}
     order by g.confirmed_at desc nulls last limit 1`,
  );
}

/** The next leads of an active session on an open line. */
export async function listAhead(db: Db, sessionId: number, limit: number): Promise<number[]> {
  const rows = await query<{ leadId: number }>(
    db,
    sql`select i.lead_id as "leadId" from dialer_sessions s join dialer_items i on i.session_id = s.id and i.position >= s.position
     where s.id = ${sessionId} and s.line_mode = 'open_line' and s.status = 'active' and i.state = 'waiting'
     order by i.position limit ${limit}`,
  );
  return rows.map(({ leadId }) => leadId);
}
