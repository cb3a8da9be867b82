import type { LeadEvent } from "../../activity/service.ts";
import type { Candidate, Identity, LeadMatcher } from "./match-leads.ts";
import type { LeadColumn, LeadColumns, StoredLead } from "./repository.ts";

/** What a source's records become, and who wins where the lead says something else. */
export interface ConflictPolicy<Incoming> {
  /** The records are the CRM's own contacts: what they say is not sent back to it, and changes on their way there are heeded. */
  isCrm: boolean;
  /** Known leads stay as they are. */
  skipsKnown: boolean;
  /** A name that a consultant replaced stays replaced, though the source repeats it. */
  heedsRenames: boolean;
  /** The columns that are written of a known lead. */
  written: readonly LeadColumn[];
  identityOf(record: Incoming): Identity;
  /** The lead that the sender's own record is tied to. */
  tiedTo(record: Incoming): number | null;
  /** The columns of a new lead. */
  create(record: Incoming): LeadColumns;
  /** What changes of a known lead, null for nothing. `renamedFrom`: the name that a consultant replaced by the one that stands. */
  merge(
    record: Incoming,
    lead: Candidate,
    context: { matcher: LeadMatcher; renamedFrom: string | null },
  ): Partial<LeadColumns> | null;
  /** The first line of a new lead's timeline: the same for all, or by lead. */
  created: Record<string, unknown> | ((lead: LeadColumns) => Record<string, unknown>);
  /** The lines that a change makes on the timeline. */
  changeEvents(before: StoredLead, after: LeadColumns): Pick<LeadEvent, "kind" | "data">[];
  /** When the record was made at its source, ISO; now where it does not say. */
  createdAt?(record: Incoming): string | null;
  /** By what a record can be known again that says nothing new (`contentHash`). */
  digestOf?(record: Incoming): string | null;
}

/**
 * Who wins a field: `ours` where the lead has a value, `theirs` where the record has one, `authority` the record, also where it has
 * none.
 */
export type Winner = "ours" | "theirs" | "authority";

type PlainField =
  | "email"
  | "phone"
  | "company"
  | "industry"
  | "deal_value"
  | "lead_source"
  | "ghl_contact_id";

const winners: Record<Winner, (ours: unknown, theirs: unknown) => unknown> = {
  ours: (ours, theirs) => ours ?? theirs,
  theirs: (ours, theirs) => theirs ?? ours,
  authority: (_ours, theirs) => theirs,
};

/** The fields that a rule decides alone. */
export function decideFields<Rules extends Partial<Record<PlainField, Winner>>>(
  rules: Rules,
  ours: LeadColumns,
  theirs: Pick<LeadColumns, keyof Rules & PlainField>,
): Pick<LeadColumns, keyof Rules & PlainField> {
  type Field = keyof Rules & PlainField;
  const decided = (Object.keys(rules) as Field[]).map((field) => [
    field,
    winners[rules[field] as Winner](ours[field], theirs[field]),
  ]);
  return Object.fromEntries(decided) as Pick<LeadColumns, Field>;
}

/** Whether two values are the same as they are stored. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) =>
    isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

/** The columns in which two states of a lead differ. */
export function changedColumns(
  names: readonly LeadColumn[],
  before: LeadColumns,
  after: Partial<LeadColumns>,
): LeadColumn[] {
  return names.filter((name) => name in after && !isSame(after[name], before[name]));
}

/** What a change says on the timeline: the values before and after. */
export const changeOf = (name: LeadColumn, before: LeadColumns, after: LeadColumns) => ({
  before: before[name],
  after: after[name],
});
