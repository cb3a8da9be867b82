import type { Db, Tx } from "../../../platform/db/client.ts";
import { execute, query, queryFirst, sql } from "../../../platform/db/query.ts";
import { hasSecondFactorSql } from "../../../platform/db/sql/second-factor.ts";

interface PasskeyRow {
  id: number;
  name: string;
  credentialId: string;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The parts of a user's second factor. */
export interface FactorRow {
  totp: boolean;
  recoveryCodes: number;
  passkeys: PasskeyRow[];
}

/** A user's second factor, whether or not it is set up. */
export async function findFactor(db: Db, userId: number): Promise<FactorRow> {
  const row = await queryFirst<Omit<FactorRow, "passkeys">>(
    db,
    sql`select exists (select 1 from totp_secrets where user_id = ${userId} and confirmed_at is not null) as totp,
       (select count(*)::int from recovery_codes where user_id = ${userId} and used_at is null) as "recoveryCodes"`,
  );
  const passkeys = await query<PasskeyRow>(
    db,
    sql`select id, name, credential_id as "credentialId", transports, created_at as "createdAt", last_used_at as "lastUsedAt"
     from passkeys where user_id = ${userId} order by id`,
  );
  return { totp: row?.totp ?? false, recoveryCodes: row?.recoveryCodes ?? 0, passkeys };
}

/** A passkey of an active account. */
export interface StoredPasskey {
  id: number;
  userId: number;
  publicKey: string;
  transports: string[];
  counter: number;
}

/** The passkey with this credential id, if its account is active. */
export async function findPasskey(db: Db, credentialId: string): Promise<StoredPasskey | null> {
  const row = await queryFirst<StoredPasskey>(
    db,
    sql`select p.id, p.user_id as "userId", p.public_key as "publicKey", p.transports, p.counter::float8 as counter
     from passkeys p join users u on u.id = p.user_id where p.credential_id = ${credentialId} and u.disabled_at is null`,
  );
  return row ?? null;
}

/** Stores a passkey; returns false if it is already stored. */
export async function insertPasskey(
  tx: Tx,
  key: {
    userId: number;
    name: string;
    credentialId: string;
    publicKey: string;
    transports: string[];
    counter: number;
  },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`insert into passkeys (user_id, name, credential_id, public_key, transports, counter)
     values (${key.userId}, ${key.name}, ${key.credentialId}, ${key.publicKey}, ${JSON.stringify(key.transports)}::jsonb, ${key.counter})
     on conflict do nothing`,
  );
  return rowCount === 1;
}

/**
 * Records a passkey's response; returns false if it, or a response to a later challenge, was already used, or if the account was disabled
 * meanwhile.
 */
export async function acceptAnswer(
  tx: Tx,
  { id, challengedAt, counter }: { id: number; challengedAt: number; counter: number },
): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update passkeys p set challenged_at = ${challengedAt}, counter = ${counter}, last_used_at = now() from users u
     where p.id = ${id} and p.challenged_at < ${challengedAt} and u.id = p.user_id and u.disabled_at is null`,
  );
  return rowCount === 1;
}

/** Returns false if the user has no such passkey. */
export async function updatePasskeyName(
  tx: Tx,
  { id, userId, name }: { id: number; userId: number; name: string },
): Promise<boolean> {
  return (
    (await execute(tx, sql`update passkeys set name = ${name} where id = ${id} and user_id = ${userId}`)) ===
    1
  );
}

/** Removes a passkey, and the recovery codes if no factor is left. Returns its name, or null if the user has no such passkey. */
export async function deletePasskey(
  tx: Tx,
  { id, userId }: { id: number; userId: number },
): Promise<string | null> {
  const row = await queryFirst<{ name: string }>(
    tx,
    sql`delete from passkeys where id = ${id} and user_id = ${userId} returning name`,
  );
  await deleteUnneededCodes(tx, userId);
  return row?.name ?? null;
}

/** A user's encrypted secret; `isConfirmed` is false while the setup is not complete. */
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

/** Stores an unconfirmed secret; returns false if a confirmed one exists. */
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

/** Confirms the secret against which the code was checked; returns false if it was replaced meanwhile. */
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

/** Records a code's time step; returns false if it or a later one was already used. */
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

/** Marks a recovery code as used; returns false if it does not exist or was already used. */
export async function consumeRecoveryCode(tx: Tx, code: { userId: number; hash: string }): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`update recovery_codes set used_at = now() where user_id = ${code.userId} and code_hash = ${code.hash} and used_at is null`,
  );
  return rowCount === 1;
}

/** Replaces a user's recovery codes. */
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

/** Removes the authenticator app, and the recovery codes if no factor is left; returns false if there was none. */
export async function deleteTotp(tx: Tx, userId: number): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`delete from totp_secrets where user_id = ${userId} and confirmed_at is not null`,
  );
  await deleteUnneededCodes(tx, userId);
  return rowCount === 1;
}

/** Removes all factors of a user; returns false if there were none. */
export async function deleteFactor(tx: Tx, userId: number): Promise<boolean> {
  const rowCount = await execute(
    tx,
    sql`delete from totp_secrets where user_id = ${userId} and confirmed_at is not null`,
  );
  const passkeyCount = await execute(tx, sql`delete from passkeys where user_id = ${userId}`);
  await execute(tx, sql`delete from recovery_codes where user_id = ${userId}`);
  return rowCount + passkeyCount > 0;
}

async function deleteUnneededCodes(tx: Tx, userId: number): Promise<void> {
  await execute(
    tx,
    sql`delete from recovery_codes where user_id = ${userId} and not ${hasSecondFactorSql(sql`${userId}`)}`,
  );
}

/** Marks a session as verified by a second factor. */
export async function markVerified(tx: Tx, session: { id: number } | { token: string }): Promise<void> {
  const which = "id" in session ? sql`id = ${session.id}` : sql`token = ${session.token}`;
  await execute(tx, sql`update sessions set second_factor_at = now() where ${which}`);
}

/**
 * Replaces a session that still needs its code by a new one, with the login provider's token. Returns how the sign-in was started, or null
 * if the old session has ended.
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
