import type { Db } from "../db/client.ts";

/** A worked event is kept this long: nobody repeats or asks for an older one. */
const keptDays = 30;
const pruneBatch = 5_000;

/** Forgets the events worked long ago, some at a time, so that no statement is long. Ids rise with time: no other index is needed. */
export async function pruneEvents(db: Db, batch = pruneBatch): Promise<void> {
  let after = 0;
  for (;;) {
    const { rows } = await db.$client.query<{ last: number | null; gone: number }>(
      `with oldest as (
         select id, processed_at < clock_timestamp() - make_interval(days => $3) as old from provider_events
         where id > $1 order by id limit $2),
       gone as (delete from provider_events e using oldest o where o.id = e.id and o.old returning e.id)
       select (select max(id)::float8 from oldest) as last, (select count(*)::int from gone) as gone`,
      [after, batch, keptDays],
    );
    const { last = null, gone = 0 } = rows[0] ?? {};
    if (last === null || gone === 0) return;
    after = last;
  }
}
