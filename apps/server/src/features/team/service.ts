import type { TeamMember } from "@portal/contract/routes/team";
import type { Database, Db, Tx } from "../../db/client.ts";
import { publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";
import type { Sessions } from "../auth/session-reader.ts";
import type { NoticesContext } from "../notices/service.ts";
import { type Account, holdAdmins, listMembers, lockMember } from "./data.ts";
import { presentMember } from "./present.ts";

export interface TeamContext {
  database: Database;
  sessions: Pick<Sessions, "forget">;
  notices: NoticesContext;
  publicUrl: string;
  /** Whether passwords are kept here; else accounts are made without a link. */
  localPasswords: boolean;
}

/** Who does something to whom. */
export interface MemberAct {
  actor: Session;
  memberId: number;
}

/**
 * Begins every write to the team: holds the active administrators until the transaction ends, so that such writes follow one another
 * and none goes by a role that another one took away. Answers their ids. Errors: `forbidden` (the actor is none of them any more).
 */
export async function holdTeam(tx: Tx, actor: Session): Promise<number[]> {
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
export async function recordMemberAct(
  tx: Tx,
  { actor, memberId }: MemberAct,
  action: string,
  data: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, { userId: actor.userId, action, subject: `user:${memberId}`, data });
  await publishEvent(tx, { topic: "team", id: memberId, audience: [] });
}

/** One account. Errors: `not_found`. */
export async function getMember(db: Db, memberId: number): Promise<TeamMember> {
  const [row] = await listMembers(db, memberId);
  if (!row) throw new AppError("not_found", "This account does not exist.");
  return presentMember(row);
}

/**
 * Does something to an account that may end its sessions, with the team and the account held, and answers the account as it is then.
 * Errors: `forbidden`, `not_found`, and those of `work`.
 */
export async function actOnMember(
  { database, sessions }: Pick<TeamContext, "database" | "sessions">,
  { actor, memberId }: MemberAct,
  work: (tx: Tx, member: Account, adminIds: number[]) => Promise<void>,
): Promise<TeamMember> {
  await database.transaction(async (tx) => {
    const adminIds = await holdTeam(tx, actor);
    await work(tx, await holdMember(tx, memberId), adminIds);
  });
  sessions.forget(memberId);
  return getMember(database.db, memberId);
}
