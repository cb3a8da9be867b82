import { foldText } from "../../../domain/search-text.ts";
import type { LeadEvent } from "../../activity/service.ts";
import type { LeadColumn, LeadColumns, StoredLead } from "./repository.ts";

/** A stored lead, or one that an earlier record of the batch creates (`id` null). */
export type Candidate = LeadColumns &
  Pick<StoredLead, "held" | "crm_deleted_at" | "aliases"> & { id: number | null };

/** Fields that identify a lead. */
export type Identity = Pick<LeadColumns, "name" | "email" | "phone_e164" | "ghl_contact_id">;

function push<Key>(map: Map<Key, Candidate[]>, key: Key, lead: Candidate): void {
  const held = map.get(key);
  if (held) held.push(lead);
  else map.set(key, [lead]);
}

/** Finds the lead that an incoming record belongs to. */
export class LeadMatcher {
  readonly #byId = new Map<number, Candidate>();
  readonly #byContact = new Map<string, Candidate>();
  readonly #byEmail = new Map<string, Candidate[]>();
  readonly #byPhone = new Map<string, Candidate[]>();

  /** Adds a lead; call it in order of age, oldest first. */
  add(lead: Candidate): void {
    if (lead.id !== null) this.#byId.set(lead.id, lead);
    this.#addKeys(lead, { email: null, phone_e164: null, ghl_contact_id: null });
    for (const { ghl_contact_id: contactId, email, phone_e164: phone } of lead.aliases) {
      if (contactId) this.#byContact.set(contactId, lead);
      if (email && email.toLowerCase() !== lead.email?.toLowerCase())
        push(this.#byEmail, email.toLowerCase(), lead);
      if (phone && phone !== lead.phone_e164) push(this.#byPhone, phone, lead);
    }
  }

  /** Changes a lead and adds its new keys; it is still found by the old ones. */
  update(lead: Candidate, changes: Partial<LeadColumns>): void {
    const before = { ...lead };
    Object.assign(lead, changes);
    this.#addKeys(lead, before);
  }

  #addKeys(lead: Candidate, before: Omit<Identity, "name">): void {
    const { ghl_contact_id: contactId, email, phone_e164: phone } = lead;
    if (contactId && contactId !== before.ghl_contact_id) this.#byContact.set(contactId, lead);
    if (email && email !== before.email) push(this.#byEmail, email.toLowerCase(), lead);
    if (phone && phone !== before.phone_e164) push(this.#byPhone, phone, lead);
  }

  /** Identifying fields of a record that belong to another lead: an email and a CRM id belong to one lead only. */
  heldByOthers(record: Identity, lead: Candidate): Partial<Identity> {
    const { ghl_contact_id: contactId, email } = record;
    const isOthers = (held: Candidate | undefined) => held !== undefined && held !== lead;
    return {
      ...(email && this.#byEmail.get(email.toLowerCase())?.some(isOthers) && { email }),
      ...(contactId && isOthers(this.#byContact.get(contactId)) && { ghl_contact_id: contactId }),
    };
  }

  /**
   * The lead of a record: the one that the sender's own record is tied to; else by CRM id, by email, and by phone only if the record has
   * neither.
   */
  find(record: Identity, tiedTo?: number | null): Candidate | undefined {
    return (
      (tiedTo ? this.#byId.get(tiedTo) : undefined) ??
      this.#findByAddress(record) ??
      this.#findByPhone(record)
    );
  }

  #findByAddress({ ghl_contact_id: contactId, email }: Identity): Candidate | undefined {
    if (contactId) {
      const known = this.#byContact.get(contactId);
      if (known) return known;
    }
    if (!email) return undefined;
    const held = this.#byEmail.get(email.toLowerCase()) ?? [];
    // Two contacts of the CRM with one email stay two leads.
    return contactId ? held.find((lead) => lead.ghl_contact_id === null) : held[0];
  }

  #findByPhone(record: Identity): Candidate | undefined {
    const { ghl_contact_id: contactId, email, phone_e164: phone } = record;
    if (contactId || email || !phone) return undefined;
    const held = this.#byPhone.get(phone) ?? [];
    if (held.length <= 1) return held[0];
    // Several people of a household share a number: the one without an email and with the same name is matched, so that a repeated file
    // creates no duplicates.
    const name = foldText(record.name);
    return held.find((lead) => lead.email === null && foldText(lead.name) === name);
  }
}

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
