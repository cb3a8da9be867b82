import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";
import { mailPasswordChange, type NoticesContext } from "../notices/service.ts";
import { checkCurrentPassword, wrongPassword } from "./current-password.ts";
import { replacePassword } from "./data-passwords.ts";
import { endPasswordLinks } from "./end-password-links.ts";
import { checkNewPassword } from "./new-password.ts";
import { type AuthContext, deleteSessions } from "./service.ts";
import { signInWays } from "./sign-in-ways.ts";

/**
 * Changes one's password and ends one's other sessions and one-time links.
 * Errors: `passwords_off`, `current_password_wrong`, `password_too_short`, `password_too_common`, `too_many_attempts`.
 */
export async function changePassword(
  context: AuthContext & { notices: NoticesContext },
  input: { actor: Session; address: string; currentPassword: string; newPassword: string },
): Promise<void> {
  const { password: isHere, provider } = await signInWays(context, input.actor.userId);
  if (!isHere && provider) throw new AppError("passwords_off");
  await checkNewPassword(input.newPassword);
  const { userId, sessionId } = input.actor;
  const { address, currentPassword: password } = input;
  const kept = await checkCurrentPassword(context, { userId, address, password });
  const { password: hasher } = await context.library.$context;
  const to = await hasher.hash(input.newPassword);
  await context.database.transaction(async (tx) => {
    // Of two changes at once the second finds another password, and its session ended.
    if (!(await replacePassword(tx, { userId, from: kept, to }))) throw wrongPassword();
    await recordAudit(tx, { userId, action: "password-change", data: {} });
    await endPasswordLinks(tx, userId);
    await deleteSessions(tx, { userId, except: sessionId });
    await mailPasswordChange(tx, context.notices, userId);
  });
  context.sessions.forget(userId);
}
