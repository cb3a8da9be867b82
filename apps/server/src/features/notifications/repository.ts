import type { Language } from "@portal/contract/entities/user";
import type { AdminAlertKind, NotificationEntry } from "@portal/contract/routes/notifications";
import { eq } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { query, queryFirst, sql } from "../../platform/db/query.ts";
import { adminAlerts } from "../../platform/db/schema/organisation.ts";

/** A user with the instant since which they should be notified. */
export interface OwedReader {
  userId: number;
  since: Date;
}

/** An email that is due. */
export interface DueEmail {
  kind: "text" | "missed-call" | "meeting";
  /** Id of the lead, the inbound call or the meeting. */
  id: number;
  userId: number;
  /** The newest SMS's id, or the meeting's start: another version is another email. */
  version: string;
}

/** Users to be notified as rows `o`: user_id, since. */
export const owedSql = (owed: OwedReader[]) =>
  sql`unnest(${sql.param(owed.map(({ userId }) => userId))}::int[], ${sql.param(owed.map(({ since }) => since))}::timestamptz[]) as o(user_id, since)`;

/** Active users who want emails. */
export async function listEmailUsers(db: Db): Promise<number[]> {
  const rows = await query<{ id: number }>(
    db,
    sql`select id from users where email_notifications and disabled_at is null`,
  );
  return rows.map(({ id }) => id);
}

/**
 * What these users have not seen since they should be notified: SMS unread for a minute after the last one, missed calls, and meetings that
 * begin within half an hour.
 */
export async function findDueEmails(db: Db, owed: OwedReader[]): Promise<DueEmail[]> {
  if (owed.length === 0) return [];
  return query<DueEmail>(
    db,
    sql`with wanting as materialized (select o.user_id as id, o.since from ${owedSql(owed)})
     (select 'text' as kind, m.lead_id as id, l.assigned_to as "userId", max(m.id)::text as version
        from messages m join leads l on l.id = m.lead_id join wanting w on w.id = l.assigned_to and m.created_at > w.since
        where m.created_at > (select min(since) from wanting) and m.direction = 'inbound' and m.read_at is null
        group by m.lead_id, l.assigned_to having max(m.created_at) < now() - interval '1 minute' limit 500)
     union all
     (select 'missed-call', i.id, l.assigned_to, ''
        from inbound_calls i join leads l on l.id = i.lead_id join wanting w on w.id = l.assigned_to and i.ended_at > w.since
        where i.ended_at > (select min(since) from wanting) and i.ended_at < now() - interval '1 minute'
          and i.settled_at is null and i.result in ('missed', 'voicemail') limit 500)
     union all
     (select 'meeting', e.id, e.user_id, (extract(epoch from e.starts_at) * 1000)::bigint::text
        from meetings e where e.deleted_at is null and e.starts_at > now()
          and e.starts_at < now() + interval '30 minutes' and e.user_id in (select id from wanting) limit 500)`,
  );
}

/** The recipient of an email. */
export interface Addressee {
  name: string;
  email: string;
  language: Language;
  wantsNotifications: boolean;
}

/** The recipient; undefined for a disabled account. */
export async function findAddressee(db: Db, userId: number): Promise<Addressee | undefined> {
  return queryFirst<Addressee>(
    db,
    sql`select name, email, language, email_notifications as "wantsNotifications" from users where id = ${userId} and disabled_at is null`,
  );
}

/** The unread SMS of a lead that still belongs to this user, oldest first. */
export async function findUnreadMessages(
  db: Db,
  { leadId, userId }: { leadId: number; userId: number },
): Promise<{ name: string; bodies: string[] } | undefined> {
  return queryFirst<{ name: string; bodies: string[] }>(
    db,
    sql`select l.name, array_agg(m.body order by m.id) as bodies from leads l join messages m on m.lead_id = l.id
     where l.id = ${leadId} and l.assigned_to = ${userId} and m.direction = 'inbound' and m.read_at is null group by l.name`,
  );
}

