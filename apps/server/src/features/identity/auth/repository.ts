import { and, desc, eq, gt } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../../platform/db/query.ts";
import { sessions } from "../../../platform/db/schema/users.ts";
import { hasSecondFactorSql, pendingStepSql } from "../../../platform/db/sql/second-factor.ts";
import type { PendingStep } from "../../../platform/http/policy-table.ts";

/** An identity at the login provider: issuer and subject. */
interface Identity {
  issuer: string;
  subject: string;
}

/** The user that an identity is linked to, or null. */
export async function findLinked(tx: Tx, { issuer, subject }: Identity): Promise<number | null> {
  const row = await queryFirst<{ userId: number }>(
    tx,
    sql`select user_id as "userId" from accounts where provider_id = ${issuer} and account_id = ${subject}`,
  );
  return row?.userId ?? null;
}

/** Locks the accounts with this email given by an administrator, so that concurrent first sign-ins are decided one after the other. */
export async function lockGiven(tx: Tx, email: string): Promise<void> {
  await execute(
    tx,
    sql`select 1 from users where lower(given_email) = lower(${email}) order by id for update`,
  );
}

/** Active accounts with this email given by an administrator that no identity of this issuer is linked to. */
export async function findUnlinked(
  tx: Tx,
  { issuer, email }: { issuer: string; email: string },
): Promise<number[]> {
  const rows = await query<{ id: number }>(
    tx,
    sql`select id from users u where lower(given_email) = lower(${email}) and disabled_at is null
       and not exists (select 1 from accounts a where a.user_id = u.id and a.provider_id = ${issuer})`,
  );
  return rows.map(({ id }) => id);
}

/** Links an identity to a user. */
export async function insertLink(
  tx: Tx,
  { userId, ...identity }: Identity & { userId: number },
): Promise<void> {
  await execute(
    tx,
    sql`insert into accounts (user_id, account_id, provider_id) values (${userId}, ${identity.subject}, ${identity.issuer})`,
  );
}

/** Whether an identity is linked to a user; the link is locked until the transaction ends. */
export async function holdLink(
  tx: Tx,
  { userId, issuer, subject }: Identity & { userId: number },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`select 1 from accounts where user_id = ${userId} and provider_id = ${issuer} and account_id = ${subject} for share`,
  );
  return rowCount === 1;
}

/** Unlinks all identities at login providers from a user. Returns them as text for the audit log, or null if there were none. */
export async function deleteLinks(tx: Tx, userId: number): Promise<string | null> {
  const rows = await query<Identity>(
    tx,
    sql`delete from accounts where user_id = ${userId} and provider_id <> 'credential'
     returning provider_id as issuer, account_id as subject`,
  );
  return rows.map(({ issuer, subject }) => `${subject} @ ${issuer}`).join(", ") || null;
}

/** Whether a user has a password stored here, and whether they are linked to the issuer. */
export async function findSignInWays(
  db: Db,
  { userId, issuer }: { userId: number; issuer: string | null },
): Promise<{ password: boolean; linked: boolean }> {
  const rows = await query<{ password: boolean; linked: boolean }>(
    db,
    sql`select coalesce(bool_or(provider_id = 'credential' and password is not null), false) as password,
            coalesce(bool_or(rtrim(provider_id, '/') = rtrim(${issuer}, '/')), false) as linked from accounts where user_id = ${userId}`,
  );
  return rows[0] ?? { password: false, linked: false };
}

/** Stores the provider's ID token, encrypted, with the session that it started. */
export async function saveProviderToken(tx: Tx, session: { token: string; sealed: string }): Promise<void> {
  await execute(
    tx,
    sql`update sessions set provider_token = ${session.sealed} where token = ${session.token}`,
  );
}

/** The encrypted ID token of a session, or null for a session by password. */
export async function findProviderToken(db: Db, sessionId: number): Promise<string | null> {
  const row = await queryFirst<{ token: string | null }>(
    db,
    sql`select provider_token as token from sessions where id = ${sessionId}`,
  );
  return row?.token ?? null;
}

/** The user with an email, and their password hash; null without a password. */
export async function findAccountByEmail(
  db: Db,
  email: string,
): Promise<{ userId: number; passwordHash: string } | null> {
  const row = await queryFirst<{ userId: number; passwordHash: string }>(
    db,
    sql`select u.id as "userId", a.password as "passwordHash" from users u
     join accounts a on a.user_id = u.id and a.provider_id = 'credential' and a.password is not null where lower(u.email) = ${email}`,
  );
  return row ?? null;
}

/** A user's password hash, or null. */
export async function findPassword(db: Db, userId: number): Promise<string | null> {
  const row = await queryFirst<{ password: string | null }>(
    db,
    sql`select password from accounts where user_id = ${userId} and provider_id = 'credential'`,
  );
  return row?.password ?? null;
}

/** `findPassword`, with the password locked until the transaction ends. */
export async function holdPassword(tx: Tx, userId: number): Promise<string | null> {
  const row = await queryFirst<{ password: string | null }>(
    tx,
    sql`select password from accounts where user_id = ${userId} and provider_id = 'credential' for share`,
  );
  return row?.password ?? null;
}

/** Replaces the verified hash by another; returns false if it has changed meanwhile. */
export async function replacePassword(
  tx: Tx,
  { userId, from, to }: { userId: number; from: string; to: string },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update accounts set password = ${to}, updated_at = now() where user_id = ${userId} and provider_id = 'credential' and password = ${from}`,
  );
  return rowCount === 1;
}

/** A user's valid sessions, newest first. `maxDays` is the maximum age. */
export function listUserSessions(db: Db, { userId, maxDays }: { userId: number; maxDays: number }) {
  const { id, createdAt, updatedAt, ipAddress, userAgent } = sessions;
  return db
    .select({ id, createdAt, lastSeenAt: updatedAt, address: ipAddress, userAgent })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        gt(sessions.expiresAt, sql`now()`),
        gt(sessions.createdAt, sql`now() - ${maxDays} * interval '1 day'`),
        // A session that still needs its code is not a sign-in yet.
        sql`(${sessions.secondFactorAt} is not null or not ${hasSecondFactorSql(sql`${userId}`)})`,
      ),
    )
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
}

/** Deletes an account's unused links. */
export async function endPasswordLinks(tx: Tx, userId: number): Promise<void> {
  await execute(tx, sql`delete from password_links where user_id = ${userId} and used_at is null`);
}

/** What a session still needs before it is valid, or null. */
export async function findPendingStep(db: Db, sessionId: number): Promise<PendingStep | null> {
  const row = await queryFirst<{ pending: PendingStep | null }>(
    db,
    sql`select ${pendingStepSql} as pending from sessions s join users u on u.id = s.user_id where s.id = ${sessionId}`,
  );
  return row?.pending ?? null;
}

/** Whether a sign-in of this user requires a second factor. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const row = await queryFirst<{ has: boolean }>(
    db,
    sql`select ${hasSecondFactorSql(sql`${userId}`)} as has`,
  );
  return row?.has ?? false;
}
