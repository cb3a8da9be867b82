import { limits } from "@portal/contract/limits";
import type { SQL } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { currentMetricsSql } from "../../platform/db/metrics.ts";
import { execute, query, queryOnly, sql } from "../../platform/db/query.ts";
import { dateSql, midnightSql, rangeStartSql } from "../../platform/db/sql/filters.ts";

/** The organization's current day: its first instant and that of the next day, with PostgreSQL's own precision. */
export interface Day {
  start: string;
  end: string;
}

const isoSql = (at: SQL) => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export async function findDay(db: Db, timeZone: string): Promise<Day> {
  const next = midnightSql(dateSql(timeZone, -1), timeZone);
  return queryOnly<Day>(
    db,
    sql`select ${isoSql(rangeStartSql("today", timeZone))} as start, ${isoSql(next)} as "end"`,
  );
}

export interface SystemRow {
  totalLeads: number;
  converted: number;
  totalCalls: number;
  leadsProcessedToday: number;
}

/** Leads and calls of all users. Only outgoing calls with a log entry count as calls to leads. */
export async function readSystem(db: Db, { start, end }: Day): Promise<SystemRow> {
  const today = sql`l.last_contacted_at >= ${start}::timestamptz and l.last_contacted_at < ${end}::timestamptz`;
  return queryOnly<SystemRow>(
    db,
    sql`select
       coalesce(sum(n) filter (where kind = 'lead_owner'), 0)::float8 as "totalLeads",
       coalesce(sum(n) filter (where kind = 'lead_owner' and label = 'converted'), 0)::float8 as converted,
       coalesce(sum(amount) filter (where kind = 'lead_calls'), 0)::float8 as "totalCalls",
       (select count(*)::int from users u cross join lateral (select 1 from leads l where l.assigned_to = u.id and ${today}) c)
         + (select count(*)::int from leads l where l.assigned_to is null and ${today}) as "leadsProcessedToday"
     from ${currentMetricsSql(["lead_owner", "lead_calls"])} f`,
  );
}

export interface UserStatsRow {
  id: number;
  name: string;
  email: string;
  isOnline: boolean;
  lastActivity: Date | null;
  totalLeads: number;
  contactedToday: number;
  callsMade: number;
  smsCount: number;
  leadsConverted: number;
  followUpsScheduled: number;
  /** Due work of today: leads, and those of them with an outcome today. */
  due: number;
  done: number;
}

/** A listening browser is recorded once a minute, by a heartbeat every 15 s. */
const listenSeconds = 90;

/** Lead `l` was assigned over 24 h ago. */
const isWaiting = sql`(l.assigned_at <= now() - interval '24 hours') is true`;

/** Sums over all days, by user. */
const summedSql = sql`select user_id,
    coalesce(sum(n) filter (where kind = 'lead_owner'), 0)::int as leads,
    (coalesce(sum(n) filter (where kind = 'call'), 0) - coalesce(sum(n) filter (where kind = 'inbound_call'), 0))::int as calls,
    coalesce(sum(n) filter (where kind = 'text' and label = 'outbound'), 0)::int as texts,
    coalesce(sum(n) filter (where kind = 'conversion'), 0)::int as conversions
  from ${currentMetricsSql(["call", "inbound_call", "text", "conversion", "lead_owner"])} f where user_id <> 0 group by user_id`;

interface Today {
  start: SQL;
  end: SQL;
  /** The follow-up of lead `l` is dated today or earlier. */
  followUpDue: SQL;
}

/**
 * Due work among the leads called today, by assignee. `fresh`: never called before today, so still due work of today. `done`: with an
 * outcome. `gone`: no longer due, because the outcome moved the follow-up or made the lead a client.
 */
