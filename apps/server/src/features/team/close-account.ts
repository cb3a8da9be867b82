import type { TeamMember } from "@portal/contract/routes/team";
import { AppError } from "../../http/app-error.ts";
import { endPasswordLinks } from "../auth/end-password-links.ts";
import { deleteSessions } from "../auth/service.ts";
import { stopSessionOf } from "../dialer/stop-session.ts";
import { changeMember } from "./data.ts";
import {
  checkNotLast,
  getMember,
  holdMember,
  holdTeam,
  type MemberAct,
  recordMemberAct,
  type TeamContext,
} from "./service.ts";

/**
 * Closes an account: its sessions, event streams and one-time links end in every process, a calling session stops, no phone of theirs is
 * rung any more. A call under way goes on to its end. Closing what is closed changes nothing.
 * Errors: `invalid` (oneself), `not_found`, `last_admin`.
 */
export async function closeAccount(
  context: TeamContext,
  { actor, memberId }: MemberAct,
): Promise<TeamMember> {
  if (actor.userId === memberId) throw new AppError("invalid", "You cannot close your own account.");
  await context.database.transaction(async (tx) => {
    const adminIds = await holdTeam(tx, actor);
    const member = await holdMember(tx, memberId);
    if (member.disabledAt !== null) return;
    checkNotLast(adminIds, memberId);
    await changeMember(tx, memberId, { disabledAt: new Date() });
    await deleteSessions(tx, { userId: memberId });
    await endPasswordLinks(tx, memberId);
    const stopped = await stopSessionOf(tx, memberId);
    const { name, email, role } = member;
    await recordMemberAct(tx, { actor, memberId }, "member-closed", {
      name,
      email,
      role,
      dialerStopped: stopped,
    });
  });
  context.sessions.forget(memberId);
  return getMember(context.database.db, memberId);
}

/** Opens a closed account again, with the password it had. Errors: `not_found`. */
export async function reopenAccount(
  context: TeamContext,
  { actor, memberId }: MemberAct,
): Promise<TeamMember> {
  await context.database.transaction(async (tx) => {
    await holdTeam(tx, actor);
    const { disabledAt, name, email, role } = await holdMember(tx, memberId);
    if (disabledAt === null) return;
    await changeMember(tx, memberId, { disabledAt: null });
    // A sign-in of the moment of the closing may have left one.
    await deleteSessions(tx, { userId: memberId });
    await recordMemberAct(tx, { actor, memberId }, "member-reopened", {
      name,
      email,
      role,
      closedAt: disabledAt,
    });
  });
  context.sessions.forget(memberId);
  return getMember(context.database.db, memberId);
}
