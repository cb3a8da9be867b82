import type { Db } from "../../db/client.ts";
import { dayEndSql } from "../../db/sql/day-end.ts";

/** The organisation's day of now: its first instant and that of the next one, with PostgreSQL's own precision. */
export interface Day {
  start: string;
  end: string;
}

const isoSql = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export async function findDay(db: Db, timeZone: string): Promise<Day> {
  const yesterdayNoon =
    "((((now() at time zone $1)::date - 1)::timestamp + interval '12 hours') at time zone $1)";
  const { rows } = await db.$client.query<Day>(
    `select ${isoSql(dayEndSql(yesterdayNoon, "$1"))} as start, ${isoSql(dayEndSql("now()", "$1"))} as "end"`,
    [timeZone],
  );
  const [day] = rows;
  if (!day) throw new Error("no clock");
  return day;
}
