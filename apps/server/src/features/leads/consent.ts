import { sql } from "drizzle-orm";
import { leads } from "../../db/schema/leads.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { recordAudit } from "../audit/service.ts";
import { recordLeadEvent } from "../timeline/service.ts";
import { writableBy } from "./policy.ts";
import { type LeadsContext, lockLead } from "./service.ts";

interface ConsentChange {
  actor: Session;
  leadId: number;
  /** How the lead agreed, in words; null where they take it back. */
  source: string | null;
}

/** Keeps or takes back that a lead agreed to be contacted, as one write with its timeline and audit entries. */
async function writeConsent(context: LeadsContext, { actor, leadId, source }: ConsentChange): Promise<void> {
  const { userId } = actor;
  await context.database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, leadId);
    if (source === null && lead.consentAt === null) return;
    await tx
      .update(leads)
      .set({
        consentAt: source === null ? null : sql`clock_timestamp()`,
        consentSource: source,
        updatedAt: sql`clock_timestamp()`,
      })
      .where(writableBy(actor, leadId));
    const kind = source === null ? "consent-withdrawn" : "consent-recorded";
    const before = { consentAt: lead.consentAt, source: lead.consentSource };
    const data = { reason: source, ...(lead.consentAt && { before }) };
    await recordLeadEvent(tx, { leadId, userId, kind, data });
    await recordAudit(tx, { userId, action: kind, subject: `lead:${leadId}`, data });
    await publishEvent(tx, { topic: "lead", id: leadId, audience: audienceOf(lead.assignedTo, userId) });
  });
}

/**
 * Keeps that the lead agreed to be contacted, now and in these words; a later record replaces the earlier one, which the audit keeps.
 * Errors: `invalid`, `not_found`, `not_your_lead`.
 */
export async function recordConsent(
  context: LeadsContext,
  { source, ...who }: { actor: Session; leadId: number; source: string },
): Promise<void> {
  const words = source.trim();
  if (words === "") throw new AppError("invalid", "source: say how the lead agreed");
  await writeConsent(context, { ...who, source: words });
}

/** The lead agrees no more; without a record nothing happens. Errors: `not_found`, `not_your_lead`. */
export async function withdrawConsent(
  context: LeadsContext,
  who: { actor: Session; leadId: number },
): Promise<void> {
  await writeConsent(context, { ...who, source: null });
}
