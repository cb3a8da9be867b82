import { foldText } from "../../../domain/search-text.ts";
import type { LeadColumns, StoredLead } from "./repository.ts";

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
