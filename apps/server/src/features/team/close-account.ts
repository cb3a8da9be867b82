import type { TeamMember } from "@portal/contract/routes/team";
import { AppError } from "../../http/app-error.ts";
import { endPasswordLinks } from "../auth/end-password-links.ts";
import { deleteSessions } from "../auth/service.ts";
import { stopSessionOf } from "../dialer/stop-session.ts";
import { changeMember } from "./data.ts";
import { actOnMember, checkNotLast, type MemberAct, recordMemberAct, type TeamContext } from "./service.ts";

/**
 * Closes an account: its sessions, event streams and one-time links end in every process, a calling session stops, no phone of theirs is
 * rung any more. A call under way goes on to its end. Closing what is closed changes nothing.
 * Errors: `invalid` (oneself), `not_found`, `last_admin`.
 */
export async function closeAccount(context: TeamContext, act: MemberAct): Promise<TeamMember> {
  const { actor, memberId } = act;
  if (actor.userId === memberId) throw new AppError("invalid", "You cannot close your own account.");
  return actOnMember(context, act, async (tx, { disabledAt, name, email, role }, adminIds) => {
    if (disabledAt !== null) return;
    checkNotLast(adminIds, memberId);
    await changeMember(tx, memberId, { disabledAt: new Date() });
    await deleteSessions(tx, { userId: memberId });
    await endPasswordLinks(tx, memberId);
    const dialerStopped = await stopSessionOf(tx, memberId);
    await recordMemberAct(tx, act, "member-closed", { name, email, role, dialerStopped });
  });
}

/** Opens a closed account again, with the password it had. Errors: `not_found`. */
export async function reopenAccount(context: TeamContext, act: MemberAct): Promise<TeamMember> {
  const { memberId } = act;
  return actOnMember(context, act, async (tx, { disabledAt, name, email, role }) => {
    if (disabledAt === null) return;
    await changeMember(tx, memberId, { disabledAt: null });
    // A sign-in of the moment of the closing may have left one.
    await deleteSessions(tx, { userId: memberId });
    await recordMemberAct(tx, act, "member-reopened", { name, email, role, closedAt: disabledAt });
  });
}
