import type { LeadStatus } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import type { Db } from "../../platform/db/client.ts";
import { currentMetricsSql } from "../../platform/db/metrics.ts";
import { allOf, queryOnly, sql } from "../../platform/db/query.ts";
import { type PastRange, rangeStartSql } from "../../platform/db/sql/filters.ts";

export interface AnalyticsFilter {
  /** The leads assigned to one consultant, or all leads. */
  scope: { salesRepId: number } | "everyone";
  status?: LeadStatus | undefined;
  /** Only calls in this range count; without it, all calls. */
  range?: PastRange | undefined;
  /** The organization's time zone, which determines its days. */
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

/** How many leads were called how often: computed from their rows, or for all leads and all time from the stored metrics. */
const countsSql = sql`select count(*)::int as called, count(*) filter (where calls = 1)::int as once,
  count(*) filter (where calls = 2)::int as twice, count(*) filter (where calls > 2)::int as often,
  coalesce(sum(calls), 0)::float8 as "totalCalls" from k`;
const countedSql = sql`select coalesce(sum(n), 0)::int as called, coalesce(sum(n) filter (where label = '1'), 0)::int as once,
  coalesce(sum(n) filter (where label = '2'), 0)::int as twice, coalesce(sum(n) filter (where label = '3+'), 0)::int as often,
  coalesce(sum(amount), 0)::float8 as "totalCalls" from ${currentMetricsSql(["lead_calls"])} f`;

const leadColumns = sql`l.id as "leadId", l.name as "leadName", l.status as "leadStatus"`;

/**
 * How often leads were called by logged outbound calls: for all time from the leads' rows, for a range from the logs by index. One
 * statement, so that counts and lists agree.
 */
export async function countLeadCalls(db: Db, filter: AnalyticsFilter): Promise<AnalyticsRow> {
  const { scope, status, range } = filter;
  const repId = scope === "everyone" ? null : scope.salesRepId;
  const where = allOf(repId !== null && sql`l.assigned_to = ${repId}`, status && sql`l.status = ${status}`);
  const counted = allOf(repId !== null && sql`user_id = ${repId}`, status && sql`label = ${status}`);
  // All calls need no join with the leads.
  const isPart = repId !== null || status !== undefined;
  const ofLeads = isPart ? sql`leads l join` : sql.empty();
  const on = isPart ? sql`on c.lead_id = l.id` : sql.empty();
  const counting =
    range &&
    sql`c.direction = 'outbound' and c.lead_id is not null and c.call_date >= ${rangeStartSql(range, filter.timeZone)}`;
  const calls = counting
    ? sql`materialized (select c.lead_id, count(*)::int as calls, max(c.call_date) as last_call_at
        from ${ofLeads} call_logs c ${on} where ${where} and ${counting} group by c.lead_id)`
    : sql`not materialized (select l.id as lead_id, l.attempts as calls, l.last_attempt_at as last_call_at from leads l where ${where} and l.attempts > 0)`;
  // Uses the index of the lead, so that only a few of the newest leads are checked.
  const uncalled = counting
    ? sql`not exists (select 1 from call_logs c where ${counting} and c.lead_id = l.id)`
    : sql`l.attempts = 0`;
  // Clients need no first contact: they are counted, but listed only on request. Only the rows of the listed leads are read; if nearly
  // every lead was called, all leads are scanned.
  const newest = sql`order by l.created_at desc nulls last, l.id desc nulls last`;
  return queryOnly<AnalyticsRow>(
    db,
    sql`with k as ${calls},
       counts as (${isPart || range ? countsSql : countedSql}),
       totals as (select coalesce(sum(n), 0)::int as "totalLeads" from ${currentMetricsSql(["lead_owner"])} f where ${counted}),
       never as (select ${leadColumns} from (
           select l.id from leads l where ${where} ${status ? sql.empty() : sql`and l.status <> 'converted'`} and (select "totalLeads" > called from totals, counts)
             and ${uncalled}
           ${newest} limit ${sql.constant(limits.neverCalledRows)}) n join leads l on l.id = n.id ${newest}),
       most as (select * from k order by calls desc nulls last, last_call_at desc nulls last, lead_id desc nulls last limit ${sql.constant(limits.callFrequencyRows)})
     select totals.*, counts.*,
       (select coalesce(json_agg(never), '[]') from never) as "neverCalled",
       (select coalesce(json_agg(m), '[]') from (select ${leadColumns}, most.calls as "callCount", most.last_call_at as "lastCallDate"
          from most join leads l on l.id = most.lead_id
          order by most.calls desc, most.last_call_at desc, most.lead_id desc) m) as "mostCalled"
     from totals, counts`,
    { prepared: true },
  );
}
