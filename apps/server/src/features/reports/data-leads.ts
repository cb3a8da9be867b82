import type { Db } from "../../db/client.ts";
import type { Period } from "./data-period.ts";
import { type ReportScope, sourcesOf } from "./data-sources.ts";

interface LeadsInput {
  scope: ReportScope;
  period: Period;
}

/** Leads `l` of the scope that were created in the period, as the condition of a statement. */
function createdIn({ scope, period }: LeadsInput) {
  const { values, place } = sourcesOf(scope, period.timeZone);
  const parts: string[] = [];
  if (scope !== "everyone") parts.push(`l.assigned_to = ${place(scope.userId)}`);
  if (period.start) parts.push(`l.created_at >= ${place(period.start.now.at)}::timestamptz`);
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
