import type { SQL } from "drizzle-orm";
import type pg from "pg";
import { advisoryLocks, holdLock } from "./advisory-locks.ts";
import type { Database, Db } from "./client.ts";
import { execute, queryFirst, queryOnly, sql } from "./query.ts";
import { kindsBySource, metricDefinition, metricRowsOfPartsSql, metricRowsSql } from "./sql/metrics.ts";

/** Parts stored in one transaction. */
const batch = 200;
const timeoutMs = 3_600_000;

function storeSql(): SQL {
  const ofSources = kindsBySource.map(({ source, kinds }) =>
    metricRowsOfPartsSql(source, kinds, sql`select day, user_id from parts where source = ${source}`),
  );
  const pairs = kindsBySource.flatMap(({ source, kinds }) => kinds.map((kind) => sql`(${source}, ${kind})`));
  // One statement has one snapshot: it deletes exactly the marks whose changes it counts. A change that commits meanwhile keeps its mark.
  return sql`with parts as materialized (
      select source, day, user_id from dirty_metrics group by 1, 2, 3 order by min(id) limit ${sql.constant(batch)}
    ), fresh as materialized (
      select kind, day, user_id, label, count(*) as n, sum(amount) as amount
      from (${sql.join(ofSources, sql` union all `)}) r group by 1, 2, 3, 4
    ), cleaned as (
      delete from dirty_metrics d using parts p
      where d.source = p.source and d.day = p.day and d.user_id = p.user_id
    ), emptied as (
      delete from metrics m using parts p join (values ${sql.join(pairs, sql`, `)}) k (source, kind) on k.source = p.source
      where m.kind = k.kind and m.day = p.day and (p.source <> 'owners' or m.user_id = p.user_id)
        and not exists (select 1 from fresh f
          where f.kind = m.kind and f.day = m.day and f.user_id = m.user_id and f.label = m.label)
    ), stored as (
      insert into metrics as m (kind, day, user_id, label, n, amount) select kind, day, user_id, label, n, amount from fresh
      on conflict (kind, day, user_id, label) do update set n = excluded.n, amount = excluded.amount
      where (m.n, m.amount) is distinct from (excluded.n, excluded.amount)
    ) select count(*)::int as parts from parts`;
}

const storing = storeSql();

/**
 * Stores the metrics of changed parts, the oldest change first; the figures on screen stay the same. Returns how many parts it stored: 0 if
 * another process is storing them.
 */
async function storeBatch({ transaction }: Pick<Database, "transaction">): Promise<number> {
  return transaction(async (tx) => {
    await tx.$client.query("set local statement_timeout = 0; set local work_mem = '32MB'");
    const { mine } = await queryOnly<{ mine: boolean }>(
      tx,
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.metricsRollup}) as mine`,
    );
    if (!mine) return 0;
    const { parts } = await queryOnly<{ parts: number }>(tx, storing, { timeoutMs });
    return parts;
  });
}

/** Stores the metrics of all parts that are dirty now. */
export async function storeMetrics(database: Pick<Database, "transaction">): Promise<void> {
  while ((await storeBatch(database)) === batch);
}

/**
 * Recounts all metrics from the rows, by the days of a zone. Rows of calls, SMS and leads cannot be written meanwhile (seconds for millions
 * of them), so that every later mark refers to days of the new zone.
 */
export async function recountMetrics(tx: { $client: pg.ClientBase }, timeZone: string): Promise<void> {
  const run = (statement: SQL) => execute(tx, statement, { timeoutMs });
  // Its duration depends on the number of rows; another process that starts waits for it.
  await run(sql`set local statement_timeout = 0`);
  await holdLock(tx.$client, "metricsRollup", { query_timeout: timeoutMs });
  await run(sql`lock table leads, clients, call_logs, messages in share row exclusive mode`);
  await run(sql`delete from metrics`);
  await run(sql`delete from dirty_metrics`);
  await run(
    sql`update metric_state set time_zone = ${timeZone}, definition = md5(${metricDefinition}), counted_at = now()`,
  );
  for (const { source, kinds } of kindsBySource)
    await run(
      sql`insert into metrics (kind, day, user_id, label, n, amount)
       select kind, coalesce((at at time zone ${timeZone})::date, '0001-01-01'), user_id, label, count(*), sum(amount)
       from (${metricRowsSql(source, kinds)}) r group by 1, 2, 3, 4`,
    );
}

/**
 * Ensures that the stored metrics use the organization's zone and this code's definitions, and recounts them otherwise. All processes of a
 * database share one zone.
 */
export async function ensureMetrics(
  database: Pick<Database, "db" | "transaction">,
  timeZone: string,
): Promise<void> {
  const isCurrent = async (db: Db) => {
    const state = await queryFirst<{ current: boolean }>(
      db,
      sql`select (time_zone, definition) = (${timeZone}, md5(${metricDefinition})) as current from metric_state`,
    );
    return state?.current === true;
  };
  if (await isCurrent(database.db)) return;
  await database.transaction(async (tx) => {
    await execute(tx, sql`set local statement_timeout = 0`);
    await holdLock(tx.$client, "metricsRollup", { query_timeout: timeoutMs });
    if (!(await isCurrent(tx))) await recountMetrics(tx, timeZone);
  });
}
