import { randomBytes, randomUUID } from "node:crypto";
import type { SetupFault } from "@portal/contract/entities/meeting";
import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, or, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { query, sql } from "../../../platform/db/query.ts";
import {
  googleAccounts,
  googleBusyTimes,
  googleConsents,
  meetings,
} from "../../../platform/db/schema/meetings.ts";
import { users } from "../../../platform/db/schema/users.ts";
import type { MeetingRow } from "./merge.ts";

export type Account = typeof googleAccounts.$inferSelect;
type BusyTime = typeof googleBusyTimes.$inferInsert;

/** A worker whose claim is older than this is dead. */
const claimSeconds = 120;
/** Interval at which an account is read, and delay after which a failed push is retried. */
const syncSeconds = 300;
const retrySeconds = 60;
/**
 * While Google fails the pauses grow with the duration of the failure up to the first limit; a delay that Google asks for is respected up
 * to the second.
 */
const longestRetrySeconds = 300;
const longestAskedSeconds = 3_600;

/** The account was disconnected, reconnected or claimed by another worker: this worker must stop writing. */
export class ClaimLost extends Error {}

export async function saveConsent(tx: Tx, consent: typeof googleConsents.$inferInsert): Promise<void> {
  await tx.delete(googleConsents).where(lt(googleConsents.expiresAt, sql`clock_timestamp()`));
  await tx.insert(googleConsents).values(consent);
}

/** Uses up a consent that this session began and returns its encrypted verifier, or null if there is none. */
export async function claimConsent(
  db: Db,
  { stateHash, sessionId, userId }: { stateHash: string; sessionId: number; userId: number },
): Promise<string | null> {
  const [taken] = await db
    .delete(googleConsents)
    .where(
      and(
        eq(googleConsents.stateHash, stateHash),
        eq(googleConsents.sessionId, sessionId),
        eq(googleConsents.userId, userId),
        sql`${googleConsents.expiresAt} > clock_timestamp()`,
      ),
    )
    .returning();
  return taken?.codeVerifier ?? null;
}

export async function findAccount(db: Db, userId: number): Promise<Account | undefined> {
  const [account] = await db.select().from(googleAccounts).where(eq(googleAccounts.userId, userId));
  return account;
}

/** Stores a connection in place of an earlier one; the next sync reads everything. */
export async function saveAccount(
  tx: Tx,
  account: { userId: number; email: string | null; scope: string; tokens: string },
): Promise<void> {
  const fresh = {
    disconnectedReason: null,
    syncToken: null,
    lastSyncedAt: null,
    fullSyncedAt: null,
    claim: null,
    claimedAt: null,
    connectedAt: sql`clock_timestamp()`,
  };
  const { userId, ...rest } = account;
  await tx
    .insert(googleAccounts)
    .values(account)
    .onConflictDoUpdate({
      target: googleAccounts.userId,
      set: { ...rest, ...fresh, generation: sql`${googleAccounts.generation} + 1` },
    });
}

export async function deleteAccount(tx: Tx, userId: number): Promise<Account | undefined> {
  const [account] = await tx.delete(googleAccounts).where(eq(googleAccounts.userId, userId)).returning();
  return account;
}

/** Claims an account for this worker. Returns null if it is not connected or another worker has it. */
export async function claimAccount(db: Db, userId: number): Promise<(Account & { claim: string }) | null> {
  const claim = randomUUID();
  const [account] = await db
    .update(googleAccounts)
    .set({ claim, claimedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(googleAccounts.userId, userId),
        sql`${googleAccounts.tokens} is not null and (${googleAccounts.claim} is null
          or ${googleAccounts.claimedAt} < clock_timestamp() - make_interval(secs => ${claimSeconds}))`,
      ),
    )
    .returning();
  return account ? { ...account, claim } : null;
}

/**
 * Begins every write of a worker: locks the account's row, so that a disconnect and the write do not overlap, and updates it by `set`.
 * Errors: `ClaimLost`.
 */
