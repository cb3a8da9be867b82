import type { ReportRange } from "@portal/contract/entities/report";
import { limits } from "@portal/contract/limits";
import type { Db } from "../../db/client.ts";
import { rangeStartSql } from "../../db/sql/range-start.ts";

/** What a report covers. Instants have PostgreSQL's own precision; days are YYYY-MM-DD of the organisation's clock. */
export interface Period {
  range: ReportRange;
  timeZone: string;
  to: string;
  today: string;
  /** Null for everything: then no period is before. */
  start: {
    from: string;
    previousFrom: string;
    /** The days that the period and the one before begin in the middle of. */
    fromDay: string;
    previousDay: string;
  } | null;
}

const isoSql = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const daySql = (at: string) => `to_char(${at} at time zone $1, 'YYYY-MM-DD')`;

/** The period of a range that ends now, and the one of equal length before, by the organisation's clock. */
export async function findPeriod(
  db: Db,
  { range, timeZone }: { range: ReportRange; timeZone: string },
): Promise<Period> {
  const days = range === "week" ? limits.weekDays : limits.monthDays;
  const begins = range === "all" ? "null::timestamptz" : rangeStartSql(range, "$1");
  const { rows } = await db.$client.query<
    Record<"to" | "today" | "from" | "previousFrom" | "fromDay" | "previousDay", string>
  >(
    `with period as (select now() as ends, ${begins} as begins,
       ((now() at time zone $1) - interval '${2 * days} days') at time zone $1 as before)
     select ${isoSql("ends")} as "to", ${daySql("ends")} as "today", ${isoSql("begins")} as "from",
       ${isoSql("before")} as "previousFrom", ${daySql("begins")} as "fromDay", ${daySql("before")} as "previousDay" from period`,
    [timeZone],
  );
  const [row] = rows;
  if (!row) throw new Error("no clock");
  const { to, today, from, previousFrom, fromDay, previousDay } = row;
  return {
    range,
    timeZone,
    to,
    today,
    start: range === "all" ? null : { from, previousFrom, fromDay, previousDay },
  };
}
