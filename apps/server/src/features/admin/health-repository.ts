import { limits } from "@portal/contract/limits";
import type { RepState } from "@portal/contract/routes/admin";
import type { Db } from "../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../platform/db/query.ts";

/** The pending work of a component and its recent results. */
export interface WorkFacts {
  waiting: number;
  oldestWaitingAt: Date | null;
  /** In the last hour. */
  failed: number;
  lastFailedAt: Date | null;
  lastFailure: string | null;
  lastOkAt: Date | null;
}

const noWork: WorkFacts = {
  waiting: 0,
  oldestWaitingAt: null,
  failed: 0,
  lastFailedAt: null,
  lastFailure: null,
  lastOkAt: null,
};
const anHourAgo = sql`clock_timestamp() - interval '1 hour'`;

/** Jobs of one queue, or of all: those that are due or retried, and the recent results. */
export async function readJobFacts(db: Db, queue: string | null = null): Promise<WorkFacts> {
  // The queues create their tables when they first start.
  const rowCount = await execute(db, sql`select 1 where to_regclass('jobs.job') is not null`);
  if (!rowCount) return noWork;
  const ofQueue = sql`(${queue}::text is null or j.name = ${queue})`;
  const row = await queryFirst<WorkFacts>(
    db,
    sql`select due.waiting, due."oldestWaitingAt", ended.failed, ended."lastFailedAt", ended."lastOkAt",
       (select left(coalesce(j.output->>'message', j.output::text), 300) from jobs.job j
        where ${ofQueue} and j.state = 'failed' and j.completed_on = ended."lastFailedAt" limit 1) as "lastFailure"
     from (select count(*)::int as waiting, min(start_after) as "oldestWaitingAt" from jobs.job j
         where ${ofQueue} and state < 'active' and not blocked and (start_after <= clock_timestamp() or state = 'retry')) due,
       (select count(*) filter (where state = 'failed' and completed_on > ${anHourAgo})::int as failed,
          max(completed_on) filter (where state = 'failed') as "lastFailedAt",
          max(completed_on) filter (where state = 'completed') as "lastOkAt" from jobs.job j where ${ofQueue} and state >= 'completed') ended`,
  );
  return row ?? noWork;
}

/** Calls and texts of the last hour that the provider rejected, and the last success. */
export async function readTelephonyFacts(
  db: Db,
): Promise<Pick<WorkFacts, "failed" | "lastFailedAt" | "lastFailure" | "lastOkAt">> {
  const row = await queryFirst<WorkFacts>(
    db,
    sql`with calls_ended as (
       select c.ended_at, c.result in ('failed', 'not_connected') as failed,
         coalesce(c.failure, case when c.result = 'not_connected' then 'The call could not be connected.' end) as failure from calls c where c.state = 'ended' and c.ended_at > ${anHourAgo}
     ), texts as (
       select m.created_at, m.status in ('failed', 'undelivered') as failed from messages m
       where m.created_at > ${anHourAgo} and m.direction = 'outbound'
     )
     select ((select count(*) from calls_ended where failed) + (select count(*) from texts where failed))::int as failed,
       greatest((select max(ended_at) from calls_ended where failed), (select max(created_at) from texts where failed)) as "lastFailedAt",
       (select failure from calls_ended where failed order by ended_at desc limit 1) as "lastFailure",
       greatest((select max(ended_at) from calls_ended where not failed),
         (select max(created_at) from texts where not failed)) as "lastOkAt"`,
  );
  return row ?? noWork;
}

/** When GoHighLevel last accepted a change, and the last error. */
export async function readOutboxEnds(db: Db): Promise<{ lastSentAt: Date | null; lastError: string | null }> {
  const rows = await query<{ lastSentAt: Date | null; lastError: string | null }>(
    db,
    sql`select (select max(sent_at) from crm_outbox where state = 'sent') as "lastSentAt",
       (select error from crm_outbox where state = 'failed' order by id desc limit 1) as "lastError"`,
  );
  return rows[0] ?? { lastSentAt: null, lastError: null };
}

/** Consultants' calendars: the last successful sync, and the last error. */
export async function readCalendarEnds(
  db: Db,
): Promise<{ lastSyncedAt: Date | null; lastError: string | null }> {
  const rows = await query<{ lastSyncedAt: Date | null; lastError: string | null }>(
    db,
    sql`select (select max(last_synced_at) from google_accounts) as "lastSyncedAt",
       coalesce((select sync_error from meetings where sync = 'failed' order by updated_at desc limit 1),
         (select disconnected_reason from google_accounts where disconnected_reason is not null limit 1)) as "lastError"`,
  );
  return rows[0] ?? { lastSyncedAt: null, lastError: null };
}

