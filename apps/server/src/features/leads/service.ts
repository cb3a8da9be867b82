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
import { hasLeadEvent, isRequestDone, recordAudit, recordLeadEvent } from "../activity/service.ts";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import { type CrmSyncContext, enqueuePush, waitForCrmPush } from "../crm-outbox/service.ts";
import {
  checkSeen,
  type FollowUpInput,
  followUpAfter,
  followUpChanges,
  type LeadChangeInput,
  planLeadChange,
  type SeenLead,
} from "./decide-lead-change.ts";
import { findLead, findLeadForUpdate, type LeadSave, saveLeads } from "./lead-repository.ts";
import { isWriter } from "./policy.ts";
import { presentLead } from "./present.ts";

export interface LeadsContext {
  database: Database;
  /** Zone in which the organization counts its days. */
  orgTimeZone: string;
  contactPolicy: ContactPolicyRules;
}

/** Dependencies of a lead's changes, which also queue updates for the CRM. */
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
 * Saves a lead that this transaction has locked, with its timeline and its changes for the CRM, which a job sends. Returns the changes that
 * wait for the CRM.
 */
export async function saveLead(tx: Tx, jobs: Pick<Jobs, "enqueue">, save: LeadSave): Promise<number[]> {
  const outboxIds = (await saveLeads(tx, [save])).get(save.leadId) ?? [];
  if (outboxIds.length > 0) await enqueuePush(tx, jobs, save.leadId);
  return outboxIds;
}

/** One lead as the API presents it to this person. Errors: `not_found`. */
export async function getLead(
  { contactPolicy }: { contactPolicy: ContactPolicyRules },
  db: Db,
  { leadId, actor }: { leadId: number; actor: AuthSession },
): Promise<Lead> {
  const lead = await findLead(db, { leadId, actorId: actor.userId });
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  return presentLead(lead, contactPolicy);
}

interface ChangeRequest {
  actor: AuthSession;
  leadId: number;
  changes: LeadChangeInput;
  /** Equal for repetitions of the same request. */
  clientRef?: string | undefined;
  seen?: SeenLead | undefined;
}

/**
 * Changes status, priority, notes, follow-up date or language; every changed field gets a timeline entry with
 * both values. The outbox sends them to the CRM. A lead that leaves 'new' counts as contacted now. A repeated request changes nothing.
 * Errors: `not_found`, `not_your_lead`, `already_converted`, `invalid`, `changed_meanwhile`.
 */
async function changeLead(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  { actor, leadId, changes, clientRef, seen }: ChangeRequest,
): Promise<void> {
  const { userId } = actor;
  const lead = await lockLead(tx, actor, leadId);
  if (await isRequestDone(tx, { leadId, userId, clientRef })) return;
  const save = planLeadChange(lead, userId, changes);
  if (!save) return;
  if (seen) checkSeen(lead, save.changes, seen);
  const events = save.events?.map((event) => ({ ...event, data: { ...event.data, clientRef } }));
  await saveLead(tx, jobs, { ...save, events });
  const audience = audienceOf(lead.assignedTo, actor.userId);
  await publishEvent(tx, { topic: "lead", id: leadId, audience });
}

/** `changeLead` in its own transaction; returns the lead. */
export async function updateLead(context: WriteContext, input: ChangeRequest): Promise<Lead> {
  return context.database.transaction(async (tx) => {
    await changeLead(tx, context.jobs, input);
    return getLead(context, tx, input);
  });
}

/**
 * Adds a note above the lead's existing notes and returns the lead. A repeated request adds nothing.
 * Errors: `not_found`, `not_your_lead`, `invalid`.
 */
export async function addNote(
  context: WriteContext,
  {
    actor,
    leadId,
    text,
    clientRef,
  }: { actor: AuthSession; leadId: number; text: string; clientRef?: string | undefined },
): Promise<Lead> {
  const note = text.trim();
  if (note === "") throw new AppError("invalid", "text: the note is empty");
  return context.database.transaction(async (tx) => {
    const lead = await lockLead(tx, actor, leadId);
    const notes = lead.notes ? `${note}\n\n${lead.notes}` : note;
    const isThere =
      lead.notes === note ||
      lead.notes?.startsWith(`${note}\n\n`) ||
      (await isRequestDone(tx, { leadId, userId: actor.userId, clientRef }));
    if (!isThere) {
      if (notes.length > limits.notesMaxLength)
        throw new AppError("invalid", "The lead's notes would be too long. Shorten them first.");
      await saveLead(tx, context.jobs, {
        leadId,
        userId: actor.userId,
        changes: { notes },
        events: [{ kind: "note-added", data: { text: note, clientRef } }],
        crmChanges: [{ field: "notes", value: notes }],
      });
      const audience = audienceOf(lead.assignedTo, actor.userId);
      await publishEvent(tx, { topic: "lead", id: leadId, audience });
    }
    return getLead(context, tx, { actor, leadId });
  });
}

/**
 * Sets a lead's follow-up and status if the person may. If the lead was reassigned, the assignee's plan stays and the proposal is added to
 * the timeline. A client's status stays. Returns which of these happened. Errors: `not_found`, `invalid`.
 */
export async function setOrProposePlan(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  input: { actor: AuthSession; leadId: number; plan: Pick<LeadChangeInput, "status"> & FollowUpInput },
): Promise<"set" | "proposed"> {
  const { actor, leadId } = input;
  const lead = await findLeadForUpdate(tx, leadId);
  if (!lead) throw new AppError("not_found", "This lead does not exist.");
  const { status, ...followUp } = input.plan;
  const plan = lead.status === "converted" ? followUp : { ...followUp, status };
  if (isWriter(actor, lead)) {
    await changeLead(tx, jobs, { actor, leadId, changes: plan });
    return "set";
  }
  const proposed = [
    ...(status && "status" in plan && status !== lead.status
      ? [{ data: { field: "status", before: lead.status, after: status } }]
      : []),
    ...followUpChanges(lead, followUpAfter(lead, plan)).events,
  ];
  for (const { data } of proposed) {
    const event = { leadId, userId: actor.userId, kind: "follow-up-proposed", data } as const;
    if (!(await hasLeadEvent(tx, event))) await recordLeadEvent(tx, event);
  }
  await publishEvent(tx, { topic: "lead", id: leadId, audience: audienceOf(lead.assignedTo, actor.userId) });
  return "proposed";
}

/**
 * Converts a lead to a client, once (a unique index ensures it). Returns the client's id.
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
 * Renames a lead (capitals as typed) and queues the name for the CRM. Returns whether the CRM confirmed it within 3 s. An unchanged name
 * writes nothing. Errors: `invalid` ('Por favor ingrese un nombre válido'), `not_found`, `not_your_lead`.
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
