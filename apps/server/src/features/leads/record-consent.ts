import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/record-audit.ts";
import { lockLead, saveLead, type WriteContext } from "./service.ts";

interface ConsentChange {
  actor: AuthSession;
  leadId: number;
  /** How the lead agreed; null withdraws the consent. */
  source: string | null;
}

/** Records or withdraws a lead's consent to be contacted, with its timeline and audit entries. */
async function writeConsent(context: WriteContext, { actor, leadId, source }: ConsentChange): Promise<void> {
  const { userId } = actor;
  await context.database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, leadId);
    if (source === null && lead.consentAt === null) return;
    const kind = source === null ? "consent-withdrawn" : "consent-recorded";
    const before = { consentAt: lead.consentAt, source: lead.consentSource };
    const data = { reason: source, ...(lead.consentAt && { before }) };
    await saveLead(tx, context.jobs, {
      leadId,
      userId,
      changes: { consentAt: source === null ? null : new Date(), consentSource: source },
      events: [{ kind, data }],
    });
    await recordAudit(tx, { userId, action: kind, subject: `lead:${leadId}`, data });
    await publishEvent(tx, { topic: "lead", id: leadId, audience: audienceOf(lead.assignedTo, userId) });
  });
}

/**
 * Records that the lead agreed to be contacted, and how. A later record replaces an earlier one, which stays in the audit log. Errors:
 * `invalid`, `not_found`, `not_your_lead`.
 */
export async function recordConsent(
  context: WriteContext,
  { source, ...who }: { actor: AuthSession; leadId: number; source: string },
): Promise<void> {
  const text = source.trim();
  if (text === "") throw new AppError("invalid", "source: say how the lead agreed");
  await writeConsent(context, { ...who, source: text });
}

/** Withdraws the lead's consent; does nothing if none is recorded. Errors: `not_found`, `not_your_lead`. */
export async function withdrawConsent(
  context: WriteContext,
  who: { actor: AuthSession; leadId: number },
): Promise<void> {
  await writeConsent(context, { ...who, source: null });
}