/** A missed call that still waits for this user. */
export async function findMissedCall(
  db: Db,
  { inboundCallId, userId }: { inboundCallId: number; userId: number },
): Promise<{ name: string; at: Date; transcription: string | null } | undefined> {
  return queryFirst<{ name: string; at: Date; transcription: string | null }>(
    db,
    sql`select l.name, i.started_at as at, i.transcription from inbound_calls i join leads l on l.id = i.lead_id
     where i.id = ${inboundCallId} and l.assigned_to = ${userId} and i.settled_at is null`,
  );
}

/** A meeting that has not begun, with its current data. */
export async function findMeeting(
  db: Db,
  { meetingId, userId }: { meetingId: number; userId: number },
): Promise<{ title: string; startsAt: Date; timeZone: string; link: string | null } | undefined> {
  return queryFirst<{
    title: string;
    startsAt: Date;
    timeZone: string;
    link: string | null;
  }>(
    db,
    sql`select title, starts_at as "startsAt", time_zone as "timeZone", meeting_link as link from meetings
     where id = ${meetingId} and user_id = ${userId} and deleted_at is null and starts_at > now()`,
  );
}

/** Active administrators. */
export async function listAdministrators(db: Db): Promise<number[]> {
  const rows = await query<{ id: number }>(
    db,
    sql`select id from users where role = 'admin' and disabled_at is null order by id`,
  );
  return rows.map(({ id }) => id);
}

/** A user's name, even if the account is disabled. */
export async function findName(db: Db, userId: number): Promise<string | null> {
  const row = await queryFirst<{ name: string }>(db, sql`select name from users where id = ${userId}`);
  return row?.name ?? null;
}

export async function isAdminAlertOpen(db: Db, kind: AdminAlertKind): Promise<boolean> {
  return (await db.$count(adminAlerts, eq(adminAlerts.kind, kind))) > 0;
}

/** A recent event for a desktop notification, or an alert for administrators. */
export interface NotificationRow {
  kind: NotificationEntry["kind"];
  id: number;
  /** The lead's name, or the unknown number. */
  from: string;
  /** Set for the user's own lead. */
  leadId: number | null;
  text: string | null;
  at: Date;
  /** What a large export contains. */
  exported?: NotificationEntry["exported"] | null;
}

/** How long large exports are listed, and how many; a browser shows each once. */
const exportsShown = { days: 3, most: 5 };

/**
 * Unread SMS and missed calls since an instant that the user should answer: of own leads, for administrators also of unassigned ones; for
 * administrators also alerts, and large exports of others. Kinds that the user does not want are left out.
 */
export async function listRecentNotifications(
  db: Db,
  { userId, isAdmin, since }: { userId: number; isAdmin: boolean; since: Date },
): Promise<NotificationRow[]> {
  return query<NotificationRow>(
    db,
    sql`select * from (
       select 'text' as kind, m.id, coalesce(l.name, m.from_number) as "from",
         case when l.assigned_to = ${userId} then l.id end as "leadId", m.body as text, m.created_at as at, null::json as exported
         from users u join messages m on m.created_at > ${since}
         left join leads l on l.id = m.lead_id
         where u.id = ${userId} and u.sms_notifications and m.direction = 'inbound' and m.read_at is null and m.dismissed_at is null
           and (l.assigned_to = ${userId} or ${isAdmin} and l.assigned_to is null)
       union all
       select 'missed-call', i.id, coalesce(l.name, i.from_number),
         case when l.assigned_to = ${userId} then l.id end, null, i.ended_at, null
         from users u join inbound_calls i on i.ended_at > ${since}
         left join leads l on l.id = i.lead_id
         where u.id = ${userId} and u.call_notifications and i.settled_at is null and i.result in ('missed', 'voicemail')
           and (l.assigned_to = ${userId} or ${isAdmin} and l.assigned_to is null)
       union all
       select kind, 0, '', null, null, since, null from admin_alerts where ${isAdmin}
       union all
       (select 'large-export', a.id, coalesce(u.name, ''), null, null, a.at,
          json_build_object('what', a.data->>'what', 'count', (a.data->>'count')::int)
        from audit_log a left join users u on u.id = a.user_id
        where ${isAdmin} and a.action = 'large-export' and a.user_id is distinct from ${userId}
          and a.at > now() - make_interval(days => ${exportsShown.days}) order by a.at desc, a.id desc limit ${exportsShown.most})
     ) recent order by at desc, id desc limit 20`,
  );
}
