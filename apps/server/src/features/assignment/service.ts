import type { Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { clearFollowUp } from "../leads/decide-lead-change.ts";
import { findLeadForUpdate, type LeadSave } from "../leads/lead-repository.ts";
import { mayAssign } from "../leads/policy.ts";
import { saveLead, type WriteContext } from "../leads/service.ts";
import { moveMeetings } from "../meetings/service.ts";
import { holdSalesRep, lastAssignment } from "./repository.ts";

export interface Assignment {
  actor: AuthSession;
  leadId: number;
  salesRepId: number;
  /** The reason, as text. */
  notes: string | null;
  /** The follow-up and the previous consultant's future meetings with the lead move to the new one. */
  takeAlong: boolean;
  /** The assignment is made only if the lead is still this user's; otherwise it is skipped. */
  from?: number;
}

type Lead = NonNullable<Awaited<ReturnType<typeof findLeadForUpdate>>>;

/**
 * Whether this request was already served: the client did not get the response, and the former consultant may no longer change the lead.
 */
async function isRepeated(tx: Tx, lead: Lead, { actor, salesRepId }: Assignment): Promise<boolean> {
  if (lead.assignedTo !== salesRepId) return false;
  const last = await lastAssignment(tx, lead.id);
  return last?.userId === actor.userId && last.data.after === salesRepId;
}

/** The changes and the audit entry for assigning a locked lead to a consultant; `extraData` is added to audit and timeline. */
export function planAssignment(
  lead: Lead,
  { actor, salesRepId, takeAlong, notes }: Omit<Assignment, "leadId" | "from">,
  extraData: Record<string, unknown>,
) {
  const { userId } = actor;
  // Without `takeAlong` the follow-up is cleared, and the timeline keeps its date. Meetings stay with the previous consultant.
  const cleared = takeAlong ? null : clearFollowUp(lead);
  const data = {
    field: "assignedTo",
    before: lead.assignedTo,
    after: salesRepId,
    notes,
    takeAlong,
    ...extraData,
  };
  const save: LeadSave = {
    leadId: lead.id,
    userId,
    changes: { assignedTo: salesRepId, assignedAt: new Date(), ...cleared?.changes },
    events: [...(cleared?.events ?? []), { kind: "assigned", data }],
    // Sent even if the CRM does not know the consultant: the change then fails with that reason, and the assignment here stays.
    crmChanges: [{ field: "assignedTo", value: salesRepId }, ...(cleared?.crmChanges ?? [])],
  };
  const audit = { userId, action: "lead-assigned" as const, subject: `lead:${lead.id}`, data };
  return { save, audit };
}

async function write(tx: Tx, jobs: Pick<Jobs, "enqueue">, lead: Lead, assignment: Assignment): Promise<void> {
  const { salesRepId, takeAlong } = assignment;
  const { userId } = assignment.actor;
  const [leadId, before] = [lead.id, lead.assignedTo];
  const moved =
    takeAlong && before !== null ? await moveMeetings(tx, { leadId, from: before, to: salesRepId }) : [];
  const { save, audit } = planAssignment(lead, assignment, { meetings: moved.length });
  await saveLead(tx, jobs, save);
  await recordAudit(tx, audit);
  const audience = audienceOf(before, salesRepId, userId);
  await publishEvent(tx, { topic: "lead", id: leadId, audience });
  // Its unread texts now count for the new consultant.
  await publishEvent(tx, { topic: "sms", id: leadId, audience });
}

/**
 * Assigns a lead to a consultant with all its texts and calls; a running call stays with the user who made it. Does nothing if the lead is
 * already theirs. Returns whether it was assigned. Errors: `not_found`, `not_your_lead`, `invalid` (no active consultant).
 */
export async function assignLead(context: WriteContext, assignment: Assignment): Promise<boolean> {
  const { actor, leadId, salesRepId, from } = assignment;
  return context.database.transaction(async (tx) => {
    const lead = await findLeadForUpdate(tx, leadId);
    if (!lead) throw new AppError("not_found", "This lead does not exist.");
    if (from !== undefined && lead.assignedTo !== from) return false;
    if (await isRepeated(tx, lead, assignment)) return false;
    if (!mayAssign(actor, lead)) throw new AppError("not_your_lead");
    if (!(await holdSalesRep(tx, salesRepId)))
      throw new AppError("invalid", "The lead can only be given to an active consultant.");
    if (lead.assignedTo === salesRepId) return false;
    await write(tx, context.jobs, lead, assignment);
    return true;
  });
}

interface Refusal {
  leadId: number;
  code: "not_your_lead" | "not_found";
}

/**
 * Assigns several leads to a consultant, each in its own transaction: a refusal or failure for one does not roll back the others. Leads
 * that are already theirs count as assigned. Errors: `invalid` (no active consultant).
 */
export async function assignLeads(
  context: WriteContext,
  { leadIds, ...assignment }: Omit<Assignment, "leadId"> & { leadIds: number[] },
): Promise<{ assigned: number; refused: Refusal[] }> {
  const { salesRepId } = assignment;
  if (!(await context.database.transaction((tx) => holdSalesRep(tx, salesRepId))))
    throw new AppError("invalid", "The leads can only be given to an active consultant.");
  const refused: Refusal[] = [];
  const each = new Set(leadIds);
  for (const leadId of each) {
    try {
      await assignLead(context, { ...assignment, leadId });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code } = error;
      if (code !== "not_your_lead" && code !== "not_found") throw error;
      refused.push({ leadId, code });
    }
  }
  return { assigned: each.size - refused.length, refused };
}
