import { limits } from "@portal/contract/limits";
import type { RepState } from "@portal/contract/routes/admin";
import type { Db } from "../../db/client.ts";

export interface LiveRow {
  userId: number;
  state: RepState;
  since: Date | null;
  leadId: number | null;
  leadName: string | null;
}

/** So long after a call that was made by hand its outcome is being written down. */
const wrapUp = `interval '${limits.activeMinutes} minutes'`;
/** What can pause a session; of the steps, the newest are looked at: whatever is older is no longer the last thing that happened. */
const pausing = "('pause', 'verdict', 'tick', 'call')";
const newestSteps = 50;

/**
 * What every open account does now and since when, from the rows of calls and sessions alone, so that it is the same after a restart and
 * in every process. In this order: talking, a phone that rings, a session's wrap-up, a session that rests, the wrap-up of a call made by
 * hand, free. A few looks by index for each account.
 */
export async function listLiveStates(db: Db): Promise<LiveRow[]> {
  const { rows } = await db.$client.query<LiveRow>(
    `with inbound as materialized (
       select i.id, i.lead_id, i.started_at, i.answered_at, i.stage = 'talking' as talking,
         case when i.stage = 'ringing_rep' then i.owner_id else i.taken_by end as user_id
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
  return rows;
}
