import type { Priority } from "@portal/contract/entities/lead";
import type { Tx } from "../../db/client.ts";
import type { leads as leadsTable } from "../../db/schema/leads.ts";
import { leads } from "../../db/schema/leads.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { type CrmChange, queueCrmChanges } from "../crm-sync/service.ts";
import { recordLeadEvents } from "../timeline/service.ts";
import { writableBy } from "./policy.ts";
import { lockLead } from "./service.ts";

type Lead = typeof leadsTable.$inferSelect;
type Field = "status" | "priority" | "notes" | "nextFollowUpDate" | "lastContactedAt";

export interface LeadChanges {
  status?: Exclude<Lead["status"], "converted"> | undefined;
  priority?: Priority | undefined;
  notes?: string | null | undefined;
  nextFollowUpDate?: string | null | undefined;
  lastContactedAt?: string | undefined;
}

/** A day is over everywhere on Earth 48 h later at the latest; the browser refuses past days by its own calendar. */
const followUpTolerance = 48 * 3_600_000;
/** A browser's clock may be ahead by this much. */
const clockTolerance = 5 * 60_000;

function asDate(value: string | null | undefined): Date | null | undefined {
  return value == null ? value : new Date(value);
}

function same(before: unknown, after: unknown): boolean {
  const [a, b] = [before, after].map((value) => (value instanceof Date ? value.getTime() : value));
  return a === b;
}

/** What really changes: fields sent with another value than the stored one. */
function changesOf(lead: Lead, input: LeadChanges): Partial<Pick<Lead, Field>> {
  const notes = typeof input.notes === "string" && input.notes.trim() === "" ? null : input.notes;
  const told = asDate(input.lastContactedAt);
  const older = told && lead.lastContactedAt && told < lead.lastContactedAt;
  const leavesNew = lead.status === "new" && input.status !== undefined && input.status !== "new";
  const wanted: Partial<Record<Field, unknown>> = {
    status: input.status,
    priority: input.priority,
    notes,
    nextFollowUpDate: asDate(input.nextFollowUpDate),
    // The last contact is the latest that anyone told of.
    lastContactedAt: older ? undefined : (told ?? (leavesNew ? new Date() : undefined)),
  };
  const entries = Object.entries(wanted) as [Field, unknown][];
  return Object.fromEntries(
    entries.filter(([field, value]) => value !== undefined && !same(lead[field], value)),
  );
}

function checkChanges(lead: Lead, changes: Partial<Pick<Lead, Field>>): void {
  if (changes.status && lead.status === "converted") {
    throw new AppError("already_converted", "This lead is a client already; its status stays converted.");
  }
  const { nextFollowUpDate, lastContactedAt } = changes;
  if (lastContactedAt && lastContactedAt.getTime() > Date.now() + clockTolerance) {
    throw new AppError("invalid", "The last contact cannot be in the future.");
  }
  if (nextFollowUpDate && nextFollowUpDate.getTime() < Date.now() - followUpTolerance) {
    throw new AppError("invalid", "The follow-up date cannot be in the past.");
  }
}

/** What of it the CRM is told; the last contact is the portal's own. */
function crmChanges({ status, priority, notes, nextFollowUpDate }: Partial<Pick<Lead, Field>>): CrmChange[] {
  const changes: CrmChange[] = [];
  if (status !== undefined) changes.push({ field: "status", value: status });
  if (priority !== undefined) changes.push({ field: "priority", value: priority });
  if (notes !== undefined) changes.push({ field: "notes", value: notes });
  if (nextFollowUpDate !== undefined)
    changes.push({ field: "nextFollowUpDate", value: nextFollowUpDate?.toISOString() ?? null });
  return changes;
}

/**
 * Changes status, priority, notes or follow-up date; every changed field stands on the timeline with before and after.
 * The CRM gets them by its outbox. A lead that leaves 'new' counts as contacted now. Errors: `not_found`, `not_your_lead`, `already_converted`, `invalid`.
 */
export async function changeLead(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  input: { actor: Session; leadId: number; changes: LeadChanges },
): Promise<void> {
  const { actor, leadId } = input;
  const lead = await lockLead(tx, actor, leadId);
  const changes = changesOf(lead, input.changes);
  const fields = Object.keys(changes) as Field[];
  if (fields.length === 0) return;
  checkChanges(lead, changes);
  await tx
    .update(leads)
    .set({ ...changes, updatedAt: new Date() })
    .where(writableBy(actor, leadId));
  await recordLeadEvents(
    tx,
    fields.map((field) => ({
      leadId,
      userId: actor.userId,
      kind: "changed",
      data: { field, before: lead[field], after: changes[field] },
    })),
  );
  await queueCrmChanges(tx, jobs, { leadId, userId: actor.userId }, crmChanges(changes));
  await publishEvent(tx, {
    topic: "lead",
    id: leadId,
    audience: audienceOf(lead.assignedTo, actor.userId),
  });
}
