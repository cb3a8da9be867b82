import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../../platform/db/query.ts";
import { hasSecondFactorSql } from "../../../platform/db/sql/second-factor.ts";

/** What a user's second factor consists of. */
export interface FactorRow {
  totp: boolean;
  recoveryCodes: number;
}

/** A user's second factor, set up or not. */
export async function findFactor(db: Db, userId: number): Promise<FactorRow> {
  const row = await queryFirst<FactorRow>(
    db,
    sql`select exists (select 1 from totp_secrets where user_id = ${userId} and confirmed_at is not null) as totp,
       (select count(*)::int from recovery_codes where user_id = ${userId} and used_at is null) as "recoveryCodes"`,
  );
  return row ?? { totp: false, recoveryCodes: 0 };
}

/** A user's sealed secret; `isConfirmed` false while the set-up is not complete. */
export async function findSecret(
  db: Db,
  userId: number,
): Promise<{ sealed: string; isConfirmed: boolean } | null> {
  const row = await queryFirst<{ sealed: string; isConfirmed: boolean }>(
    db,
    sql`select secret as sealed, confirmed_at is not null as "isConfirmed" from totp_secrets where user_id = ${userId}`,
  );
  return row ?? null;
}

/** Keeps a secret that is still to be confirmed; returns false if one is confirmed already. */
export async function saveSecret(
  tx: Tx,
  { userId, sealed }: { userId: number; sealed: string },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`insert into totp_secrets (user_id, secret) values (${userId}, ${sealed})
     on conflict (user_id) do update set secret = excluded.secret, last_step = null, created_at = now() where totp_secrets.confirmed_at is null`,
  );
  return rowCount === 1;
}

/** Confirms the secret that the code was checked with; returns false if there is another by now. */
export async function confirmSecret(
  tx: Tx,
  { userId, sealed, step }: { userId: number; sealed: string; step: number },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update totp_secrets set confirmed_at = now(), last_step = ${step}
     where user_id = ${userId} and secret = ${sealed} and confirmed_at is null`,
  );
  return rowCount === 1;
}

/** Takes a code's step; returns false if it, or a later one, was taken before. */
export async function consumeStep(
  tx: Tx,
  { userId, sealed, step }: { userId: number; sealed: string; step: number },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update totp_secrets set last_step = ${step} where user_id = ${userId} and secret = ${sealed}
     and confirmed_at is not null and (last_step is null or last_step < ${step})`,
  );
  return rowCount === 1;
}

/** Uses a recovery code up; returns false if it is nobody's or was used. */
export async function consumeRecoveryCode(tx: Tx, code: { userId: number; hash: string }): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update recovery_codes set used_at = now() where user_id = ${code.userId} and code_hash = ${code.hash} and used_at is null`,
  );
  return rowCount === 1;
}

/** Puts a user's recovery codes in the place of the earlier ones. */
export async function replaceRecoveryCodes(
  tx: Tx,
  { userId, hashes }: { userId: number; hashes: string[] },
): Promise<void> {
  await execute(tx, sql`delete from recovery_codes where user_id = ${userId}`);
  await execute(
    tx,
    sql`insert into recovery_codes (user_id, code_hash) select ${userId}, value from json_array_elements_text(${JSON.stringify(hashes)}::json)`,
  );
}

/** Removes the authenticator app, and the recovery codes where no factor is left; returns false if there was none. */
export async function deleteTotp(tx: Tx, userId: number): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`delete from totp_secrets where user_id = ${userId} and confirmed_at is not null`,
  );
  await deleteUnneededCodes(tx, userId);
  return rowCount === 1;
}

/** Removes all of a user's second factor; returns false if there was none. */
export async function deleteFactor(tx: Tx, userId: number): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`delete from totp_secrets where user_id = ${userId} and confirmed_at is not null`,
  );
  await execute(tx, sql`delete from recovery_codes where user_id = ${userId}`);
  return rowCount > 0;
}

async function deleteUnneededCodes(tx: Tx, userId: number): Promise<void> {
  await execute(
    tx,
    sql`delete from recovery_codes where user_id = ${userId} and not ${hasSecondFactorSql(sql`${userId}`)}`,
  );
}

/** Marks a session as one whose second factor was given. */
export async function markVerified(tx: Tx, session: { id: number } | { token: string }): Promise<void> {
  const which = "id" in session ? sql`id = ${session.id}` : sql`token = ${session.token}`;
  await execute(tx, sql`update sessions set second_factor_at = now() where ${which}`);
}

/**
 * Puts a new session in the place of one that waited for its code; the login provider's token moves along. Returns how the sign-in was begun,
 * or null if the waiting one has ended.
 */
export async function replaceWaiting(
  tx: Tx,
  { waitingId, token }: { waitingId: number; token: string },
): Promise<{ by: "password" | "provider" } | null> {
  const [waiting] = await query<{ providerToken: string | null }>(
    tx,
    sql`delete from sessions where id = ${waitingId} returning provider_token as "providerToken"`,
  );
  if (!waiting) return null;
  await execute(
    tx,
    sql`update sessions set second_factor_at = now(), provider_token = ${waiting.providerToken} where token = ${token}`,
  );
  return { by: waiting.providerToken === null ? "password" : "provider" };
}
