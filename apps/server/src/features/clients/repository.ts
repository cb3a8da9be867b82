import type { RepFilter } from "@portal/contract/entities/fields";
import type { Priority } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import type { ConvertedClient, clientFilters, clientSorts } from "@portal/contract/routes/clients";
import type { SQL } from "drizzle-orm";
import { likePattern, searchTerms } from "../../domain/search-text.ts";
import type { Db } from "../../platform/db/client.ts";
import { currentMetricsSql } from "../../platform/db/metrics.ts";
import { allOf, query, queryOnly, sql } from "../../platform/db/query.ts";
import { byRepSql, inRangeSql, type ListRange, onDaySql } from "../../platform/db/sql/filters.ts";
import { extraFieldsSql, extraLinesSql } from "../../platform/db/sql/leads.ts";

export type ClientSort = (typeof clientSorts)[number];

export interface ClientFilter {
  /** Words of name, e-mail, phone or company. */
  search?: string | undefined;
  filter?: Exclude<(typeof clientFilters)[number], "all"> | undefined;
  range?: Exclude<ListRange, "today"> | undefined;
  /** Converted on this day in the organization's time zone, YYYY-MM-DD. */
  day?: string | undefined;
  /** The last of several days from `day`. */
  until?: string | undefined;
  /** The user who converted the lead. */
  rep?: RepFilter | undefined;
  sort: ClientSort;
  /** The organization's time zone, which determines its days. */
  timeZone: string;
}

export interface ClientRow {
  id: number;
  leadId: number;
  name: string;
  email: string | null;
  phone: string | null;
  priority: Priority;
  convertedAt: Date;
  leadSource: string | null;
  conversionValue: number;
  salesRepName: string | null;
  totalCalls: number;
  lastContactedAt: Date | null;
  attempts: number;
  lastAttemptAt: Date | null;
  lastAttemptOutcome: ConvertedClient["lastAttemptOutcome"];
  /** Fields of the lead's source without a column here, for exports: as stored, and as lines of text. */
  extraFields?: Record<string, unknown> | null;
  extraLines?: string | null;
  /** The sort key as PostgreSQL writes it, and the id that follows it. */
  keysetAt: string;
  keysetId: number;
}

/** The columns of each sort order: the key, its type, the id that follows it, and whether it is descending. */
const sorts: Record<ClientSort, { key: SQL; type: SQL; id: SQL; falling: boolean }> = {
  recent: { key: sql`k.converted_at`, type: sql`timestamptz`, id: sql`k.id`, falling: true },
  // A different expression than in the leads' index by name: that index would be scanned over all leads that are not clients.
  name: { key: sql`lower(l.name)`, type: sql`text`, id: sql`l.id`, falling: false },
  value: { key: sql`k.conversion_value`, type: sql`numeric`, id: sql`k.id`, falling: true },
  calls: { key: sql`l.attempts`, type: sql`int`, id: sql`k.id`, falling: true },
};

const from = sql`from clients k join leads l on l.id = k.lead_id
  left join users u on u.id = l.assigned_to`;

function where({ search, filter, range, day, until, rep, timeZone }: ClientFilter): SQL {
  const at = sql`k.converted_at`;
  return allOf(
    ...searchTerms(search ?? "").map((term) => sql`l.search like ${likePattern(term)}`),
    filter === "high_value" && sql`k.conversion_value > ${sql.constant(limits.highValue)}`,
    filter === "recent" && inRangeSql(at, "month", timeZone),
    range && inRangeSql(at, range, timeZone),
    day && onDaySql(at, { day, until, timeZone }),
    rep !== undefined && byRepSql(sql`k.converted_by`, rep),
  );
}

/** Clients of the filter in its order, after the keyset. */
export async function listClients(
  db: Db,
  input: {
    filter: ClientFilter;
    after: { at: string; id: number } | null;
    limit: number;
    /** Includes the fields of the lead's source that have no column here. */
    withExtra?: boolean;
  },
): Promise<ClientRow[]> {
  const { filter, after, limit, withExtra } = input;
  const { key, type, id, falling } = sorts[filter.sort];
  const isBeyond = falling ? sql`<` : sql`>`;
  const conditions = allOf(
    where(filter),
    after && sql`(${key}, ${id}) ${isBeyond} (${after.at}::${type}, ${after.id}::int)`,
  );
  const extra = withExtra
    ? sql`${extraFieldsSql} as "extraFields", ${extraLinesSql} as "extraLines",`
    : sql.empty();
  const order = falling ? sql`desc nulls last` : sql`asc`;
  return query<ClientRow>(
    db,
    sql`select k.id, k.lead_id as "leadId", l.name, l.email, l.phone, l.priority, k.converted_at as "convertedAt",
       l.lead_source as "leadSource", k.conversion_value::float8 as "conversionValue", u.name as "salesRepName",
       l.attempts as "totalCalls", ${extra} l.last_contacted_at as "lastContactedAt",
       l.attempts, l.last_attempt_at as "lastAttemptAt", l.last_attempt_outcome as "lastAttemptOutcome",
       (${key})::text as "keysetAt", ${id} as "keysetId"
     ${from} where ${conditions} order by ${key} ${order}, ${id} ${order} limit ${limit}`,
  );
}

/** The number of clients of the filter, counted up to `cap`; without `cap`, all. */
export async function countClients(
  db: Db,
  { filter, cap = null }: { filter: ClientFilter; cap?: number | null },
): Promise<number> {
  const leads = filter.search ? sql`join leads l on l.id = k.lead_id` : sql.empty();
  const { count } = await queryOnly<{ count: number }>(
    db,
    sql`select count(*)::int as count from (select 1 from clients k ${leads}
       where ${where(filter)} limit ${cap}) capped`,
  );
  return count;
}

export interface ClientStats {
  totalClients: number;
  thisMonth: number;
  /** The month's first day, YYYY-MM-DD. */
  monthStart: string;
  totalValue: number;
  totalLeads: number;
}

/** The figures of all clients, from the stored metrics. The month is in the organization's time zone. */
export async function sumClients(db: Db, timeZone: string): Promise<ClientStats> {
  return queryOnly<ClientStats>(
    db,
    sql`select coalesce(sum(n) filter (where kind = 'conversion'), 0)::float8 as "totalClients",
       coalesce(sum(n) filter (where kind = 'conversion' and day >= date_trunc('month', now() at time zone ${timeZone})::date), 0)::float8
         as "thisMonth",
       date_trunc('month', now() at time zone ${timeZone})::date::text as "monthStart",
       coalesce(sum(amount) filter (where kind = 'conversion'), 0)::float8 as "totalValue",
       coalesce(sum(n) filter (where kind = 'lead_owner'), 0)::float8 as "totalLeads"
     from ${currentMetricsSql(["conversion", "lead_owner"])} f`,
  );
}
