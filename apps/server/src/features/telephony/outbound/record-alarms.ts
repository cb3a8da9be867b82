import type { CallResult } from "@portal/contract/entities/call";
import { desc } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, sql } from "../../../platform/db/query.ts";
import { callAlarms } from "../../../platform/db/schema/calls.ts";

/** So many calls in a row under one number of ours that could not be connected are no accident. */
const inRow = 5;
/** A call counts so long after its end: the network's code, which may say that the number called is dead, has come by then, if it comes at all. */
const sipCodeMs = 3_000;

/** Results of calls whose lead was dialled: they show whether our number gets through. */
const telling: CallResult[] = [
  "answered",
  "voicemail",
  "busy",
  "no_answer",
  "disconnected",
  "unclear",
  "not_connected",
];

/** When the last of the calls ended by which the open alarm was raised; null without one. */
export async function findCallAlarm(db: Db): Promise<Date | null> {
  const [alarm] = await db.select().from(callAlarms).orderBy(desc(callAlarms.raisedAt)).limit(1);
  return alarm?.raisedAt ?? null;
}

/** Whether calls under some number of ours do not get through. */
export async function hasCallAlarm(tx: Tx): Promise<boolean> {
  return (await tx.$count(callAlarms)) > 0;
}

/**
 * Keeps the alarms of our numbers in step with the calls. One is raised by the fifth call in a row that could not be connected, within 10
 * minutes, counted anew after each time; it ends with the first call after it that gets through, and with another number in its place. Each is
 * raised by one process.
 */
export async function settleCallAlarms(
  tx: Tx,
  callerNumber: string,
): Promise<{ raised: boolean; ended: boolean }> {
  const told = sql.param(telling);
  const ended = await execute(
    tx,
    sql`delete from call_alarms a where a.caller_number <> ${callerNumber} or exists (select 1 from calls c
       where c.state = 'ended' and c.ended_at > a.raised_at and c.caller_number = a.caller_number
         and c.result = any(${told}) and c.result <> 'not_connected')`,
  );
  const raised = await execute(
    tx,
    sql`with recent as (
       select c.result, c.ended_at from calls c
       where c.state = 'ended' and c.ended_at > clock_timestamp() - interval '10 minutes'
         and c.caller_number = ${callerNumber} and c.result = any(${told})
         and (c.result <> 'not_connected' or c.ended_at < clock_timestamp() - ${sipCodeMs} * interval '1 ms')
         and c.ended_at > coalesce((select a.raised_at from call_alarms a where a.caller_number = ${callerNumber}), '-infinity')
       order by c.ended_at desc, c.id desc limit ${inRow})
     insert into call_alarms as a (caller_number, raised_at) select ${callerNumber}, max(ended_at) from recent
     having count(*) = ${inRow} and bool_and(result = 'not_connected')
     on conflict (caller_number) do update set raised_at = excluded.raised_at where a.raised_at < excluded.raised_at`,
  );
  return { raised: raised > 0, ended: ended > 0 };
}
