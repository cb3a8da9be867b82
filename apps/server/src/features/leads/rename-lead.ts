import { limits } from "@portal/contract/limits";
import { leads } from "../../db/schema/leads.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { properName, splitName } from "../../values/person-name.ts";
import { searchText } from "../../values/search-text.ts";
import { type CrmSyncContext, queueCrmChange, waitForCrmPush } from "../crm-sync/service.ts";
import { recordLeadEvent } from "../timeline/service.ts";
import { writableBy } from "./policy.ts";
import { type LeadsContext, lockLead } from "./service.ts";

export type RenameContext = LeadsContext & CrmSyncContext;

/**
 * Renames a lead and queues the name for the CRM; answers whether the CRM confirmed it within 3 s. An unchanged name writes nothing.
 * Errors: `invalid` ('Por favor ingrese un nombre válido'), `not_found`, `not_your_lead`.
 */
export async function renameLead(
  context: RenameContext,
  input: { actor: Session; leadId: number; name: string },
): Promise<boolean> {
  const { actor, leadId } = input;
  const name = properName(input.name);
  if (!name) throw new AppError("invalid", "Por favor ingrese un nombre válido");
  const queued = await context.database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, leadId);
    if (lead.name === name) return { outboxId: null, synced: lead.crmSync === "synced" };
    await tx
      .update(leads)
      .set({ name, ...splitName(name), search: searchText({ ...lead, name }), updatedAt: new Date() })
      .where(writableBy(actor, leadId));
    const data = { field: "name", before: lead.name, after: name };
    await recordLeadEvent(tx, { leadId, userId: actor.userId, kind: "renamed", data });
    const change = { leadId, field: "name" as const, value: name, userId: actor.userId };
    const outboxId = await queueCrmChange(tx, context.jobs, change);
    await publishEvent(tx, {
      topic: "lead",
      id: leadId,
      audience: audienceOf(lead.assignedTo, actor.userId),
    });
    return { outboxId, synced: false };
  });
  if (queued.outboxId === null) return queued.synced;
  return waitForCrmPush(context, { outboxId: queued.outboxId, timeoutMs: limits.crmPushWaitMs });
}
