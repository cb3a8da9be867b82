import { eq, sql } from "drizzle-orm";
import type { Tx } from "../../db/client.ts";
import { leads } from "../../db/schema/leads.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { recordAudit } from "../audit/service.ts";
import { type CrmChange, queueCrmChanges } from "../crm-sync/service.ts";
import { moveMeetings } from "../meetings/move-meetings.ts";
import { recordLeadEvent } from "../timeline/service.ts";
import { findLeadForUpdate } from "./data.ts";
import { holdSalesRep, lastAssignment } from "./data-assignment.ts";
import { mayAssign } from "./policy.ts";
import type { LeadsContext } from "./service.ts";

export interface Assignment {
  actor: Session;
  leadId: number;
  salesRepId: number;
  /** Why, in words. */
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

/** What stays behind: the follow-up is cleared, and the timeline keeps its date. Meetings stay where they are. Answers what the CRM is told. */
async function leaveFollowUp(tx: Tx, lead: Lead, userId: number): Promise<CrmChange[]> {
  if (lead.nextFollowUpDate === null) return [];
  const data = { field: "nextFollowUpDate", before: lead.nextFollowUpDate, after: null };
  await recordLeadEvent(tx, { leadId: lead.id, userId, kind: "changed", data });
  return [{ field: "nextFollowUpDate", value: null }];
}

async function write(tx: Tx, jobs: Pick<Jobs, "enqueue">, lead: Lead, assignment: Assignment): Promise<void> {
  const { salesRepId, takeAlong } = assignment;
  const { userId } = assignment.actor;
  const [leadId, before] = [lead.id, lead.assignedTo];
  await tx
    .update(leads)
    .set({
      assignedTo: salesRepId,
      assignedAt: sql`clock_timestamp()`,
      updatedAt: sql`clock_timestamp()`,
      ...(!takeAlong && { nextFollowUpDate: null }),
    })
    .where(eq(leads.id, leadId));
  const left = takeAlong ? [] : await leaveFollowUp(tx, lead, userId);
  const moved =
    takeAlong && before !== null ? await moveMeetings(tx, { leadId, from: before, to: salesRepId }) : 0;
  const data = {
    field: "assignedTo",
    before,
    after: salesRepId,
    notes: assignment.notes,
    takeAlong,
    meetings: moved,
  };
  await recordLeadEvent(tx, { leadId, userId, kind: "assigned", data });
  await recordAudit(tx, { userId, action: "lead-assigned", subject: `lead:${leadId}`, data });
  // Also where the CRM does not know the consultant: the change fails with that reason, and the owner here stays.
  await queueCrmChanges(tx, jobs, { leadId, userId }, [{ field: "assignedTo", value: salesRepId }, ...left]);
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
export async function assignLead(
  context: LeadsContext & { jobs: Pick<Jobs, "enqueue"> },
  assignment: Assignment,
): Promise<boolean> {
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
