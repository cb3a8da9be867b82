import type { CrmChange, CrmOutbox } from "@portal/contract/entities/crm";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";
import { findChangeOwner, findLeadOwner, listChangesOfLead, listFailures, readOutbox } from "./data-views.ts";
import { presentChange } from "./present.ts";
import { type CrmSyncContext, retryCrmPush } from "./service.ts";

/** Whose changes a person sees and sends again: one's own leads', an administrator everyone's (null). */
function scopeOf(actor: Session): number | null {
  return actor.role === "admin" ? null : actor.userId;
}

function mayAct(actor: Session, owner: { assignedTo: number | null } | undefined, missing: string): void {
  if (!owner) throw new AppError("not_found", missing);
  if (actor.role !== "admin" && owner.assignedTo !== actor.userId) throw new AppError("not_your_lead");
}

/** How the push to the CRM stands, for this person. */
export async function getOutbox(
  { database: { db } }: Pick<CrmSyncContext, "database">,
  actor: Session,
): Promise<CrmOutbox> {
  const figures = await readOutbox(db, scopeOf(actor));
  const failures = figures.failed > 0 ? await listFailures(db, scopeOf(actor)) : [];
  return {
    pending: figures.pending,
    failed: figures.failed,
    sentToday: figures.sentToday,
    oldestPendingAt: figures.oldestPendingAt?.toISOString() ?? null,
    failures: failures.map(presentChange),
  };
}

/** A lead's last changes on their way. Errors: `not_found`, `not_your_lead`. */
export async function getLeadChanges(
  { database: { db } }: Pick<CrmSyncContext, "database">,
  { actor, leadId }: { actor: Session; leadId: number },
): Promise<CrmChange[]> {
  mayAct(actor, await findLeadOwner(db, leadId), "This lead does not exist.");
  return (await listChangesOfLead(db, leadId)).map(presentChange);
}

/**
 * Sends failed changes again: one, a lead's, or all that this person may. Answers how many. Errors: `not_found`, `not_your_lead`.
 */
export async function retryChanges(
  context: CrmSyncContext,
  { actor, id, leadId }: { actor: Session; id?: number | undefined; leadId?: number | undefined },
): Promise<number> {
  const { db } = context.database;
  if (id !== undefined) mayAct(actor, await findChangeOwner(db, id), "This change does not exist.");
  if (leadId !== undefined) mayAct(actor, await findLeadOwner(db, leadId), "This lead does not exist.");
  return context.database.transaction(async (tx) => {
    const salesRepId = scopeOf(actor) ?? undefined;
    const retried = await retryCrmPush(tx, context.jobs, { id, leadId, salesRepId });
    if (retried > 0)
      await recordAudit(tx, {
        userId: actor.userId,
        action: "crm-retry",
        data: { retried, ...(id !== undefined && { id }), ...(leadId !== undefined && { leadId }) },
      });
    return retried;
  });
}
