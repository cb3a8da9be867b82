import { AppError } from "../../../platform/http/app-error.ts";
import type { AuthSession } from "../../../platform/http/session.ts";
import { recordAudit } from "../../activity/service.ts";
import { mailPasswordChange, type NotificationsContext } from "../../notifications/service.ts";
import { getUser } from "../users/service.ts";
import { checkNewPassword } from "./check-new-password.ts";
import { signInWays } from "./list-sign-in-ways.ts";
import { endPasswordLinks, findPassword, replacePassword } from "./repository.ts";
import { type AuthContext, deleteSessions } from "./service.ts";
import { throttled } from "./throttle.ts";

/** The error for a wrong current password. */
export function wrongPassword(): AppError {
  return new AppError("current_password_wrong", "The current password is not right.");
}

/**
 * Verifies the password of a signed-in user before a sensitive action. Returns the verified hash, so that the action can make sure that it
 * has not changed. Errors: `current_password_wrong`, `too_many_attempts`.
 */
export async function checkCurrentPassword(
  { database, library }: AuthContext,
  { userId, address, password }: { userId: number; address: string; password: string },
): Promise<string> {
  const { password: hasher } = await library.$context;
  const kept = await findPassword(database.db, userId);
  // A separate counter: guesses with a stolen session must not lock the owner out of signing in.
  const attempt = { email: `password of user ${userId}`, address };
  const matches = await throttled(database.db, attempt, async () => {
    const fits = kept !== null && (await hasher.verify({ hash: kept, password }));
    return fits || null;
  });
  if (kept === null || !matches) throw wrongPassword();
  return kept;
}

/**
 * Changes the user's password and ends their other sessions and one-time links. Returns the new hash. Errors: `passwords_off`,
 * `current_password_wrong`, `password_too_short`, `password_too_common`, `password_guessable`, `too_many_attempts`.
 */
export async function changePassword(
  context: AuthContext & { notifications: NotificationsContext },
  input: { actor: AuthSession; address: string; currentPassword: string; newPassword: string },
): Promise<string> {
  const { password: isHere, provider } = await signInWays(context, input.actor.userId);
  if (!isHere && provider) throw new AppError("passwords_off");
  const { userId, sessionId } = input.actor;
  const owner = await getUser(context.database.db, userId);
  if (!owner) throw new AppError("unauthenticated");
  await checkNewPassword(input.newPassword, owner);
  const { address, currentPassword: password } = input;
  const kept = await checkCurrentPassword(context, { userId, address, password });
  const { password: hasher } = await context.library.$context;
  const to = await hasher.hash(input.newPassword);
  await context.database.transaction(async (tx) => {
    // Of two concurrent changes the second finds another password, and its session ended.
    if (!(await replacePassword(tx, { userId, from: kept, to }))) throw wrongPassword();
    await recordAudit(tx, { userId, action: "password-change", data: {} });
    await endPasswordLinks(tx, userId);
    await deleteSessions(tx, { userId, except: sessionId });
    await mailPasswordChange(tx, context.notifications, userId);
  });
  context.sessions.forget(userId);
  return to;
}
