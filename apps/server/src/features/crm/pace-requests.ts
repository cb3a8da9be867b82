import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../platform/db/client.ts";
import { execute, query, sql } from "../../platform/db/query.ts";

/** The CRM allows 100 requests in 10 s. A burst of 18 and one more every 125 ms stays below that. */
const intervalMs = 125;
const burst = 18;
const paceName = "crm";
/** A request that would wait longer fails instead: the daily limit may be used up. */
const longestWaitMs = 30_000;

/**
 * Paces the requests of all processes by one row that holds the virtual time of the next request. A request waits while that is more than a
 * burst ahead (generic cell rate algorithm). No connection is held during the wait.
 */
export function createCrmPace(db: Db) {
  const slack = (burst - 1) * intervalMs;

  /** Reserves a slot and returns the milliseconds until then; null, without a reservation, if that is too long. */
  async function takeTurn(): Promise<number | null> {
    const rows = await query<{ wait: number }>(
      db,
      sql`insert into pacing as p (name, next_at) values (${paceName}, clock_timestamp() + make_interval(secs => ${intervalMs / 1000}))
       on conflict (name) do update
         set next_at = greatest(p.next_at, clock_timestamp()) + make_interval(secs => ${intervalMs / 1000})
         where p.next_at < clock_timestamp() + make_interval(secs => ${(longestWaitMs + slack) / 1000})
       returning (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 as wait`,
    );
    return rows[0] ? rows[0].wait - intervalMs - slack : null;
  }

  async function secondsLeft(): Promise<number> {
    const rows = await query<{ seconds: number }>(
      db,
      sql`select extract(epoch from next_at - clock_timestamp())::float8 as seconds from pacing where name = ${paceName}`,
    );
    return Math.max(1, Math.ceil((rows[0]?.seconds ?? 0) - slack / 1000));
  }

  return {
    async turn(): Promise<number> {
      const waitMs = await takeTurn();
      if (waitMs === null) return secondsLeft();
      if (waitMs > 0) await sleep(waitMs);
      return 0;
    },
    async hold(seconds: number): Promise<void> {
      await execute(
        db,
        sql`insert into pacing as p (name, next_at) values (${paceName}, clock_timestamp() + make_interval(secs => ${seconds + slack / 1000}))
         on conflict (name) do update set next_at = greatest(p.next_at, excluded.next_at)`,
      );
    },
  };
}
