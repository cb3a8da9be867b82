import { createHash, randomBytes } from "node:crypto";
import type { Confirmation, SecondFactor } from "@portal/contract/routes/second-factor";
import { Secret, TOTP } from "otpauth";
import { decrypt, type EncryptionKeys, encrypt } from "../../../domain/encryption.ts";
import type { Tx } from "../../../platform/db/client.ts";
import { execute, sql } from "../../../platform/db/query.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { recordAudit } from "../../activity/service.ts";
import { mailFactorChange } from "../../notifications/service.ts";
import { checkCurrentPassword } from "../auth/change-password.ts";
import { onLibraryFailure } from "../auth/create-sign-in-library.ts";
import { originOf, type SignInOrigin } from "../auth/list-sign-ins.ts";
import { findPassword, hasSecondFactor } from "../auth/repository.ts";
import { type AuthContext, admitSession, deleteSessions, type SignedIn } from "../auth/service.ts";
import { recordFailedSignIn, throttled } from "../auth/throttle.ts";
import { getUser, presentUser } from "../users/service.ts";
import {
  confirmSecret,
  consumeRecoveryCode,
  consumeStep,
  deleteTotp,
  findFactor,
  findSecret,
  markVerified,
  replaceRecoveryCodes,
  replaceWaiting,
  saveSecret,
} from "./repository.ts";

export interface SecondFactorContext extends AuthContext {
  encryptionKeys: EncryptionKeys;
  publicUrl: string;
}

/** Name of the portal in authenticator apps and passkeys. */
export const issuer = "Lead Desk";
const stepSeconds = 30;
/** Steps before and after the current one whose codes are accepted, because clocks differ. */
const stepsAround = 1;
const secretBytes = 20;
const recoveryCodesMade = 10;
/** 120 bits cannot be guessed, so a plain hash is enough to store a code. */
const recoveryBytes = 15;

function totpOf(base32: string, label: string): TOTP {
  const secret = Secret.fromBase32(base32);
  return new TOTP({ issuer, label, algorithm: "SHA1", digits: 6, period: stepSeconds, secret });
}

const purposeOf = (userId: number) => `second factor of user ${userId}` as const;

/** The time step of a valid code, or null. Null too if the secret was encrypted with another key. */
function stepOf({ encryptionKeys }: SecondFactorContext, userId: number, sealed: string, code: string) {
  const secret = decrypt(sealed, { encryptionKeys, purpose: purposeOf(userId) });
  if (secret === null) return null;
  const timestamp = Date.now();
  const delta = totpOf(secret, "").validate({ token: code, timestamp, window: stepsAround });
  return delta === null ? null : Math.floor(timestamp / 1000 / stepSeconds) + delta;
}

const hashOf = (code: string) => createHash("sha256").update(code).digest("hex");

/** A typed code without separators; digits that base32 does not contain are read as letters. */
function foldedRecoveryCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("0", "o").replaceAll("1", "l");
}

/** Creates recovery codes, which replace the earlier ones. */
export async function makeCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodesMade }, () =>
    new Secret({ buffer: new Uint8Array(randomBytes(recoveryBytes)).buffer }).base32.toLowerCase(),
  );
  await replaceRecoveryCodes(tx, { userId, hashes: codes.map(hashOf) });
  return codes.map((code) => code.match(/.{4}/g)?.join("-") ?? code);
}

/** Uses up a code of the app or a recovery code; returns its kind, or null if it is not valid. */
async function consumeCode(
  tx: Tx,
  context: SecondFactorContext,
  { userId, code }: { userId: number; code: string },
): Promise<"totp" | "recovery" | null> {
  const digits = code.replaceAll(/\s/g, "");
  if (/^\d{6}$/.test(digits)) {
    const found = await findSecret(tx, userId);
    const step = found && stepOf(context, userId, found.sealed, digits);
    return found && step !== null && (await consumeStep(tx, { userId, sealed: found.sealed, step }))
      ? "totp"
      : null;
  }
  return (await consumeRecoveryCode(tx, { userId, hash: hashOf(foldedRecoveryCode(code)) }))
    ? "recovery"
    : null;
}

/** Wrong codes are counted separately, as passwords are. */
const attemptAt = (userId: number, address: string) => ({ email: purposeOf(userId), address });

function wrongCode(): AppError {
  return new AppError("code_wrong");
}

