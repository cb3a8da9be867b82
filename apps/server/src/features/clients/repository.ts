import type { RepFilter } from "@portal/contract/entities/fields";
import type { Priority } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import type { clientFilters, clientSorts } from "@portal/contract/routes/clients";
import { likePattern, searchTerms } from "../../domain/search-text.ts";
import type { Db } from "../../platform/db/client.ts";
import { byRepSql, inRangeSql, type ListRange, onDaySql } from "../../platform/db/sql/filters.ts";
import { extraFieldsSql, extraLinesSql } from "../../platform/db/sql/leads.ts";
import { currentMetricsSql } from "../../platform/db/sql/metrics.ts";

export type ClientSort = (typeof clientSorts)[number];

export interface ClientFilter {
  /** Words of name, e-mail, phone or company. */
  search?: string | undefined;
  filter?: Exclude<(typeof clientFilters)[number], "all"> | undefined;
  range?: Exclude<ListRange, "today"> | undefined;
  /** Converted on this day of the organisation's clock, YYYY-MM-DD. */
  day?: string | undefined;
  /** The last of several days from `day`. */
  until?: string | undefined;
  /** Who converted the lead. */
  rep?: RepFilter | undefined;
  sort: ClientSort;
  /** The organisation's zone, in which its days are counted. */
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
  /** What came with the lead and has no field here, for exports: as it is kept, and as lines of text. */
  extraFields?: Record<string, unknown> | null;
  extraLines?: string | null;
  /** The sort key as PostgreSQL writes it, and the id that follows it. */
  keysetAt: string;
  keysetId: number;
}

/** By what each sort orders and goes on: the key, its type, the id beside it, and whether the highest come first. */
const sorts: Record<ClientSort, { key: string; type: string; id: string; falling: boolean }> = {
  recent: { key: "k.converted_at", type: "timestamptz", id: "k.id", falling: true },
  // Not in the words of the leads' index by name: it would be walked over all who are no clients.
  name: { key: "lower(l.name)", type: "text", id: "l.id", falling: false },
  value: { key: "k.conversion_value", type: "numeric", id: "k.id", falling: true },
  calls: { key: "coalesce(n.calls, 0)", type: "int", id: "k.id", falling: true },
};

const from = `from clients k join leads l on l.id = k.lead_id left join lead_calls n on n.lead_id = k.lead_id
  left join users u on u.id = l.assigned_to`;

function where(filter: ClientFilter): { parts: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const zone = () => `${place(filter.timeZone)}::text`;
  const parts = searchTerms(filter.search ?? "").map((term) => `l.search like ${place(likePattern(term))}`);
  if (filter.filter === "high_value") parts.push(`k.conversion_value > ${limits.highValue}`);
  if (filter.filter === "recent") parts.push(inRangeSql("k.converted_at", "month", zone()));
  if (filter.range) parts.push(inRangeSql("k.converted_at", filter.range, zone()));
  if (filter.day)
    parts.push(
      onDaySql("k.converted_at", place(filter.day), zone(), filter.until ? place(filter.until) : undefined),
    );
  if (filter.rep !== undefined) parts.push(byRepSql("k.converted_by", filter.rep, place));
  return { parts, values };
}

const whereSql = (parts: string[]) => (parts.length > 0 ? parts.join(" and ") : "true");

/** Clients of the filter in its order, after the keyset. */
export async function listClients(
  db: Db,
  input: {
    filter: ClientFilter;
    after: { at: string; id: number } | null;
    limit: number;
    /** With what came with their leads and has no field here. */
    withExtra?: boolean;
  },
): Promise<ClientRow[]> {
  const { parts, values } = where(input.filter);
  const place = (value: unknown) => `$${values.push(value)}`;
  const { key, type, id, falling } = sorts[input.filter.sort];
  if (input.after)
    parts.push(
      `(${key}, ${id}) ${falling ? "<" : ">"} (${place(input.after.at)}::${type}, ${place(input.after.id)}::int)`,
    );
  const extra = input.withExtra
    ? `${extraFieldsSql} as "extraFields", ${extraLinesSql} as "extraLines",`
    : "";
  const order = falling ? "desc nulls last" : "asc";
  const { rows } = await db.$client.query<ClientRow>(
    `select k.id, k.lead_id as "leadId", l.name, l.email, l.phone, l.priority, k.converted_at as "convertedAt",
       l.lead_source as "leadSource", k.conversion_value::float8 as "conversionValue", u.name as "salesRepName",
       coalesce(n.calls, 0) as "totalCalls", ${extra} l.last_contacted_at as "lastContactedAt",
       (${key})::text as "keysetAt", ${id} as "keysetId"
     ${from} where ${whereSql(parts)} order by ${key} ${order}, ${id} ${order} limit ${place(input.limit)}`,
    values,
  );
  return rows;
}

/** How many clients the filter holds, counted up to `cap`; all of them without. */
export async function countClients(
  db: Db,
  { filter, cap = null }: { filter: ClientFilter; cap?: number | null },
): Promise<number> {
  const { parts, values } = where(filter);
  const leads = filter.search ? "join leads l on l.id = k.lead_id" : "";
  const { rows } = await db.$client.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from clients k ${leads}
       where ${whereSql(parts)} limit $${values.push(cap)}) capped`,
    values,
  );
  return rows[0]?.count ?? 0;
}

export interface ClientStats {
  totalClients: number;
  thisMonth: number;
  /** The month's first day, YYYY-MM-DD. */
  monthStart: string;
  totalValue: number;
  totalLeads: number;
}

/** Figures of all clients, as they are counted. The month is the organisation's. */
export async function sumClients(db: Db, timeZone: string): Promise<ClientStats> {
  const { rows } = await db.$client.query<ClientStats>(
    `select coalesce(sum(n) filter (where kind = 'conversion'), 0)::float8 as "totalClients",
       coalesce(sum(n) filter (where kind = 'conversion' and day >= date_trunc('month', now() at time zone $1)::date), 0)::float8
         as "thisMonth",
       date_trunc('month', now() at time zone $1)::date::text as "monthStart",
       coalesce(sum(amount) filter (where kind = 'conversion'), 0)::float8 as "totalValue",
       coalesce(sum(n) filter (where kind = 'lead_owner'), 0)::float8 as "totalLeads"
     from ${currentMetricsSql(["conversion", "lead_owner"])} f`,
    [timeZone],
  );
  const [figures] = rows;
  if (!figures) throw new Error("an aggregate without a row");
  return figures;
}
