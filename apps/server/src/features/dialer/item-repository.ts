import type { DialerCommand } from "@portal/contract/dialer-machine";
import type { DialerSkipReason } from "@portal/contract/entities/dialer";
import { limits } from "@portal/contract/limits";
import { and, eq, isNotNull, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { databaseNow } from "../../platform/db/clock.ts";
import { execute, query, queryFirst, queryOnly, sql } from "../../platform/db/query.ts";
import { dialerItems } from "../../platform/db/schema/dialer.ts";
import {
  followUpPlannedSql,
  type TryFacts,
  triedSql,
  tryHistorySql,
} from "../../platform/db/sql/call-logs.ts";
import { leadContactFactsSql } from "../../platform/db/sql/contact-facts.ts";
import type { LeadFacts } from "../contact-policy/decide-contact.ts";
import type { LoggedOutcome } from "../telephony/outcomes/log-repository.ts";

type ItemRow = typeof dialerItems.$inferSelect;
interface ItemKey {
  sessionId: number;
  position: number;
}

const at = ({ sessionId, position }: ItemKey) =>
  and(eq(dialerItems.sessionId, sessionId), eq(dialerItems.position, position));

/** Inserts a session's leads in the given order, at the start or from a later position. */
export async function insertItems(tx: Tx, sessionId: number, leadIds: number[], from = 0): Promise<void> {
  await execute(
    tx,
    sql`insert into dialer_items (session_id, position, lead_id, listed_at)
     select ${sessionId}, ${from}::int + t.place - 1, t.lead_id,
       case when ${from} > 0 then clock_timestamp() end
     from unnest(${sql.param(leadIds)}::int[]) with ordinality as t (lead_id, place)`,
  );
}

/** Removes leads after a position that were not dialed and not moved to the front; returns the last remaining position. */
export async function deleteWaiting(tx: Tx, { sessionId, position }: ItemKey): Promise<number> {
  await execute(
    tx,
    sql`delete from dialer_items i where i.session_id = ${sessionId} and i.position > ${position}
     and i.state = 'waiting' and i.call_id is null and i.taken_at is null`,
  );
  const { last } = await queryOnly<{ last: number }>(
    tx,
    sql`select max(i.position) as last from dialer_items i where i.session_id = ${sessionId}`,
  );
  return last;
}

/** When each lead of a session was last worked. Waiting leads are left out, except one that was moved to the front. */
export async function listWorkedUntil(
  tx: Tx,
  { sessionId, position }: ItemKey,
): Promise<{ leadId: number; until: Date }[]> {
  return query<{ leadId: number; until: Date }>(
    tx,
    sql`select i.lead_id as "leadId", max(coalesce(i.settled_at, clock_timestamp())) as until from dialer_items i
     where i.session_id = ${sessionId} and (i.position <= ${position} or i.state <> 'waiting' or i.call_id is not null or i.taken_at is not null) group by i.lead_id`,
  );
}

export async function findItem(db: Db, place: ItemKey): Promise<ItemRow | undefined> {
  const [row] = await db.select().from(dialerItems).where(at(place));
  return row;
}

/**
 * Inserts a lead at a position of a session, before the one there; another waiting position of the same lead is removed. Returns whether
 * the session grew by one.
 */
export async function insertTaken(
  tx: Tx,
  { sessionId, position }: ItemKey,
  leadId: number,
): Promise<boolean> {
  const given = await queryFirst<{ position: number }>(
    tx,
    sql`delete from dialer_items i where i.session_id = ${sessionId} and i.lead_id = ${leadId} and i.position >= ${position}
       and i.state = 'waiting' and i.call_id is null and not i.merged returning i.position`,
  );
  const behind = sql`session_id = ${sessionId} and position >= ${position} and (position < ${given?.position ?? null}::int) is not false`;
  // Via negative positions, so that each is unique at any moment.
  await execute(tx, sql`update dialer_items set position = -position - 2 where ${behind}`);
  await execute(
    tx,
    sql`update dialer_items set position = -position - 1 where session_id = ${sessionId} and position < 0`,
  );
  await execute(
    tx,
    sql`insert into dialer_items (session_id, position, lead_id, listed_at, taken_at)
     values (${sessionId}, ${position}, ${leadId}, clock_timestamp(), clock_timestamp())`,
  );
  return given === undefined;
}

/** Leases the lead to this session and stores its call. Errors: the unique violation `dialer_items_lease_key`. */
export async function claimItem(tx: Tx, place: ItemKey, callId: number): Promise<void> {
  const now = new Date(databaseNow());
  await tx
    .update(dialerItems)
    .set({ state: "in_hand", callId, dialledAt: now, leasedAt: now })
    .where(at(place));
}

type Settled = Extract<DialerCommand, { kind: "settle" }>;

export async function settleItems(tx: Tx, sessionId: number, settled: Settled[]): Promise<void> {
  if (settled.length === 0) return;
  const column = (of: (one: Settled) => unknown) => sql.param(settled.map(of));
  await execute(
    tx,
    sql`update dialer_items i set state = s.state, reason = s.reason, settled_at = clock_timestamp(), leased_at = null
     from unnest(${column(({ position }) => position)}::int[], ${column(({ as }) => as)}::text[],
       ${column((one) => (one.as === "skipped" ? one.reason : null))}::text[]) s (position, state, reason)
     where i.session_id = ${sessionId} and i.position = s.position`,
  );
}

/** A waiting lead of a session with its facts. */
export interface WaitingItem extends LeadFacts, DialFacts {
  position: number;
  /** The session's user may call the lead, by assignment or role. */
  theirs: boolean;
  /** A call was requested before: it did not ring, or it did and has no outcome. */
  begun: boolean;
  /** When it was added after the start, and when it was moved to the front. */
  listedAt: Date | null;
  takenAt: Date | null;
}

/** The next leads of a session from a position, at most 200. */
export async function listWaiting(
  tx: Tx,
  input: { sessionId: number; position: number; userId: number; anyLead: boolean },
): Promise<WaitingItem[]> {
  const userId = sql`${input.userId}::int`;
  return query<WaitingItem>(
    tx,
    sql`select i.position, (l.assigned_to = ${input.userId} or ${input.anyLead}) is true as theirs, i.call_id is not null as begun, i.listed_at as "listedAt", i.taken_at as "takenAt",
       ${leadContactFactsSql(userId)}, ${dialFactsSql(userId)}
     from dialer_items i join leads l on l.id = i.lead_id
     where i.session_id = ${input.sessionId} and i.position >= ${input.position} order by i.position limit 200`,
  );
}

/** Releases the leases of an ended session. */
export async function releaseItems(tx: Tx, sessionId: number): Promise<void> {
  await tx
    .update(dialerItems)
    .set({ leasedAt: null })
    .where(and(eq(dialerItems.sessionId, sessionId), isNotNull(dialerItems.leasedAt)));
}

/** Releases leases that are at least half an hour old and whose session is paused. */
export async function releaseStaleItems(db: Db): Promise<void> {
  await execute(
    db,
    sql`update dialer_items i set leased_at = null from dialer_sessions s
     where s.id = i.session_id and i.leased_at < clock_timestamp() - interval '30 minutes'
       and (s.status <> 'active' or s.phase <> 'calling')
       and not exists (select 1 from calls c where c.id = i.call_id and c.state <> 'ended')`,
  );
}

const tried = sql`${sql.constant(limits.dialerTriedMs)} * interval '1 ms'`;

/**
 * Columns with facts about lead `l` for a session of this user, apart from the contact policy. Whether a colleague made the last attempt is
 * only read if it is recent.
 */
export const dialFactsSql = (userId: SQL) => sql`l.status,
  exists (select 1 from dialer_items i join dialer_sessions o on o.id = i.session_id
    where i.lead_id = l.id and i.leased_at is not null and o.user_id <> ${userId}) as leased,
  case when l.last_attempt_at > clock_timestamp() - ${tried}
    then exists (select 1 from calls c join call_logs g on g.call_id = c.id
      where c.lead_id = l.id and c.user_id <> ${userId} and ${triedSql(sql`g`)}
        and c.requested_at > clock_timestamp() - ${tried}) else false end as dialled,
  l.last_attempt_at as "lastAttemptAt",
  case when l.next_follow_up_date > clock_timestamp() or l.next_follow_up_at > clock_timestamp() then ${followUpPlannedSql} end as "plannedAt",
  ${tryHistorySql}`;

/** The columns of `dialFactsSql`. */
export interface DialFacts extends TryFacts {
  status: string;
  leased: boolean;
  /** A colleague called the lead within the last hour. */
  dialled: boolean;
  lastAttemptAt: Date | null;
  /** When an upcoming follow-up was set; null without one, or if nobody changed it. */
  plannedAt: Date | null;
}

export async function findDialFacts(
  tx: Tx,
  input: { leadId: number; userId: number },
): Promise<(LeadFacts & DialFacts) | undefined> {
  const userId = sql`${input.userId}::int`;
  return queryFirst<LeadFacts & DialFacts>(
    tx,
    sql`select ${leadContactFactsSql(userId)}, ${dialFactsSql(userId)} from leads l where l.id = ${input.leadId}`,
  );
}

/** Facts about these leads. */
export async function listDialFacts(
  db: Db,
  input: { leadIds: readonly number[]; userId: number },
): Promise<(LeadFacts & DialFacts & { leadId: number })[]> {
  const userId = sql`${input.userId}::int`;
  return query<LeadFacts & DialFacts & { leadId: number }>(
    db,
    sql`select l.id as "leadId", ${leadContactFactsSql(userId)}, ${dialFactsSql(userId)} from leads l
     where l.id = any(${sql.param(input.leadIds)}::int[])`,
  );
}

export interface ItemCounts {
  dialled: number;
  reached: number;
  skipped: number;
  failed: number;
}

/** Counts of a session. A lead counts as dialed if its call has a log and could be connected or rang. */
export async function countItems(db: Db, sessionId: number): Promise<ItemCounts> {
  return queryOnly<ItemCounts>(
    db,
    sql`select count(g.id) filter (where ${triedSql(sql`g`)})::int as dialled,
       count(*) filter (where g.outcome in ('answered', 'voicemail'))::int as reached,
       count(*) filter (where i.state = 'skipped')::int as skipped,
       count(*) filter (where i.state = 'failed')::int as failed
     from dialer_items i left join call_logs g on g.call_id = i.call_id where i.session_id = ${sessionId}`,
  );
}

export interface Failure {
  position: number;
  leadName: string;
  message: string | null;
  at: Date;
}

export async function findLastFailure(db: Db, sessionId: number): Promise<Failure | null> {
  const row = await queryFirst<Failure>(
    db,
    sql`select i.position, l.name as "leadName", c.failure as message, i.settled_at as at
     from dialer_items i join leads l on l.id = i.lead_id left join calls c on c.id = i.call_id
     where i.session_id = ${sessionId} and i.state = 'failed' order by i.position desc limit 1`,
  );
  return row ?? null;
}

/** A lead for the dialer's lists. */
export interface ListedLead {
  leadId: number;
  name: string;
  company: string | null;
  attempts: number;
  lastAttemptAt: Date | null;
  lastAttemptOutcome: LoggedOutcome | null;
}

/** A lead of a session with its call and log. */
export interface WorkedItem extends ListedLead {
  state: string;
  reason: DialerSkipReason | null;
  dialledAt: Date | null;
  result: string | null;
  /** The lead's phone rang or could not be reached. */
  logged: boolean;
  /** The call could be connected, or rang. */
  tried: boolean;
  outcome: string | null;
  durationSeconds: number | null;
}

const listedSql = sql`i.lead_id as "leadId", l.name, l.company, l.attempts, l.last_attempt_at as "lastAttemptAt",
  l.last_attempt_outcome as "lastAttemptOutcome", i.reason`;

/** Leads directly before a position that were skipped automatically. */
export async function listPassedOver(
  db: Db,
  place: { sessionId: number; position: number },
): Promise<(ListedLead & { reason: DialerSkipReason | null })[]> {
  return query<ListedLead & { reason: DialerSkipReason | null }>(
    db,
    sql`select ${listedSql} from dialer_items i join leads l on l.id = i.lead_id
     where i.session_id = ${place.sessionId} and i.position < ${place.position} and i.position > coalesce((select p.position from dialer_items p
         where p.session_id = ${place.sessionId} and p.position < ${place.position} and not (p.state = 'skipped' and p.reason <> 'consultant')
         order by p.position desc limit 1), -1)
     order by i.position`,
  );
}

/** All leads of a session, in order. */
export async function listWorked(db: Db, sessionId: number): Promise<WorkedItem[]> {
  return query<WorkedItem>(
    db,
    sql`select ${listedSql}, i.state, i.dialled_at as "dialledAt", c.result,
       g.id is not null as logged, g.id is not null and ${triedSql(sql`g`)} as tried, g.outcome, g.duration_seconds as "durationSeconds"
     from dialer_items i join leads l on l.id = i.lead_id
       left join calls c on c.id = i.call_id left join call_logs g on g.call_id = i.call_id
     where i.session_id = ${sessionId} order by i.position`,
  );
}