export async function holdClaim(
  tx: Tx,
  { userId, claim }: { userId: number; claim: string },
  set: { [Name in keyof Account]?: Account[Name] | SQL } = {},
): Promise<void> {
  const held = await tx
    .update(googleAccounts)
    .set({ ...set, claimedAt: sql`clock_timestamp()` })
    .where(and(eq(googleAccounts.userId, userId), eq(googleAccounts.claim, claim)))
    .returning({ userId: googleAccounts.userId });
  if (held.length === 0) throw new ClaimLost("the account was taken from this worker");
}

/**
 * Releases the account. Changes made since the worker began are due at once. After a failure the account is due after a minute, later the
 * longer Google has failed, or after the delay that Google asked for.
 */
export async function releaseClaim(
  db: Db,
  held: { userId: number; claim: string; since: Date; setback: { retryAfterSeconds: number | null } | null },
): Promise<void> {
  const since = sql`${held.since.toISOString()}::timestamptz`;
  const failing = sql`extract(epoch from ${since} - coalesce(${googleAccounts.lastSyncedAt}, ${googleAccounts.connectedAt}))`;
  const asked = Math.min(held.setback?.retryAfterSeconds ?? 0, longestAskedSeconds);
  // A quarter of the outage so far, so each pause is longer than the last; the random part keeps accounts from returning all at once.
  const pause = sql`greatest(${retrySeconds}, ${asked}, least(${longestRetrySeconds}, ${failing} / 4 * (1 + 0.2 * random())))`;
  const seen = sql`${since} + make_interval(secs => ${pause} - ${retrySeconds})`;
  await db
    .update(googleAccounts)
    .set({ claim: null, claimedAt: held.setback ? seen : since })
    .where(and(eq(googleAccounts.userId, held.userId), eq(googleAccounts.claim, held.claim)));
}

/**
 * Connected accounts that are due: with a pending change, or not read for five minutes. The calendar of a disabled user is no longer read,
 * but meetings transferred to others still leave it.
 */
export async function findDueAccounts(db: Db): Promise<number[]> {
  const rows = await query<{ user_id: number }>(
    db,
    sql`with waiting as (
       select user_id, updated_at from meetings where sync = 'pending'
       union all
       select google_user_id, updated_at from meetings where sync = 'pending' and google_user_id <> user_id
     )
     select a.user_id from google_accounts a join users u on u.id = a.user_id
      where a.tokens is not null
        and (a.claim is null or a.claimed_at < clock_timestamp() - make_interval(secs => ${claimSeconds}))
        and (u.disabled_at is null
            and (a.last_synced_at is null and a.claimed_at is null
              or (a.last_synced_at is null or a.last_synced_at < a.claimed_at)
                and a.claimed_at < clock_timestamp() - make_interval(secs => ${retrySeconds})
              or coalesce(a.claimed_at, a.connected_at) < clock_timestamp() - make_interval(secs => ${syncSeconds}))
          or exists (select 1 from waiting w where w.user_id = a.user_id
               and (a.claimed_at is null or w.updated_at > a.claimed_at
                 or a.claimed_at < clock_timestamp() - make_interval(secs => ${retrySeconds}))))
      order by a.claimed_at nulls first limit 200`,
  );
  return rows.map(({ user_id }) => user_id);
}

/** Number of connected calendars of active users that wait for the same setting at Google. */
export async function countSetupFault(db: Db, fault: SetupFault): Promise<number> {
  const here = db.select({ id: users.id }).from(users).where(isNull(users.disabledAt));
  return db.$count(
    googleAccounts,
    and(
      eq(googleAccounts.setupFault, fault),
      isNotNull(googleAccounts.tokens),
      inArray(googleAccounts.userId, here),
    ),
  );
}

/** Number of a user's meetings that wait to be sent to Google. */
export async function countPending(db: Db, userId: number): Promise<number> {
  return db.$count(meetings, and(eq(meetings.userId, userId), eq(meetings.sync, "pending")));
}

/** Pending meetings for an account's worker: those in its calendar, and those of its user. */
export async function listPending(db: Db, userId: number): Promise<MeetingRow[]> {
  return db
    .select()
    .from(meetings)
    .where(
      and(eq(meetings.sync, "pending"), or(eq(meetings.googleUserId, userId), eq(meetings.userId, userId))),
    )
    .orderBy(asc(meetings.id))
    .limit(500);
}

