import type { TeamMember } from "@portal/contract/routes/team";
import { AppError } from "../../http/app-error.ts";
import { deleteLinks } from "../auth/data-links.ts";
import { deleteSessions } from "../auth/service.ts";
import { actOnMember, type MemberAct, recordMemberAct, type TeamContext } from "./service.ts";

/**
 * Unlinks an account from the login provider and ends its sessions: for who has another identity there now, or one that is not theirs. One's
 * own is unlinked in Settings, with the password that opens it then. Errors: `invalid` (oneself), `not_found`.
 */
export async function unlinkMember(context: TeamContext, act: MemberAct): Promise<TeamMember> {
  const { actor, memberId } = act;
  if (actor.userId === memberId) throw new AppError("invalid", "Unlink your own account in Settings.");
  return actOnMember(context, act, async (tx, { name }) => {
    const was = await deleteLinks(tx, memberId);
    if (was === null) return;
    const sessions = await deleteSessions(tx, { userId: memberId });
    await recordMemberAct(tx, act, "member-unlinked", { name, was, sessions });
  });
}
