import type { CurrentUser } from "@portal/contract/entities/user";
import type { Database } from "../../db/client.ts";
import { publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";

import { presentUser } from "../users/present.ts";
import { getUser } from "../users/service.ts";
import type { Sessions } from "./session-reader.ts";
import type { SignInLibrary } from "./sign-in-library.ts";
import { type Attempt, checkThrottle, recordFailure } from "./throttle.ts";

export interface AuthContext {
  database: Database;
  library: SignInLibrary;
  sessions: Sessions;
}

export interface SignedIn {
  user: CurrentUser;
  /** Set-Cookie headers of the new session. */
  cookies: string[];
}

/**
 * Signs in (specification §5, §6). The same answer and the same work for an unknown address and for a wrong password.
 * Errors: `missing_credentials`, `too_many_attempts`, `invalid_credentials`; as administrator `admin_login_failed`, or `forbidden` for another role.
 */
export async function signIn(
  context: AuthContext,
  input: Attempt & { password: string; userAgent: string; asAdmin: boolean },
): Promise<SignedIn> {
  const { database, library } = context;
  if (!input.email.trim() || !input.password) {
    throw new AppError("missing_credentials", "Please enter both email and password");
  }
  await checkThrottle(database.db, input);
  const refuse = async (): Promise<never> => {
    await recordFailure(database.db, input);
    throw input.asAdmin
      ? new AppError("admin_login_failed", "Admin login failed: invalid email or password")
      : new AppError("invalid_credentials", "Invalid email or password");
  };

  const headers = new Headers({ "user-agent": input.userAgent, "x-forwarded-for": input.address });
  const answer = await library.api
    .signInEmail({
      body: { email: input.email.trim().toLowerCase(), password: input.password },
      headers,
      returnHeaders: true,
    })
    .catch((error: { statusCode?: number }) => {
      if (error.statusCode !== undefined && error.statusCode < 500) return null;
      throw error;
    });
  if (!answer) return refuse();

  const user = await getUser(database.db, Number(answer.response.user.id));
  const wrongRole = input.asAdmin && user?.role !== "admin";
  if (!user || user.disabledAt || wrongRole) {
    await database.db.$client.query("delete from sessions where token = $1", [answer.response.token]);
    if (wrongRole)
      throw new AppError("forbidden", "Admin login failed: this account is not an administrator");
    return refuse();
  }
  await database.transaction((tx) => recordAudit(tx, { userId: user.id, action: "sign-in", data: {} }));
  return { user: presentUser(user), cookies: answer.headers.getSetCookie() };
}

/** Ends the session on the server, in every process and on every stream. */
export async function signOut(context: AuthContext, session: Session): Promise<void> {
  await endSessions(context, { userId: session.userId, only: session.sessionId });
}

/** Ends one session of a user, or all but one. */
export async function endSessions(
  { database, sessions }: AuthContext,
  input: { userId: number; only?: number; except?: number },
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.$client.query(
      "delete from sessions where user_id = $1 and ($2::int is null or id = $2) and ($3::int is null or id <> $3)",
      [input.userId, input.only ?? null, input.except ?? null],
    );
    await publishEvent(tx, { topic: "session", id: input.userId, audience: [input.userId] });
  });
  sessions.forget(input.userId);
}
