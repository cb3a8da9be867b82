import { clients, leads } from "../../db/schema/leads.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { recordAudit } from "../audit/service.ts";
import { queueCrmChanges } from "../crm-sync/service.ts";
import { recordLeadEvent } from "../timeline/service.ts";
import { writableBy } from "./policy.ts";
import { type LeadsContext, lockLead } from "./service.ts";

/**
 * Turns a lead into a client, once (the unique index holds it). Answers the client's id.
 * Errors: `not_found`, `not_your_lead`, `already_converted`.
 */
export async function convertLead(
  context: LeadsContext & { jobs: Pick<Jobs, "enqueue"> },
  input: { actor: Session; leadId: number; conversionValue: number; notes: string | null },
): Promise<number> {
  const { actor, leadId, conversionValue } = input;
  const notes = input.notes?.trim() || null;
  return context.database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, leadId);
    if (lead.status === "converted")
      throw new AppError("already_converted", "This lead is a client already.");
    const convertedAt = new Date();
    const [client] = await tx
      .insert(clients)
      .values({ leadId, convertedBy: actor.userId, convertedAt, conversionValue, notes })
      .returning({ id: clients.id });
    if (!client) throw new Error("no client row was made");
    await tx
      .update(leads)
      .set({ status: "converted", convertedAt, updatedAt: convertedAt })
      .where(writableBy(actor, leadId));
    const data = { before: lead.status, conversionValue, notes };
    await recordLeadEvent(tx, { leadId, userId: actor.userId, kind: "converted", data });
    await recordAudit(tx, {
      userId: actor.userId,
      action: "lead-converted",
      subject: `lead:${leadId}`,
      data,
    });
    await queueCrmChanges(tx, context.jobs, { leadId, userId: actor.userId }, [
      { field: "status", value: "converted" },
      { field: "conversion", value: { value: conversionValue, at: convertedAt.toISOString() } },
    ]);
    await publishEvent(tx, {
      topic: "lead",
      id: leadId,
      audience: audienceOf(lead.assignedTo, actor.userId),
    });
    return client.id;
  });
}
