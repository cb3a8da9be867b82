import type { Db, Tx } from "../db/client.ts";
import { query, queryOnly, sql } from "../db/query.ts";

/** Which of a queue's jobs are meant: those whose data holds these values. */
interface Waiting {
  queue: string;
  holding: object;
}

/** How many jobs wait for their turn by now; no more than `most` are counted. */
export async function countWaiting(db: Db, { queue, holding }: Waiting, most: number): Promise<number> {
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (
       select 1 from jobs.job where name = ${queue} and state < 'active' and start_after <= now() and data @> ${JSON.stringify(holding)}::jsonb limit ${most}) waiting`,
  );
  return count;
}

/** Takes the waiting jobs away, for whoever does their work in another way, and answers what they held. */
export async function claimWaiting<Data>(tx: Tx, { queue, holding }: Waiting): Promise<Data[]> {
  const rows = await query<{ data: Data }>(
    tx,
    sql`delete from jobs.job where name = ${queue} and state < 'active' and start_after <= now() and data @> ${JSON.stringify(holding)}::jsonb returning data`,
  );
  return rows.map(({ data }) => data);
}
