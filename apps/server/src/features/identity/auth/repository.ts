import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../platform/db/client.ts";
import { sessions } from "../../../platform/db/schema/users.ts";

/** An identity at the login provider: issuer and subject. */
interface Identity {
  issuer: string;
  subject: string;
}

/** Whom an identity is linked to, or null. */
export async function findLinked(tx: Tx, { issuer, subject }: Identity): Promise<number | null> {
  const { rows } = await tx.$client.query<{ userId: number }>(
    'select user_id as "userId" from accounts where provider_id = $1 and account_id = $2',
    [issuer, subject],
  );
  return rows[0]?.userId ?? null;
}

/** Locks the accounts that an administrator gave this address, so that first sign-ins at once are decided one after the other. */
export async function lockGiven(tx: Tx, email: string): Promise<void> {
  await tx.$client.query("select 1 from users where lower(given_email) = lower($1) order by id for update", [
    email,
  ]);
}

/** Open accounts that an administrator gave this address and that nobody of this issuer is linked to. */
export async function findUnlinked(
  tx: Tx,
  { issuer, email }: { issuer: string; email: string },
): Promise<number[]> {
  const { rows } = await tx.$client.query<{ id: number }>(
    `select id from users u where lower(given_email) = lower($1) and disabled_at is null
       and not exists (select 1 from accounts a where a.user_id = u.id and a.provider_id = $2)`,
    [email, issuer],
  );
  return rows.map(({ id }) => id);
}

/** Links an identity to a user. */
export async function insertLink(
  tx: Tx,
  { userId, ...identity }: Identity & { userId: number },
): Promise<void> {
  await tx.$client.query("insert into accounts (user_id, account_id, provider_id) values ($1, $2, $3)", [
    userId,
    identity.subject,
    identity.issuer,
  ]);
}

/** Whether an identity is linked to a user, and stays so until the transaction ends. */
export async function holdLink(
  tx: Tx,
  { userId, issuer, subject }: Identity & { userId: number },
): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    "select 1 from accounts where user_id = $1 and provider_id = $2 and account_id = $3 for share",
    [userId, issuer, subject],
  );
  return rowCount === 1;
}

/** Takes all identities at login providers from a user; answers which they were, in words for the audit, or null where there were none. */
export async function deleteLinks(tx: Tx, userId: number): Promise<string | null> {
  const { rows } = await tx.$client.query<Identity>(
    `delete from accounts where user_id = $1 and provider_id <> 'credential'
     returning provider_id as issuer, account_id as subject`,
    [userId],
  );
  return rows.map(({ issuer, subject }) => `${subject} @ ${issuer}`).join(", ") || null;
}

/** Whether a password is kept here for a user, and whether they are linked to the issuer. */
export async function findSignInWays(
  db: Db,
  { userId, issuer }: { userId: number; issuer: string | null },
): Promise<{ password: boolean; linked: boolean }> {
  const { rows } = await db.$client.query<{ password: boolean; linked: boolean }>(
    `select coalesce(bool_or(provider_id = 'credential' and password is not null), false) as password,
            coalesce(bool_or(rtrim(provider_id, '/') = rtrim($2, '/')), false) as linked from accounts where user_id = $1`,
    [userId, issuer],
  );
  return rows[0] ?? { password: false, linked: false };
}

/** Keeps the provider's proof, sealed, with the session that it began. */
export async function saveProviderToken(tx: Tx, session: { token: string; sealed: string }): Promise<void> {
  await tx.$client.query("update sessions set provider_token = $2 where token = $1", [
    session.token,
    session.sealed,
  ]);
}

/** The sealed proof of a session, or null where a password began it. */
export async function findProviderToken(db: Db, sessionId: number): Promise<string | null> {
  const { rows } = await db.$client.query<{ token: string | null }>(
    "select provider_token as token from sessions where id = $1",
    [sessionId],
  );
  return rows[0]?.token ?? null;
}

/** Who signs in with an address, and the hash that is kept for them; null where nobody does by a password. */
export async function findAccountByEmail(
  db: Db,
  email: string,
): Promise<{ userId: number; passwordHash: string } | null> {
  const { rows } = await db.$client.query<{ userId: number; passwordHash: string }>(
    `select u.id as "userId", a.password as "passwordHash" from users u
     join accounts a on a.user_id = u.id and a.provider_id = 'credential' and a.password is not null where lower(u.email) = $1`,
    [email],
  );
  return rows[0] ?? null;
}

/** The hash that is kept for a user; null where there is none. */
export async function findPassword(db: Db, userId: number): Promise<string | null> {
  const { rows } = await db.$client.query<{ password: string | null }>(
    "select password from accounts where user_id = $1 and provider_id = 'credential'",
    [userId],
  );
  return rows[0]?.password ?? null;
}

/** As `findPassword`; the password stays what it is until the transaction ends. */
export async function holdPassword(tx: Tx, userId: number): Promise<string | null> {
  const { rows } = await tx.$client.query<{ password: string | null }>(
    "select password from accounts where user_id = $1 and provider_id = 'credential' for share",
    [userId],
  );
  return rows[0]?.password ?? null;
}

/** Puts another hash in the place of the one that was verified; false where that one is not kept any more. */
export async function replacePassword(
  tx: Tx,
  { userId, from, to }: { userId: number; from: string; to: string },
): Promise<boolean> {
  const { rowCount } = await tx.$client.query(
    "update accounts set password = $3, updated_at = now() where user_id = $1 and provider_id = 'credential' and password = $2",
    [userId, from, to],
  );
  return rowCount === 1;
}

/** The sessions of a user that still hold, the newest first. `maxDays` is their longest life. */
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
      ),
    )
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
}

/** Ends the links of an account that nobody has used. */
export async function endPasswordLinks(tx: Tx, userId: number): Promise<void> {
  await tx.$client.query("delete from password_links where user_id = $1 and used_at is null", [userId]);
}
