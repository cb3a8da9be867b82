import { limits } from "@portal/contract/limits";
import type { SQL } from "drizzle-orm";
import { sql } from "../query.ts";

const window = sql`${sql.constant(limits.recordingMatchMs)} * interval '1 ms'`;

const shown = sql`json_build_object('sid', r.recording_sid, 'durationSeconds', r.duration_seconds)`;

/** A recording as a log shows it; its seconds are null where the provider did not send them. */
export interface RecordingOfLog {
  sid: string;
  durationSeconds: number | null;
}

/** SQL for the recording of a call log `c` that names no call: the lead's nearest one within the match window that belongs to no other log. */
const recordingOfReportSql = sql`(select ${shown} from recordings r where r.lead_id = c.lead_id and r.status = 'completed'
     and r.created_at between c.call_date - ${window} and c.call_date + ${window}
     and not exists (select 1 from call_logs o where o.call_sid = r.call_sid and (o.call_id is not null or o.inbound_call_id is not null))
   order by abs(extract(epoch from r.created_at - c.call_date)) limit 1)`;

/**
 * SQL for the recording of a call log `c`: that of the same call; for a log that names no call as above. A report that
 * names a call has the recording of that call only where it is the lead's and of no call that we know: such a call has a log of its own.
 */
export const recordingOfLogSql = sql`case when c.call_sid is not null then
  (select ${shown} from recordings r where r.call_sid = c.call_sid and r.status = 'completed'
     and (c.call_id is not null or c.inbound_call_id is not null
       or r.call_id is null and r.inbound_call_id is null and r.lead_id = c.lead_id and coalesce(r.user_id = c.user_id, true))
   order by r.id desc limit 1)
  else ${recordingOfReportSql} end`;

/** Log `log` is of a call whose lead was reached out to: one that could not be connected, and rang no phone, holds nobody back from calling again. */
export const triedSql = (log: SQL): SQL => sql`(${log}.outcome is distinct from 'not_connected'
  or exists (select 1 from calls k where k.id = ${log}.call_id and k.lead_ringing_at is not null))`;

/** Log `c` is a report with a sid that no call of the same consultant and lead has. */
export const unmatchedSql = sql`c.call_sid is not null and c.call_id is null and c.inbound_call_id is null`;

/** Why the voicemail of an inbound call `ic` has no words; null for any other call. */
export const noTranscriptionSql = sql`case when ic.result = 'voicemail' then ic.no_transcription end`;

/** Log `c` is of an answered call of which nobody said yet whether a person or a machine took it. */
export const checkingSql = sql`c.outcome is null and c.call_id is not null and exists (select 1 from calls k where k.id = c.call_id and k.result = 'answered' and k.answered_by is null)`;

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
