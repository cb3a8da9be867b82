import type { DialerCallFacts } from "@portal/contract/dialer-machine";
import { limits } from "@portal/contract/limits";
import { and, desc, eq, inArray, ne, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { query, queryFirst, sql } from "../../platform/db/query.ts";
import { callLogs, calls } from "../../platform/db/schema/calls.ts";
import { dialerSessions, dialerSteps } from "../../platform/db/schema/dialer.ts";
import { users } from "../../platform/db/schema/users.ts";
import type { LoggedOutcome } from "../telephony/outcomes/log-repository.ts";

export type SessionRow = typeof dialerSessions.$inferSelect;

/** A session with its consultant's setting. */
export interface DialerRow extends SessionRow {
  autoDial: boolean;
}

type LastStart = Pick<SessionRow, "lineMode" | "brief" | "leaveMessage">;

function rows(db: Db) {
  return db
    .select({ session: dialerSessions, autoDial: users.autoDial })
    .from(dialerSessions)
    .innerJoin(users, eq(users.id, dialerSessions.userId));
}

type Joined = Awaited<ReturnType<typeof rows>>[number];
const flat = (row: Joined | undefined): DialerRow | undefined =>
  row && { ...row.session, autoDial: row.autoDial };

export async function findSession(db: Db, id: number): Promise<DialerRow | undefined> {
  const [row] = await rows(db).where(eq(dialerSessions.id, id));
  return flat(row);
}

/** The consultant's choices at the last start: line mode, brief and recorded message. */
export async function findLastStart(db: Db, userId: number): Promise<LastStart> {
  const [row] = await db
    .select({ lineMode: users.lineMode, brief: users.lineBrief, leaveMessage: users.leaveMessage })
    .from(users)
    .where(eq(users.id, userId));
  if (!row) throw new Error(`no user ${userId}`);
  return row;
}

/** Stores the consultant's choices at a start; omitted ones stay. Returns the resulting choices. */
export async function rememberStart(
  tx: Tx,
  userId: number,
  { lineMode, brief, leaveMessage }: { [Choice in keyof LastStart]?: LastStart[Choice] | undefined },
): Promise<LastStart> {
  const last = await findLastStart(tx, userId);
  const chosen = {
    lineMode: lineMode ?? last.lineMode,
    brief: brief ?? last.brief,
    leaveMessage: leaveMessage ?? last.leaveMessage,
  };
  await tx
    .update(users)
    .set({ lineMode: chosen.lineMode, lineBrief: chosen.brief, leaveMessage: chosen.leaveMessage })
    .where(eq(users.id, userId));
  return chosen;
}

export async function findNewestSession(db: Db, userId: number): Promise<DialerRow | undefined> {
  const [row] = await rows(db)
    .where(eq(dialerSessions.userId, userId))
    .orderBy(sql`${dialerSessions.startedAt} desc nulls last`, desc(dialerSessions.id))
    .limit(1);
  return flat(row);
}

export async function findLiveSession(db: Db, userId: number): Promise<DialerRow | undefined> {
  const [row] = await rows(db).where(
    and(eq(dialerSessions.userId, userId), inArray(dialerSessions.status, ["active", "paused"])),
  );
  return flat(row);
}

/** Locks a session, so that its steps run one after the other in any process. */
export async function lockSession(
  tx: Tx,
  by: { id: number } | { callId: number },
): Promise<DialerRow | undefined> {
  const condition = "id" in by ? eq(dialerSessions.id, by.id) : eq(dialerSessions.callId, by.callId);
  const [row] = await rows(tx).where(condition).for("update", { of: dialerSessions });
  return flat(row);
}

/** The session whose current call this is, or whose line is to join its lead; undefined for most calls. */
export async function findSessionOfCall(
  db: Db,
  callId: number,
): Promise<{ id: number; inHand: boolean } | undefined> {
  return queryFirst<{ id: number; inHand: boolean }>(
    db,
    sql`select s.id, s.call_id is not distinct from ${callId} as "inHand" from dialer_sessions s where s.call_id = ${callId}
     union all select s.id, false from calls c join dialer_sessions s on s.line_id = c.line_id
       where c.id = ${callId} and c.asked_at is null and c.state = 'requested' limit 1`,
  );
}

/** Inserts a session. Errors: the unique violation `dialer_sessions_live_key`. */
export async function insertSession(tx: Tx, values: typeof dialerSessions.$inferInsert): Promise<SessionRow> {
  const [row] = await tx.insert(dialerSessions).values(values).returning();
  if (!row) throw new Error("no session was made");
  return row;
}

export async function updateSession(
  tx: Tx,
  sessionId: number,
  patch: Partial<Omit<SessionRow, "id" | "version">>,
): Promise<SessionRow> {
  const [row] = await tx
    .update(dialerSessions)
    .set({ ...patch, version: sql`${dialerSessions.version} + 1` })
    .where(eq(dialerSessions.id, sessionId))
    .returning();
  if (!row) throw new Error(`no session ${sessionId}`);
  return row;
}

/** Takes a line from other sessions, as it belongs to one at a time. */
export async function releaseLine(
  tx: Tx,
  { lineId, exceptSessionId }: { lineId: number; exceptSessionId: number },
): Promise<void> {
  await tx
    .update(dialerSessions)
    .set({ lineId: null, version: sql`${dialerSessions.version} + 1` })
    .where(and(eq(dialerSessions.lineId, lineId), ne(dialerSessions.id, exceptSessionId)));
}

export async function insertStep(
  tx: Tx,
  step: { sessionId: number; position: number; kind: string; data: Record<string, unknown> },
): Promise<void> {
  await tx.insert(dialerSteps).values(step);
}

/** Records that browsers of these users listen, for their active sessions. */
export async function noteListeners(db: Db, userIds: number[]): Promise<void> {
  await db
    .update(dialerSessions)
    .set({ watchedAt: sql`clock_timestamp()` })
    .where(
      and(
        inArray(dialerSessions.userId, userIds),
        eq(dialerSessions.status, "active"),
        sql`${dialerSessions.watchedAt} < clock_timestamp() - interval '1 s'`,
      ),
    );
}

async function idsOf(db: Db, statement: SQL): Promise<number[]> {
  return (await query<{ id: number }>(db, statement)).map(({ id }) => id);
}

/** Sessions whose countdown has ended and whose consultant is not typing. */
export function findDueSessions(db: Db): Promise<number[]> {
  return idsOf(
    db,
    sql`select id from dialer_sessions where status = 'active' and phase = 'countdown'
       and due_at <= clock_timestamp() and coalesce(typing_until, due_at) <= clock_timestamp()`,
  );
}

export function findActiveSessions(db: Db): Promise<number[]> {
  return idsOf(db, sql`select id from dialer_sessions where status = 'active' order by id`);
}

/** Active sessions without a listening browser for too long; a consultant on the session's line counts as listening. */
export function findUnwatchedSessions(db: Db): Promise<number[]> {
  return idsOf(
    db,
    sql`select id from dialer_sessions where status = 'active'
       and watched_at < clock_timestamp() - ${limits.dialerListenMs} * interval '1 ms'
       and not exists (select 1 from lines l where l.id = line_id and l.state <> 'ended')`,
  );
}

/**
 * Sessions that began to dial so long ago that the process must have died; an open line dials after its brief, no matter how long that
 * takes.
 */
export function findAbandonedSessions(db: Db): Promise<number[]> {
  return idsOf(
    db,
    sql`select id from dialer_sessions where status = 'active' and phase = 'checking'
       and checking_at < clock_timestamp() - ${limits.dialerOverdueMs} * interval '1 ms'
       and not exists (select 1 from lines l where l.id = line_id and l.state = 'open')`,
  );
}

/** Calls with changes that their session has not handled yet. */
export function findUnhandledCalls(db: Db): Promise<number[]> {
  return idsOf(
    db,
    sql`select c.id from dialer_sessions s join calls c on c.id = s.call_id
       left join call_logs l on l.call_id = c.id
     where s.status in ('active', 'paused') and c.state = 'ended'
       and (s.phase = 'calling' or (s.phase = 'wrap_up' and l.confirmed))`,
  );
}

export interface LogOfCall {
  outcome: LoggedOutcome | null;
  confirmed: boolean;
}

export async function findLogOfCall(db: Db, callId: number): Promise<LogOfCall | undefined> {
  const [row] = await db
    .select({ outcome: callLogs.outcome, confirmed: callLogs.confirmed })
    .from(callLogs)
    .where(eq(callLogs.callId, callId));
  return row;
}

/**
 * Facts about a call for the state machine; undefined if it does not exist. An end counts only once it is known whether the lead's phone
 * rang. If that callback does not arrive in time it counts as rung, so that a lost callback rings nobody twice.
 */
export async function findCallFacts(db: Db, callId: number): Promise<DialerCallFacts | undefined> {
  const [call] = await db
    .select({
      state: calls.state,
      result: calls.result,
      waited: sql<boolean>`coalesce(${calls.endedAt} < clock_timestamp() - ${limits.dialerReportMs} * interval '1 ms', false)`,
    })
    .from(calls)
    .where(eq(calls.id, callId));
  if (!call) return undefined;
  const log = await findLogOfCall(db, callId);
  const isUnreported = log === undefined && call.result === "unclear";
  return {
    callId,
    ended: call.state === "ended" && (!isUnreported || call.waited),
    result: call.result,
    leadReached: log !== undefined || isUnreported,
    outcomeKnown: log?.outcome != null,
    confirmed: log?.confirmed ?? false,
  };
}
