import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { splitName, tidyName, typedName } from "../../domain/person-name.ts";
import { searchText } from "../../domain/search-text.ts";
import type { Database, Db, Tx } from "../../platform/db/client.ts";
import { clients } from "../../platform/db/schema/leads.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/audit.ts";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import { type CrmSyncContext, enqueuePush, waitForCrmPush } from "../crm-outbox/service.ts";
import { findLead, findLeadForUpdate, type LeadSave, saveLeads } from "./lead-repository.ts";
import { isWriter } from "./policy.ts";
import { presentLead } from "./present.ts";

export interface LeadsContext {
  database: Database;
  /** Zone in which the organisation counts its days. */
  orgTimeZone: string;
  contactPolicy: ContactPolicyRules;
}

/** What a change of a lead needs besides: it queues what the CRM is to know. */
export type WriteContext = LeadsContext & { jobs: Pick<Jobs, "enqueue"> };

/**
 * Locks a lead for a write by this person, its assignee or an administrator, until the transaction ends.
 * Errors: `not_found`, `not_your_lead`.
 */
export async function lockLead(tx: Tx, actor: AuthSession, leadId: number) {
  const lead = await findLeadForUpdate(tx, leadId);
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  if (!isWriter(actor, lead)) throw new AppError("not_your_lead");
  return lead;
}

/**
 * Saves a lead that this transaction holds, with its timeline and what the CRM is to know of it, which is handed to a job. Answers the
 * changes that wait for the CRM.
 */
export async function saveLead(tx: Tx, jobs: Pick<Jobs, "enqueue">, save: LeadSave): Promise<number[]> {
  const outboxIds = (await saveLeads(tx, [save])).get(save.leadId) ?? [];
  if (outboxIds.length > 0) await enqueuePush(tx, jobs, save.leadId);
  return outboxIds;
}

/** One lead as the API answers it to this person. Errors: `not_found`. */
export async function getLead(
  { contactPolicy }: { contactPolicy: ContactPolicyRules },
  db: Db,
  { leadId, actor }: { leadId: number; actor: AuthSession },
): Promise<Lead> {
  const lead = await findLead(db, { leadId, actorId: actor.userId });
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  return presentLead(lead, contactPolicy);
}

/**
 * Turns a lead into a client, once (the unique index holds it). Answers the client's id.
 * Errors: `not_found`, `not_your_lead`, `already_converted`.
 */
export async function convertLead(
  context: WriteContext,
  input: { actor: AuthSession; leadId: number; conversionValue: number; notes: string | null },
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
    const data = { before: lead.status, conversionValue, notes };
    await saveLead(tx, context.jobs, {
      leadId,
      userId: actor.userId,
      changes: { status: "converted", convertedAt },
      events: [{ kind: "converted", data }],
      crmChanges: [
        { field: "status", value: "converted" },
        { field: "conversion", value: { value: conversionValue, at: convertedAt.toISOString() } },
      ],
    });
    await recordAudit(tx, {
      userId: actor.userId,
      action: "lead-converted",
      subject: `lead:${leadId}`,
      data,
    });
    await publishEvent(tx, {
      topic: "lead",
      id: leadId,
      audience: audienceOf(lead.assignedTo, actor.userId),
    });
    return client.id;
  });
}

/**
 * Renames a lead, its capitals as they were typed, and queues the name for the CRM; answers whether the CRM confirmed it within 3 s. An unchanged name writes nothing.
 * Errors: `invalid` ('Por favor ingrese un nombre válido'), `not_found`, `not_your_lead`.
 */
export async function renameLead(
  context: LeadsContext & CrmSyncContext,
  input: { actor: AuthSession; leadId: number; name: string },
): Promise<boolean> {
  const { actor, leadId } = input;
  if (!tidyName(input.name)) throw new AppError("invalid", "Por favor ingrese un nombre válido");
  const queued = await context.database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, leadId);
    const name = typedName(input.name, lead.name);
    if (lead.name === name) return { outboxId: null, synced: lead.crmSync === "synced" };
    const [outboxId = null] = await saveLead(tx, context.jobs, {
      leadId,
      userId: actor.userId,
      changes: { name, ...splitName(name), search: searchText({ ...lead, name }) },
      events: [{ kind: "renamed", data: { field: "name", before: lead.name, after: name } }],
      crmChanges: [{ field: "name", value: name }],
    });
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

interface ConsentChange {
  actor: AuthSession;
  leadId: number;
  /** How the lead agreed, as text; null where they withdraw it. */
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
 * Records that the lead agreed to be contacted, now and in this way; a later record replaces the earlier one, which stays in the audit.
 * Errors: `invalid`, `not_found`, `not_your_lead`.
 */
export async function recordConsent(
  context: WriteContext,
  { source, ...who }: { actor: AuthSession; leadId: number; source: string },
): Promise<void> {
  const text = source.trim();
  if (text === "") throw new AppError("invalid", "source: say how the lead agreed");
  await writeConsent(context, { ...who, source: text });
}

/** Withdraws the lead's consent; without a record nothing happens. Errors: `not_found`, `not_your_lead`. */
export async function withdrawConsent(
  context: WriteContext,
  who: { actor: AuthSession; leadId: number },
): Promise<void> {
  await writeConsent(context, { ...who, source: null });
}
