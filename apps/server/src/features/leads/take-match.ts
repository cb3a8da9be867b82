import { foldText } from "../../values/search-text.ts";
import type { StoredLead, TakenColumns } from "./data-take.ts";

/** A lead to be: what stands in the database, or what an earlier record of the same batch makes. */
export type Candidate = TakenColumns & Pick<Partial<StoredLead>, "id" | "assigned_to">;

type Identity = Pick<TakenColumns, "name" | "email" | "phone_e164" | "ghl_contact_id">;

function push<Key>(map: Map<Key, Candidate[]>, key: Key, lead: Candidate): void {
  const held = map.get(key);
  if (held) held.push(lead);
  else map.set(key, [lead]);
}

/** Finds the lead that an incoming record speaks of (design §6, Leads and people). */
export class LeadMatcher {
  readonly #byId = new Map<number, Candidate>();
  readonly #byContact = new Map<string, Candidate>();
  readonly #byEmail = new Map<string, Candidate[]>();
  readonly #byPhone = new Map<string, Candidate[]>();

  /** Makes a lead known; the oldest first. */
  add(lead: Candidate): void {
    if (lead.id !== undefined) this.#byId.set(lead.id, lead);
    if (lead.ghl_contact_id) this.#byContact.set(lead.ghl_contact_id, lead);
    if (lead.email) push(this.#byEmail, lead.email.toLowerCase(), lead);
    if (lead.phone_e164) push(this.#byPhone, lead.phone_e164, lead);
  }

  /** Makes a lead known by another address as well. */
  addEmail(email: string, lead: Candidate): void {
    push(this.#byEmail, email.toLowerCase(), lead);
  }

  /**
   * By the CRM's id, then by e-mail, then the lead that the sender's own record is tied to, then, where the record has neither id nor
   * e-mail, by phone.
   */
  find(record: Identity, tiedTo?: number | null): Candidate | undefined {
    return (
      this.#findByAddress(record) ??
      (tiedTo ? this.#byId.get(tiedTo) : undefined) ??
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
    // Two contacts of the CRM with one e-mail stay two leads.
    return contactId ? held.find((lead) => lead.ghl_contact_id === null) : held[0];
  }

  #findByPhone(record: Identity): Candidate | undefined {
    const { ghl_contact_id: contactId, email, phone_e164: phone } = record;
    if (contactId || email || !phone) return undefined;
    const held = this.#byPhone.get(phone) ?? [];
    if (held.length <= 1) return held[0];
    // A household: the member who came without an address before, known by name, so that a file taken in again makes nobody twice.
    const name = foldText(record.name);
    return held.find((lead) => lead.email === null && foldText(lead.name) === name);
  }
}
