import type { Db } from "../../db/client.ts";
import type { Day } from "./data-day.ts";

export interface SystemRow {
  totalLeads: number;
  converted: number;
  totalCalls: number;
  leadsProcessedToday: number;
}

/** Leads and calls of everybody. Logged calls that went out are those that leads were called by. */
export async function readSystem(db: Db, { start, end }: Day): Promise<SystemRow> {
  const today = "l.last_contacted_at >= $1::timestamptz and l.last_contacted_at < $2::timestamptz";
  const { rows } = await db.$client.query<SystemRow>(
    `select
       coalesce(sum(n) filter (where kind = 'lead_owner'), 0)::float8 as "totalLeads",
       coalesce(sum(n) filter (where kind = 'lead_owner' and label = 'converted'), 0)::float8 as converted,
       coalesce(sum(amount) filter (where kind = 'lead_calls'), 0)::float8 as "totalCalls",
       (select count(*)::int from users u cross join lateral (select 1 from leads l where l.assigned_to = u.id and ${today}) c)
         + (select count(*)::int from leads l where l.assigned_to is null and ${today}) as "leadsProcessedToday"
     from current_figures where kind in ('lead_owner', 'lead_calls')`,
    [start, end],
  );
  const [row] = rows;
  if (!row) throw new Error("an aggregate without a row");
  return row;
}
