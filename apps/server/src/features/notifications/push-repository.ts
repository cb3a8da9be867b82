import type { Language } from "@portal/contract/entities/user";
import { and, eq, ne } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../platform/db/query.ts";
import { pushKeys } from "../../platform/db/schema/organisation.ts";
import { pushDevices } from "../../platform/db/schema/people.ts";
import { sessions } from "../../platform/db/schema/users.ts";
import type { PushTarget } from "../../ports/notification-channels.ts";
import type { OwedReader } from "./repository.ts";
import { owedSql } from "./repository.ts";

/** The pair of keys, the private one encrypted; undefined before it is created. */
export async function findPushKeys(db: Db): Promise<typeof pushKeys.$inferSelect | undefined> {
  const [row] = await db.select().from(pushKeys);
  return row;
}

/** Deletes the pair of keys with the devices that were made with it; returns their number. */
export async function deletePushKeys(db: Db): Promise<number> {
  const devices = await db.delete(pushDevices).returning({ id: pushDevices.id });
  await db.delete(pushKeys);
  return devices.length;
}

/** Replaces the pair of keys. Push services refuse subscriptions made with the old one, so their devices are deleted. */
export async function replacePushKeys(
  tx: Tx,
  keys: { publicKey: string; privateKey: string },
): Promise<void> {
  await tx.delete(pushDevices);
  await tx
    .insert(pushKeys)
    .values(keys)
    .onConflictDoUpdate({ target: pushKeys.id, set: { ...keys, createdAt: sql`now()` } });
}

/** Whether the session of a device is valid, for devices `p` with sessions `s` and users `u`. `maxDays` is a session's maximum age. */
const isLive = (maxDays: number) =>
  sql`s.expires_at > now() and s.created_at > now() - ${maxDays} * interval '1 day' and u.disabled_at is null`;

const joined = sql`push_devices p join sessions s on s.id = p.session_id join users u on u.id = s.user_id`;

export interface PushDeviceRow {
  id: number;
  sessionId: number;
  createdAt: Date;
  userAgent: string | null;
}

/** A user's devices with a valid session, newest first. */
export async function listPushDevices(
  db: Db,
  { userId, maxDays }: { userId: number; maxDays: number },
): Promise<PushDeviceRow[]> {
  return query<PushDeviceRow>(
    db,
    sql`select p.id, p.session_id as "sessionId", p.created_at as "createdAt", s.user_agent as "userAgent"
      from ${joined} where u.id = ${userId} and ${isLive(maxDays)} order by p.created_at desc, p.id desc`,
  );
}

/**
 * Stores the device of a session, which has one; an endpoint belongs to one session. Returns false if the session has ended, or has no
 * device that a new endpoint could renew. A known device keeps its creation time; if the endpoint was another session's, earlier events are
 * not sent.
 */
export async function savePushDevice(
  tx: Tx,
  { sessionId, isRenewal, ...target }: PushTarget & { sessionId: number; isRenewal: boolean },
): Promise<boolean> {
  const held = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
    .for("update");
  if (held.length === 0) return false;
  if (isRenewal) {
    const known = await tx.select().from(pushDevices).where(eq(pushDevices.sessionId, sessionId));
    if (known.length === 0) return false;
  }
  const { endpoint, p256dh, auth } = target;
  await tx
    .delete(pushDevices)
    .where(and(eq(pushDevices.sessionId, sessionId), ne(pushDevices.endpoint, endpoint)));
  const isSame = sql`${pushDevices.sessionId} = ${sessionId}`;
  await tx
    .insert(pushDevices)
    .values({ sessionId, ...target })
    .onConflictDoUpdate({
      target: pushDevices.endpoint,
      set: {
        sessionId,
        p256dh,
        auth,
        createdAt: sql`case when ${isSame} then ${pushDevices.createdAt} else now() end`,
        testedAt: sql`case when ${isSame} then ${pushDevices.testedAt} end`,
      },
    });
  return true;
}

/** Deletes one of a user's devices; returns false if there is none. */
export async function deletePushDevice(
  db: Db,
  { id, userId }: { id: number; userId: number },
): Promise<boolean> {
  const count = await execute(
    db,
    sql`delete from push_devices p using sessions s where p.id = ${id} and s.id = p.session_id and s.user_id = ${userId}`,
  );
  return count > 0;
}

/** Deletes a device that its push service no longer knows, unless the browser has sent another endpoint meanwhile. */
export async function deleteLostDevice(
  db: Db,
  { id, endpoint }: { id: number; endpoint: string },
): Promise<void> {
  await db.delete(pushDevices).where(and(eq(pushDevices.id, id), eq(pushDevices.endpoint, endpoint)));
}

/** Deletes devices whose session has expired. */
export async function deleteEndedDevices(db: Db, maxDays: number): Promise<void> {
  await execute(
    db,
    sql`delete from push_devices where id in (select p.id from ${joined} where not (${isLive(maxDays)}))`,
  );
}

/** A device with its user. */
export interface PushReader extends PushTarget {
  id: number;
  userId: number;
  isAdmin: boolean;
  language: Language;
  /** Whether names and texts may be shown. */
  withNames: boolean;
  wantsTexts: boolean;
  wantsCalls: boolean;
}

