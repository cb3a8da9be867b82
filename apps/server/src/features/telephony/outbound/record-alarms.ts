import type { CallResult } from "@portal/contract/entities/call";
import { desc } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, sql } from "../../../platform/db/query.ts";
import { callAlarms } from "../../../platform/db/schema/calls.ts";

/** This many consecutive calls from one of our numbers that could not be connected raise an alarm. */
const inRow = 5;
/** A failed call counts only after this delay, by which the SIP code, which may say that the called number is invalid, has arrived. */
const sipCodeMs = 3_000;

/** Results of calls whose lead was dialed; only these show whether calls get through. */
const dialedResults: CallResult[] = [
  "answered",
  "voicemail",
  "busy",
  "no_answer",
  "disconnected",
  "unclear",
  "not_connected",
];

/** End of the last call that raised the current alarm, or null. */
export async function findCallAlarm(db: Db): Promise<Date | null> {
  const [alarm] = await db.select().from(callAlarms).orderBy(desc(callAlarms.raisedAt)).limit(1);
  return alarm?.raisedAt ?? null;
}

/** Whether there is an alarm. */
export async function hasCallAlarm(tx: Tx): Promise<boolean> {
  return (await tx.$count(callAlarms)) > 0;
}

/**
 * Updates the alarms of our numbers. An alarm is raised by the fifth consecutive call within 10 minutes that could not be connected; calls
 * before the last alarm do not count again. It ends with the first later call that gets through, or when the number is replaced. Concurrent
 * processes raise it once.
 */
export async function settleCallAlarms(
  tx: Tx,
  callerNumber: string,
): Promise<{ raised: boolean; ended: boolean }> {
  const results = sql.param(dialedResults);
  const ended = await execute(
    tx,
    sql`delete from call_alarms a where a.caller_number <> ${callerNumber} or exists (select 1 from calls c
       where c.state = 'ended' and c.ended_at > a.raised_at and c.caller_number = a.caller_number
         and c.result = any(${results}) and c.result <> 'not_connected')`,
  );
  const raised = await execute(
    tx,
    sql`with recent as (
       select c.result, c.ended_at from calls c
       where c.state = 'ended' and c.ended_at > clock_timestamp() - interval '10 minutes'
         and c.caller_number = ${callerNumber} and c.result = any(${results})
         and (c.result <> 'not_connected' or c.ended_at < clock_timestamp() - ${sipCodeMs} * interval '1 ms')
         and c.ended_at > coalesce((select a.raised_at from call_alarms a where a.caller_number = ${callerNumber}), '-infinity')
       order by c.ended_at desc, c.id desc limit ${inRow})
     insert into call_alarms as a (caller_number, raised_at) select ${callerNumber}, max(ended_at) from recent
     having count(*) = ${inRow} and bool_and(result = 'not_connected')
     on conflict (caller_number) do update set raised_at = excluded.raised_at where a.raised_at < excluded.raised_at`,
  );
  return { raised: raised > 0, ended: ended > 0 };
}
