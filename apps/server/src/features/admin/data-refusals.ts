import type { ContactRefusal } from "@portal/contract/errors";
import type { Db } from "../../db/client.ts";

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

const newestFirst = "order by r.at desc nulls last, r.id desc nulls last";

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
     where ${where} and ${next} ${newestFirst} limit $${values.push(limit)}`,
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
