import type { PasskeyAnswer } from "@portal/contract/routes/second-factor";
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decrypt, encrypt } from "../../../domain/encryption.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { recordAudit } from "../../activity/service.ts";
import { mailFactorChange } from "../../notifications/service.ts";
import { originOf, type SignInOrigin } from "../auth/list-sign-ins.ts";
import { hasSecondFactor } from "../auth/repository.ts";
import { admitSession, deleteSessions, endReplacedSession, type SignedIn } from "../auth/service.ts";
import { recordFailedSignIn, throttled } from "../auth/throttle.ts";
import { getUser, presentUser } from "../users/service.ts";
import {
  acceptAnswer,
  deletePasskey,
  findFactor,
  findPasskey,
  insertPasskey,
  markVerified,
  replaceWaiting,
  type StoredPasskey,
  updatePasskeyName,
} from "./repository.ts";
import {
  beginSession,
  checkOwner,
  issuer,
  makeCodes,
  type OwnerInput,
  type SecondFactorContext,
} from "./service.ts";

/** EdDSA, ES256 and RS256: every runtime verifies them, and every authenticator supports one of them. */
const algorithms = [-8, -7, -257];
const challengeMs = 5 * 60_000;
const passkeysMost = 10;

/** Purpose of a challenge, encrypted into it, so that nothing is stored before its response. */
interface Challenge {
  /** Unix milliseconds. */
  at: number;
  /** The session that adds a passkey; null for a sign-in. */
  sessionId: number | null;
}

const purpose = "passkey challenge";

function makeChallenge({ encryptionKeys }: SecondFactorContext, sessionId: number | null): string {
  const challenge: Challenge = { at: Date.now(), sessionId };
  return encrypt(JSON.stringify(challenge), { encryptionKeys, purpose });
}

/** When the challenge of a response was created; null if it is another session's, too old, or not created here. */
function openChallenge(
  { encryptionKeys }: SecondFactorContext,
  base64url: string,
  sessionId: number | null,
): number | null {
  const text = decrypt(Buffer.from(base64url, "base64url").toString(), { encryptionKeys, purpose });
  const challenge = text === null ? null : (JSON.parse(text) as Challenge);
  if (!challenge || challenge.sessionId !== sessionId || challenge.at + challengeMs < Date.now()) return null;
  return challenge.at;
}

/** Passkeys belong to the portal's host, regardless of its port. */
function partyOf({ publicUrl }: SecondFactorContext) {
  const { origin, hostname } = new URL(publicUrl);
  return { expectedOrigin: origin, expectedRPID: hostname };
}

function refused(): AppError {
  return new AppError("passkey_refused");
}

/** Starts adding a passkey. Errors: as `checkOwner`, `conflict`. */
export async function beginPasskey(context: SecondFactorContext, input: OwnerInput) {
  const { userId, sessionId, email, name } = input.actor;
  await checkOwner(context, input);
  const { passkeys } = await findFactor(context.database.db, userId);
  if (passkeys.length >= passkeysMost)
    throw new AppError("conflict", `You have ${passkeysMost} passkeys. Remove one first.`);
  const options = await generateRegistrationOptions({
    rpName: issuer,
    rpID: partyOf(context).expectedRPID,
    userName: email,
    userDisplayName: name,
    userID: new TextEncoder().encode(String(userId)),
    challenge: makeChallenge(context, sessionId),
    timeout: challengeMs,
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: passkeys.map(({ credentialId: id, transports }) => ({ id, transports })),
    // The passkey is found without a user name and verifies the user (finger, face or PIN), so it counts as both factors.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { ...options };
}

/**
 * Adds a passkey; the user's other sessions end. Returns recovery codes with the first second factor, else null. Errors: `passkey_refused`,
 * `conflict`.
 */
export async function addPasskey(
  context: SecondFactorContext,
  { actor, name, credential }: { actor: AuthSession; name: string; credential: PasskeyAnswer },
): Promise<string[] | null> {
  const { userId, sessionId } = actor;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    // The library validates the whole response.
    response: credential as unknown as RegistrationResponseJSON,
    expectedChallenge: (challenge) => openChallenge(context, challenge, sessionId) !== null,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
    ...partyOf(context),
  }).catch(() => {
    throw refused();
  });
  if (!verified) throw refused();
  const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
  const key = { credentialId, publicKey: Buffer.from(publicKey).toString("base64url"), counter, transports };
  const codes = await context.database.transaction(async (tx) => {
    const isFirst = !(await hasSecondFactor(tx, userId));
    if (!(await insertPasskey(tx, { userId, name: name.trim(), ...key })))
      throw new AppError("conflict", "This passkey was added before.");
    await markVerified(tx, { id: sessionId });
    await deleteSessions(tx, { userId, except: sessionId });
    const data = { factor: "passkey", name: name.trim() };
    await recordAudit(tx, { userId, action: "second-factor-set-up", subject: `user:${userId}`, data });
    await mailFactorChange(tx, context.notifications, { userId, change: "setUp" });
    return isFirst ? makeCodes(tx, userId) : null;
  });
  context.sessions.forget(userId);
  return codes;
}

