import type { SignIn, UserSession } from "@portal/contract/entities/settings";
import type { CurrentUser } from "@portal/contract/entities/user";
import type { Database, Tx } from "../../../platform/db/client.ts";
import { allOf, execute, query, sql } from "../../../platform/db/query.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { publishEvent } from "../../../platform/realtime/publish.ts";
import { recordAudit } from "../../activity/service.ts";
import { mailNewDevice, type NotificationsContext } from "../../notifications/service.ts";
import { getUser, presentUser } from "../users/service.ts";
import { onLibraryFailure, type SignInLibrary } from "./create-sign-in-library.ts";
import { isNewOrigin, originOf, type SignInOrigin, type SignInPolicy } from "./list-sign-ins.ts";
import type { Sessions } from "./read-session.ts";
import { findAccountByEmail, hasSecondFactor, holdPassword, listUserSessions } from "./repository.ts";
import { type Attempt, type DeviceCookies, recordFailedSignIn, throttled } from "./throttle.ts";

export interface AuthContext extends SignInPolicy {
  database: Database;
  library: SignInLibrary;
  sessions: Sessions;
  devices: DeviceCookies;
  notifications: NotificationsContext;
  /** Maximum number of sessions per user. */
  env: { sessionsPerUser: number };
}

export interface SignedIn {
  user: CurrentUser;
  /** Set-Cookie headers of the new session. */
  cookies: string[];
  /** The new device cookie. */
  device: string;
}

/** A session that `completeSignIn` of the second factor has to complete. */
export interface CodeNeeded {
  codeNeeded: true;
  cookies: string[];
}

interface SignInInput extends Omit<Attempt, "device"> {
  password: string;
  userAgent: string;
  asAdmin: boolean;
  /** The request's session cookie: its session ends when a new one begins (ASVS V7.2.4). */
  oldCookie: string | undefined;
  /** The request's device cookie. */
  deviceCookie: string | undefined;
}

/**
 * The hash of the password that a session was started with, if it is still the account's; locked until the transaction ends, so that a
 * concurrent change waits and then finds the session among those to end. `before` was read before the password was verified.
 */
async function holdTried(
  library: SignInLibrary,
  tx: Tx,
  tried: { userId: number; password: string; before: string | null },
): Promise<string | null> {
  const hash = await holdPassword(tx, tried.userId);
  if (hash === null || hash === tried.before) return hash;
  const { password: hasher } = await library.$context;
  return (await hasher.verify({ hash, password: tried.password })) ? hash : null;
}

/** Returns null if email and password do not match, or the account is disabled. Errors: `forbidden` for another role. */
async function attemptSignIn(
  context: AuthContext,
  input: SignInInput,
): Promise<SignedIn | CodeNeeded | null> {
  const { database, library, sessions } = context;
  const email = input.email.trim().toLowerCase();
  const account = await findAccountByEmail(database.db, email);
  const headers = new Headers({ "user-agent": input.userAgent, "x-forwarded-for": input.address });
  const answer = await library.api
    .signInEmail({
      body: { email, password: input.password },
      headers,
      returnHeaders: true,
    })
    .catch((error: { statusCode?: number }) => {
      if (error.statusCode !== undefined && error.statusCode < 500) return null;
      return onLibraryFailure(error);
    });
  const origin = originOf(input);
  if (!answer) {
    await recordFailedSignIn(database, { userId: account?.userId ?? null, ...origin });
    return null;
  }

  const { token } = answer.response;
  const userId = Number(answer.response.user.id);
  const user = await getUser(database.db, userId);
  const wrongRole = input.asAdmin && user?.role !== "admin";
  const before = account?.passwordHash ?? null;
  const admitted = await database.transaction(async (tx) => {
    const held = await holdTried(library, tx, { userId, password: input.password, before });
    if (held && user && !user.disabledAt && !wrongRole) {
      // Without its code the session is not valid, so this is not a sign-in yet.
      const codeNeeded = await hasSecondFactor(tx, userId);
      if (codeNeeded) return { device: null };
      const { deviceCookie } = input;
      return {
        device: await admitSession(tx, context, { userId, by: "password", deviceCookie, ...origin }),
      };
    }
    await execute(tx, sql`delete from sessions where token = ${token}`);
    return null;
  });
  if (!admitted) await recordFailedSignIn(database, { userId, ...origin });
  if (!admitted && wrongRole)
    throw new AppError("forbidden", "Admin login failed: this account is not an administrator");
  if (!admitted || !user) return null;
  sessions.forget(userId);
  const cookies = answer.headers.getSetCookie();
  const { device } = admitted;
  if (device === null) return { codeNeeded: true, cookies };
  return { user: presentUser(user), cookies, device };
}

export interface Admission extends SignInOrigin {
  userId: number;
  by: SignIn["by"];
  /** The kind of second factor that was used. */
  second?: "totp" | "recovery" | "passkey";
  /** The request's device cookie. */
  deviceCookie: string | undefined;
}

/**
 * Completes a sign-in in the transaction that makes its session valid: records it in the audit log, sends the user an email if the browser
 * is new, and ends the least recently used sessions beyond the maximum. Returns the new device cookie.
 */
