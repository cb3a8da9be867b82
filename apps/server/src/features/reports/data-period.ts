import type { ReportRange } from "@portal/contract/entities/report";
import type { Db } from "../../db/client.ts";
import { dayEndSql } from "../../db/sql/day-end.ts";
import { previousStartSql, rangeStartSql } from "../../db/sql/range-start.ts";

/** An instant within a day: the day (YYYY-MM-DD of the organisation's clock), and where the day ends. */
interface Start {
  at: string;
  day: string;
  dayEnd: string;
}

/** What a report covers. Instants have PostgreSQL's own precision. */
export interface Period {
  range: ReportRange;
  timeZone: string;
  to: string;
  today: string;
  /** Where it and the period before begin, each in the middle of a day; null for everything: then no period is before. */
  start: { now: Start; before: Start } | null;
}

const isoSql = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const daySql = (at: string) => `to_char(${at} at time zone $1, 'YYYY-MM-DD')`;
const startSql = (at: string) =>
  `json_build_object('at', ${isoSql(at)}, 'day', ${daySql(at)}, 'dayEnd', ${isoSql(dayEndSql(at, "$1"))})`;

/** The period of a range that ends now, and the one of equal length before, by the organisation's clock. */
export async function findPeriod(
  db: Db,
  { range, timeZone }: { range: ReportRange; timeZone: string },
): Promise<Period> {
  const begins =
    range === "all"
      ? "null"
      : `json_build_object('now', ${startSql(`(${rangeStartSql(range, "$1")})`)},
          'before', ${startSql(`(${previousStartSql(range, "$1")})`)})`;
  const { rows } = await db.$client.query<Pick<Period, "to" | "today" | "start">>(
    `select ${isoSql("now()")} as "to", ${daySql("now()")} as today,
       ${begins} as start`,
    [timeZone],
  );
  const [row] = rows;
  if (!row) throw new Error("no clock");
  return { range, timeZone, to: row.to, today: row.today, start: row.start };
}
