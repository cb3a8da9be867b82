import type { ReportRange } from "@portal/contract/entities/report";
import type { Db } from "../../../platform/db/client.ts";
import {
  dateSql,
  midnightSql,
  previousEndSql,
  previousStartSql,
  rangeDays,
  rangeStartSql,
} from "../../../platform/db/sql/filters.ts";
import {
  currentMetricsSql,
  kindsBySource,
  type MetricKind,
  type MetricSource,
  metricRowsSql,
} from "../../../platform/db/sql/metrics.ts";
import { type LogFilter, selectsOf } from "../../telephony/outcomes/log-repository.ts";

/** What a report covers. Instants have PostgreSQL's own precision; days are YYYY-MM-DD of the organisation's clock. */
export interface Period {
  range: ReportRange;
  timeZone: string;
  to: string;
  today: string;
  /** Null for everything: then no period is before. */
  start: {
    /** The first date of the period, and where it begins. */
    day: string;
    at: string;
    before: {
      /** The first date of the period before, and where it begins. */
      day: string;
      at: string;
      /** Its last date, where that begins, and the time on it at which the period before ends. */
      lastDay: string;
      lastDayAt: string;
      endAt: string;
    };
  } | null;
}

const zone = "$1::text";
const isoSql = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const dayText = (daysAgo: number) => `to_char(${dateSql(zone, daysAgo)}, 'YYYY-MM-DD')`;

function startSql(range: Exclude<ReportRange, "all">): string {
  const days = rangeDays[range];
  return `json_build_object('day', ${dayText(days - 1)}, 'at', ${isoSql(rangeStartSql(range, zone))},
    'before', json_build_object('day', ${dayText(2 * days - 1)}, 'at', ${isoSql(previousStartSql(range, zone))},
      'lastDay', ${dayText(days)}, 'lastDayAt', ${isoSql(midnightSql(dateSql(zone, days), zone))},
      'endAt', ${isoSql(previousEndSql(range, zone))}))`;
}

/** The period of a range that ends now, and the one of equal length before, by the organisation's clock. */
export async function findPeriod(
  db: Db,
  { range, timeZone }: { range: ReportRange; timeZone: string },
): Promise<Period> {
  const { rows } = await db.$client.query<Pick<Period, "to" | "today" | "start">>(
    `select ${isoSql("now()")} as "to", ${dayText(0)} as today,
       ${range === "all" ? "null" : startSql(range)} as start`,
    [timeZone],
  );
  const [row] = rows;
  if (!row) throw new Error("no clock");
  return { range, timeZone, to: row.to, today: row.today, start: row.start };
}

export type ReportMetricKind = Exclude<MetricKind, "lead_owner" | "lead_calls">;
/** Everyone's figures, or those of a consultant. */
export type ReportScope = LogFilter["scope"];

/** Parts of a statement over the rows of a scope; each brings the values that it needs. */
interface Sources {
  values: unknown[];
  place(value: unknown): string;
  /** SQL of the organisation's zone. */
  zone(): string;
  /** The rows that metrics count, as selects of `kind`, `at`, `user_id`, `label` and `amount`. */
  rowsOf(kinds: readonly ReportMetricKind[]): string[];
}

const logColumns =
  "c.id, c.call_date, c.user_id, c.outcome, c.direction, c.duration_seconds, c.reported_seconds";
const messageColumns = "m.id, m.created_at, m.user_id, m.direction, m.status";

