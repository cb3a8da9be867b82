import type { AuditAction } from "@portal/contract/entities/audit";
import type { AvailabilityChanges } from "@portal/contract/entities/availability";
import type { TeamMember } from "@portal/contract/routes/team";
import type { Database, Db, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/record-audit.ts";
import type { ReachabilityRow } from "../availability/repository.ts";
import { listReachability } from "../availability/repository.ts";
import { changeAvailability, presentAvailability } from "../availability/service.ts";
import { stopSessionOf } from "../dialer/service.ts";
import { makePasswordLink } from "../identity/auth/make-password-link.ts";
import type { Sessions } from "../identity/auth/read-session.ts";
import { deleteLinks, endPasswordLinks } from "../identity/auth/repository.ts";
import { deleteSessions } from "../identity/auth/service.ts";
import { mailPasswordLink, type NotificationsContext } from "../notifications/service.ts";
import type { MemberRow } from "./repository.ts";
import { type Account, changeMember, holdAdmins, listMembers, lockMember } from "./repository.ts";

export interface TeamContext {
  database: Database;
  sessions: Pick<Sessions, "forget">;
  notifications: NotificationsContext;
  publicUrl: string;
  /** Whether passwords are kept here; else accounts are made without a link. */
  localPasswords: boolean;
}

/** Who does something to whom. */
export interface MemberAuditAction {
  actor: AuthSession;
  memberId: number;
}

/**
 * Begins every write to the team: holds the active administrators until the transaction ends, so that such writes follow one another
 * and none goes by a role that another one took away. Answers their ids. Errors: `forbidden` (the actor is none of them any more).
 */
export async function holdTeam(tx: Tx, actor: AuthSession): Promise<number[]> {
  const adminIds = await holdAdmins(tx);
  if (!adminIds.includes(actor.userId)) throw new AppError("forbidden");
  return adminIds;
}

/** Holds the account, after the team. Errors: `not_found`. */
export async function holdMember(tx: Tx, memberId: number): Promise<Account> {
  const member = await lockMember(tx, memberId);
  if (!member) throw new AppError("not_found", "This account does not exist.");
  return member;
}

/** Somebody must be able to administer. Errors: `last_admin`. */
export function checkNotLast(adminIds: number[], memberId: number): void {
  if (adminIds.every((id) => id === memberId))
    throw new AppError(
      "last_admin",
      "This is the last administrator. Make somebody else an administrator first.",
    );
}

/** What was done to whom, and the notice for the administrators' pages, with the act itself. */
export async function recordMemberAudit(
  tx: Tx,
  { actor, memberId }: MemberAuditAction,
  action: AuditAction,
  data: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, { userId: actor.userId, action, subject: `user:${memberId}`, data });
  await publishEvent(tx, { topic: "team", id: memberId, audience: [] });
}

/** Everybody, by name; or one account. */
export async function listTeam(db: Db, memberId?: number): Promise<TeamMember[]> {
  const rows = await listMembers(db, memberId);
  const found = await listReachability(db, { userIds: rows.map(({ id }) => id), since: new Date() });
  const of = new Map(found.map((row) => [row.userId, row]));
  return rows.flatMap((row) => {
    const reachability = of.get(row.id);
    return reachability ? [presentMember(row, reachability)] : [];
  });
}

/** One account. Errors: `not_found`. */
export async function getMember(db: Db, memberId: number): Promise<TeamMember> {
  const [member] = await listTeam(db, memberId);
  if (!member) throw new AppError("not_found", "This account does not exist.");
  return member;
}

/** Changes for a person when they can be reached and who stands in; one's own is no act on another. Errors: `not_found`, `invalid`. */
export async function updateMemberAvailability(
  context: TeamContext,
  { actor, memberId, ...sent }: MemberAuditAction & AvailabilityChanges,
): Promise<TeamMember> {
  await context.database.transaction(async (tx) => {
    await holdTeam(tx, actor);
    const { name } = await holdMember(tx, memberId);
    const { changes } = await changeAvailability(tx, memberId, sent);
    if (Object.keys(changes).length === 0) return;
    await recordMemberAudit(tx, { actor, memberId }, "member-availability", { name, changes });
  });
  return getMember(context.database.db, memberId);
}

/**
 * Does something to an account that may end its sessions, with the team and the account held, and answers the account as it is then.
 * Errors: `forbidden`, `not_found`, and those of `work`.
 */
