import type { Db } from "../../db/client.ts";

/** Rows as they came are kept this long after the end; what went in stands as leads. */
const rowsDays = 7;
/** Rows that did not go in, for failed.csv. */
const failuresDays = 90;
/** Imports whose rows are removed by one statement. */
const atOnce = 5;

async function forget(db: Db, table: "import_batches" | "import_failures", days: number): Promise<void> {
  for (;;) {
    const { rowCount } = await db.$client.query(
      `delete from ${table} where import_id = any(array(
         select i.id from imports i
          where i.state <> 'running' and i.finished_at < clock_timestamp() - make_interval(days => $1)
            and exists (select from ${table} where import_id = i.id)
          order by i.id limit $2))`,
      [days, atOnce],
    );
    if (!rowCount) return;
  }
}

/** Forgets what imports brought, some time after their end; the figures stay. A few imports at a time, so that no statement is long. */
export async function pruneImports(db: Db): Promise<void> {
  await forget(db, "import_batches", rowsDays);
  await forget(db, "import_failures", failuresDays);
}