/** The newest deliveries of leads: those that were rejected in the last hour, and the reason. */
export async function readRejections(
  db: Db,
): Promise<{ failed: number; lastFailedAt: Date | null; lastFailure: string | null }> {
  const rows = await query<{
    failed: number;
    lastFailedAt: Date | null;
    lastFailure: string | null;
  }>(
    db,
    sql`with rejected as (
       select e.received_at, i.reason from (select * from lead_delivery_items order by id desc limit 1000) i
         join provider_events e on e.id = i.delivery_id
       where i.outcome = 'rejected' and e.received_at > ${anHourAgo}
     )
     select count(*)::int as failed, max(received_at) as "lastFailedAt",
       (select reason from rejected order by received_at desc limit 1) as "lastFailure" from rejected`,
  );
  return rows[0] ?? { failed: 0, lastFailedAt: null, lastFailure: null };
}

export interface LiveRow {
  userId: number;
  state: RepState;
  since: Date | null;
  leadId: number | null;
  leadName: string | null;
}

/** The time after a manual call that counts as wrap-up. */
const wrapUp = sql`make_interval(mins => ${limits.activeMinutes})`;
/**
 * The steps that can pause a session; sessions before release 0.2 have `verdict` for `decision`. Only the newest steps are read: an older
 * one is never the last event.
 */
const pausing = sql`('pause', 'decision', 'verdict', 'tick', 'call')`;
const newestSteps = 50;

/**
 * The current state of every active account and since when, computed from calls and sessions alone, so that it is the same after a restart
 * and in every process. In this order of precedence: answered, in a conversation, phone ringing, wrap-up of a session, paused session,
 * wrap-up of a manual call, free. Uses a few index scans for each account.
 */
export async function listLiveStates(db: Db): Promise<LiveRow[]> {
  return query<LiveRow>(
    db,
    sql`with inbound as materialized (
       select i.id, i.lead_id, i.started_at, i.answered_at, i.stage = 'talking' as talking,
         case when i.stage = 'ringing_rep' then coalesce(i.rung_user_id, i.owner_id) else i.taken_by end as user_id
       from inbound_calls i where i.stage <> 'ended'
     ), shown as (
       select u.id as user_id, u.name, made.*
       from users u
       left join lateral (select c.* from calls c where c.user_id = u.id and c.state <> 'ended') live on true
       left join lateral (select i.* from inbound i where i.user_id = u.id order by i.talking desc, i.id desc limit 1) came on true
       left join lateral (select d.* from dialer_sessions d where d.user_id = u.id order by d.started_at desc nulls last, d.id desc limit 1) d on true
       left join calls worked on worked.id = d.call_id and d.status in ('active', 'paused') and d.phase = 'wrap_up'
       left join lateral (select c.ended_at from calls c where c.user_id = u.id and c.state = 'ended'
         order by c.requested_at desc nulls last limit 1) ended on true
       left join lateral (select g.*, coalesce(c.ended_at, i.ended_at, g.call_date) as ended_at,
           d.started_at <= c.requested_at and c.requested_at <= coalesce(d.ended_at, c.requested_at) as by_session
         from (select * from call_logs g where g.user_id = u.id order by g.call_date desc nulls last, g.id desc nulls last limit 1) g
           left join calls c on c.id = g.call_id left join inbound_calls i on i.id = g.inbound_call_id) log on true
       left join lateral (select max(s.at) filter (where s.kind in ${pausing}) as paused_at, max(s.at) filter (where s.kind = 'resume') as resumed_at
         from (select kind, at from dialer_steps where session_id = d.id order by id desc limit ${newestSteps}) s) step on true
       cross join lateral (select
           not log.confirmed and log.ended_at > now() - ${wrapUp} and log.ended_at >= coalesce(ended.ended_at, log.ended_at) as unsaid,
           greatest(ended.ended_at, d.ended_at, step.resumed_at, case
             when log.confirmed_at > log.ended_at and (log.by_session or log.confirmed_at <= log.ended_at + ${wrapUp}) then log.confirmed_at
             when log.confirmed then log.ended_at
             else log.ended_at + ${wrapUp} end) as free_at) was
       cross join lateral (select * from (values
         (live.state = 'in_progress' and live.answered_by is null, 'checking', coalesce(live.answered_at, live.requested_at), live.lead_id),
         (live.state = 'in_progress', 'on_call', coalesce(live.answered_at, live.requested_at), live.lead_id),
         (came.talking, 'on_call', coalesce(came.answered_at, came.started_at), came.lead_id),
         (live.id is not null, 'ringing', live.requested_at, live.lead_id),
         (came.id is not null, 'ringing', came.started_at, came.lead_id),
         (worked.id is not null, 'wrap_up', coalesce(worked.ended_at, worked.requested_at), worked.lead_id),
         (d.status = 'paused', 'paused', coalesce(step.paused_at, d.started_at), null),
         (was.unsaid, 'wrap_up', log.ended_at, log.lead_id),
         (true, 'free', was.free_at, null)
       ) m (holds, state, since, lead_id) where m.holds limit 1) made
       where u.disabled_at is null
     )
     select s.user_id as "userId", s.state, s.since, s.lead_id as "leadId", l.name as "leadName"
     from shown s left join leads l on l.id = s.lead_id order by lower(s.name), s.user_id`,
  );
}