/** What there is in a scope: the calls that the call history shows, the texts and the clients with them, and the leads. */
function sourcesOf(scope: ReportScope, timeZone: string): Sources {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  /** The selects of a consultant's rows; a row may stand in two. */
  const own: Record<MetricSource, (userId: number) => string[]> = {
    calls: (userId) => selectsOf({ scope: { userId }, timeZone }, { columns: logColumns, values }).sqls,
    texts: (userId) => [
      `select ${messageColumns} from messages m where m.user_id = ${place(userId)}`,
      `select ${messageColumns} from leads l join messages m on m.lead_id = l.id where l.assigned_to = ${place(userId)}`,
    ],
    conversions: (userId) => [
      `select k.* from leads l join clients k on k.lead_id = l.id where l.assigned_to = ${place(userId)}`,
    ],
    leads: (userId) => [`select * from leads l where l.assigned_to = ${place(userId)}`],
    owners: (userId) => [`select * from leads l where l.assigned_to = ${place(userId)}`],
  };
  const rowsOf = (kinds: readonly ReportMetricKind[]) =>
    kindsBySource.flatMap(({ source, kinds: all }) => {
      const wanted = kinds.filter((kind) => all.includes(kind));
      if (wanted.length === 0) return [];
      const from = scope === "everyone" ? undefined : `(${own[source](scope.userId).join(" union ")}) r`;
      return [metricRowsSql(source, wanted, { ...(from && { from }) })];
    });
  return { values, place, zone: () => `${place(timeZone)}::text`, rowsOf };
}

/** A sum of rows: of the period or the one before, by what it was asked for. */
export interface MetricRow {
  part: "now" | "before";
  kind: ReportMetricKind;
  /** Day (YYYY-MM-DD), weekday (1 is Monday) or consultant; empty where only the sum is asked for, and for the kind `lead` by day. */
  bucket: string;
  label: string;
  n: number;
  amount: number;
}

const bucketSql = {
  // No chart shows leads by day, of which there are many more than days with calls.
  day: "case when kind <> 'lead' then day end",
  weekday: "extract(isodow from day)",
  user: "user_id",
  none: "''::text",
} as const;

interface FiguresInput {
  kinds: readonly ReportMetricKind[];
  period: Period;
  bucket: keyof typeof bucketSql;
  /** The period before as well. */
  before: boolean;
}

function summed(parts: string[], bucket: FiguresInput["bucket"]): string {
  return `select part, kind, coalesce((${bucketSql[bucket]})::text, '') as bucket, label, sum(n)::float8 as n, sum(amount)::float8 as amount
    from (${parts.join(" union all ")}) f (part, kind, day, user_id, label, n, amount)
    group by part, kind, ${bucketSql[bucket]}, label having sum(n) <> 0 or sum(amount) <> 0`;
}

/**
 * Everyone's figures, or what one consultant did (`userId`): whole days as they are counted, and the rows of the day in whose middle the
 * period before ends. One statement, so that all of it is true at one moment. Nothing is cut at the end of the period, which is now.
 */
export async function sumEveryone(
  db: Db,
  { kinds, period, bucket, before, userId }: FiguresInput & { userId?: number | undefined },
): Promise<MetricRow[]> {
  const { values, place, rowsOf } = sourcesOf("everyone", period.timeZone);
  const who = userId === undefined ? "true" : `user_id = ${place(userId)}`;
  const counted = (part: MetricRow["part"], where: string) =>
    `select '${part}', kind, day, user_id, label, n, amount from ${currentMetricsSql(kinds)} f
     where ${who} and ${where}`;
  const { start } = period;
  const parts = [counted("now", start ? `day >= ${place(start.day)}::date` : "true")];
  if (start && before) {
    const { day, lastDay, lastDayAt, endAt } = start.before;
    const [first, last] = [`${place(day)}::date`, `${place(lastDay)}::date`];
    parts.push(counted("before", `day >= ${first} and day < ${last}`));
    parts.push(`select 'before', kind, ${last}, user_id, label, 1::bigint, amount::numeric
      from (${rowsOf(kinds).join(" union all ")}) r
      where ${who} and at >= ${place(lastDayAt)}::timestamptz and at < ${place(endAt)}::timestamptz`);
  }
  return (await db.$client.query<MetricRow>(summed(parts, bucket), values)).rows;
}

