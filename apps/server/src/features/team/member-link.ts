import { AppError } from "../../http/app-error.ts";
import { makePasswordLink } from "../auth/password-links.ts";
import { mailPasswordLink } from "../notices/service.ts";
import { holdMember, holdTeam, type MemberAct, type TeamContext } from "./service.ts";

/** A one-time link as it is shown, once. */
export interface MemberLink {
  url: string;
  expiresAt: string;
  /** It went to the person by e-mail as well. */
  mailed: boolean;
}

/**
 * Makes a one-time link for somebody to choose a password; earlier ones end. One's own password needs the current one.
 * Errors: `not_found`, `passwords_off`, `invalid` (a closed account, or oneself).
 */
export async function makeMemberLink(
  context: TeamContext,
  { actor, memberId }: MemberAct,
): Promise<MemberLink> {
  if (!context.localPasswords)
    throw new AppError("passwords_off", "Passwords are kept by the login provider.");
  if (actor.userId === memberId)
    throw new AppError("invalid", "Change your own password in Account Settings.");
  const { publicUrl, notices } = context;
  return context.database.transaction(async (tx) => {
    await holdTeam(tx, actor);
    const member = await holdMember(tx, memberId);
    if (member.disabledAt !== null)
      throw new AppError("invalid", "This account is closed. Open it again first.");
    const link = await makePasswordLink(tx, { publicUrl, userId: memberId, createdBy: actor.userId });
    return { ...link, mailed: await mailPasswordLink(tx, notices, { userId: memberId, ...link }) };
  });
}
