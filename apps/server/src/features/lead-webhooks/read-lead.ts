import { leadFieldOf } from "@portal/contract/lead-headers";
import type { IncomingLead } from "../../values/incoming-lead.ts";
import type { ReadRecord } from "../../values/read-lead-record.ts";
import type { Fields } from "./delivery-event.ts";

/** A payload's fields as a lead, or why it is none. */
export type ReadLead = { lead: IncomingLead } | { fault: string };

const contactFields = new Set(["email", "phone"]);
const contactIdMax = 100;

/**
 * Reads a sender's fields by the aliases of the imports. A lead needs an e-mail or a phone; `isKnown` tells that the sender's record
 * is tied to a lead already, a contact id of the CRM likewise: then neither has to be said again.
 */
export function readLead(
  readRecord: (record: unknown) => ReadRecord,
  { ghlContactId, hs_lead_status, ...fields }: Fields,
  { isKnown }: { isKnown: boolean },
): ReadLead {
  const named = hs_lead_status === undefined ? fields : { ...fields, lead_status: hs_lead_status };
  const { lead, faults } = readRecord(named);
  const contactId = typeof ghlContactId === "string" ? ghlContactId.slice(0, contactIdMax) : null;
  const saysContact = Object.keys(named).some((name) => contactFields.has(leadFieldOf(name) ?? ""));
  const isIdentified = isKnown || contactId !== null;
  const serious = isIdentified && !saysContact ? faults.slice(1) : faults;
  if (serious.length > 0) return { fault: `${serious.join("; ")}.` };
  return { lead: contactId ? { ...lead, ghlContactId: contactId } : lead };
}
