import { inArray, sql } from "drizzle-orm";
import type { Db } from "../../db/client.ts";
import { calls } from "../../db/schema/calls.ts";
import type { CallRow } from "./data.ts";

interface Waits {
  silenceMs: number;
  unansweredMs: number;
  abandonedMs: number;
  unsettledMs: number;
  againMs: number;
}

const olderThan = (column: string, placeholder: string) =>
  `${column} < clock_timestamp() - ${placeholder} * interval '1 ms'`;

/** An ended call whose truth never came is left as it is after a day. */
const closeOld = `update calls set settled = true
  where not settled and state = 'ended' and ended_at < clock_timestamp() - interval '1 day'`;

/**
 * Takes up the calls that have been silent too long, for one worker at a time: no process asks about a call that another is
 * asking about. Nothing is locked afterwards.
 */
export async function claimSilentCalls(db: Db, waits: Waits, limit: number): Promise<CallRow[]> {
  await db.$client.query(closeOld);
  const { rows } = await db.$client.query<{ id: number }>(
    `update calls set checked_at = clock_timestamp() where id in (
       select id from calls where not settled
         and (checked_at is null or ${olderThan("checked_at", "$5")})
         and ((asked_at is null and state <> 'ended' and ${olderThan("coalesce(dials_at, requested_at)", "$3")})
           or (asked_at is not null and call_sid is null and ${olderThan("asked_at", "$2")})
           or (call_sid is not null and ${olderThan("last_news_at", "$1")})
           or (call_sid is not null and state <> 'ended' and ${olderThan("end_requested_at", "$4")})
           or (call_sid is not null and state = 'ended' and ${olderThan("last_news_at", "$4")}))
       order by last_news_at limit $6 for update skip locked)
     returning id`,
    [waits.silenceMs, waits.unansweredMs, waits.abandonedMs, waits.unsettledMs, waits.againMs, limit],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  return db.select().from(calls).where(inArray(calls.id, ids)).orderBy(sql`id`);
}

/** Which of the provider's ids belong to calls already. */
export async function knownSids(db: Db, sids: string[]): Promise<Set<string>> {
  if (sids.length === 0) return new Set();
  const rows = await db.select({ sid: calls.callSid }).from(calls).where(inArray(calls.callSid, sids));
  return new Set(rows.flatMap(({ sid }) => sid ?? []));
}

/** When other calls to the same phone were asked for whose ids at the provider are not known either. */
export async function findRivals(db: Db, call: Pick<CallRow, "id" | "repNumber">): Promise<Date[]> {
  const { rows } = await db.$client.query<{ asked_at: Date }>(
    `select asked_at from calls where not settled and rep_number = $2 and id <> $1
       and call_sid is null and asked_at is not null`,
    [call.id, call.repNumber],
  );
  return rows.map(({ asked_at }) => asked_at);
}