async function recordRecovery(tx: Tx, { notifications }: SecondFactorContext, userId: number): Promise<void> {
  const { recoveryCodes: left } = await findFactor(tx, userId);
  await recordAudit(tx, {
    userId,
    action: "second-factor-code-used",
    subject: `user:${userId}`,
    data: { left },
  });
  await mailFactorChange(tx, notifications, { userId, change: "codeUsed" });
}

/**
 * Starts a session that `admit` makes valid in its transaction, with the device cookie that it returns; if it returns null or fails, no
 * session remains.
 */
export async function beginSession(
  { database, library }: SecondFactorContext,
  { userId, userAgent, address }: { userId: number; userAgent: string; address: string },
  admit: (tx: Tx, token: string) => Promise<string | null>,
): Promise<{ device: string; cookies: string[] } | null> {
  const headers = new Headers({ "user-agent": userAgent, "x-forwarded-for": address });
  const { response: token, headers: answered } = await library.api
    .beginSession({ body: { userId: String(userId) }, headers, returnHeaders: true })
    .catch(onLibraryFailure);
  let device: string | null = null;
  try {
    device = await database.transaction((tx) => admit(tx, token));
  } finally {
    if (device === null) await execute(database.db, sql`delete from sessions where token = ${token}`);
  }
  return device === null ? null : { device, cookies: answered.getSetCookie() };
}

interface CodeInput extends SignInOrigin {
  actor: AuthSession;
  code: string;
  /** The request's device cookie. */
  deviceCookie: string | undefined;
}

/**
 * Completes a sign-in that still needs its code: a new session replaces the pending one. A recovery code ends the user's other sessions.
 * Errors: `code_wrong`, `too_many_attempts`, `unauthenticated` (the pending session has ended).
 */
export async function completeSignIn(context: SecondFactorContext, input: CodeInput): Promise<SignedIn> {
  const { database, sessions } = context;
  const { userId, sessionId: waitingId } = input.actor;
  const origin = originOf(input);
  const completed = await throttled(database.db, attemptAt(userId, input.address), async () => {
    const begun = await beginSession(context, { userId, ...input }, async (tx, token) => {
      const taken = await consumeCode(tx, context, { userId, code: input.code });
      if (!taken) return null;
      const replaced = await replaceWaiting(tx, { waitingId, token });
      // The rollback makes a valid code usable again if the sign-in for which it was entered has ended.
      if (!replaced) throw new AppError("unauthenticated");
      if (taken === "recovery") {
        await recordRecovery(tx, context, userId);
        await deleteSessions(tx, { userId, exceptToken: token });
      }
      const { deviceCookie } = input;
      return admitSession(tx, context, { userId, by: replaced.by, second: taken, deviceCookie, ...origin });
    });
    if (begun === null) await recordFailedSignIn(database, { userId, ...origin });
    return begun;
  });
  sessions.forget(userId);
  if (!completed) throw wrongCode();
  const user = await getUser(database.db, userId);
  if (!user) throw new AppError("unauthenticated");
  return { user: presentUser(user), ...completed };
}

async function confirmationAsked(
  context: SecondFactorContext,
  userId: number,
): Promise<SecondFactor["confirmation"]> {
  const { db } = context.database;
  if (context.localPasswords && (await findPassword(db, userId)) !== null) return "password";
  return (await hasSecondFactor(db, userId)) ? "code" : "none";
}

export interface OwnerInput {
  actor: AuthSession;
  address: string;
  confirmation: Confirmation;
}

/**
 * Ensures that a change of the second factor is made by its owner, and not by somebody else at their open page. Errors:
 * `current_password_wrong`, `code_wrong`, `too_many_attempts`.
 */
export async function checkOwner(
  context: SecondFactorContext,
  { actor, address, confirmation }: OwnerInput,
): Promise<void> {
  const { userId } = actor;
  const asked = await confirmationAsked(context, userId);
  if (asked === "password") {
    await checkCurrentPassword(context, { userId, address, password: confirmation.password ?? "" });
  } else if (asked === "code") {
    const { database } = context;
    const taken = await throttled(database.db, attemptAt(userId, address), () =>
      database.transaction(async (tx) => {
        const kind = await consumeCode(tx, context, { userId, code: confirmation.code ?? "" });
        if (kind === "recovery") await recordRecovery(tx, context, userId);
        return kind;
      }),
    );
    if (!taken) throw wrongCode();
  }
}

