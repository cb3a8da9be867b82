import type { Lead as ContractLead, Priority } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import type { Tx } from "../../platform/db/client.ts";
import type { leads } from "../../platform/db/schema/leads.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { audienceOf, publishEvent } from "../../platform/realtime/publish.ts";
import { hasLeadEvent, isRequestDone, recordLeadEvent } from "../activity/service.ts";
import type { CrmChange } from "../crm-outbox/service.ts";
import { type FollowUp, type FollowUpInput, followUpAfter, followUpChanges } from "./change-follow-up.ts";
import { findLeadForUpdate, type LeadSave } from "./lead-repository.ts";
import { isWriter } from "./policy.ts";
import { getLead, lockLead, saveLead, type WriteContext } from "./service.ts";

type Lead = typeof leads.$inferSelect;
/** What of a lead is changed by hand. */
type Field = "status" | "priority" | "notes" | "lastContactedAt" | "language" | keyof FollowUp;
type Changes = Partial<Pick<Lead, Field>>;

export interface LeadChanges extends FollowUpInput {
  status?: Exclude<Lead["status"], "converted"> | undefined;
  priority?: Priority | undefined;
  notes?: string | null | undefined;
  language?: Lead["language"] | undefined;
  lastContactedAt?: string | undefined;
}

/** What a person saw of the fields that they change. */
export interface SeenLead extends FollowUpInput {
  status?: Lead["status"] | undefined;
  priority?: Priority | undefined;
  notes?: string | null | undefined;
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
function changesOf(lead: Lead, input: LeadChanges): Changes {
  const notes = typeof input.notes === "string" && input.notes.trim() === "" ? null : input.notes;
  const reported = asDate(input.lastContactedAt);
  const isOlder = reported && lead.lastContactedAt && reported < lead.lastContactedAt;
  const leavesNew = lead.status === "new" && input.status !== undefined && input.status !== "new";
  const wanted: Partial<Record<Field, unknown>> = {
    status: input.status,
    priority: input.priority,
    notes,
    language: input.language,
    ...followUpAfter(lead, input),
    // The last contact is the latest that anyone reported.
    lastContactedAt: isOlder ? undefined : (reported ?? (leavesNew ? new Date() : undefined)),
  };
  const entries = Object.entries(wanted) as [Field, unknown][];
  return Object.fromEntries(
    entries.filter(([field, value]) => value !== undefined && !same(lead[field], value)),
  );
}

function checkChanges(lead: Lead, changes: Changes): void {
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

/** The changes that go to the CRM; the last contact and the language are the portal's own. */
function crmChanges(lead: Lead, changed: Changes): CrmChange[] {
  const { status, priority, notes } = changed;
  const changes: CrmChange[] = [];
  if (status !== undefined) changes.push({ field: "status", value: status });
  if (priority !== undefined) changes.push({ field: "priority", value: priority });
  if (notes !== undefined) changes.push({ field: "notes", value: notes });
  return [...changes, ...followUpChanges(lead, { ...lead, ...changed }).crmChanges];
}

/** Their entries on the timeline. */
const eventsOf = (lead: Lead, changes: Changes) => [
  ...(["status", "priority", "notes", "language", "lastContactedAt"] as const)
    .filter((field) => field in changes)
    .map((field) => ({
      kind: "changed" as const,
      data: { field, before: lead[field], after: changes[field] },
    })),
  ...followUpChanges(lead, { ...lead, ...changes }).events,
];

interface Input {
  actor: AuthSession;
  leadId: number;
  changes: LeadChanges;
  /** The same request again carries the same one. */
  clientRef?: string | undefined;
  seen?: SeenLead | undefined;
}

const followUpFields = ["nextFollowUpDate", "nextFollowUpTime", "nextFollowUpZone"] as const;

/** What is changed here and is not as the person saw it, with what is there now. A follow-up is one thing with its time. */
function changedMeanwhile(lead: Lead, changes: Changes, seen: SeenLead): Record<string, string | null> {
  const differing = (["status", "priority", "notes"] as const).filter(
    (field) => field in changes && seen[field] !== undefined && !same(lead[field], seen[field]),
  );
  const now: Record<string, string | null> = Object.fromEntries(
    differing.map((field) => [field, lead[field]]),
  );
  const differs = (field: (typeof followUpFields)[number]) => {
    const before = seen[field];
    if (before === undefined) return false;
    return !same(lead[field], field === "nextFollowUpDate" ? asDate(before) : before);
  };
  if (followUpFields.some((field) => field in changes) && followUpFields.some(differs)) {
    now.nextFollowUpDate = lead.nextFollowUpDate?.toISOString() ?? null;
    now.nextFollowUpTime = lead.nextFollowUpTime;
    now.nextFollowUpZone = lead.nextFollowUpZone;
  }
  return now;
}

function checkSeen(lead: Lead, changes: Changes, seen: SeenLead): void {
  const now = changedMeanwhile(lead, changes, seen);
  if (Object.keys(now).length > 0)
    throw new AppError("changed_meanwhile", "This lead was changed meanwhile. Choose what holds.", { now });
}

/** What is saved of a held lead for these changes; null where they change nothing. Errors: `already_converted`, `invalid`. */
export function planLeadChange(lead: Lead, userId: number, input: LeadChanges): LeadSave | null {
  const changes = changesOf(lead, input);
  if (Object.keys(changes).length === 0) return null;
  checkChanges(lead, changes);
  return {
    leadId: lead.id,
    userId,
    changes,
    events: eventsOf(lead, changes),
    crmChanges: crmChanges(lead, changes),
  };
}

/**
 * Changes status, priority, notes, follow-up date or language; every changed field stands on the timeline with before and after.
 * The CRM gets them by its outbox. A lead that leaves 'new' counts as contacted now. A repeated request changes nothing.
 * Errors: `not_found`, `not_your_lead`, `already_converted`, `invalid`, `changed_meanwhile`.
 */
async function changeLead(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  { actor, leadId, changes, clientRef, seen }: Input,
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

/** The same as a request of its own; answers the lead. */
export async function updateLead(context: WriteContext, input: Input): Promise<ContractLead> {
  return context.database.transaction(async (tx) => {
    await changeLead(tx, context.jobs, input);
    return getLead(context, tx, input);
  });
}

/**
 * Puts a note above those that the lead has, and answers the lead. A request that is repeated adds nothing.
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
): Promise<ContractLead> {
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
 * Sets a lead's follow-up and status where the person may; where the lead has become somebody else's, its owner's plan stays, and what was
 * proposed stands on the timeline for them. A client's status stays. Answers which. Errors: `not_found`, `invalid`.
 */
export async function setOrProposePlan(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  input: { actor: AuthSession; leadId: number; plan: Pick<LeadChanges, "status"> & FollowUpInput },
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