export async function lockMeetingRow(tx: Tx, meetingId: number): Promise<MeetingRow | undefined> {
  const [row] = await tx.select().from(meetings).where(eq(meetings.id, meetingId)).for("update");
  return row;
}

const behindEvents = (userId: number, eventIds: string[]) =>
  and(eq(meetings.googleUserId, userId), inArray(meetings.googleEventId, eventIds));

/** Meetings of these events of an account, including deleted ones. */
export async function listByEvents(db: Db, userId: number, eventIds: string[]): Promise<MeetingRow[]> {
  return db.select().from(meetings).where(behindEvents(userId, eventIds));
}

/** `listByEvents`, locked. */
export async function lockByEvents(tx: Tx, userId: number, eventIds: string[]): Promise<MeetingRow[]> {
  return tx
    .select()
    .from(meetings)
    .where(behindEvents(userId, eventIds))
    .orderBy(asc(meetings.id))
    .for("update");
}

/** Upcoming meetings that start before `to` and are in sync with this user's calendar; locked. */
export async function lockSynced(tx: Tx, userId: number, to: Date): Promise<MeetingRow[]> {
  return tx
    .select()
    .from(meetings)
    .where(
      and(
        eq(meetings.userId, userId),
        eq(meetings.googleUserId, userId),
        eq(meetings.sync, "synced"),
        isNull(meetings.deletedAt),
        gt(meetings.endsAt, sql`clock_timestamp()`),
        lt(meetings.startsAt, to),
      ),
    )
    .orderBy(asc(meetings.id))
    .for("update");
}

export async function writeMeeting(
  tx: Tx,
  meetingId: number,
  values: Partial<typeof meetings.$inferInsert>,
): Promise<void> {
  await tx.update(meetings).set(values).where(eq(meetings.id, meetingId));
}

/** Inserts imported events as meetings; known ones are left alone. */
export async function insertMeetings(tx: Tx, rows: (typeof meetings.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(meetings).values(rows).onConflictDoNothing();
}

/** Replaces the stored times of these hidden events. */
export async function replaceBusyTimes(
  tx: Tx,
  { userId, eventIds, times }: { userId: number; eventIds: string[]; times: BusyTime[] },
): Promise<void> {
  const known = and(eq(googleBusyTimes.userId, userId), inArray(googleBusyTimes.eventId, eventIds));
  await tx.delete(googleBusyTimes).where(known);
  if (times.length > 0) await tx.insert(googleBusyTimes).values(times).onConflictDoNothing();
}

/** After a full read: deletes the times of events that it did not contain. */
export async function deleteUnseenTimes(tx: Tx, userId: number, eventIds: string[]): Promise<void> {
  await query(
    tx,
    sql`delete from google_busy_times where user_id = ${userId} and not (event_id = any(${sql.param(eventIds)}::text[]))`,
  );
}

/** Queues upcoming meetings that are meant for Google, are not there, and have one of these states. */
export async function markUnsent(tx: Tx, userId: number, states: ("none" | "failed")[]): Promise<void> {
  await tx
    .update(meetings)
    .set({ sync: "pending", syncError: null })
    .where(
      and(
        eq(meetings.userId, userId),
        eq(meetings.calendarType, "google"),
        isNull(meetings.deletedAt),
        inArray(meetings.sync, states),
        sql`${meetings.version} > ${meetings.pushedVersion} and ${meetings.endsAt} > clock_timestamp()`,
      ),
    );
}

/** Columns of a meeting that is in no Google calendar. */
export const nowhere = {
  googleEventId: null,
  googleUserId: null,
  googleEtag: null,
  googleBase: null,
  transparent: false,
};

/** Google allows the base32hex alphabet in ids, which includes hexadecimal digits. */
export const newEventId = () => `portal${randomBytes(16).toString("hex")}`;

/** Whether an event id was generated by the portal. */
export const isOurEventId = (id: string) => /^portal[0-9a-f]{32}$/.test(id);