/** The actor's second factor for pages. */
export async function readSecondFactor(
  context: SecondFactorContext,
  actor: AuthSession,
): Promise<SecondFactor> {
  const [factor, confirmation] = await Promise.all([
    findFactor(context.database.db, actor.userId),
    confirmationAsked(context, actor.userId),
  ]);
  const pending = actor.pending ?? null;
  const passkeys = factor.passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
  // With only the password entered, the response tells which factors there are, and nothing else.
  if (pending === "code") {
    const nameless = passkeys.map((passkey) => ({ ...passkey, name: "", lastUsedAt: null }));
    return { pending, ...factor, passkeys: nameless, recoveryCodes: 0, confirmation };
  }
  return { pending, ...factor, passkeys, confirmation };
}

/** Creates a secret that has to be confirmed by a code. Errors: as `checkOwner`, `conflict`. */
export async function beginTotp(context: SecondFactorContext, input: OwnerInput) {
  const { userId, email } = input.actor;
  await checkOwner(context, input);
  const secret = new Secret({ size: secretBytes }).base32;
  const sealed = encrypt(secret, { encryptionKeys: context.encryptionKeys, purpose: purposeOf(userId) });
  const isKept = await context.database.transaction((tx) => saveSecret(tx, { userId, sealed }));
  if (!isKept) throw new AppError("conflict", "An authenticator app is set up already. Remove it first.");
  return { secret, uri: totpOf(secret, email).toString() };
}

/**
 * Confirms the setup of the authenticator app by one of its codes; the user's other sessions end. Returns the recovery codes. Errors:
 * `code_wrong`, `too_many_attempts`, `conflict`.
 */
export async function confirmTotp(
  context: SecondFactorContext,
  { actor, address, code }: { actor: AuthSession; address: string; code: string },
): Promise<string[]> {
  const { database, sessions } = context;
  const { userId, sessionId } = actor;
  const found = await findSecret(database.db, userId);
  if (!found || found.isConfirmed) throw new AppError("conflict", "Begin the set-up anew.");
  const { sealed } = found;
  const codes = await throttled(database.db, attemptAt(userId, address), async () => {
    const step = stepOf(context, userId, sealed, code.replaceAll(/\s/g, ""));
    if (step === null) return null;
    return database.transaction(async (tx) => {
      if (!(await confirmSecret(tx, { userId, sealed, step })))
        throw new AppError("conflict", "Begin the set-up anew.");
      const made = await makeCodes(tx, userId);
      await markVerified(tx, { id: sessionId });
      await deleteSessions(tx, { userId, except: sessionId });
      const data = { factor: "totp" };
      await recordAudit(tx, { userId, action: "second-factor-set-up", subject: `user:${userId}`, data });
      await mailFactorChange(tx, context.notifications, { userId, change: "setUp" });
      return made;
    });
  });
  sessions.forget(userId);
  if (!codes) throw wrongCode();
  return codes;
}

/** Removes the authenticator app; the user's other sessions end. Errors: as `checkOwner`, `not_found`. */
export async function endTotp(context: SecondFactorContext, input: OwnerInput): Promise<void> {
  const { userId, sessionId } = input.actor;
  await checkOwner(context, input);
  await context.database.transaction(async (tx) => {
    if (!(await deleteTotp(tx, userId))) throw new AppError("not_found", "No authenticator app is set up.");
    await deleteSessions(tx, { userId, except: sessionId });
    const data = { factor: "totp" };
    await recordAudit(tx, { userId, action: "second-factor-removed", subject: `user:${userId}`, data });
    await mailFactorChange(tx, context.notifications, { userId, change: "removed" });
  });
  context.sessions.forget(userId);
}

/** Creates new recovery codes; the earlier ones become invalid. Errors: as `checkOwner`, `conflict`. */
export async function renewRecoveryCodes(context: SecondFactorContext, input: OwnerInput): Promise<string[]> {
  const { userId } = input.actor;
  await checkOwner(context, input);
  return context.database.transaction(async (tx) => {
    if (!(await hasSecondFactor(tx, userId))) throw new AppError("conflict", "Set up a second factor first.");
    await recordAudit(tx, {
      userId,
      action: "second-factor-codes-made",
      subject: `user:${userId}`,
      data: {},
    });
    return makeCodes(tx, userId);
  });
}
