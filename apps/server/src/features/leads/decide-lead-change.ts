import type { Priority } from "@portal/contract/entities/lead";
import { followUpInstantOf, followUpTimeText } from "@portal/contract/follow-up-time";
import type { leads } from "../../platform/db/schema/leads.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { CrmChange } from "../crm-outbox/service.ts";
import type { LeadSave } from "./lead-repository.ts";

type Lead = typeof leads.$inferSelect;
type FollowUpField = "nextFollowUpDate" | "nextFollowUpTime" | "nextFollowUpZone" | "nextFollowUpAt";
/** A lead's follow-up. */
export type FollowUp = Pick<Lead, FollowUpField>;

/** A requested change of a follow-up: absent fields stay, null clears a field. */
export interface FollowUpInput {
  nextFollowUpDate?: string | null | undefined;
  nextFollowUpTime?: string | null | undefined;
  nextFollowUpZone?: string | null | undefined;
}

const noFollowUp: FollowUp = {
  nextFollowUpDate: null,
  nextFollowUpTime: null,
  nextFollowUpZone: null,
  nextFollowUpAt: null,
};

/** The follow-up after a change. Without a date the time is removed as well. Errors: `invalid`. */
export function followUpAfter(before: FollowUp, input: FollowUpInput): FollowUp {
  const date =
    input.nextFollowUpDate === undefined
      ? before.nextFollowUpDate
      : input.nextFollowUpDate && new Date(input.nextFollowUpDate);
  if (!date) {
    if (input.nextFollowUpTime)
      throw new AppError("invalid", "nextFollowUpTime: a time needs a follow-up date.");
    return noFollowUp;
  }
  const time = input.nextFollowUpTime === undefined ? before.nextFollowUpTime : input.nextFollowUpTime;
  if (time === null) return { ...noFollowUp, nextFollowUpDate: date };
  const zone = input.nextFollowUpZone ?? before.nextFollowUpZone;
  if (zone === null) throw new AppError("invalid", "nextFollowUpZone: say on whose clocks the time is.");
  return {
    nextFollowUpDate: date,
    nextFollowUpTime: time,
    nextFollowUpZone: zone,
    nextFollowUpAt: followUpInstantOf(date, { time, zone }),
  };
}

const timeOf = ({ nextFollowUpTime: time, nextFollowUpZone: zone }: FollowUp) =>
  time && zone ? followUpTimeText({ time, zone }) : null;

/** The timeline entries of a changed follow-up, one for the date and one for the time, and its changes for the CRM. */
export function followUpChanges(
  before: FollowUp,
  after: FollowUp,
): { events: { kind: "changed"; data: Record<string, unknown> }[]; crmChanges: CrmChange[] } {
  const sides = {
    nextFollowUpDate: [before, after].map(({ nextFollowUpDate }) => nextFollowUpDate?.toISOString() ?? null),
    nextFollowUpTime: [before, after].map(timeOf),
  };
  const changed = (["nextFollowUpDate", "nextFollowUpTime"] as const)
    .map((field) => ({ field, before: sides[field][0] ?? null, after: sides[field][1] ?? null }))
    .filter((change) => change.before !== change.after);
  return {
    events: changed.map((data) => ({ kind: "changed", data })),
    crmChanges: changed.map(({ field, after: value }) => ({ field, value })),
  };
}

/** A lead whose follow-up is removed: its columns, its timeline entries, and its changes for the CRM. */
export function clearFollowUp(lead: Lead) {
  return { changes: noFollowUp, ...followUpChanges(lead, noFollowUp) };
}

/** The fields of a lead that people change. */
type Field = "status" | "priority" | "notes" | "lastContactedAt" | "language" | keyof FollowUp;
type Changes = Partial<Pick<Lead, Field>>;

/** Fields of a lead in a request; omitted fields stay unchanged. */
export interface LeadChangeInput extends FollowUpInput {
  status?: Exclude<Lead["status"], "converted"> | undefined;
  priority?: Priority | undefined;
  notes?: string | null | undefined;
  language?: Lead["language"] | undefined;
  lastContactedAt?: string | undefined;
}

/** The values that the person saw of the changed fields. */
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

/** Fields of the request whose value differs from the stored one. */
function changesOf(lead: Lead, input: LeadChangeInput): Changes {
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
    // The last contact is the latest one that was reported.
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

/** The changes for the CRM; the last contact and the language exist only in the portal. */
function crmChanges(lead: Lead, changed: Changes): CrmChange[] {
  const { status, priority, notes } = changed;
  const changes: CrmChange[] = [];
  if (status !== undefined) changes.push({ field: "status", value: status });
  if (priority !== undefined) changes.push({ field: "priority", value: priority });
  if (notes !== undefined) changes.push({ field: "notes", value: notes });
  return [...changes, ...followUpChanges(lead, { ...lead, ...changed }).crmChanges];
}

const followUpFields = ["nextFollowUpDate", "nextFollowUpTime", "nextFollowUpZone"] as const;
const ofFollowUp: readonly string[] = [...followUpFields, "nextFollowUpAt"];

/** The timeline entries of the changes: one for each field, with the follow-up's date and time together. */
const eventsOf = (lead: Lead, changes: Changes) => [
  ...Object.entries(changes)
    .filter(([field]) => !ofFollowUp.includes(field))
    .map(([field, after]) => ({
      kind: "changed" as const,
      data: { field, before: lead[field as Field], after },
    })),
  ...followUpChanges(lead, { ...lead, ...changes }).events,
];

/** Current values of the changed fields whose stored value differs from what the person saw. A follow-up includes its time. */
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

/** Refuses to overwrite a value that the person had not seen. Errors: `changed_meanwhile`. */
export function checkSeen(lead: Lead, changes: Changes, seen: SeenLead): void {
  const now = changedMeanwhile(lead, changes, seen);
  if (Object.keys(now).length > 0)
    throw new AppError("changed_meanwhile", "This lead was changed meanwhile. Choose what holds.", { now });
}

/** The save of a locked lead for these changes, or null if nothing changes. Errors: `already_converted`, `invalid`. */
export function planLeadChange(lead: Lead, userId: number, input: LeadChangeInput): LeadSave | null {
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
