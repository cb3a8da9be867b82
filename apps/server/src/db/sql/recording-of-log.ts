import { limits } from "@portal/contract/limits";

const window = `interval '${limits.recordingMatchMs} ms'`;

/** SQL for the recording of a call log `c` that names no call: the lead's nearest one within the match window that belongs to no other log. */
export const recordingOfReportSql = `(select r.recording_sid from recordings r where r.lead_id = c.lead_id and r.status = 'completed'
     and r.created_at between c.call_date - ${window} and c.call_date + ${window}
     and not exists (select 1 from call_logs o where o.call_sid = r.call_sid)
   order by abs(extract(epoch from r.created_at - c.call_date)) limit 1)`;

/** SQL for the recording of a call log `c` (specification §9): that of the same call; for a log that names no call as above. */
export const recordingOfLogSql = `case when c.call_sid is not null then
  (select r.recording_sid from recordings r where r.call_sid = c.call_sid and r.status = 'completed'
   order by r.id desc limit 1)
  else ${recordingOfReportSql} end`;
