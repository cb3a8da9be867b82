import type { Db } from "../../db/client.ts";
import { onDaySql } from "../../db/sql/on-day.ts";

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

/** Further back nothing is counted: the audit of a year has millions of rows. */
const countedNewest = 20_000;
const newestFirst = "order by a.at desc nulls last, a.id desc nulls last";
const [firstDay, lastDay] = ["0001-01-01", "9999-12-30"];

/** The filter as SQL: what an index knows, and what is looked up in each row. */
function conditionsOf(filter: AuditFilter, values: unknown[]) {
  const place = (value: unknown) => `$${values.push(value)}`;
  const indexed: string[] = [];
  const looked: string[] = [];
  if (filter.user !== undefined) indexed.push(`a.user_id = ${place(filter.user)}`);
  if (filter.from || filter.to) {
    const [from, to] = [place(filter.from ?? firstDay), place(filter.to ?? lastDay)];
    indexed.push(onDaySql("a.at", from, `${place(filter.timeZone)}::text`, to));
  }
  if (filter.action) looked.push(`starts_with(a.action, ${place(filter.action)}::text)`);
  if (filter.subject) {
    const subject = `${place(filter.subject)}::text`;
    looked.push(`(a.subject = ${subject} or starts_with(a.subject, ${subject} || ':'))`);
  }
  const all = (parts: string[]) => parts.join(" and ") || "true";
  return { indexed: all(indexed), looked: all(looked), place };
}

/** Entries of the filter, newest first, after the keyset. */
export async function listAudit(
  db: Db,
  input: { filter: AuditFilter; after: { at: string; id: number } | null; limit: number },
): Promise<AuditRow[]> {
  const values: unknown[] = [];
  const { indexed, looked, place } = conditionsOf(input.filter, values);
  const { after } = input;
  const next = after ? `(a.at, a.id) < (${place(after.at)}::timestamptz, ${place(after.id)}::int)` : "true";
  const { rows } = await db.$client.query<AuditRow>(
    `select a.id, a.at, a.user_id as "userId", u.name as "userName", a.action, a.subject, a.data, a.at::text as "keysetAt"
     from audit_log a left join users u on u.id = a.user_id
     where ${indexed} and ${looked} and ${next} ${newestFirst} limit ${place(input.limit)}`,
    values,
  );
  return rows;
}

/** How many entries the filter holds, counted up to `cap` among the newest. */
export async function countAudit(
  db: Db,
  { filter, cap }: { filter: AuditFilter; cap: number },
): Promise<{ n: number; isMore: boolean }> {
  const values: unknown[] = [];
  const { indexed, looked, place } = conditionsOf(filter, values);
  const { rows } = await db.$client.query<{ n: number; seen: number }>(
    `select count(*) filter (where ${looked})::int as n, count(*)::int as seen
     from (select a.* from audit_log a where ${indexed} ${newestFirst} limit ${place(looked === "true" ? cap : countedNewest)}) a`,
    values,
  );
  const { n, seen } = rows[0] ?? { n: 0, seen: 0 };
  return { n, isMore: looked !== "true" && seen === countedNewest };
}
