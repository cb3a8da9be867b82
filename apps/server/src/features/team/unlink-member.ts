import type { TeamMember } from "@portal/contract/routes/team";
import { AppError } from "../../http/app-error.ts";
import { deleteLinks } from "../auth/data-links.ts";
import { deleteSessions } from "../auth/service.ts";
import {
  getMember,
  holdMember,
  holdTeam,
  type MemberAct,
  recordMemberAct,
  type TeamContext,
} from "./service.ts";

/**
 * Unlinks an account from the login provider and ends its sessions: for who has another identity there now, or one that is not theirs. One's
 * own is unlinked in Settings, with the password that opens it then. Errors: `invalid` (oneself), `not_found`.
 */
export async function unlinkMember(
  context: TeamContext,
  { actor, memberId }: MemberAct,
): Promise<TeamMember> {
  if (actor.userId === memberId) throw new AppError("invalid", "Unlink your own account in Settings.");
  await context.database.transaction(async (tx) => {
    await holdTeam(tx, actor);
    const { name } = await holdMember(tx, memberId);
    const was = await deleteLinks(tx, memberId);
    if (was === null) return;
    const sessions = await deleteSessions(tx, { userId: memberId });
    await recordMemberAct(tx, { actor, memberId }, "member-unlinked", { name, was, sessions });
  });
  context.sessions.forget(memberId);
  return getMember(context.database.db, memberId);
}