/** A consultant's figures, from the rows: what is theirs moves with every lead that changes hands. */
async function sumOwn(db: Db, input: FiguresInput & { scope: ReportScope }): Promise<MetricRow[]> {
  const { kinds, period, bucket, before, scope } = input;
  const { values, place, zone, rowsOf } = sourcesOf(scope, period.timeZone);
  const { start } = period;
  const instant = (at: string) => `${place(at)}::timestamptz`;
  const from = start && instant(start.at);
  const isBefore =
    start && before && `at >= ${instant(start.before.at)} and at < ${instant(start.before.endAt)}`;
  const within = [from && `at >= ${from}`, isBefore && `(${isBefore})`].filter(Boolean).join(" or ");
  const rows = `select ${from ? `case when at >= ${from} then 'now' else 'before' end` : "'now'"}, kind, (at at time zone ${zone()})::date,
      user_id, label, 1::bigint, amount::numeric
    from (${rowsOf(kinds).join(" union all ")}) r where ${within || "true"}`;
  return (await db.$client.query<MetricRow>(summed([rows], bucket), values)).rows;
}

/** Figures of what a person may see: everything, or their own calls and leads. */
export function sumMetrics(db: Db, input: FiguresInput & { scope: ReportScope }): Promise<MetricRow[]> {
  return input.scope === "everyone" ? sumEveryone(db, input) : sumOwn(db, input);
}

interface LeadsInput {
  scope: ReportScope;
  period: Period;
}

/** Leads `l` of the scope that were created in the period, as the condition of a statement. */
function createdIn({ scope, period }: LeadsInput) {
  const { values, place } = sourcesOf(scope, period.timeZone);
  const parts: string[] = [];
  if (scope !== "everyone") parts.push(`l.assigned_to = ${place(scope.userId)}`);
  if (period.start) parts.push(`l.created_at >= ${place(period.start.at)}::timestamptz`);
  return { values, where: parts.join(" and ") || "true" };
}

/** How many of the leads that were created in the period are clients now, by source ('' none). */
export async function countConvertedSources(db: Db, input: LeadsInput): Promise<Map<string, number>> {
  const { values, where } = createdIn(input);
  const { rows } = await db.$client.query<{ source: string; converted: number }>(
    `select left(coalesce(l.lead_source, ''), 200) as source, count(*)::int as converted
     from leads l join clients k on k.lead_id = l.id where ${where} group by 1`,
    values,
  );
  return new Map(rows.map(({ source, converted }) => [source, converted]));
}

export interface FirstCalls {
  called: number;
  /** Seconds; null where nobody was called. */
  median: number | null;
  /** Leads that were called within so many minutes, for each of what was asked. */
  within: number[];
}

/** How soon the leads that were created in the period were called. A call before the lead was created here counts as at once. */
export async function sumFirstCalls(db: Db, input: LeadsInput & { minutes: number[] }): Promise<FirstCalls> {
  const { values, where } = createdIn(input);
  // `offset 0`: the wait is worked out once for a lead, not once for each band.
  const within = input.minutes.map((minutes) => `count(*) filter (where seconds <= ${minutes * 60})`);
  const { rows } = await db.$client.query<FirstCalls>(
    `select count(*)::int as called, percentile_cont(0.5) within group (order by seconds)::float8 as median,
       array[${within.join(", ")}]::int[] as within
     from (select greatest(date_part('epoch', n.first_call_at - l.created_at), 0) as seconds
       from leads l join lead_calls n on n.lead_id = l.id where ${where} offset 0) waits`,
    values,
  );
  const [row] = rows;
  if (!row) throw new Error("an aggregate without a row");
  return row;
}

export interface ConsultantRow {
  userId: number;
  name: string;
  active: boolean;
  /** Leads assigned now. */
  leads: number;
}

/**
 * The consultants: those with an open account or with leads, and whoever else (`andIds`) did something. Or one person alone (`userId`).
 */
export async function listConsultants(
  db: Db,
  { userId, andIds }: { userId?: number | undefined; andIds: number[] },
): Promise<ConsultantRow[]> {
  const { rows } = await db.$client.query<ConsultantRow>(
    `select u.id as "userId", u.name, u.disabled_at is null as active, coalesce(o.leads, 0) as leads
     from users u left join (
       select user_id, sum(n)::float8 as leads from ${currentMetricsSql(["lead_owner"])} f group by user_id
     ) o on o.user_id = u.id
     where case when $1::int is not null then u.id = $1
       else u.id = any($2::int[]) or o.leads > 0 or (u.role = 'consultant' and u.disabled_at is null) end`,
    [userId ?? null, andIds],
  );
  return rows;
}
