import type { Priority } from "@portal/contract/entities/lead";
import { type Database, lookUpIn, type Tx } from "../../db/client.ts";
import { inBatches } from "../../db/in-batches.ts";
import type { leads as leadsTable } from "../../db/schema/leads.ts";
import { leads } from "../../db/schema/leads.ts";
import type { EventListener } from "../../events/listener.ts";
import { audienceOf, publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { type CrmChange, enqueuePush, pushQueue, queueCrmChanges } from "../crm-sync/service.ts";
import { recordLeadEvents } from "../timeline/service.ts";
import { writeLeads } from "./data.ts";
import {
  type Field,
  findKnownLead,
  type KnownLead,
  type LeadSave,
  type SavedLead,
  saveLeads,
} from "./data-save.ts";
import { writableBy } from "./policy.ts";
import { type LeadsContext, lockLead, mayWrite, readLead } from "./service.ts";

type Lead = typeof leadsTable.$inferSelect;
type Changes = Partial<Pick<Lead, Field>>;

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
function changesOf(lead: KnownLead, input: LeadChanges): Changes {
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

function checkChanges(lead: KnownLead, changes: Changes): void {
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
function crmChanges({ status, priority, notes, nextFollowUpDate }: Changes): CrmChange[] {
  const changes: CrmChange[] = [];
  if (status !== undefined) changes.push({ field: "status", value: status });
  if (priority !== undefined) changes.push({ field: "priority", value: priority });
  if (notes !== undefined) changes.push({ field: "notes", value: notes });
  if (nextFollowUpDate !== undefined)
    changes.push({ field: "nextFollowUpDate", value: nextFollowUpDate?.toISOString() ?? null });
  return changes;
}

/** What the timeline tells of them. */
const eventsOf = (lead: KnownLead, changes: Changes) =>
  (Object.keys(changes) as Field[]).map((field) => ({ field, before: lead[field], after: changes[field] }));

/** Whom it concerns. */
const eventOf = (actor: Session, leadId: number, lead: KnownLead) => ({
  topic: "lead" as const,
  id: leadId,
  audience: audienceOf(lead.assignedTo, actor.userId),
});

interface Input {
  actor: Session;
  leadId: number;
  changes: LeadChanges;
}

/**
 * Changes status, priority, notes or follow-up date; every changed field stands on the timeline with before and after.
 * The CRM gets them by its outbox. A lead that leaves 'new' counts as contacted now. Errors: `not_found`, `not_your_lead`, `already_converted`, `invalid`.
 */
export async function changeLead(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  { actor, leadId, changes: input }: Input,
): Promise<void> {
  const lead = await lockLead(tx, actor, leadId);
  const changes = changesOf(lead, input);
  if (Object.keys(changes).length === 0) return;
  checkChanges(lead, changes);
  await tx
    .update(leads)
    .set({ ...changes, updatedAt: new Date() })
    .where(writableBy(actor, leadId));
  const { userId } = actor;
  await recordLeadEvents(
    tx,
    eventsOf(lead, changes).map((data) => ({ leadId, userId, kind: "changed", data })),
  );
  await queueCrmChanges(tx, jobs, { leadId, userId }, crmChanges(changes));
  await publishEvent(tx, eventOf(actor, leadId, lead));
}

export type LeadSaver = (save: LeadSave) => Promise<SavedLead | undefined>;

/** Saves leads, together with those that others save at that moment; what waits for the CRM is handed to jobs in the same transaction. */
export function createLeadSaver(
  database: Pick<Database, "db" | "transaction" | "retried">,
  jobs: Pick<Jobs, "enqueue" | "isWorked">,
): LeadSaver {
  const write = (saves: readonly LeadSave[]) =>
    jobs.isWorked(pushQueue)
      ? database.transaction(async (tx) => {
          const rows = await saveLeads(tx, saves);
          for (const row of rows) if (row?.queued) await enqueuePush(tx, jobs, row.id);
          return rows;
        })
      : database.retried(() => saveLeads(database.db, saves));
  return inBatches(write, ({ leadId }) => leadId);
}

export type UpdateContext = LeadsContext & { jobs: Jobs; events: EventListener; saveLead: LeadSaver };

/** The change in one statement, judged by the lead as it was a moment ago; null where it has changed since. */
async function saveAtOnce(
  context: UpdateContext,
  { actor, leadId, changes: input }: Input,
): Promise<string | null> {
  const { database, gate, events, saveLead } = context;
  const lead = await findKnownLead(database.lookUp, leadId);
  mayWrite(actor, lead);
  const changes = changesOf(lead, input);
  if (Object.keys(changes).length === 0)
    return readLead({ gate, lookUp: database.lookUp }, { leadId, actor });
  checkChanges(lead, changes);
  const saved = await saveLead({
    leadId,
    version: lead.version,
    actorId: actor.userId,
    changes,
    events: eventsOf(lead, changes),
    crmChanges: crmChanges(changes),
  });
  if (!saved) return null;
  events.tell(eventOf(actor, leadId, lead));
  const [text = null] = await writeLeads({ gate, lookUp: database.lookUp }, [saved], actor.userId);
  return text;
}

/** The same as a request of its own; answers the lead as JSON. */
export async function updateLead(context: UpdateContext, input: Input): Promise<string> {
  const saved = await saveAtOnce(context, input);
  if (saved) return saved;
  return context.database.transaction(async (tx) => {
    await changeLead(tx, context.jobs, input);
    return readLead({ gate: context.gate, lookUp: lookUpIn(tx) }, input);
  });
}
