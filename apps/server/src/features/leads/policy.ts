import type { AuthSession } from "../../platform/http/session.ts";
import type { OwnerScope } from "./lead-repository.ts";

export function scopeOf(actor: AuthSession): OwnerScope {
  return actor.role === "admin" ? "everyone" : { salesRepId: actor.userId };
}

/** Whether the actor may write to a lead: its assignee or an administrator. `lead` must be a locked row. */
export function isWriter(actor: AuthSession, lead: { assignedTo: number | null }): boolean {
  return actor.role === "admin" || lead.assignedTo === actor.userId;
}

/** Whether the actor may assign a lead: its assignee, an administrator, or anyone if it is unassigned. */
export function mayAssign(actor: AuthSession, lead: { assignedTo: number | null }): boolean {
  return actor.role === "admin" || lead.assignedTo === null || lead.assignedTo === actor.userId;
}
