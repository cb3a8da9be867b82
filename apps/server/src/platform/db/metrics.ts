import { type SQL, sql as text } from "drizzle-orm";
import type pg from "pg";
import { advisoryLocks, holdLock } from "./advisory-locks.ts";
import type { Database, Db } from "./client.ts";
import { execute, queryFirst, queryOnly, sql } from "./query.ts";
import type { metricKinds, metricSources } from "./schema/metrics.ts";

export type MetricKind = (typeof metricKinds)[number];
export type MetricSource = (typeof metricSources)[number];

/** The organization's zone, as stored in the database. */
const zone = "(select time_zone from metric_state)";
const hourSql = `extract(hour from r.call_date at time zone ${zone})::int::text`;
const repSql = "coalesce(r.user_id, 0)";

interface SourceDefinition {
  /** The table of its rows, `r`. */
  table: string;
  /** Instant of a row; null if rows are counted by owner, without a day. */
  at: string | null;
  /** What a row counts as: user (0 is nobody), label and amount. A row whose label is null is not counted. */
  counts: Partial<Record<MetricKind, string>>;
}

/**
 * The definition of every metric, used by the job that stores them, by reads of what is not stored yet, and by consultants' own reports.
 */
const sources: Record<MetricSource, SourceDefinition> = {
  calls: {
    table: "call_logs",
    at: "r.call_date",
    counts: {
      // Logs by consultant and outcome ('' for none), with their seconds.
      call: `${repSql}, coalesce(r.outcome, ''), r.duration_seconds`,
      // Logs by hour of the day ('0' to '23').
      call_hour: `0, ${hourSql}, 0`,
      answered_hour: `0, case when r.outcome = 'answered' then ${hourSql} end, 0`,
      // Logs whose duration is only reported by the rep, by consultant and outcome.
      reported_call: `${repSql}, case when r.reported_seconds is not null then coalesce(r.outcome, '') end, 0`,
      inbound_call: `${repSql}, case when r.direction = 'inbound' then '' end, 0`,
    },
  },
  texts: {
    table: "messages",
    at: "r.created_at",
    // By consultant and direction; an SMS that was not sent is not counted.
    counts: { text: `${repSql}, text_label(r.direction, r.status), 0` },
  },
  conversions: {
    table: "clients",
    at: "r.converted_at",
    // By the consultant who converted the lead, with its value.
    counts: { conversion: "r.converted_by, '', r.conversion_value" },
  },
  leads: {
    table: "leads",
    at: "r.created_at",
    counts: {
      // Created leads by their current status, and by the first 200 characters of their source ('' for none).
      lead: "0, r.status, 0",
      lead_source: "0, left(coalesce(r.lead_source, ''), 200), 0",
    },
  },
  owners: {
    table: "leads",
    at: null,
    counts: {
      // Leads by the consultant they belong to and their status.
      lead_owner: "coalesce(r.assigned_to, 0), r.status, 0",
      // Called leads by number of calls ('1', '2', '3+'), with the calls.
      lead_calls:
        "coalesce(r.assigned_to, 0), case when r.attempts > 2 then '3+' when r.attempts > 0 then r.attempts::text end, r.attempts",
    },
  },
};

/** The kinds that each source counts. */
export const kindsBySource = Object.entries(sources).map(([source, { counts }]) => ({
  source: source as MetricSource,
  kinds: Object.keys(counts) as MetricKind[],
}));

/** Distinguishes metrics that were stored with other definitions. */
const metricDefinition = JSON.stringify(sources);

/**
 * Selects what rows count as, one row for each: `kind`, `at`, `user_id`, `label` and `amount`.
 * @param from the rows `r`, if not the source's whole table
 * @param more further columns of `from`, which come first
 */
export function metricRowsSql(
  source: MetricSource,
  kinds: readonly MetricKind[],
  { from = text.raw(`${sources[source].table} r`), more = sql.empty() }: { from?: SQL; more?: SQL } = {},
): SQL {
  const { at, counts } = sources[source];
  const tuples = kinds.flatMap((kind) => (counts[kind] ? [`('${kind}', ${counts[kind]})`] : []));
  // The rows are read once for all metrics.
  return sql`select ${more} v.kind, ${text.raw(at ?? "null::timestamptz")} as at, v.user_id, v.label, v.amount::numeric as amount
    from ${from} cross join lateral (values ${text.raw(tuples.join(", "))}) v (kind, user_id, label, amount) where v.label is not null`;
}

/** The rows of part `p` of a source, by index. */
function rowsOfPartSql({ table, at }: SourceDefinition): string {
  if (!at)
    return `select * from ${table} r where r.assigned_to = p.user_id
      union all select * from ${table} r where p.user_id = 0 and r.assigned_to is null`;
  const midnight = (day: string) => `((${day})::timestamp at time zone ${zone})`;
  // If a clock change skips or repeats midnight, the range is too wide rather than too narrow; the date decides.
  return `select * from ${table} r where ${at} >= ${midnight("p.day")} - interval '3 hours'
    and ${at} < ${midnight("p.day + 1")} + interval '3 hours' and (${at} at time zone ${zone})::date = p.day`;
}

/**
 * The same select over the rows of some parts of a source, with each part's `day`.
 * @param parts a select of `day` and `user_id` without duplicates
 */
function metricRowsOfPartsSql(source: MetricSource, kinds: readonly MetricKind[], parts: SQL): SQL {
  // `offset 0`: there are few parts, so the rows of each are looked up rather than all rows joined.
  const from = sql`(${parts}) p cross join lateral (${text.raw(rowsOfPartSql(sources[source]))} offset 0) r`;
  return metricRowsSql(source, kinds, { from, more: sql`p.day,` });
}

/**
 * Everyone's current metrics for a `from`: `kind`, `day`, `user_id`, `label`, `n` and `amount`, to be summed. Combines the stored ones with
 * the rows of parts that changed since: one statement reads both in one snapshot.
 */
export function currentMetricsSql(kinds: readonly MetricKind[]): SQL {
  const selects = kindsBySource.flatMap(({ source, kinds: all }) => {
    const wanted = kinds.filter((kind) => all.includes(kind));
    if (wanted.length === 0) return [];
    const part = sources[source].at ? sql`d.day = m.day` : sql`d.user_id = m.user_id`;
    const name = text.raw(`'${source}'`);
    const dirty = sql`select distinct day, user_id from dirty_metrics where source = ${name}`;
    return [
      sql`select m.kind, m.day, m.user_id, m.label, m.n, m.amount from metrics m
       where m.kind in (${text.raw(wanted.map((kind) => `'${kind}'`).join(", "))})
         and not exists (select 1 from dirty_metrics d where d.source = ${name} and ${part})`,
      sql`select kind, day, user_id, label, 1::bigint, amount from (${metricRowsOfPartsSql(source, wanted, dirty)}) f`,
    ];
  });
  return sql`(${sql.join(selects, sql` union all `)})`;
}

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
