import type { AuditAction } from "@portal/contract/entities/audit";
import type { AvailabilityChanges } from "@portal/contract/entities/availability";
import type { TeamMember } from "@portal/contract/routes/team";
import type { Database, Db, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import type { ReachabilityRow } from "../availability/repository.ts";
import { listReachability } from "../availability/repository.ts";
import { changeAvailability, presentAvailability } from "../availability/service.ts";
import { stopSessionOf } from "../dialer/service.ts";
import { makePasswordLink } from "../identity/auth/change-password.ts";
import type { Sessions } from "../identity/auth/read-session.ts";
import { deleteLinks, endPasswordLinks } from "../identity/auth/repository.ts";
import { deleteSessions } from "../identity/auth/service.ts";
import { deleteFactor } from "../identity/second-factor/repository.ts";
import { mailFactorChange, mailPasswordLink, type NotificationsContext } from "../notifications/service.ts";
import type { MemberRow } from "./repository.ts";
import { type Account, changeMember, holdAdmins, listMembers, lockMember } from "./repository.ts";

export interface TeamContext {
  database: Database;
  sessions: Pick<Sessions, "forget">;
  notifications: NotificationsContext;
  publicUrl: string;
  /** Whether the portal stores passwords; else accounts are created without a link. */
  localPasswords: boolean;
}

/** The administrator and the account of a change. */
export interface MemberAuditAction {
  actor: AuthSession;
  memberId: number;
}

/**
 * Starts every write to the team: locks the active administrators until the transaction ends, so that such writes run one after the other
 * and none uses a role that another one removed. Returns their ids. Errors: `forbidden` (the actor is no longer an administrator).
 */
export async function holdTeam(tx: Tx, actor: AuthSession): Promise<number[]> {
  const adminIds = await holdAdmins(tx);
  if (!adminIds.includes(actor.userId)) throw new AppError("forbidden");
  return adminIds;
}

/** Locks the account, after the team. Errors: `not_found`. */
export async function holdMember(tx: Tx, memberId: number): Promise<Account> {
  const member = await lockMember(tx, memberId);
  if (!member) throw new AppError("not_found", "This account does not exist.");
  return member;
}

/** Ensures that an administrator remains. Errors: `last_admin`. */
export function checkNotLast(adminIds: number[], memberId: number): void {
  if (adminIds.every((id) => id === memberId))
    throw new AppError(
      "last_admin",
      "This is the last administrator. Make somebody else an administrator first.",
    );
}

/** Writes the audit entry and publishes the event for the administrators' pages, in the transaction of the change. */
export async function recordMemberAudit(
  tx: Tx,
  { actor, memberId }: MemberAuditAction,
  action: AuditAction,
  data: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, { userId: actor.userId, action, subject: `user:${memberId}`, data });
  await publishEvent(tx, { topic: "team", id: memberId, audience: [] });
}

/** All accounts, by name; or one. */
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

/** Changes a user's availability and substitute as an administrator. Errors: `not_found`, `invalid`. */
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
 * Runs a change to an account that may end its sessions, with the team and the account locked; returns the changed account. Errors:
 * `forbidden`, `not_found`, and those of `work`.
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

/** A one-time link, which is shown once. */
export interface MemberLink {
  url: string;
  expiresAt: string;
  /** The link was sent to the user by email as well. */
  mailed: boolean;
}

/**
 * Creates a one-time link with which a user sets a password; earlier links become invalid. The user's own password is changed with the
 * current one. Errors: `not_found`, `passwords_off`, `invalid` (a closed account, or the actor's own).
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

/** Ends all sessions of a user; returns their number. Errors: `not_found`. */
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
 * Unlinks an account from the login provider and ends its sessions, for a user whose identity there has changed or is wrong. The actor's
 * own account is unlinked in Settings, with its password. Errors: `invalid` (the actor's own account), `not_found`.
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
 * Removes the second factor of a user who has lost it, and ends their sessions. The actor's own is changed in Settings. Errors: `invalid`
 * (the actor's own account), `not_found`.
 */
export async function resetSecondFactor(context: TeamContext, act: MemberAuditAction): Promise<TeamMember> {
  const { actor, memberId } = act;
  if (actor.userId === memberId) throw new AppError("invalid", "Change your own second factor in Settings.");
  return actOnMember(context, act, async (tx, { name }) => {
    if (!(await deleteFactor(tx, memberId)))
      throw new AppError("not_found", "This person has no second factor.");
    const sessions = await deleteSessions(tx, { userId: memberId });
    await recordMemberAudit(tx, act, "member-second-factor-reset", { name, sessions });
    await mailFactorChange(tx, context.notifications, { userId: memberId, change: "removed" });
  });
}

/**
 * Closes an account: its sessions, event streams and one-time links end in every process, a dialer session stops, and the user's phones no
 * longer ring. A running call continues. Does nothing if already closed. Errors: `invalid` (the actor's own account), `not_found`,
 * `last_admin`.
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

/** Reopens a closed account, with its former password. Errors: `not_found`. */
export async function reopenAccount(context: TeamContext, act: MemberAuditAction): Promise<TeamMember> {
  const { memberId } = act;
  return actOnMember(context, act, async (tx, { disabledAt, name, email, role }) => {
    if (disabledAt === null) return;
    await changeMember(tx, memberId, { disabledAt: null });
    // A sign-in during the closing may have left a session.
    await deleteSessions(tx, { userId: memberId });
    await recordMemberAudit(tx, act, "member-reopened", { name, email, role, closedAt: disabledAt });
  });
}

/** An account for administrators. */
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
    secondFactor: row.secondFactor,
    sessions: row.sessions,
    assigned: row.assigned,
    leads: row.leads,
    availability: presentAvailability(reachability),
  };
}
