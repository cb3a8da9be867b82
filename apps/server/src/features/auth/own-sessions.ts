import type { UserSession } from "@portal/contract/entities/settings";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";
import { listUserSessions } from "./data-sessions.ts";
import { type AuthContext, deleteSessions } from "./service.ts";

/** Where a person is signed in, the newest first. */
export async function listOwnSessions(
  { database }: Pick<AuthContext, "database">,
  { actor, maxDays }: { actor: Session; maxDays: number },
): Promise<UserSession[]> {
  const rows = await listUserSessions(database.db, { userId: actor.userId, maxDays });
  return rows.map(({ id, createdAt, lastSeenAt, address, userAgent }) => ({
    id,
    current: id === actor.sessionId,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    address: address || null,
    userAgent: userAgent || null,
  }));
}

/** Ends one of the person's own sessions, or all but theirs: at once, in every process and on every page. Errors: `not_found`. */
export async function endOwnSessions(
  { database, sessions }: AuthContext,
  { actor, only }: { actor: Session; only?: number },
): Promise<number> {
  const { userId, sessionId } = actor;
  const ended = await database.transaction(async (tx) => {
    const which = only === undefined ? { except: sessionId } : { only };
    const count = await deleteSessions(tx, { userId, ...which });
    if (only !== undefined && count === 0) throw new AppError("not_found", "This session has ended already.");
    await recordAudit(tx, { userId, action: "sessions-end", data: { count } });
    return count;
  });
  sessions.forget(userId);
  return ended;
}
