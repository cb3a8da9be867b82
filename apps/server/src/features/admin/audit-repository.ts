import type { ContactRefusal } from "@portal/contract/errors";
import type { Db } from "../../platform/db/client.ts";
import { onDaySql } from "../../platform/db/sql/filters.ts";

export interface AuditFilter {
  user?: number | undefined;
  /** Beginning of the action. */
  action?: string | undefined;
  /** The whole subject, or its kind alone. */
  subject?: string | undefined;
  /** Days of the organisation, YYYY-MM-DD. */
  from?: string | undefined;
  to?: string | undefined;
  timeZone: string;
}

export interface AuditRow {
  id: number;
  at: Date;
  userId: number | null;
  userName: string | null;
  action: string;
  subject: string | null;
  data: Record<string, unknown>;
  /** The sort key with PostgreSQL's own precision. */
  keysetAt: string;
}

const newestFirst = (of: string) => `order by ${of}.at desc nulls last, ${of}.id desc nulls last`;
const [firstDay, lastDay] = ["0001-01-01", "9999-12-30"];

/** All actions there are, read from the index alone: each is sought after the one before. */
const actionsSql = `with recursive known(action) as (
    (select action from audit_log order by action limit 1)
    union all
    select (select a.action from audit_log a where a.action > k.action order by a.action limit 1) from known k where k.action is not null
  )`;

/** The conditions of a filter but its action, on entries `a`. */
function conditionsOf(filter: AuditFilter, place: (value: unknown) => string): string {
  const conditions: string[] = [];
  if (filter.user !== undefined) conditions.push(`a.user_id = ${place(filter.user)}`);
  if (filter.from || filter.to) {
    const [from, to] = [place(filter.from ?? firstDay), place(filter.to ?? lastDay)];
    conditions.push(onDaySql("a.at", from, `${place(filter.timeZone)}::text`, to));
  }
  if (filter.subject) {
    // The whole subject, or all that begin with it and a colon.
    const [subject, begin, end] = [filter.subject, `${filter.subject}:`, `${filter.subject};`].map(place);
    const byBytes = 'a.subject collate "C"';
    conditions.push(`(${byBytes} = ${subject} or (${byBytes} >= ${begin} and ${byBytes} < ${end}))`);
  }
  return conditions.join(" and ") || "true";
}

/**
 * The newest `limit` entries of the filter, as `a`. Those of a beginning of actions are merged from the newest of each action, so that what
 * happens rarely is found among millions as quickly as what happens all the time.
 */
function newestSql(
  columns: string,
  { filter, where, limit }: { filter: AuditFilter; where: string; limit: string },
  place: (value: unknown) => string,
): string {
  const newest = (from: string, more: string) =>
    `select ${columns} from ${from} where ${more}${where} ${newestFirst("a")} limit ${limit}`;
  if (!filter.action) return newest("audit_log a", "");
  return `${actionsSql} select a.* from known k
    cross join lateral (${newest("audit_log a", "a.action = k.action and ")}) a
    where starts_with(k.action, ${place(filter.action)}::text) ${newestFirst("a")} limit ${limit}`;
}

/** Entries of the filter, newest first, after the keyset. */
export async function listAudit(
  db: Db,
  input: { filter: AuditFilter; after: { at: string; id: number } | null; limit: number },
): Promise<AuditRow[]> {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const { filter, after } = input;
  const next = after && `(a.at, a.id) < (${place(after.at)}::timestamptz, ${place(after.id)}::int)`;
  const where = [conditionsOf(filter, place), next].filter(Boolean).join(" and ");
  const newest = newestSql("a.*", { filter, where, limit: place(input.limit) }, place);
  const { rows } = await db.$client.query<AuditRow>(
    `select a.id, a.at, a.user_id as "userId", u.name as "userName", a.action, a.subject, a.data, a.at::text as "keysetAt"
     from (${newest}) a left join users u on u.id = a.user_id ${newestFirst("a")}`,
    values,
  );
  return rows;
}

/** How many entries the filter holds, counted up to `cap`. */
export async function countAudit(
  db: Db,
  { filter, cap }: { filter: AuditFilter; cap: number },
): Promise<number> {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const where = conditionsOf(filter, place);
  const newest = newestSql("a.id, a.at", { filter, where, limit: place(cap) }, place);
  const { rows } = await db.$client.query<{ n: number }>(
    `select count(*)::int as n from (${newest}) a`,
    values,
  );
  return rows[0]?.n ?? 0;
}

export interface RefusalFilter {
  user?: number | undefined;
  reason?: ContactRefusal | undefined;
}

export interface RefusalRow {
  id: number;
  at: Date;
  userId: number;
  userName: string;
  leadId: number;
  leadName: string;
  channel: "call" | "text";
  by: "person" | "dialer";
  reason: ContactRefusal;
  /** The sort key with PostgreSQL's own precision. */
  keysetAt: string;
}

function conditionOf({ user, reason }: RefusalFilter, values: unknown[]): string {
  const place = (value: unknown) => `$${values.push(value)}`;
  const parts: string[] = [];
  if (user !== undefined) parts.push(`r.user_id = ${place(user)}`);
  if (reason) parts.push(`r.reason = ${place(reason)}`);
  return parts.join(" and ") || "true";
}

/** Refused contacts of the filter, newest first, after the keyset. */
export async function listRefusals(
  db: Db,
  {
    filter,
    after,
    limit,
  }: { filter: RefusalFilter; after: { at: string; id: number } | null; limit: number },
): Promise<RefusalRow[]> {
  const values: unknown[] = [];
  const where = conditionOf(filter, values);
  const next = after
    ? `(r.at, r.id) < ($${values.push(after.at)}::timestamptz, $${values.push(after.id)}::int)`
    : "true";
  const { rows } = await db.$client.query<RefusalRow>(
    `select r.id, r.at, r.user_id as "userId", u.name as "userName", r.lead_id as "leadId", l.name as "leadName", r.channel, r.by,
       r.reason, r.at::text as "keysetAt"
     from contact_refusals r join users u on u.id = r.user_id join leads l on l.id = r.lead_id
     where ${where} and ${next} ${newestFirst("r")} limit $${values.push(limit)}`,
    values,
  );
  return rows;
}

/** How many the filter holds, counted up to `cap`. */
export async function countRefusals(
  db: Db,
  { filter, cap }: { filter: RefusalFilter; cap: number },
): Promise<number> {
  const values: unknown[] = [];
  const { rows } = await db.$client.query<{ n: number }>(
    `select count(*)::int as n from (
       select 1 from contact_refusals r where ${conditionOf(filter, values)} limit $${values.push(cap)}) capped`,
    values,
  );
  return rows[0]?.n ?? 0;
}
