import type { Db } from "../../db/client.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { findOwner } from "./data.ts";

/** Lets the assignee and administrators see a lead's texts (design §6). Errors: `not_found`, `not_your_lead`. */
export async function checkMaySee(
  db: Db,
  actor: Session,
  leadId: number,
): Promise<{ assignedTo: number | null }> {
  const lead = await findOwner(db, leadId);
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  if (actor.role !== "admin" && lead.assignedTo !== actor.userId) throw new AppError("not_your_lead");
  return lead;
}

/** Whose eyes count as having seen a lead's texts: its owner's; an unassigned lead's texts are the administrators'. */
export function isOwner(actor: Session, lead: { assignedTo: number | null }): boolean {
  return lead.assignedTo === null ? actor.role === "admin" : lead.assignedTo === actor.userId;
}
