import type { CurrentUser } from "@portal/contract/entities/user";
import type { Database, Tx } from "../../db/client.ts";
import { publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";

import { presentUser } from "../users/present.ts";
import { getUser } from "../users/service.ts";
import { findPasswordByEmail, holdPassword } from "./data-passwords.ts";
import type { Sessions } from "./session-reader.ts";
import { onLibraryFailure, type SignInLibrary } from "./sign-in-library.ts";
import type { SignInPolicy } from "./sign-in-ways.ts";
import { type Attempt, throttled } from "./throttle.ts";

export interface AuthContext extends SignInPolicy {
  database: Database;
  library: SignInLibrary;
  sessions: Sessions;
}

export interface SignedIn {
  user: CurrentUser;
  /** Set-Cookie headers of the new session. */
  cookies: string[];
}

interface SignInInput extends Attempt {
  password: string;
  userAgent: string;
  asAdmin: boolean;
  /** The session cookie that came with the request: its session ends when a new one begins (ASVS V7.2.4). */
  oldCookie: string | undefined;
}

/**
 * Whether the password that a session was begun with is still the account's, and stays so until the transaction ends: who changes it
 * meanwhile waits, and then finds the session among those to end. `before` was read before the password was verified.
 */
async function isStillPassword(
  library: SignInLibrary,
  tx: Tx,
  tried: { userId: number; password: string; before: string | null },
): Promise<boolean> {
  const hash = await holdPassword(tx, tried.userId);
  if (hash === null) return false;
  if (hash === tried.before) return true;
  const { password: hasher } = await library.$context;
  return hasher.verify({ hash, password: tried.password });
}

/** Answers null where address and password do not fit, or the account is disabled. Errors: `forbidden` for another role. */
async function attemptSignIn(
  { database, library }: AuthContext,
  input: SignInInput,
): Promise<SignedIn | null> {
  const email = input.email.trim().toLowerCase();
  const before = await findPasswordByEmail(database.db, email);
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
  if (!answer) return null;

  const { token } = answer.response;
  const userId = Number(answer.response.user.id);
  const user = await getUser(database.db, userId);
  const wrongRole = input.asAdmin && user?.role !== "admin";
  const isIn = await database.transaction(async (tx) => {
    const holds = await isStillPassword(library, tx, { userId, password: input.password, before });
    if (holds && user && !user.disabledAt && !wrongRole) {
      await recordAudit(tx, { userId, action: "sign-in", data: {} });
      return true;
    }
    await tx.$client.query("delete from sessions where token = $1", [token]);
    return false;
  });
  if (!isIn && wrongRole)
    throw new AppError("forbidden", "Admin login failed: this account is not an administrator");
  if (!isIn || !user) return null;
  return { user: presentUser(user), cookies: answer.headers.getSetCookie() };
}

/**
 * Signs in (specification §5, §6). The same answer and the same work for an unknown address and for a wrong password.
 * Errors: `passwords_off`, `missing_credentials`, `too_many_attempts`, `invalid_credentials`; as administrator `admin_login_failed`, or `forbidden` for another role.
 */
export async function signIn(context: AuthContext, input: SignInInput): Promise<SignedIn> {
  if (!context.localPasswords) throw new AppError("passwords_off", "Sign in with your login provider.");
  if (!input.email.trim() || !input.password) {
    throw new AppError("missing_credentials", "Please enter both email and password");
  }
  const signedIn = await throttled(context.database.db, input, () => attemptSignIn(context, input));
  if (!signedIn) {
    throw input.asAdmin
      ? new AppError("admin_login_failed", "Admin login failed: invalid email or password")
      : new AppError("invalid_credentials", "Invalid email or password");
  }
  if (input.oldCookie) await endReplacedSession(context, input.oldCookie);
  return signedIn;
}

/** The cookie is the session's token and its signature; whoever has the token has the session. */
export async function endReplacedSession(context: AuthContext, cookie: string): Promise<void> {
  const { rows } = await context.database.db.$client.query<{ id: number; userId: number }>(
    'select id, user_id as "userId" from sessions where token = $1',
    [cookie.split(".")[0]],
  );
  for (const { id, userId } of rows) await endSessions(context, { userId, only: id });
}

/** Ends the session on the server, in every process and on every stream. */
export async function signOut(context: AuthContext, session: Session): Promise<void> {
  await endSessions(context, { userId: session.userId, only: session.sessionId });
}

interface EndedSessions {
  userId: number;
  only?: number;
  except?: number;
}

/** As `endSessions`, with the change that ends them; `sessions.forget` follows the commit. Answers how many were in force. */
export async function deleteSessions(tx: Tx, { userId, only, except }: EndedSessions): Promise<number> {
  const { rows } = await tx.$client.query<{ live: boolean }>(
    "delete from sessions where user_id = $1 and ($2::int is null or id = $2) and ($3::int is null or id <> $3) returning expires_at > now() as live",
    [userId, only ?? null, except ?? null],
  );
  await publishEvent(tx, { topic: "session", id: userId, audience: [userId] });
  return rows.filter(({ live }) => live).length;
}

/** Ends one session of a user, or all but one. */
async function endSessions({ database, sessions }: AuthContext, ended: EndedSessions): Promise<void> {
  await database.transaction((tx) => deleteSessions(tx, ended));
  sessions.forget(ended.userId);
}
