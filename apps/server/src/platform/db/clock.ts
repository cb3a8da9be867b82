import type { Db } from "./client.ts";
import { queryOnly, sql } from "./query.ts";

/** The database's clock minus `performance.now()`, in ms; null until it was read. */
let difference: number | null = null;

/**
 * The database's clock, Unix ms, for instants that are written by this process and compared by SQL: the clocks of server and database may
 * differ, and a server's may be set back or forward at any moment. This process's own clock until `followClock` has read the database's.
 */
export const databaseNow = (): number => (difference === null ? Date.now() : performance.now() + difference);

/** Reads the database's clock. Call it at the start and every minute, because the database's may be set too. */
export async function followClock(db: Db): Promise<void> {
  const askedAt = performance.now();
  const { now } = await queryOnly<{ now: number }>(
    db,
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as now`,
  );
  difference = now - (askedAt + performance.now()) / 2;
}
