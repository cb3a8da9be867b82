import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../db/client.ts";
import { leads } from "../../db/schema/leads.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { OwnerScope } from "./data.ts";

/** Which leads a list shows: a consultant's own, an administrator's all. */
export function scopeOf(actor: Session): OwnerScope {
  return actor.role === "admin" ? "everyone" : { salesRepId: actor.userId };
}

/** The condition that a write to a lead carries: the assignee and administrators may (design §6). */
export function writableBy(actor: Session, leadId: number): SQL | undefined {
  const mine = actor.role === "admin" ? sql`true` : eq(leads.assignedTo, actor.userId);
  return and(eq(leads.id, leadId), mine);
}

/**
 * Locks a lead for a write by this person, until the transaction ends.
 * Errors: `not_found`, `not_your_lead`.
 */
export async function lockLead(tx: Tx, actor: Session, leadId: number): Promise<typeof leads.$inferSelect> {
  const [lead] = await tx.select().from(leads).where(eq(leads.id, leadId)).for("update");
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  if (actor.role !== "admin" && lead.assignedTo !== actor.userId) throw new AppError("not_your_lead");
  return lead;
}
