import { sql } from "../query.ts";
import { triedSql } from "./call-logs.ts";

/** Tries that are read of a lead: more than any rules count before its tries are used up. */
const tryCount = 40;

/** What `tryHistorySql` answers. */
export interface TryFacts {
  /** Calls of ours to the lead that could be connected, or rang: milliseconds and outcome, newest first. */
  tries: [at: number, outcome: string | null][];
  talkedAt: Date | null;
  retryFrom: Date | null;
  /** When a follow-up with a time is, and the day of one with or without. */
  followUpAt: Date | null;
  followUpDate: Date | null;
}

/** What the retry rules ask about a lead `l`, as SQL columns. Of leads that nobody called no call is looked for. */
export const tryHistorySql = sql`case when l.attempts = 0 then '[]'::json else (
    select coalesce(json_agg(json_build_array(round(extract(epoch from t.call_date) * 1000)::bigint, t.outcome)), '[]'::json)
    from (select t.call_date, t.outcome from call_logs t where t.lead_id = l.id and t.direction = 'outbound' and ${triedSql(sql`t`)}
      order by t.call_date desc nulls last, t.id desc nulls last limit ${sql.constant(tryCount)}) t) end as tries,
  case when l.attempts > 0 then (select max(t.call_date) from call_logs t
    where t.lead_id = l.id and t.direction = 'inbound' and t.outcome = 'answered') end as "talkedAt",
  l.retry_from as "retryFrom", l.next_follow_up_at as "followUpAt", l.next_follow_up_date as "followUpDate"`;

/** When the follow-up of a lead `l` was last changed; null where nobody did. */
export const followUpPlannedSql = sql`(select max(e.at) from lead_events e where e.lead_id = l.id and e.kind = 'changed'
  and e.data ->> 'field' in ('nextFollowUpDate', 'nextFollowUpTime'))`;
