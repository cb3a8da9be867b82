import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";
import { checkCurrentPassword, wrongPassword } from "./current-password.ts";
import { deleteLinks } from "./data-links.ts";
import { holdPassword } from "./data-passwords.ts";
import { type AuthContext, deleteSessions } from "./service.ts";

/**
 * Unlinks one's own account from the login provider, where a password kept here opens it from then on: it is asked for. One's other sessions
 * end. A sign-in there by an address that an administrator gave links the account anew.
 * Errors: `passwords_off`, `current_password_wrong`, `too_many_attempts`, `not_found` (nothing is linked).
 */
export async function unlinkProvider(
  context: AuthContext,
  { actor, address, currentPassword }: { actor: Session; address: string; currentPassword: string },
): Promise<void> {
  if (!context.localPasswords)
    throw new AppError("passwords_off", "Without the login provider you could not sign in any more.");
  const { userId, sessionId } = actor;
  const kept = await checkCurrentPassword(context, { userId, address, password: currentPassword });
  await context.database.transaction(async (tx) => {
    if ((await holdPassword(tx, userId)) !== kept) throw wrongPassword();
    const was = await deleteLinks(tx, userId);
    if (was === null) throw new AppError("not_found", "This account is linked to no login provider.");
    await deleteSessions(tx, { userId, except: sessionId });
    await recordAudit(tx, { userId, action: "sign-in-unlinked", subject: `user:${userId}`, data: { was } });
  });
  context.sessions.forget(userId);
}
