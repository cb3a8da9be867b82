import type { Db, Tx } from "../db/client.ts";

/** Which of a queue's jobs are meant: those whose data holds these values. */
interface Waiting {
  queue: string;
  holding: object;
}

/** How many jobs wait for their turn by now; no more than `most` are counted. */
export async function countWaiting(db: Db, { queue, holding }: Waiting, most: number): Promise<number> {
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from jobs.job where name = $1 and state < 'active' and start_after <= now() and data @> $2::jsonb limit $3) waiting`,
    [queue, JSON.stringify(holding), most],
  );
  return rows[0]?.count ?? 0;
}

/** Takes the waiting jobs away, for whoever does their work in another way, and answers what they held. */
export async function claimWaiting<Data>(tx: Tx, { queue, holding }: Waiting): Promise<Data[]> {
  const { rows } = await tx.$client.query<{ data: Data }>(
    `delete from jobs.job where name = $1 and state < 'active' and start_after <= now() and data @> $2::jsonb returning data`,
    [queue, JSON.stringify(holding)],
  );
  return rows.map(({ data }) => data);
}