const readerColumns = sql`p.id, p.endpoint, p.p256dh, p.auth, u.id as "userId", u.role = 'admin' as "isAdmin", u.language,
  u.push_names as "withNames", u.sms_notifications as "wantsTexts", u.call_notifications as "wantsCalls"`;

/** A device with a valid session. */
export async function findPushReader(
  db: Db,
  { deviceId, maxDays }: { deviceId: number; maxDays: number },
): Promise<PushReader | undefined> {
  return queryFirst<PushReader>(
    db,
    sql`select ${readerColumns} from ${joined} where p.id = ${deviceId} and ${isLive(maxDays)}`,
  );
}

/** Claims the test of a session's device; undefined if one was sent just now, or there is no device. */
export async function claimPushTest(
  db: Db,
  { sessionId, everySeconds }: { sessionId: number; everySeconds: number },
): Promise<number | undefined> {
  const [row] = await db
    .update(pushDevices)
    .set({ testedAt: sql`now()` })
    .where(
      and(
        eq(pushDevices.sessionId, sessionId),
        sql`coalesce(${pushDevices.testedAt} < now() - ${everySeconds} * interval '1 second', true)`,
      ),
    )
    .returning({ id: pushDevices.id });
  return row?.id;
}

/** A push notification that is due. */
export interface DuePush {
  kind: "text" | "missed-call" | "follow-up";
  /** Id of the SMS, the inbound call or the lead. */
  id: number;
  /** For a follow-up its due time in ms; empty for others. */
  version: string;
  deviceId: number;
}

const isUnread = sql`m.direction = 'inbound' and m.read_at is null and m.dismissed_at is null`;
const isWaiting = sql`i.settled_at is null and i.result in ('missed', 'voicemail')`;
/** Whether the user should answer an SMS or call of lead `l`: the consultant's own, for administrators also unassigned ones. */
const isFor = (userId: ReturnType<typeof sql>, isAdmin: ReturnType<typeof sql>) =>
  sql`(l.assigned_to = ${userId} or ${isAdmin} and l.assigned_to is null)`;

/** Users with a device that has a valid session. */
export async function listPushUsers(db: Db, maxDays: number): Promise<number[]> {
  const rows = await query<{ id: number }>(
    db,
    sql`select distinct u.id from ${joined} where ${isLive(maxDays)}`,
  );
  return rows.map(({ id }) => id);
}

/** Events since each user should be notified and since the device was registered, without those that the user has dealt with. */
export async function findDuePushes(
  db: Db,
  { maxDays, owed }: { maxDays: number; owed: OwedReader[] },
): Promise<DuePush[]> {
  if (owed.length === 0) return [];
  const mine = isFor(sql`d."userId"`, sql`d."isAdmin"`);
  return query<DuePush>(
    db,
    sql`with devices as materialized (select ${readerColumns}, greatest(p.created_at, o.since) as since
          from ${joined} join ${owedSql(owed)} on o.user_id = u.id where ${isLive(maxDays)}),
      latest as (select min(since) as since from devices)
      select 'text' as kind, m.id, '' as version, d.id as "deviceId"
        from latest join messages m on m.created_at > latest.since left join leads l on l.id = m.lead_id
        join devices d on d."wantsTexts" and d.since < m.created_at and ${mine} where ${isUnread}
      union all
      select 'missed-call', i.id, '', d.id
        from latest join inbound_calls i on i.ended_at > latest.since left join leads l on l.id = i.lead_id
        join devices d on d."wantsCalls" and d.since < i.ended_at and ${mine} where ${isWaiting}
      union all
      select 'follow-up', l.id, (extract(epoch from l.next_follow_up_at) * 1000)::bigint::text, d.id
        from latest join leads l on l.next_follow_up_at > latest.since and l.next_follow_up_at <= now()
        join devices d on d.since < l.next_follow_up_at and l.assigned_to = d."userId" where l.status <> 'converted'
      limit 5000`,
  );
}

/** A notification's current content. */
export interface PushEvent {
  /** Null for an unknown number. */
  leadId: number | null;
  /** The lead's name, or the unknown number. */
  name: string;
  /** The SMS's text; empty for others. */
  words: string;
}

/** The event that a user still has to be notified of; undefined if it is done, now belongs to another user, or was rescheduled. */
export async function findPushEvent(
  db: Db,
  { kind, id, version }: Pick<DuePush, "kind" | "id" | "version">,
  { userId, isAdmin }: { userId: number; isAdmin: boolean },
): Promise<PushEvent | undefined> {
  const mine = isFor(sql`${userId}`, sql`${isAdmin}`);
  const statements = {
    text: sql`select l.id as "leadId", coalesce(l.name, m.from_number) as name, m.body as words
      from messages m left join leads l on l.id = m.lead_id where m.id = ${id} and ${isUnread} and ${mine}`,
    "missed-call": sql`select l.id as "leadId", coalesce(l.name, i.from_number) as name, '' as words
      from inbound_calls i left join leads l on l.id = i.lead_id where i.id = ${id} and ${isWaiting} and ${mine}`,
    "follow-up": sql`select l.id as "leadId", l.name, '' as words from leads l
      where l.id = ${id} and l.assigned_to = ${userId} and l.status <> 'converted'
        and (extract(epoch from l.next_follow_up_at) * 1000)::bigint::text = ${version}`,
  };
  return queryFirst<PushEvent>(db, statements[kind]);
}
