import { and, eq, type SQL, sql } from "drizzle-orm";
import { leads } from "../../db/schema/leads.ts";
import type { Session } from "../../http/session.ts";
import type { OwnerScope } from "./data-lead-filter.ts";

/** Which leads a list shows: a consultant's own, an administrator's all. */
export function scopeOf(actor: Session): OwnerScope {
  return actor.role === "admin" ? "everyone" : { salesRepId: actor.userId };
}

/** The condition that a write to a lead carries: the assignee and administrators may (design §6). */
export function writableBy(actor: Session, leadId: number): SQL | undefined {
  const mine = actor.role === "admin" ? sql`true` : eq(leads.assignedTo, actor.userId);
  return and(eq(leads.id, leadId), mine);
}

/** The same, judged by a row that is held. */
export function isWriter(actor: Session, lead: { assignedTo: number | null }): boolean {
  return actor.role === "admin" || lead.assignedTo === actor.userId;
}

/** Who may give a lead to a consultant: anyone an unassigned one, its assignee, administrators (design §6). */
export function mayAssign(actor: Session, lead: { assignedTo: number | null }): boolean {
  return actor.role === "admin" || lead.assignedTo === null || lead.assignedTo === actor.userId;
}
