import type { ReportRange } from "@portal/contract/entities/report";
import type { SQL } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import {
  currentMetricsSql,
  kindsBySource,
  type MetricKind,
  type MetricSource,
  metricRowsSql,
} from "../../platform/db/metrics.ts";
import { allOf, query, queryOnly, sql } from "../../platform/db/query.ts";
import {
  dateSql,
  midnightSql,
  previousEndSql,
  previousStartSql,
  rangeDays,
  rangeStartSql,
} from "../../platform/db/sql/filters.ts";
import { type LogFilter, selectsOf } from "../telephony/outcomes/log-repository.ts";

/** What a report covers. Instants have PostgreSQL's own precision; days are YYYY-MM-DD in the organization's time zone. */
export interface Period {
  range: ReportRange;
  timeZone: string;
  to: string;
  today: string;
  /** Null for all time, which has no previous period. */
  start: {
    /** The first date of the period, and its first instant. */
    day: string;
    at: string;
    before: {
      /** The first date of the previous period, and its first instant. */
      day: string;
      at: string;
      /** Its last date, the first instant of that date, and the instant on it at which the previous period ends. */
      lastDay: string;
      lastDayAt: string;
      endAt: string;
    };
  } | null;
}

const isoSql = (at: SQL) => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const dayText = (timeZone: string, daysAgo: number) =>
  sql`to_char(${dateSql(timeZone, daysAgo)}, 'YYYY-MM-DD')`;

function startSql(range: Exclude<ReportRange, "all">, timeZone: string): SQL {
  const days = rangeDays[range];
  return sql`json_build_object('day', ${dayText(timeZone, days - 1)}, 'at', ${isoSql(rangeStartSql(range, timeZone))},
    'before', json_build_object('day', ${dayText(timeZone, 2 * days - 1)}, 'at', ${isoSql(previousStartSql(range, timeZone))},
      'lastDay', ${dayText(timeZone, days)}, 'lastDayAt', ${isoSql(midnightSql(dateSql(timeZone, days), timeZone))},
      'endAt', ${isoSql(previousEndSql(range, timeZone))}))`;
}

/** The period of a range that ends now, and the previous one of equal length, in the organization's time zone. */
export async function findPeriod(
  db: Db,
  { range, timeZone }: { range: ReportRange; timeZone: string },
): Promise<Period> {
  const period = await queryOnly<Pick<Period, "to" | "today" | "start">>(
    db,
    sql`select ${isoSql(sql`now()`)} as "to", ${dayText(timeZone, 0)} as today,
       ${range === "all" ? null : startSql(range, timeZone)} as start`,
  );
  return { range, timeZone, ...period };
}

export type ReportMetricKind = Exclude<MetricKind, "lead_owner" | "lead_calls">;
/** The figures of all users, or of one consultant. */
export type ReportScope = LogFilter["scope"];

const logColumns = sql`c.id, c.call_date, c.user_id, c.outcome, c.direction, c.duration_seconds, c.reported_seconds`;
const messageColumns = sql`m.id, m.created_at, m.user_id, m.direction, m.status`;

/** The selects of a consultant's rows; a row may occur in two. */
function ownRowsOf(source: MetricSource, { userId }: { userId: number }, timeZone: string): SQL[] {
  const ofOwnLeads = sql`l.assigned_to = ${userId}`;
  switch (source) {
    case "calls":
      return selectsOf({ scope: { userId }, timeZone }, logColumns);
    case "texts":
      return [
        sql`select ${messageColumns} from messages m where m.user_id = ${userId}`,
        sql`select ${messageColumns} from leads l join messages m on m.lead_id = l.id where ${ofOwnLeads}`,
      ];
    case "conversions":
      return [sql`select k.* from leads l join clients k on k.lead_id = l.id where ${ofOwnLeads}`];
    default:
      return [sql`select * from leads l where ${ofOwnLeads}`];
  }
}

/**
 * The rows that count for a scope, as a select of `kind`, `at`, `user_id`, `label` and `amount`: the calls of the call history, the texts,
 * the clients and the leads.
 */
function rowsOf(kinds: readonly ReportMetricKind[], scope: ReportScope, timeZone: string): SQL {
  const selects = kindsBySource.flatMap(({ source, kinds: all }) => {
    const wanted = kinds.filter((kind) => all.includes(kind));
    if (wanted.length === 0) return [];
    if (scope === "everyone") return [metricRowsSql(source, wanted)];
    const from = sql`(${sql.join(ownRowsOf(source, scope, timeZone), sql` union `)}) r`;
    return [metricRowsSql(source, wanted, { from })];
  });
  return sql.join(selects, unionAll);
}

const unionAll = sql` union all `;

/** A sum of rows, of the period or the previous one, by the requested bucket. */
export interface MetricRow {
  part: "now" | "before";
  kind: ReportMetricKind;
  /** Day (YYYY-MM-DD), weekday (1 is Monday) or consultant; empty for a total, and for the kind `lead` by day. */
  bucket: string;
  label: string;
  n: number;
  amount: number;
}

const bucketSql = {
  // No chart shows leads by day, and there are many more such days than days with calls.
  day: sql`case when kind <> 'lead' then day end`,
  weekday: sql`extract(isodow from day)`,
  user: sql`user_id`,
  none: sql`''::text`,
};

interface FiguresInput {
  kinds: readonly ReportMetricKind[];
  period: Period;
  bucket: keyof typeof bucketSql;
  /** Whether the previous period is included. */
  before: boolean;
}

function summed(parts: SQL[], bucket: FiguresInput["bucket"]): SQL {
  return sql`select part, kind, coalesce((${bucketSql[bucket]})::text, '') as bucket, label, sum(n)::float8 as n, sum(amount)::float8 as amount
    from (${sql.join(parts, unionAll)}) f (part, kind, day, user_id, label, n, amount)
    group by part, kind, ${bucketSql[bucket]}, label having sum(n) <> 0 or sum(amount) <> 0`;
}

