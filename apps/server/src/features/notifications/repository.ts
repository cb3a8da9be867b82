import type { Language } from "@portal/contract/entities/user";
import type { AdminAlertKind, NotificationEntry } from "@portal/contract/routes/notifications";
import { eq } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { query, queryFirst, sql } from "../../platform/db/query.ts";
import { adminAlerts } from "../../platform/db/schema/notifications.ts";
import type { OwedReader } from "./list-owed.ts";

/** Something to be mailed. */
export interface DueEmail {
  kind: "text" | "missed-call" | "meeting";
  /** The lead's, the inbound call's or the meeting's id. */
  id: number;
  userId: number;
  /** The newest text's id, or when the meeting begins: what makes it another email. */
  version: string;
}

/** Readers as rows `o`: user_id, since. */
export const owedSql = (owed: OwedReader[]) =>
  sql`unnest(${sql.param(owed.map(({ userId }) => userId))}::int[], ${sql.param(owed.map(({ since }) => since))}::timestamptz[]) as o(user_id, since)`;

/** Who wants emails. */
export async function listEmailUsers(db: Db): Promise<number[]> {
  const rows = await query<{ id: number }>(
    db,
    sql`select id from users where email_notifications and disabled_at is null`,
  );
  return rows.map(({ id }) => id);
}

/**
 * What these readers have not seen since they are owed it: texts unread for a minute after the last of them, missed calls, meetings that begin
 * within half an hour.
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

/** Whom an email goes to. */
export interface Addressee {
  name: string;
  email: string;
  language: Language;
  wantsNotifications: boolean;
}

/** Undefined for an account that is closed. */
export async function findAddressee(db: Db, userId: number): Promise<Addressee | undefined> {
  return queryFirst<Addressee>(
    db,
    sql`select name, email, language, email_notifications as "wantsNotifications" from users where id = ${userId} and disabled_at is null`,
  );
}

/** The unread texts of a lead that is still this person's, oldest first. */
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

/** A missed call that still waits for this person. */
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

/** A meeting that has not begun, as it stands now. */
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

/** The administrators whose accounts are open. */
export async function listAdministrators(db: Db): Promise<number[]> {
  const rows = await query<{ id: number }>(
    db,
    sql`select id from users where role = 'admin' and disabled_at is null order by id`,
  );
  return rows.map(({ id }) => id);
}

/** A person's name, also where the account is closed. */
export async function findName(db: Db, userId: number): Promise<string | null> {
  const row = await queryFirst<{ name: string }>(db, sql`select name from users where id = ${userId}`);
  return row?.name ?? null;
}

export async function isAdminAlertOpen(db: Db, kind: AdminAlertKind): Promise<boolean> {
  return (await db.$count(adminAlerts, eq(adminAlerts.kind, kind))) > 0;
}

/** Something of the last minutes for a desktop notification, or something that administrators have to fix. */
export interface NotificationRow {
  kind: NotificationEntry["kind"];
  id: number;
  /** The lead's name, or the number of a stranger. */
  from: string;
  /** The person's own lead. */
  leadId: number | null;
  text: string | null;
  at: Date;
  /** What a large export holds. */
  exported?: NotificationEntry["exported"] | null;
}

/** Large exports are named for so long, and so many of them: a browser tells each once. */
const exportsShown = { days: 3, most: 5 };

/**
 * Unread texts and missed calls since an instant of whoever's they are to answer: the consultant's own leads, for administrators
 * those of nobody too, what is theirs to fix, and large exports of others. What a person does not want is left out.
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
