import type { LeadEvent } from "../../activity/service.ts";
import type { Candidate, Identity, LeadMatcher } from "./match-leads.ts";
import type { LeadColumn, LeadColumns, StoredLead } from "./repository.ts";

/** How the records of a source become leads, and which side wins where both have a value. */
export interface ConflictPolicy<Incoming> {
  /** The records are the CRM's own contacts: their values are not sent back to it, and changes waiting for the CRM are not overwritten. */
  isCrm: boolean;
  /** Known leads are not changed. */
  skipsKnown: boolean;
  /** A name that a consultant changed stays, even if the source repeats the old one. */
  heedsRenames: boolean;
  /** Columns that are written on a known lead. */
  written: readonly LeadColumn[];
  identityOf(record: Incoming): Identity;
  /** Id of the lead that the sender's own record is tied to. */
  tiedTo(record: Incoming): number | null;
  /** Columns of a new lead. */
  create(record: Incoming): LeadColumns;
  /** Changes of a known lead, or null for none. `renamedFrom`: the name that a consultant replaced by the current one. */
  merge(
    record: Incoming,
    lead: Candidate,
    context: { matcher: LeadMatcher; renamedFrom: string | null },
  ): Partial<LeadColumns> | null;
  /** Data of a new lead's first timeline entry: the same for all, or by lead. */
  created: Record<string, unknown> | ((lead: LeadColumns) => Record<string, unknown>);
  /** Timeline entries of a change. */
  changeEvents(before: StoredLead, after: LeadColumns): Pick<LeadEvent, "kind" | "data">[];
  /** ISO instant at which the record was created at its source; null for now. */
  createdAt?(record: Incoming): string | null;
  /** Digest by which an unchanged record is recognised (`contentHash`). */
  digestOf?(record: Incoming): string | null;
}

/** Which side wins a field: `ours` if the lead has a value, `theirs` if the record has one, `authority` the record even if it is empty. */
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

/** Values of the fields that are decided by a rule alone. */
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

/** Compares two column values, JSON objects by their content. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) =>
    isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

/** Names of the columns in which two states of a lead differ. */
export function changedColumns(
  names: readonly LeadColumn[],
  before: LeadColumns,
  after: Partial<LeadColumns>,
): LeadColumn[] {
  return names.filter((name) => name in after && !isSame(after[name], before[name]));
}

/** Values before and after a change, as timeline data. */
export const changeOf = (name: LeadColumn, before: LeadColumns, after: LeadColumns) => ({
  before: before[name],
  after: after[name],
});
