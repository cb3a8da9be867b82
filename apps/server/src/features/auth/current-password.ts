import { AppError } from "../../http/app-error.ts";
import { findPassword } from "./data-passwords.ts";
import type { AuthContext } from "./service.ts";
import { throttled } from "./throttle.ts";

/** That a password is not the one that is kept. */
export function wrongPassword(): AppError {
  return new AppError("current_password_wrong", "The current password is not right.");
}

/**
 * Asks for the password of somebody who is signed in, before what only they may do. Answers the hash that it fits, so that the act can
 * make sure that it is still the one. Errors: `current_password_wrong`, `too_many_attempts`.
 */
export async function checkCurrentPassword(
  { database, library }: AuthContext,
  { userId, address, password }: { userId: number; address: string; password: string },
): Promise<string> {
  const { password: hasher } = await library.$context;
  const kept = await findPassword(database.db, userId);
  // A name of its own: guesses made with a stolen session must not lock the owner out of the sign-in.
  const attempt = { email: `password of user ${userId}`, address };
  const matches = await throttled(database.db, attempt, async () => {
    const fits = kept !== null && (await hasher.verify({ hash: kept, password }));
    return fits || null;
  });
  if (kept === null || !matches) throw wrongPassword();
  return kept;
}
