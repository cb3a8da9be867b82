import type { LeadStatus } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import type { Db } from "../../../platform/db/client.ts";
import { prepared } from "../../../platform/db/prepared.ts";
import { type PastRange, rangeStartSql } from "../../../platform/db/sql/filters.ts";
import { currentMetricsSql } from "../../../platform/db/sql/metrics.ts";

export interface AnalyticsFilter {
  /** The leads assigned to one consultant, or everyone's. */
  scope: { salesRepId: number } | "everyone";
  status?: LeadStatus | undefined;
  /** Only calls of this range count; all of them without. */
  range?: PastRange | undefined;
  /** The organisation's zone, in which its days are counted. */
  timeZone: string;
}

interface LeadOf {
  leadId: number;
  leadName: string;
  leadStatus: LeadStatus;
}

export interface AnalyticsRow {
  totalLeads: number;
  called: number;
  once: number;
  twice: number;
  often: number;
  totalCalls: number;
  neverCalled: LeadOf[];
  mostCalled: (LeadOf & { callCount: number; lastCallDate: string })[];
}

/** How many leads were called how often: counted from them, or for everyone's of all time as it is kept. */
const countsSql = `select count(*)::int as called, count(*) filter (where calls = 1)::int as once,
  count(*) filter (where calls = 2)::int as twice, count(*) filter (where calls > 2)::int as often,
  coalesce(sum(calls), 0)::float8 as "totalCalls" from k`;
const countedSql = `select coalesce(sum(n), 0)::int as called, coalesce(sum(n) filter (where label = '1'), 0)::int as once,
  coalesce(sum(n) filter (where label = '2'), 0)::int as twice, coalesce(sum(n) filter (where label = '3+'), 0)::int as often,
  coalesce(sum(amount), 0)::float8 as "totalCalls" from ${currentMetricsSql(["lead_calls"])} f`;

const leadColumns = `l.id as "leadId", l.name as "leadName", l.status as "leadStatus"`;

/**
 * How often leads were called by logged outbound calls: of all time from `lead_calls`, of a range from the logs by index. One statement, so
 * that counts and lists are of one moment.
 */
export async function countLeadCalls(db: Db, filter: AnalyticsFilter): Promise<AnalyticsRow> {
  const { scope, status, range } = filter;
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const owner = scope === "everyone" ? null : place(scope.salesRepId);
  const kept = [
    ...(owner ? [`l.assigned_to = ${owner}`] : []),
    ...(status ? [`l.status = ${place(status)}`] : []),
  ];
  const counted = [
    "true",
    ...(owner ? [`user_id = ${owner}`] : []),
    ...(status ? [`label = ${place(status)}`] : []),
  ];
  // Everyone's calls need no lead beside them.
  const ofLeads = kept.length > 0 ? "leads l join" : "";
  const on = (lead: string) => (kept.length > 0 ? `on ${lead} = l.id` : "");
  const where = kept.length > 0 ? kept.join(" and ") : "true";
  const everything = kept.length === 0 && !range;
  const since = range && rangeStartSql(range, `${place(filter.timeZone)}::text`);
  const counting = `c.direction = 'outbound' and c.lead_id is not null and c.call_date >= ${since}`;
  const calls = since
    ? `materialized (select c.lead_id, count(*)::int as calls, max(c.call_date) as last_call_at
        from ${ofLeads} call_logs c ${on("c.lead_id")} where ${where} and ${counting} group by c.lead_id)`
    : `not materialized (select k.lead_id, k.calls, k.last_call_at from ${ofLeads} lead_calls k ${on("k.lead_id")} where ${where})`;
  // By the index of the lead, so that few of the newest leads are looked at.
  const called = since ? `call_logs c where ${counting} and c.lead_id` : "lead_calls n where n.lead_id";
  // Clients need no first contact: they are counted, and listed only where they are asked for. The rows themselves are read of those few alone: where hardly any lead was never called, all are looked through.
  const newest = "order by l.created_at desc nulls last, l.id desc nulls last";
  const text = `with k as ${calls},
       counts as (${everything ? countedSql : countsSql}),
       totals as (select coalesce(sum(n), 0)::int as "totalLeads" from ${currentMetricsSql(["lead_owner"])} f where ${counted.join(" and ")}),
       never as (select ${leadColumns} from (
           select l.id from leads l where ${where}${status ? "" : " and l.status <> 'converted'"} and (select "totalLeads" > called from totals, counts)
             and not exists (select 1 from ${called} = l.id)
           ${newest} limit ${limits.neverCalledRows}) n join leads l on l.id = n.id ${newest}),
       most as (select * from k order by calls desc nulls last, last_call_at desc nulls last, lead_id desc nulls last limit ${limits.callFrequencyRows})
     select totals.*, counts.*,
       (select coalesce(json_agg(never), '[]') from never) as "neverCalled",
       (select coalesce(json_agg(m), '[]') from (select ${leadColumns}, most.calls as "callCount", most.last_call_at as "lastCallDate"
          from most join leads l on l.id = most.lead_id
          order by most.calls desc, most.last_call_at desc, most.lead_id desc) m) as "mostCalled"
     from totals, counts`;
  const { rows } = await db.$client.query<AnalyticsRow>(prepared(text, values));
  const [row] = rows;
  if (!row) throw new Error("an aggregate without a row");
  return row;
}
