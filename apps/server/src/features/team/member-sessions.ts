import { deleteSessions } from "../auth/service.ts";
import { holdMember, holdTeam, type MemberAct, recordMemberAct, type TeamContext } from "./service.ts";

/** Signs a person out everywhere; answers how many browsers that were. Errors: `not_found`. */
export async function endMemberSessions(
  context: TeamContext,
  { actor, memberId }: MemberAct,
): Promise<number> {
  const ended = await context.database.transaction(async (tx) => {
    await holdTeam(tx, actor);
    const { name } = await holdMember(tx, memberId);
    const count = await deleteSessions(tx, { userId: memberId });
    await recordMemberAct(tx, { actor, memberId }, "member-signed-out", { name, sessions: count });
    return count;
  });
  context.sessions.forget(memberId);
  return ended;
}
