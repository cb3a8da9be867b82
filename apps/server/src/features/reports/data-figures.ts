import type { Db } from "../../db/client.ts";
import type { Period } from "./data-period.ts";
import { type FigureKind, type ReportScope, sourcesOf } from "./data-sources.ts";

/** A sum of rows: of the period or the one before, by what it was asked for. */
export interface FigureRow {
  part: "now" | "before";
  kind: FigureKind;
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
  kinds: readonly FigureKind[];
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
 * Everyone's figures, or what one consultant did (`userId`): whole days as they are counted, and the rows of the two days in whose middle
 * the periods begin. One statement, so that all of it is true at one moment. Nothing is cut at the end, which is now.
 */
export async function sumEveryone(
  db: Db,
  { kinds, period, bucket, before, userId }: FiguresInput & { userId?: number | undefined },
): Promise<FigureRow[]> {
  const { values, place, rowsOf } = sourcesOf("everyone", period.timeZone);
  const who = userId === undefined ? "true" : `user_id = ${place(userId)}`;
  const counted = (part: string, where: string) =>
    `select ${part}, kind, day, user_id, label, n, amount from current_figures
     where kind = any(${place(kinds)}::text[]) and ${who} and ${where}`;
  const { start } = period;
  if (!start) {
    const { rows } = await db.$client.query<FigureRow>(summed([counted("'now'", "true")], bucket), values);
    return rows;
  }
  const restOfDay = ({ at, day, dayEnd }: typeof start.now) => {
    const from = `${place(at)}::timestamptz`;
    const until = `${place(dayEnd)}::timestamptz`;
    return `select kind, ${place(day)}::date as day, user_id, label, 1::bigint as n, amount::numeric
      from (${rowsOf(kinds).join(" union all ")}) r where ${who} and at >= ${from} and at < ${until}`;
  };
  const cut = restOfDay(start.now);
  const firstDay = `${place(start.now.day)}::date`;
  const parts = [counted("'now'", `day > ${firstDay}`), "select 'now', * from cut"];
  if (before) {
    parts.push(counted("'before'", `day > ${place(start.before.day)}::date and day <= ${firstDay}`));
    parts.push("select 'before', kind, day, user_id, label, -n, -amount from cut");
    parts.push(`select 'before', * from (${restOfDay(start.before)}) first`);
  }
  const { rows } = await db.$client.query<FigureRow>(`with cut as (${cut}) ${summed(parts, bucket)}`, values);
  return rows;
}

/** A consultant's figures, from the rows: what is theirs moves with every lead that changes hands. */
async function sumOwn(db: Db, input: FiguresInput & { scope: ReportScope }): Promise<FigureRow[]> {
  const { kinds, period, bucket, before, scope } = input;
  const { values, place, zone, rowsOf } = sourcesOf(scope, period.timeZone);
  const { start } = period;
  const from = start && `${place(start.now.at)}::timestamptz`;
  const first = start && before ? `${place(start.before.at)}::timestamptz` : from;
  const rows = `select ${from ? `case when at >= ${from} then 'now' else 'before' end` : "'now'"}, kind, (at at time zone ${zone()})::date,
      user_id, label, 1::bigint, amount::numeric
    from (${rowsOf(kinds).join(" union all ")}) r where ${first ? `at >= ${first}` : "true"}`;
  return (await db.$client.query<FigureRow>(summed([rows], bucket), values)).rows;
}

/** Figures of what a person may see: everything, or their own calls and leads. */
export function sumFigures(db: Db, input: FiguresInput & { scope: ReportScope }): Promise<FigureRow[]> {
  return input.scope === "everyone" ? sumEveryone(db, input) : sumOwn(db, input);
}
