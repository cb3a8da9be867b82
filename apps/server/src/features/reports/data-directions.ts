import type { Db } from "../../db/client.ts";
import type { Period } from "./data-period.ts";
import { type ReportScope, sourcesOf } from "./data-sources.ts";

/** How many of the period's calls went out. Of all time every one but a stranger's stands in `lead_calls`; of a period the logs are read. */
export async function countOutbound(
  db: Db,
  { scope, period }: { scope: ReportScope; period: Period },
): Promise<number> {
  const { values, place, logs } = sourcesOf(scope, period.timeZone);
  const since = () => (period.start ? `and c.call_date >= ${place(period.start.now.at)}::timestamptz` : "");
  const sql =
    scope === "everyone" && !period.start
      ? `select (select coalesce(sum(calls), 0) from lead_calls)::float8
           + (select count(*) from call_logs where lead_id is null and direction = 'outbound') as outbound`
      : `select count(*)::float8 as outbound from ${logs("c.id, c.call_date, c.direction")}
         where c.direction = 'outbound' ${since()}`;
  const { rows } = await db.$client.query<{ outbound: number }>(sql, values);
  return rows[0]?.outbound ?? 0;
}
