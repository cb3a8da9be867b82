import type { Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/record-audit.ts";
import { clearFollowUp } from "../leads/change-follow-up.ts";
import { findLeadForUpdate, type LeadSave } from "../leads/lead-repository.ts";
import { mayAssign } from "../leads/policy.ts";
import { saveLead, type WriteContext } from "../leads/service.ts";
import { moveMeetings } from "../meetings/move-meetings.ts";
import { holdSalesRep, lastAssignment } from "./repository.ts";

export interface Assignment {
  actor: AuthSession;
  leadId: number;
  salesRepId: number;
  /** The reason, as text. */
  notes: string | null;
  /** The follow-up and the previous consultant's future meetings with the lead go along. */
  takeAlong: boolean;
  /** Only while it is this person's; one that somebody else gave away meanwhile stays as it is. */
  from?: number;
}

type Lead = NonNullable<Awaited<ReturnType<typeof findLeadForUpdate>>>;

/** Whether this very request was served before: its answer was lost, and who gave the lead away may no longer act on it. */
async function isRepeated(tx: Tx, lead: Lead, { actor, salesRepId }: Assignment): Promise<boolean> {
  if (lead.assignedTo !== salesRepId) return false;
  const last = await lastAssignment(tx, lead.id);
  return last?.userId === actor.userId && last.data.after === salesRepId;
}

/** What is saved of a held lead that is given to a consultant, and what the audit says; `told` is added there and to the timeline. */
export function planAssignment(
  lead: Lead,
  { actor, salesRepId, takeAlong, notes }: Omit<Assignment, "leadId" | "from">,
  told: Record<string, unknown>,
) {
  const { userId } = actor;
  // The follow-up stays behind where it is not taken along: it is cleared, and the timeline keeps its date. Meetings stay where they are.
  const cleared = takeAlong ? null : clearFollowUp(lead);
  const data = { field: "assignedTo", before: lead.assignedTo, after: salesRepId, notes, takeAlong, ...told };
  const save: LeadSave = {
    leadId: lead.id,
    userId,
    changes: { assignedTo: salesRepId, assignedAt: new Date(), ...cleared?.changes },
    events: [...(cleared?.events ?? []), { kind: "assigned", data }],
    // Also where the CRM does not know the consultant: the change fails with that reason, and the owner here stays.
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
  // Its unread texts count for the new consultant from now on.
  await publishEvent(tx, { topic: "sms", id: leadId, audience });
}

/**
 * Gives a lead to a consultant, with everything on it: texts and calls belong to the lead, a live call goes on with whoever made it.
 * To whom it is assigned already changes nothing. Answers whether it was given. Errors: `not_found`, `not_your_lead`, `invalid` (no
 * active consultant).
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
 * Gives several leads to a consultant, each in a transaction of its own: what is refused for one, or cut short by a failure, takes
 * nothing back. Leads that are theirs already count as assigned. Errors: `invalid` (no active consultant).
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