const calledTodaySql = ({
  start,
  end,
  followUpDue,
}: Today) => sql`select user_id, count(*) filter (where is_open and fresh and called and not follow_up)::int as fresh,
    count(*) filter (where answered and was_due)::int as done,
    count(*) filter (where answered and was_due and not (is_open and (fresh or follow_up)))::int as gone
  from (select *, is_of_today and (fresh or follow_up or moved) as was_due
    from (select l.assigned_to as user_id, c.answered, l.status <> 'converted' as is_open, ${followUpDue} as follow_up,
        l.status <> 'converted' or (l.converted_at >= ${start}) is true as is_of_today, l.attempts > 0 as called,
        ${isWaiting} and (l.first_attempt_at >= ${start}) is not false as fresh,
        exists (select 1 from lead_events e where e.lead_id = l.id and e.at >= ${start} and e.kind = 'changed'
          and case when e.data->>'field' = 'nextFollowUpDate' then (e.data->>'before')::timestamptz < ${end} end) as moved
      from (select lead_id, bool_or(confirmed and outcome <> 'not_connected') is true as answered from call_logs
          where call_date >= ${start} and call_date < ${end} and lead_id is not null group by lead_id) c
        join leads l on l.id = c.lead_id
      where l.assigned_to is not null) called_today) judged
  group by user_id`;

/** The user's last activity; a conversation in their newest call counts. */
const lastActivitySql = sql`greatest(u.last_active_at, (
    select case when c.state = 'in_progress' then now() when c.answered_at is not null then c.ended_at end
    from calls c where c.user_id = u.id order by c.requested_at desc nulls last limit 1))`;

/** Leads without any call, by assignee: reads only an index. */
const uncalledSql = (followUpDue: SQL) => sql`select l.assigned_to as user_id, count(*)::int as n from leads l
  where l.assigned_to is not null and l.status <> 'converted' and ${isWaiting} and not ${followUpDue} and l.attempts = 0
  group by l.assigned_to`;

/** Leads with a follow-up, by assignee; without clients. */
const followUpsSql = (
  followUpDue: SQL,
) => sql`select l.assigned_to as user_id, count(*)::int as n, count(*) filter (where ${followUpDue})::int as due
  from leads l where l.next_follow_up_date is not null and l.assigned_to is not null and l.status <> 'converted' group by l.assigned_to`;

/** The timeout in ms. The query takes about half a second for a million assigned leads, more under load. */
const timeoutMs = 60_000;

/**
 * Statistics of every active account, by name. Sums come from the metrics; values that depend on the clock are counted by index, among
 * assigned leads and the calls of today.
 */
export async function listUserStats(tx: Tx, day: Day): Promise<UserStatsRow[]> {
  // Hashing all leads that were ever called takes longer than a merge of both indexes.
  await execute(
    tx,
    sql`set local statement_timeout = '60s'; set local work_mem = '64MB'; set local enable_hashjoin = off`,
  );
  const [start, end] = [sql`${day.start}::timestamptz`, sql`${day.end}::timestamptz`];
  const followUpDue = sql`(l.next_follow_up_date < ${end}) is true`;
  return query<UserStatsRow>(
    tx,
    sql`with did as materialized (${summedSql}), today as materialized (${calledTodaySql({ start, end, followUpDue })}),
       uncalled as materialized (${uncalledSql(followUpDue)}), follow_ups as materialized (${followUpsSql(followUpDue)})
     select u.id, u.name, u.email, active.at as "lastActivity",
       exists (select 1 from sessions s where s.user_id = u.id and s.expires_at > now())
         and (coalesce(u.last_seen_at > now() - make_interval(secs => ${listenSeconds}), false)
           or coalesce(active.at > now() - make_interval(mins => ${limits.activeMinutes}), false)) as "isOnline",
       coalesce(did.leads, 0) as "totalLeads", coalesce(did.calls, 0) as "callsMade", coalesce(did.texts, 0) as "smsCount",
       coalesce(did.conversions, 0) as "leadsConverted", contacted.n as "contactedToday",
       coalesce(follow_ups.n, 0) as "followUpsScheduled",
       coalesce(follow_ups.due, 0) + coalesce(uncalled.n, 0) + coalesce(today.fresh, 0) + coalesce(today.gone, 0) as due,
       coalesce(today.done, 0) as done
     from users u left join did on did.user_id = u.id left join today on today.user_id = u.id
       left join uncalled on uncalled.user_id = u.id left join follow_ups on follow_ups.user_id = u.id
       cross join lateral (select ${lastActivitySql} as at) active
       cross join lateral (select count(*)::int as n from leads l
         where l.assigned_to = u.id and l.last_contacted_at >= ${start} and l.last_contacted_at < ${end}) contacted
     where u.disabled_at is null order by lower(u.name), u.id`,
    { timeoutMs },
  );
}
