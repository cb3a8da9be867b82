import type { Language, Role } from "@portal/contract/entities/user";
import type { TeamMember } from "@portal/contract/routes/team";
import { violatedConstraint } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { makePasswordLink } from "../identity/auth/change-password.ts";
import { endPasswordLinks } from "../identity/auth/repository.ts";
import { deleteSessions } from "../identity/auth/service.ts";
import { checkedEmail, checkedName } from "../identity/users/service.ts";
import { mailEmailChange, mailPasswordLink } from "../notifications/service.ts";
import { type Account, changeMember, claimGivenEmail, insertMember, type MemberPatch } from "./repository.ts";
import {
  checkNotLast,
  getMember,
  holdMember,
  holdTeam,
  type MemberAuditAction,
  type MemberLink,
  recordMemberAudit,
  type TeamContext,
} from "./service.ts";

interface Changes {
  name?: string | undefined;
  email?: string | undefined;
  role?: Role | undefined;
  language?: Language | undefined;
}
type Change = { before: unknown; after: unknown };

/** An address of another account becomes `email_taken`; any other error is passed on. */
function onTakenEmail(error: unknown): never {
  if (violatedConstraint(error) !== "users_email_key") throw error;
  throw new AppError("email_taken", "Another account uses this email address.");
}

/**
 * The sent values that differ, before and after. An address that the user set themselves counts as given by an administrator when it is
 * sent here.
 */
function changesOf(member: Account, sent: Changes): { patch: MemberPatch; changes: Record<string, Change> } {
  const wanted: MemberPatch = {
    ...(sent.name !== undefined && { name: checkedName(sent.name) }),
    ...(sent.email !== undefined && { email: checkedEmail(sent.email) }),
    ...(sent.role !== undefined && { role: sent.role }),
    ...(sent.language !== undefined && { language: sent.language }),
  };
  const given: MemberPatch =
    wanted.email === undefined ? {} : { givenEmail: wanted.email, emailVerified: true };
  const patch = { ...wanted, ...given };
  const names = (Object.keys(patch) as (keyof MemberPatch)[]).filter((name) => patch[name] !== member[name]);
  return {
    patch: Object.fromEntries(names.map((name) => [name, patch[name]])),
    changes: Object.fromEntries(names.map((name) => [name, { before: member[name], after: patch[name] }])),
  };
}

/**
 * Changes the sent values of an account. The address then counts as given by an administrator; a new role ends the user's sessions, so that
 * no page uses the old one. Errors: `invalid`, `not_found`, `email_taken`, `last_admin`.
 */
export async function updateMember(
  context: TeamContext,
  { actor, memberId, ...sent }: MemberAuditAction & Changes,
): Promise<TeamMember> {
  const changed = await context.database
    .transaction(async (tx) => {
      const adminIds = await holdTeam(tx, actor);
      const member = await holdMember(tx, memberId);
      const { patch, changes } = changesOf(member, sent);
      if (Object.keys(patch).length === 0) return false;
      if (patch.role && patch.role !== "admin" && member.disabledAt === null)
        checkNotLast(adminIds, memberId);
      await changeMember(tx, memberId, patch);
      if (patch.givenEmail) await claimGivenEmail(tx, memberId, patch.givenEmail);
      // Links sent to the old address must no longer open the account.
      if (patch.email) {
        await endPasswordLinks(tx, memberId);
        await mailEmailChange(tx, context.notifications, { userId: memberId, oldEmail: member.email });
      }
      if (patch.role) await deleteSessions(tx, { userId: memberId });
      // The user's pages reload their session.
      else await publishEvent(tx, { topic: "session", id: memberId, audience: [memberId] });
      await recordMemberAudit(tx, { actor, memberId }, "member-changed", { name: member.name, changes });
      return true;
    })
    .catch(onTakenEmail);
  if (changed) context.sessions.forget(memberId);
  return getMember(context.database.db, memberId);
}

/** Creates an account, with a one-time link if the portal stores passwords. Errors: `invalid`, `email_taken`. */
export async function createMember(
  context: TeamContext,
  { actor, ...sent }: { actor: AuthSession; name: string; email: string; role: Role; language: Language },
): Promise<{ memberId: number; link: MemberLink | null }> {
  const values = { ...sent, name: checkedName(sent.name), email: checkedEmail(sent.email) };
  const { publicUrl, localPasswords, notifications } = context;
  return context.database
    .transaction(async (tx) => {
      await holdTeam(tx, actor);
      const memberId = await insertMember(tx, values);
      await claimGivenEmail(tx, memberId, values.email);
      await recordMemberAudit(tx, { actor, memberId }, "member-created", values);
      if (!localPasswords) return { memberId, link: null };
      const link = await makePasswordLink(tx, { publicUrl, userId: memberId, createdBy: actor.userId });
      const mailed = await mailPasswordLink(tx, notifications, { userId: memberId, ...link });
      return { memberId, link: { ...link, mailed } };
    })
    .catch(onTakenEmail);
}