async function actOnMember(
  { database, sessions }: Pick<TeamContext, "database" | "sessions">,
  { actor, memberId }: MemberAuditAction,
  work: (tx: Tx, member: Account, adminIds: number[]) => Promise<void>,
): Promise<TeamMember> {
  await database.transaction(async (tx) => {
    const adminIds = await holdTeam(tx, actor);
    await work(tx, await holdMember(tx, memberId), adminIds);
  });
  sessions.forget(memberId);
  return getMember(database.db, memberId);
}

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
  { actor, memberId }: MemberAuditAction,
): Promise<MemberLink> {
  if (!context.localPasswords)
    throw new AppError("passwords_off", "Passwords are kept by the login provider.");
  if (actor.userId === memberId)
    throw new AppError("invalid", "Change your own password in Account Settings.");
  const { publicUrl, notifications } = context;
  return context.database.transaction(async (tx) => {
    await holdTeam(tx, actor);
    const member = await holdMember(tx, memberId);
    if (member.disabledAt !== null)
      throw new AppError("invalid", "This account is closed. Open it again first.");
    const link = await makePasswordLink(tx, { publicUrl, userId: memberId, createdBy: actor.userId });
    return { ...link, mailed: await mailPasswordLink(tx, notifications, { userId: memberId, ...link }) };
  });
}

/** Signs a person out everywhere; answers how many browsers that were. Errors: `not_found`. */
export async function endMemberSessions(
  context: TeamContext,
  { actor, memberId }: MemberAuditAction,
): Promise<number> {
  const ended = await context.database.transaction(async (tx) => {
    await holdTeam(tx, actor);
    const { name } = await holdMember(tx, memberId);
    const count = await deleteSessions(tx, { userId: memberId });
    await recordMemberAudit(tx, { actor, memberId }, "member-signed-out", { name, sessions: count });
    return count;
  });
  context.sessions.forget(memberId);
  return ended;
}

/**
 * Unlinks an account from the login provider and ends its sessions: for who has another identity there now, or one that is not theirs. One's
 * own is unlinked in Settings, with the password that opens it then. Errors: `invalid` (oneself), `not_found`.
 */
export async function unlinkMember(context: TeamContext, act: MemberAuditAction): Promise<TeamMember> {
  const { actor, memberId } = act;
  if (actor.userId === memberId) throw new AppError("invalid", "Unlink your own account in Settings.");
  return actOnMember(context, act, async (tx, { name }) => {
    const was = await deleteLinks(tx, memberId);
    if (was === null) return;
    const sessions = await deleteSessions(tx, { userId: memberId });
    await recordMemberAudit(tx, act, "member-unlinked", { name, was, sessions });
  });
}

/**
 * Closes an account: its sessions, event streams and one-time links end in every process, a calling session stops, no phone of theirs is
 * rung any more. A call under way goes on to its end. Closing what is closed changes nothing.
 * Errors: `invalid` (oneself), `not_found`, `last_admin`.
 */
export async function closeAccount(context: TeamContext, act: MemberAuditAction): Promise<TeamMember> {
  const { actor, memberId } = act;
  if (actor.userId === memberId) throw new AppError("invalid", "You cannot close your own account.");
  return actOnMember(context, act, async (tx, { disabledAt, name, email, role }, adminIds) => {
    if (disabledAt !== null) return;
    checkNotLast(adminIds, memberId);
    await changeMember(tx, memberId, { disabledAt: new Date() });
    await deleteSessions(tx, { userId: memberId });
    await endPasswordLinks(tx, memberId);
    const dialerStopped = await stopSessionOf(tx, memberId);
    await recordMemberAudit(tx, act, "member-closed", { name, email, role, dialerStopped });
  });
}

/** Opens a closed account again, with the password it had. Errors: `not_found`. */
export async function reopenAccount(context: TeamContext, act: MemberAuditAction): Promise<TeamMember> {
  const { memberId } = act;
  return actOnMember(context, act, async (tx, { disabledAt, name, email, role }) => {
    if (disabledAt === null) return;
    await changeMember(tx, memberId, { disabledAt: null });
    // A sign-in of the moment of the closing may have left one.
    await deleteSessions(tx, { userId: memberId });
    await recordMemberAudit(tx, act, "member-reopened", { name, email, role, closedAt: disabledAt });
  });
}

/** An account as administrators see it. */
function presentMember(row: MemberRow, reachability: ReachabilityRow): TeamMember {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    language: row.language,
    personalPhoneNumber: row.personalPhone,
    profileImage: row.image,
    createdAt: row.createdAt.toISOString(),
    disabledAt: row.disabledAt?.toISOString() ?? null,
    lastActiveAt: row.lastActiveAt?.toISOString() ?? null,
    hasPassword: row.hasPassword,
    linked: row.linked,
    sessions: row.sessions,
    assigned: row.assigned,
    leads: row.leads,
    availability: presentAvailability(reachability),
  };
}
