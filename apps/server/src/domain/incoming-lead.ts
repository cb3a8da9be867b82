import type { LeadStatus, Priority } from "@portal/contract/entities/lead";

/** A lead from an import, a webhook or the CRM, with its values already parsed. Absent, null and '' mean that the sender gave no value. */
export interface IncomingLead {
  /**
   * Full name, or first and last name. Capitals and accents are corrected when the lead is ingested. Without a name the email or the phone
   * is used.
   */
  name?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  email?: string | null;
  /** As typed. */
  phone?: string | null;
  /** Set if it was already parsed from `phone`; otherwise it is parsed when the lead is ingested. */
  phoneE164?: string | null;
  company?: string | null;
  industry?: string | null;
  status?: Exclude<LeadStatus, "converted"> | null;
  priority?: Priority | null;
  notes?: string | null;
  dealValue?: number | null;
  leadSource?: string | null;
  ghlContactId?: string | null;
  /** The lead that the sender's record is linked to. It decides which lead is updated, whatever else the record holds. */
  leadId?: number | null;
  /** Values without a column here, by the sender's names. */
  extra?: Record<string, unknown> | null;
}
