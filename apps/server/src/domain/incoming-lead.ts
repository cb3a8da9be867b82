import type { LeadStatus, Priority } from "@portal/contract/entities/lead";

/** A lead as it comes in, values already read; absent, null and '' mean that the sender did not say. */
export interface IncomingLead {
  /** Full name, or first and last; written properly when it is ingested. Without one the e-mail or the phone stands in. */
  name?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  email?: string | null;
  /** As typed. */
  phone?: string | null;
  /** Where it was read from `phone` already; else it will be. */
  phoneE164?: string | null;
  company?: string | null;
  industry?: string | null;
  status?: Exclude<LeadStatus, "converted"> | null;
  priority?: Priority | null;
  notes?: string | null;
  dealValue?: number | null;
  leadSource?: string | null;
  ghlContactId?: string | null;
  /** The lead that the sender's own record is tied to: it is that lead, whatever else the record says. */
  leadId?: number | null;
  /** What the sender sent and has no column here, by the sender's names. */
  extra?: Record<string, unknown> | null;
}
