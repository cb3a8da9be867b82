import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";
import { mailPasswordChange, type NoticesContext } from "../notices/service.ts";
import { endPasswordLinks } from "./end-password-links.ts";
import { checkNewPassword } from "./new-password.ts";
import { type AuthContext, deleteSessions } from "./service.ts";
import { signInWays } from "./sign-in-ways.ts";
import { throttled } from "./throttle.ts";

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
  const { database, library } = context;
  const { password: hasher } = await library.$context;
  const { rows } = await database.db.$client.query<{ id: number; password: string }>(
    "select id, password from accounts where user_id = $1 and provider_id = 'credential'",
    [input.actor.userId],
  );
  const account = rows[0];
  // A name of its own: guesses made with a stolen session must not lock the owner out of the sign-in.
  const attempt = { email: `password of user ${input.actor.userId}`, address: input.address };
  const matches = await throttled(database.db, attempt, async () => {
    const fits =
      account && (await hasher.verify({ hash: account.password, password: input.currentPassword }));
    return fits || null;
  });
  if (!account || !matches)
    throw new AppError("current_password_wrong", "The current password is not right.");
  const hash = await hasher.hash(input.newPassword);
  await database.transaction(async (tx) => {
    await tx.$client.query("update accounts set password = $1, updated_at = now() where id = $2", [
      hash,
      account.id,
    ]);
    await recordAudit(tx, { userId: input.actor.userId, action: "password-change", data: {} });
    await endPasswordLinks(tx, input.actor.userId);
    await deleteSessions(tx, { userId: input.actor.userId, except: input.actor.sessionId });
    await mailPasswordChange(tx, context.notices, input.actor.userId);
  });
  context.sessions.forget(input.actor.userId);
}
