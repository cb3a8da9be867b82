import { limits } from "@portal/contract/limits";
import type { SQL } from "drizzle-orm";
import { sql } from "../query.ts";

const window = sql`${sql.constant(limits.recordingMatchMs)} * interval '1 ms'`;

const shown = sql`json_build_object('sid', r.recording_sid, 'durationSeconds', r.duration_seconds)`;

/** The recording of a log; its seconds are null if the provider did not send them. */
export interface RecordingOfLog {
  sid: string;
  durationSeconds: number | null;
}

/** SQL for the recording of a call log `c` without a call: the lead's nearest one within the match window that belongs to no other log. */
const recordingOfReportSql = sql`(select ${shown} from recordings r where r.lead_id = c.lead_id and r.status = 'completed'
     and r.created_at between c.call_date - ${window} and c.call_date + ${window}
     and not exists (select 1 from call_logs o where o.call_sid = r.call_sid and (o.call_id is not null or o.inbound_call_id is not null))
   order by abs(extract(epoch from r.created_at - c.call_date)) limit 1)`;

/**
 * SQL for the recording of a call log `c`: that of the same call; for a log without a call as above. A report that names a call has that
 * call's recording only if the recording is the lead's and belongs to no known call, because a known call has a log of its own.
 */
export const recordingOfLogSql = sql`case when c.call_sid is not null then
  (select ${shown} from recordings r where r.call_sid = c.call_sid and r.status = 'completed'
     and (c.call_id is not null or c.inbound_call_id is not null
       or r.call_id is null and r.inbound_call_id is null and r.lead_id = c.lead_id and coalesce(r.user_id = c.user_id, true))
   order by r.id desc limit 1)
  else ${recordingOfReportSql} end`;

/** Log `log` counts as a try: a call that could not be connected and rang no phone does not delay the next one. */
export const triedSql = (log: SQL): SQL => sql`(${log}.outcome is distinct from 'not_connected'
  or exists (select 1 from calls k where k.id = ${log}.call_id and k.lead_ringing_at is not null))`;

/** Log `c` is a report with a sid that no call of the same consultant and lead has. */
export const unmatchedSql = sql`c.call_sid is not null and c.call_id is null and c.inbound_call_id is null`;

/** Why the voicemail of an inbound call `ic` has no transcription; null for any other call. */
export const noTranscriptionSql = sql`case when ic.result = 'voicemail' then ic.no_transcription end`;

/** Log `c` belongs to an answered call for which it is not known yet whether a person or a machine answered. */
export const checkingSql = sql`c.outcome is null and c.call_id is not null and exists (select 1 from calls k where k.id = c.call_id and k.result = 'answered' and k.answered_by is null)`;

/** Tries read for a lead: more than any rules count before its tries are used up. */
const tryCount = 40;

/** Result of `tryHistorySql`. */
export interface TryFacts {
  /** Outbound calls to the lead that could be connected or rang: milliseconds and outcome, newest first. */
  tries: [at: number, outcome: string | null][];
  talkedAt: Date | null;
  retryFrom: Date | null;
  /** The instant of a follow-up with a time, and the day of any follow-up. */
  followUpAt: Date | null;
  followUpDate: Date | null;
}

/** Facts for the retry rules about a lead `l`, as SQL columns. For leads that were never called no calls are read. */
export const tryHistorySql = sql`case when l.attempts = 0 then '[]'::json else (
    select coalesce(json_agg(json_build_array(round(extract(epoch from t.call_date) * 1000)::bigint, t.outcome)), '[]'::json)
    from (select t.call_date, t.outcome from call_logs t where t.lead_id = l.id and t.direction = 'outbound' and ${triedSql(sql`t`)}
      order by t.call_date desc nulls last, t.id desc nulls last limit ${sql.constant(tryCount)}) t) end as tries,
  case when l.attempts > 0 then (select max(t.call_date) from call_logs t
    where t.lead_id = l.id and t.direction = 'inbound' and t.outcome = 'answered') end as "talkedAt",
  l.retry_from as "retryFrom", l.next_follow_up_at as "followUpAt", l.next_follow_up_date as "followUpDate"`;

/** When the follow-up of a lead `l` was last changed; null if never. */
export const followUpPlannedSql = sql`(select max(e.at) from lead_events e where e.lead_id = l.id and e.kind = 'changed'
  and e.data ->> 'field' in ('nextFollowUpDate', 'nextFollowUpTime'))`;
