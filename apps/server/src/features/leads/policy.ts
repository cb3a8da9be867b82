import type { AuthSession } from "../../platform/http/session.ts";
import type { OwnerScope } from "./lead-repository.ts";

/** Which leads a list shows: a consultant's own, an administrator's all. */
export function scopeOf(actor: AuthSession): OwnerScope {
  return actor.role === "admin" ? "everyone" : { salesRepId: actor.userId };
}

/** Who may write to a lead, judged by a row that is held: its assignee and administrators. */
export function isWriter(actor: AuthSession, lead: { assignedTo: number | null }): boolean {
  return actor.role === "admin" || lead.assignedTo === actor.userId;
}

/** Who may give a lead to a consultant: anyone an unassigned one, its assignee, administrators. */
export function mayAssign(actor: AuthSession, lead: { assignedTo: number | null }): boolean {
  return actor.role === "admin" || lead.assignedTo === null || lead.assignedTo === actor.userId;
}
