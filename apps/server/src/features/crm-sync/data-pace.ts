import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../db/client.ts";

/** The CRM allows 100 requests in 10 s: 18 at once, and one more every 125 ms, is never above it. */
const intervalMs = 125;
const burst = 18;
const paceName = "crm";

/**
 * Paces the requests of all processes by one row: the virtual time at which the next request would be in step. A request waits while
 * that is more than a burst ahead (generic cell rate algorithm). No connection is held during the wait.
 */
export function createCrmPace(db: Db) {
  const slack = (burst - 1) * intervalMs;
  return {
    async turn(): Promise<void> {
      const { rows } = await db.$client.query<{ wait: number }>(
        `insert into pacing as p (name, next_at) values ($1, clock_timestamp() + make_interval(secs => $2))
         on conflict (name) do update
           set next_at = greatest(p.next_at, clock_timestamp()) + make_interval(secs => $2)
         returning (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 as wait`,
        [paceName, intervalMs / 1000],
      );
      const waitMs = (rows[0]?.wait ?? 0) - intervalMs - slack;
      if (waitMs > 0) await sleep(waitMs);
    },
    async hold(seconds: number): Promise<void> {
      await db.$client.query(
        `insert into pacing as p (name, next_at) values ($1, clock_timestamp() + make_interval(secs => $2))
         on conflict (name) do update set next_at = greatest(p.next_at, excluded.next_at)`,
        [paceName, seconds + slack / 1000],
      );
    },
  };
}