/**
 * The figures of all users, or of one consultant's own work (`userId`): stored whole days, and the rows of the day on which the previous
 * period ends. One statement, so that all figures agree. The period ends now, so its end needs no condition.
 */
export async function sumEveryone(
  db: Db,
  { kinds, period, bucket, before, userId }: FiguresInput & { userId?: number | undefined },
): Promise<MetricRow[]> {
  const isWho = userId !== undefined && sql`user_id = ${userId}`;
  const counted = (part: MetricRow["part"], where: SQL | null) =>
    sql`select ${part}, kind, day, user_id, label, n, amount from ${currentMetricsSql(kinds)} f
     where ${allOf(isWho, where)}`;
  const { start, timeZone } = period;
  const parts = [counted("now", start && sql`day >= ${start.day}::date`)];
  if (start && before) {
    const { day, lastDay, lastDayAt, endAt } = start.before;
    const within = sql`at >= ${lastDayAt}::timestamptz and at < ${endAt}::timestamptz`;
    parts.push(
      counted("before", sql`day >= ${day}::date and day < ${lastDay}::date`),
      sql`select 'before', kind, ${lastDay}::date, user_id, label, 1::bigint, amount::numeric
      from (${rowsOf(kinds, "everyone", timeZone)}) r where ${allOf(isWho, within)}`,
    );
  }
  return query<MetricRow>(db, summed(parts, bucket));
}

/** A consultant's figures, computed from the rows: they change with every reassigned lead. */
async function sumOwn(db: Db, input: FiguresInput & { scope: ReportScope }): Promise<MetricRow[]> {
  const { kinds, period, bucket, before, scope } = input;
  const { start, timeZone } = period;
  const isNow = start ? sql`at >= ${start.at}::timestamptz` : sql`true`;
  const within =
    start && before
      ? sql`${isNow} or (at >= ${start.before.at}::timestamptz and at < ${start.before.endAt}::timestamptz)`
      : isNow;
  const rows = sql`select case when ${isNow} then 'now' else 'before' end, kind, (at at time zone ${timeZone}::text)::date,
      user_id, label, 1::bigint, amount::numeric
    from (${rowsOf(kinds, scope, timeZone)}) r where ${within}`;
  return query<MetricRow>(db, summed([rows], bucket));
}

/** Figures within the user's scope: all, or their own calls and leads. */
export function sumMetrics(db: Db, input: FiguresInput & { scope: ReportScope }): Promise<MetricRow[]> {
  return input.scope === "everyone" ? sumEveryone(db, input) : sumOwn(db, input);
}

interface LeadsInput {
  scope: ReportScope;
  period: Period;
}

/** Leads `l` of the scope that were created in the period, as the condition of a statement. */
const createdIn = ({ scope, period: { start } }: LeadsInput) =>
  allOf(
    scope !== "everyone" && sql`l.assigned_to = ${scope.userId}`,
    start && sql`l.created_at >= ${start.at}::timestamptz`,
  );

/** How many of the leads created in the period are clients now, by source ('' for none). */
export async function countConvertedSources(db: Db, input: LeadsInput): Promise<Map<string, number>> {
  const rows = await query<{ source: string; converted: number }>(
    db,
    sql`select left(coalesce(l.lead_source, ''), 200) as source, count(*)::int as converted
     from leads l join clients k on k.lead_id = l.id where ${createdIn(input)} group by 1`,
  );
  return new Map(rows.map(({ source, converted }) => [source, converted]));
}

export interface FirstCalls {
  called: number;
  /** Seconds; null if nobody was called. */
  median: number | null;
  /** The number of leads that were called within each of the given minutes. */
  within: number[];
}

/** The time to the first call of the leads created in the period. A call before the lead was created here counts as immediate. */
export async function sumFirstCalls(db: Db, input: LeadsInput & { minutes: number[] }): Promise<FirstCalls> {
  // `offset 0`: the wait is computed once for each lead, not once for each band.
  const within = input.minutes.map(
    (minutes) => sql`count(*) filter (where seconds <= ${sql.constant(minutes * 60)})`,
  );
  return queryOnly<FirstCalls>(
    db,
    sql`select count(*)::int as called, percentile_cont(0.5) within group (order by seconds)::float8 as median,
       array[${sql.join(within, sql`, `)}]::int[] as within
     from (select greatest(date_part('epoch', l.first_attempt_at - l.created_at), 0) as seconds
       from leads l where l.first_attempt_at is not null and ${createdIn(input)} offset 0) waits`,
  );
}

export interface ConsultantRow {
  userId: number;
  name: string;
  active: boolean;
  /** Leads assigned now. */
  leads: number;
}

/** The consultants with an active account or with leads, and the users in `andIds`, who have figures. Or one user alone (`userId`). */
export async function listConsultants(
  db: Db,
  { userId, andIds }: { userId?: number | undefined; andIds: number[] },
): Promise<ConsultantRow[]> {
  return query<ConsultantRow>(
    db,
    sql`select u.id as "userId", u.name, u.disabled_at is null as active, coalesce(o.leads, 0) as leads
     from users u left join (
       select user_id, sum(n)::float8 as leads from ${currentMetricsSql(["lead_owner"])} f group by user_id
     ) o on o.user_id = u.id
     where ${
       userId !== undefined
         ? sql`u.id = ${userId}`
         : sql`(u.id = any(${sql.param(andIds)}::int[]) or o.leads > 0 or (u.role = 'consultant' and u.disabled_at is null))`
     }`,
  );
}
