import type { Db } from "../../db/client.ts";
import { onDaySql } from "../../db/sql/on-day.ts";
import type { Period } from "./data-period.ts";
import { type FigureKind, type ReportScope, sourcesOf } from "./data-sources.ts";

/** A sum of rows: of the period or the one before, by what it was asked for. */
export interface FigureRow {
  part: "now" | "before";
  kind: FigureKind;
  /** Day (YYYY-MM-DD), weekday (1 is Monday) or consultant; empty where only the sum is asked for. */
  bucket: string;
  label: string;
  n: number;
  amount: number;
}

const bucketSql = {
  day: "day",
  weekday: "extract(isodow from day)",
  user: "user_id",
  none: "''::text",
} as const;

interface FiguresInput {
  kinds: FigureKind[];
  period: Period;
  bucket: keyof typeof bucketSql;
  /** The period before as well. */
  before: boolean;
}

function summed(parts: string[], bucket: FiguresInput["bucket"]): string {
  return `select part, kind, (${bucketSql[bucket]})::text as bucket, label, sum(n)::float8 as n, sum(amount)::float8 as amount
    from (${parts.join(" union all ")}) f (part, kind, day, user_id, label, n, amount)
    group by part, kind, ${bucketSql[bucket]}, label having sum(n) <> 0 or sum(amount) <> 0`;
}

/**
 * Everyone's figures, or what one consultant did (`userId`): whole days as they are counted, and the rows of the two days in whose middle
 * the periods begin. One statement, so that all of it is true at one moment. Nothing is cut at the end, which is now.
 */
export async function sumEveryone(
  db: Db,
  { kinds, period, bucket, before, userId }: FiguresInput & { userId?: number | undefined },
): Promise<FigureRow[]> {
  const { values, place, zone, rowsOf } = sourcesOf("everyone", period.timeZone);
  const who = userId === undefined ? "true" : `user_id = ${place(userId)}`;
  const counted = (part: string, where: string) =>
    `select ${part}, kind, day, user_id, label, n, amount from current_figures
     where kind = any(${place(kinds)}::text[]) and ${who} and ${where}`;
  const { start } = period;
  if (!start) {
    const { rows } = await db.$client.query<FigureRow>(summed([counted("'now'", "true")], bucket), values);
    return rows;
  }
  const from = `${place(start.from)}::timestamptz`;
  const fromDay = place(start.fromDay);
  const cut = (kind: FigureKind, part: string, where: string) =>
    `select ${part}, '${kind}', (at at time zone ${zone()})::date, user_id, label, 1::bigint, amount::numeric
     from (${rowsOf(kind)}) r where ${who} and ${where}`;
  const parts = [counted("'now'", `day > ${fromDay}::date`)];
  for (const kind of kinds)
    parts.push(cut(kind, "'now'", `${onDaySql("at", fromDay, zone())} and at >= ${from}`));
  if (before) {
    const previousFrom = `${place(start.previousFrom)}::timestamptz`;
    const previousDay = place(start.previousDay);
    parts.push(counted("'before'", `day > ${previousDay}::date and day < ${fromDay}::date`));
    for (const kind of kinds) {
      parts.push(cut(kind, "'before'", `${onDaySql("at", fromDay, zone())} and at < ${from}`));
      parts.push(cut(kind, "'before'", `${onDaySql("at", previousDay, zone())} and at >= ${previousFrom}`));
    }
  }
  const { rows } = await db.$client.query<FigureRow>(summed(parts, bucket), values);
  return rows;
}

/** A consultant's figures, from the rows: what is theirs moves with every lead that changes hands. */
async function sumOwn(db: Db, input: FiguresInput & { scope: ReportScope }): Promise<FigureRow[]> {
  const { kinds, period, bucket, before, scope } = input;
  const { values, place, zone, rowsOf } = sourcesOf(scope, period.timeZone);
  const { start } = period;
  const from = start && `${place(start.from)}::timestamptz`;
  const first = start && before ? `${place(start.previousFrom)}::timestamptz` : from;
  const part = from ? `case when at >= ${from} then 'now' else 'before' end` : "'now'";
  const parts = kinds.map(
    (kind) =>
      `select ${part}, '${kind}', (at at time zone ${zone()})::date, user_id, label, 1::bigint, amount::numeric
       from (${rowsOf(kind)}) r where ${first ? `at >= ${first}` : "true"}`,
  );
  const { rows } = await db.$client.query<FigureRow>(summed(parts, bucket), values);
  return rows;
}

/** Figures of what a person may see: everything, or their own calls and leads. */
export function sumFigures(db: Db, input: FiguresInput & { scope: ReportScope }): Promise<FigureRow[]> {
  return input.scope === "everyone" ? sumEveryone(db, input) : sumOwn(db, input);
}
