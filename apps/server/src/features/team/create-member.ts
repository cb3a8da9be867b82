import type { Language, Role } from "@portal/contract/entities/user";
import type { Session } from "../../http/session.ts";
import { makePasswordLink } from "../auth/password-links.ts";
import { mailPasswordLink } from "../notices/service.ts";
import { checkedEmail, checkedName } from "../users/service.ts";
import { insertMember, takeGivenEmail } from "./data.ts";
import type { MemberLink } from "./member-link.ts";
import { holdTeam, recordMemberAct, type TeamContext } from "./service.ts";
import { onTakenEmail } from "./update-member.ts";

/** Opens an account, with a one-time link where passwords are kept here. Errors: `invalid`, `email_taken`. */
export async function createMember(
  context: TeamContext,
  { actor, ...sent }: { actor: Session; name: string; email: string; role: Role; language: Language },
): Promise<{ memberId: number; link: MemberLink | null }> {
  const values = { ...sent, name: checkedName(sent.name), email: checkedEmail(sent.email) };
  const { publicUrl, localPasswords, notices } = context;
  return context.database
    .transaction(async (tx) => {
      await holdTeam(tx, actor);
      const memberId = await insertMember(tx, values);
      await takeGivenEmail(tx, memberId, values.email);
      await recordMemberAct(tx, { actor, memberId }, "member-created", values);
      if (!localPasswords) return { memberId, link: null };
      const link = await makePasswordLink(tx, { publicUrl, userId: memberId, createdBy: actor.userId });
      const mailed = await mailPasswordLink(tx, notices, { userId: memberId, ...link });
      return { memberId, link: { ...link, mailed } };
    })
    .catch(onTakenEmail);
}