/** Names a passkey. Errors: `not_found`. */
export async function renamePasskey(
  { database }: SecondFactorContext,
  key: { id: number; userId: number; name: string },
): Promise<void> {
  const isThere = await database.transaction((tx) => updatePasskeyName(tx, key));
  if (!isThere) throw new AppError("not_found", "This passkey does not exist.");
}

/** Removes a passkey; the user's other sessions end. Errors: as `checkOwner`, `not_found`. */
export async function endPasskey(
  context: SecondFactorContext,
  { id, ...input }: OwnerInput & { id: number },
): Promise<void> {
  const { userId, sessionId } = input.actor;
  const { passkeys } = await findFactor(context.database.db, userId);
  if (!passkeys.some((passkey) => passkey.id === id))
    throw new AppError("not_found", "This passkey does not exist.");
  await checkOwner(context, input);
  await context.database.transaction(async (tx) => {
    const name = await deletePasskey(tx, { id, userId });
    if (name === null) throw new AppError("not_found", "This passkey does not exist.");
    await deleteSessions(tx, { userId, except: sessionId });
    const data = { factor: "passkey", name };
    await recordAudit(tx, { userId, action: "second-factor-removed", subject: `user:${userId}`, data });
    await mailFactorChange(tx, context.notifications, { userId, change: "removed" });
  });
  context.sessions.forget(userId);
}

/** Options with which the browser asks for any passkey of this portal. */
export async function beginPasskeySignIn(context: SecondFactorContext) {
  const options = await generateAuthenticationOptions({
    rpID: partyOf(context).expectedRPID,
    challenge: makeChallenge(context, null),
    timeout: challengeMs,
    userVerification: "required",
  });
  return { ...options };
}

/** When the challenge that a passkey signed was created, and the passkey's new count; null if the response is not valid. */
async function checkAnswer(context: SecondFactorContext, key: StoredPasskey, answer: PasskeyAnswer) {
  let challengedAt: number | null = null;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => {
      challengedAt = openChallenge(context, challenge, null);
      return challengedAt !== null;
    },
    credential: {
      id: answer.id,
      publicKey: Buffer.from(key.publicKey, "base64url"),
      counter: key.counter,
      transports: key.transports as AuthenticatorTransport[],
    },
    requireUserVerification: true,
    ...partyOf(context),
  }).catch(() => ({ verified: false, authenticationInfo: null }));
  if (!verified || !authenticationInfo || challengedAt === null) return null;
  return { challengedAt, counter: authenticationInfo.newCounter };
}

interface PasskeySignIn extends SignInOrigin {
  credential: PasskeyAnswer;
  /** The request's session, if one still needs its code. */
  waiting: AuthSession | null;
  /** The request's session cookie: its session ends. */
  oldCookie: string | undefined;
  deviceCookie: string | undefined;
}

/**
 * Signs in by passkey, or completes a sign-in of the same person that still needs its code. Errors: `passkey_refused`, `passwords_off`,
 * `too_many_attempts`.
 */
export async function signInByPasskey(context: SecondFactorContext, input: PasskeySignIn): Promise<SignedIn> {
  const { database, sessions } = context;
  const { credential, waiting, deviceCookie } = input;
  // If passwords are off, only the login provider starts sessions.
  if (!context.localPasswords && !waiting) throw new AppError("passwords_off");
  const origin = originOf(input);
  const attempt = { email: `passkey ${credential.id}`, address: input.address };
  const admitted = await throttled(database.db, attempt, async () => {
    const key = await findPasskey(database.db, credential.id);
    const answer =
      key && (!waiting || waiting.userId === key.userId) && (await checkAnswer(context, key, credential));
    if (!key || !answer) {
      await recordFailedSignIn(database, { userId: key?.userId ?? null, ...origin });
      return null;
    }
    const { userId } = key;
    const begun = await beginSession(context, { userId, ...input }, async (tx, token) => {
      if (!(await acceptAnswer(tx, { id: key.id, ...answer }))) return null;
      const replaced = waiting
        ? await replaceWaiting(tx, { waitingId: waiting.sessionId, token })
        : { by: "passkey" as const };
      if (!replaced) throw new AppError("unauthenticated");
      await markVerified(tx, { token });
      return admitSession(tx, context, {
        userId,
        by: replaced.by,
        second: "passkey",
        deviceCookie,
        ...origin,
      });
    });
    sessions.forget(userId);
    return begun && { userId, ...begun };
  });
  if (!admitted) throw refused();
  if (input.oldCookie) await endReplacedSession(context, input.oldCookie);
  const user = await getUser(database.db, admitted.userId);
  if (!user) throw new AppError("unauthenticated");
  return { user: presentUser(user), cookies: admitted.cookies, device: admitted.device };
}