export async function admitSession(
  tx: Tx,
  { env, devices, notifications }: Pick<AuthContext, "env" | "devices" | "notifications">,
  { deviceCookie, ...signIn }: Admission,
): Promise<string> {
  const { userId, ...data } = signIn;
  // An account without a password has device cookies too, which a later password invalidates.
  const account = { userId, passwordHash: (await holdPassword(tx, userId)) ?? "" };
  const isNew = devices.find(deviceCookie, account) === null && (await isNewOrigin(tx, signIn));
  if (isNew) await mailNewDevice(tx, notifications, signIn);
  await recordAudit(tx, { userId, action: "sign-in", data: { ...data, ...(isNew && { newDevice: true }) } });
  await endOldestSessions(tx, { userId, most: env.sessionsPerUser });
  return devices.grant(deviceCookie, account);
}

/**
 * Signs in, with the same response and the same work for an unknown email as for a wrong password. Errors: `passwords_off`,
 * `missing_credentials`, `too_many_attempts`, `invalid_credentials`; as administrator `admin_login_failed`, or `forbidden` for another
 * role.
 */
export async function signIn(context: AuthContext, input: SignInInput): Promise<SignedIn | CodeNeeded> {
  if (!context.localPasswords) throw new AppError("passwords_off", "Sign in with your login provider.");
  if (!input.email.trim() || !input.password) {
    throw new AppError("missing_credentials", "Please enter both email and password");
  }
  const { db } = context.database;
  const { email, address, deviceCookie } = input;
  // Queried for an unknown email too, so that both take equally long.
  const account = await findAccountByEmail(db, email.trim().toLowerCase());
  const device = account && context.devices.find(deviceCookie, account);
  const signedIn = await throttled(db, { email, address, device }, () => attemptSignIn(context, input));
  if (!signedIn) {
    throw input.asAdmin
      ? new AppError("admin_login_failed", "Admin login failed: invalid email or password")
      : new AppError("invalid_credentials", "Invalid email or password");
  }
  if (input.oldCookie) await endReplacedSession(context, input.oldCookie);
  return signedIn;
}

/** Ends the session of a replaced cookie. The cookie is the session's token with a signature. */
export async function endReplacedSession(context: AuthContext, cookie: string): Promise<void> {
  const rows = await query<{ id: number; userId: number }>(
    context.database.db,
    sql`select id, user_id as "userId" from sessions where token = ${cookie.split(".")[0] ?? ""}`,
  );
  for (const { id, userId } of rows) await endSessions(context, { userId, only: id });
}

/** Ends the session in every process and closes its streams. */
export async function signOut(context: AuthContext, session: AuthSession): Promise<void> {
  await endSessions(context, { userId: session.userId, only: session.sessionId });
}

interface EndedSessions {
  userId: number;
  only?: number;
  except?: number;
  exceptToken?: string;
}

/** `endSessions` within the transaction that causes it; call `sessions.forget` after the commit. Returns how many sessions ended. */
export async function deleteSessions(tx: Tx, ended: EndedSessions): Promise<number> {
  const { userId, only, except, exceptToken } = ended;
  const which = allOf(
    sql`user_id = ${userId}`,
    only !== undefined && sql`id = ${only}`,
    except !== undefined && sql`id <> ${except}`,
    exceptToken !== undefined && sql`token <> ${exceptToken}`,
  );
  const rows = await query<{ live: boolean }>(
    tx,
    sql`delete from sessions where ${which} returning expires_at > now() as live`,
  );
  await publishEvent(tx, { topic: "session", id: userId, audience: [userId] });
  return rows.filter(({ live }) => live).length;
}

/**
 * Ends a user's least recently used sessions beyond `most`, beginning with those that still need a code; call `sessions.forget` after the
 * commit.
 */
async function endOldestSessions(tx: Tx, { userId, most }: { userId: number; most: number }): Promise<void> {
  const oldest = await query<{ id: number }>(
    tx,
    sql`select id from sessions where user_id = ${userId} and expires_at > now()
       order by second_factor_at is null, updated_at desc, id desc offset ${most}::int`,
  );
  for (const { id } of oldest) await deleteSessions(tx, { userId, only: id });
  if (oldest.length > 0)
    await recordAudit(tx, { userId, action: "sessions-end", data: { count: oldest.length } });
}

/** Ends one session of a user, or all but one. */
async function endSessions({ database, sessions }: AuthContext, ended: EndedSessions): Promise<void> {
  await database.transaction((tx) => deleteSessions(tx, ended));
  sessions.forget(ended.userId);
}

/** A user's sessions, newest first. */
export async function listOwnSessions(
  { database }: Pick<AuthContext, "database">,
  { actor, maxDays }: { actor: AuthSession; maxDays: number },
): Promise<UserSession[]> {
  const rows = await listUserSessions(database.db, { userId: actor.userId, maxDays });
  return rows.map(({ id, createdAt, lastSeenAt, address, userAgent }) => ({
    id,
    current: id === actor.sessionId,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    address: address || null,
    userAgent: userAgent || null,
  }));
}

/** Ends one of the actor's own sessions, or all but the current one, at once in every process and on every page. Errors: `not_found`. */
export async function endOwnSessions(
  { database, sessions }: AuthContext,
  { actor, only }: { actor: AuthSession; only?: number },
): Promise<number> {
  const { userId, sessionId } = actor;
  const ended = await database.transaction(async (tx) => {
    const which = only === undefined ? { except: sessionId } : { only };
    const count = await deleteSessions(tx, { userId, ...which });
    if (only !== undefined && count === 0) throw new AppError("not_found", "This session has ended already.");
    await recordAudit(tx, { userId, action: "sessions-end", data: { count } });
    return count;
  });
  sessions.forget(userId);
  return ended;
}
