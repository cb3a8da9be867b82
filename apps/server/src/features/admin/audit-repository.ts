import type { ContactChannel, ContactRefusal } from "@portal/contract/errors";
import type { SQL } from "drizzle-orm";
import type { Db } from "../../platform/db/client.ts";
import { allOf, query, queryOnly, sql } from "../../platform/db/query.ts";
import { onDaySql } from "../../platform/db/sql/filters.ts";

export interface AuditFilter {
  user?: number | undefined;
  /** A prefix of the action. */
  action?: string | undefined;
  /** The whole subject, or only its kind. */
  subject?: string | undefined;
  /** Days of the organization, YYYY-MM-DD. */
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

const newestFirst = (of: SQL) => sql`order by ${of}.at desc nulls last, ${of}.id desc nulls last`;
const [firstDay, lastDay] = ["0001-01-01", "9999-12-30"];

/** All actions in use, read from the index alone: each step seeks the next greater one. */
const actionsSql = sql`with recursive known(action) as (
    (select action from audit_log order by action limit 1)
    union all
    select (select a.action from audit_log a where a.action > k.action order by a.action limit 1) from known k where k.action is not null
  )`;

/** The conditions of a filter except its action, on entries `a`. */
function conditionsOf({ user, from, to, subject, timeZone }: AuditFilter): SQL {
  const days = { day: from ?? firstDay, until: to ?? lastDay, timeZone };
  const byBytes = sql`a.subject collate "C"`;
  return allOf(
    user !== undefined && sql`a.user_id = ${user}`,
    (from || to) && onDaySql(sql`a.at`, days),
    // The whole subject, or all subjects that begin with it and a colon.
    subject &&
      sql`(${byBytes} = ${subject} or (${byBytes} >= ${`${subject}:`} and ${byBytes} < ${`${subject};`}))`,
  );
}

/**
 * The newest `limit` entries of the filter, as `a`. For a prefix of actions, the newest of each action are merged, so that rare actions are
 * found among millions of entries as fast as frequent ones.
 */
function newestSql(
  columns: SQL,
  { filter, where, limit }: { filter: AuditFilter; where: SQL; limit: number },
): SQL {
  const newest = (all: SQL) =>
    sql`select ${columns} from audit_log a where ${all} ${newestFirst(sql`a`)} limit ${limit}`;
  if (!filter.action) return newest(where);
  return sql`${actionsSql} select a.* from known k
    cross join lateral (${newest(sql`a.action = k.action and ${where}`)}) a
    where starts_with(k.action, ${filter.action}::text) ${newestFirst(sql`a`)} limit ${limit}`;
}

/** Entries of the filter after the keyset, newest first. */
export async function listAudit(
  db: Db,
  input: { filter: AuditFilter; after: { at: string; id: number } | null; limit: number },
): Promise<AuditRow[]> {
  const { filter, after, limit } = input;
  const where = allOf(
    conditionsOf(filter),
    after && sql`(a.at, a.id) < (${after.at}::timestamptz, ${after.id}::int)`,
  );
  const newest = newestSql(sql`a.*`, { filter, where, limit });
  return query<AuditRow>(
    db,
    sql`select a.id, a.at, a.user_id as "userId", u.name as "userName", a.action, a.subject, a.data, a.at::text as "keysetAt"
     from (${newest}) a left join users u on u.id = a.user_id ${newestFirst(sql`a`)}`,
  );
}

/** The number of entries of the filter, counted up to `cap`. */
export async function countAudit(
  db: Db,
  { filter, cap }: { filter: AuditFilter; cap: number },
): Promise<number> {
  const newest = newestSql(sql`a.id, a.at`, { filter, where: conditionsOf(filter), limit: cap });
  const { n } = await queryOnly<{ n: number }>(db, sql`select count(*)::int as n from (${newest}) a`);
  return n;
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
  channel: ContactChannel;
  by: "person" | "dialer";
  reason: ContactRefusal;
  /** The sort key with PostgreSQL's own precision. */
  keysetAt: string;
}

const conditionOf = ({ user, reason }: RefusalFilter) =>
  allOf(user !== undefined && sql`r.user_id = ${user}`, reason && sql`r.reason = ${reason}`);

/** Refused contacts of the filter after the keyset, newest first. */
export async function listRefusals(
  db: Db,
  {
    filter,
    after,
    limit,
  }: { filter: RefusalFilter; after: { at: string; id: number } | null; limit: number },
): Promise<RefusalRow[]> {
  const where = allOf(
    conditionOf(filter),
    after && sql`(r.at, r.id) < (${after.at}::timestamptz, ${after.id}::int)`,
  );
  return query<RefusalRow>(
    db,
    sql`select r.id, r.at, r.user_id as "userId", u.name as "userName", r.lead_id as "leadId", l.name as "leadName", r.channel, r.by,
       r.reason, r.at::text as "keysetAt"
     from contact_refusals r join users u on u.id = r.user_id join leads l on l.id = r.lead_id
     where ${where} ${newestFirst(sql`r`)} limit ${limit}`,
  );
}

/** The number of refused contacts of the filter, counted up to `cap`. */
export async function countRefusals(
  db: Db,
  { filter, cap }: { filter: RefusalFilter; cap: number },
): Promise<number> {
  const { n } = await queryOnly<{ n: number }>(
    db,
    sql`select count(*)::int as n from (
       select 1 from contact_refusals r where ${conditionOf(filter)} limit ${cap}) capped`,
  );
  return n;
}
