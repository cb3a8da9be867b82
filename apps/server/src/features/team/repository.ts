import { and, eq, ne, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db/client.ts";
import { currentMetricsSql } from "../../platform/db/metrics.ts";
import { query, sql } from "../../platform/db/query.ts";
import { users } from "../../platform/db/schema/users.ts";
import { hasSecondFactorSql, pendingStepSql } from "../../platform/db/sql/second-factor.ts";

/** An account's row. */
export type Account = typeof users.$inferSelect;

/** An account with the data of the team page. */
export interface MemberRow
  extends Pick<
    Account,
    | "id"
    | "name"
    | "email"
    | "role"
    | "language"
    | "personalPhone"
    | "image"
    | "createdAt"
    | "disabledAt"
    | "lastActiveAt"
  > {
  hasPassword: boolean;
  linked: boolean;
  secondFactor: boolean;
  sessions: number;
  assigned: number;
  leads: number;
}

/** All accounts by name, or one. The number of leads comes from the metrics. */
export async function listMembers(db: Db, memberId?: number): Promise<MemberRow[]> {
  const isWanted = (id: SQL) => (memberId === undefined ? sql`true` : sql`${id} = ${memberId}`);
  return query<MemberRow>(
    db,
    sql`select u.id, u.name, u.email, u.role, u.language, u.personal_phone as "personalPhone", u.image,
       u.created_at as "createdAt", u.disabled_at as "disabledAt", u.last_active_at as "lastActiveAt",
       exists (select 1 from accounts a where a.user_id = u.id and a.provider_id = 'credential' and a.password is not null)
         as "hasPassword",
       exists (select 1 from accounts a where a.user_id = u.id and a.provider_id <> 'credential') as linked, ${hasSecondFactorSql(sql`u.id`)} as "secondFactor",
       (select count(*)::int from sessions s where s.user_id = u.id and s.expires_at > now() and (${pendingStepSql}) is distinct from 'code') as sessions,
       coalesce(o.assigned, 0) as assigned, coalesce(o.leads, 0) as leads
     from users u left join (
       select user_id, sum(n)::int as assigned, coalesce(sum(n) filter (where label <> 'converted'), 0)::int as leads
       from ${currentMetricsSql(["lead_owner"])} f where user_id <> 0 and ${isWanted(sql`user_id`)} group by user_id
     ) o on o.user_id = u.id
     where ${isWanted(sql`u.id`)}
     order by lower(u.name), u.id`,
  );
}

/** The ids of the active administrators, locked until the transaction ends. */
export async function holdAdmins(tx: Tx): Promise<number[]> {
  // Not "for update", so that audit entries and other rows can still refer to them.
  const rows = await query<{ id: number }>(
    tx,
    sql`select id from users where role = 'admin' and disabled_at is null order by id for no key update`,
  );
  return rows.map(({ id }) => id);
}

/** An account, locked until the transaction ends. */
export async function lockMember(tx: Tx, memberId: number): Promise<Account | undefined> {
  const [row] = await tx.select().from(users).where(eq(users.id, memberId)).for("no key update");
  return row;
}

/** Errors: the unique violation `users_email_key`. */
export async function insertMember(
  tx: Tx,
  values: Pick<Account, "name" | "email" | "role" | "language">,
): Promise<number> {
  const [row] = await tx
    .insert(users)
    .values({ ...values, givenEmail: values.email, emailVerified: true })
    .returning({ id: users.id });
  if (!row) throw new Error("no account was made");
  return row.id;
}

export type MemberPatch = Partial<
  Pick<Account, "name" | "email" | "givenEmail" | "emailVerified" | "role" | "language" | "disabledAt">
>;

/** Errors: the unique violation `users_email_key`. */
export async function changeMember(tx: Tx, memberId: number, patch: MemberPatch): Promise<void> {
  await tx
    .update(users)
    .set({ ...patch, updatedAt: new Date() })
    .where(eq(users.id, memberId));
}

/** An address is given to one account only: removes it as the given address of another account, whose user has changed their own since. */
export async function claimGivenEmail(tx: Tx, memberId: number, email: string): Promise<void> {
  await tx
    .update(users)
    .set({ givenEmail: null })
    .where(and(sql`lower(${users.givenEmail}) = ${email}`, ne(users.id, memberId)));
}

/** Leads of a user without clients: the first `limit` by creation, and the total. */
export async function findLeadsToGive(
  db: Db,
  { memberId, limit }: { memberId: number; limit: number },
): Promise<{ ids: number[]; total: number }> {
  const rows = await query<{ id: number; total: number }>(
    db,
    sql`select id, count(*) over ()::int as total from leads where assigned_to = ${memberId} and status <> 'converted'
     order by id limit ${limit}`,
  );
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}
