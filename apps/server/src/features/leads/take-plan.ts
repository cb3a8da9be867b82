import { limits } from "@portal/contract/limits";
import type { IncomingLead } from "../../values/incoming-lead.ts";
import { properName, splitName } from "../../values/person-name.ts";
import { toE164 } from "../../values/phone.ts";
import { phoneTimeZone } from "../../values/phone-area.ts";
import { searchText } from "../../values/search-text.ts";
import type { TakenColumns } from "./data-take.ts";
import type { Candidate } from "./take-match.ts";

/** Fields whose change is a line on the timeline, as the API calls them. */
export const toldFields = {
  name: "name",
  email: "email",
  phone: "phone",
  company: "company",
  industry: "industry",
  status: "status",
  priority: "priority",
  notes: "notes",
  deal_value: "dealValue",
  lead_source: "leadSource",
} as const satisfies Partial<Record<keyof TakenColumns, string>>;

function named(lead: IncomingLead): Pick<TakenColumns, "name" | "first_name" | "last_name"> | null {
  const first = lead.firstName?.trim() ?? "";
  const last = lead.lastName?.trim() ?? "";
  const name = properName(lead.name?.trim() || `${first} ${last}`);
  if (!name) return null;
  if (!first && !last) {
    const split = splitName(name);
    return { name, first_name: split.firstName, last_name: split.lastName };
  }
  return { name, first_name: properName(first) || null, last_name: properName(last) || null };
}

/** A record with the columns that it makes of a new lead: what can be done before anybody has to wait for it. */
export interface PreparedLead {
  record: IncomingLead;
  columns: TakenColumns;
}

export function prepareLead(record: IncomingLead, country: "US" | "ES"): PreparedLead {
  return { record, columns: columnsOf(record, country) };
}

/** A new lead's columns. */
function columnsOf(lead: IncomingLead, country: "US" | "ES"): TakenColumns {
  const email = lead.email?.trim().toLowerCase() || null;
  const phone = lead.phone?.trim() || null;
  const phoneE164 = lead.phoneE164 === undefined ? toE164(phone, country) : lead.phoneE164;
  const name = named(lead) ?? {
    name: email ?? phone ?? lead.ghlContactId ?? "",
    first_name: null,
    last_name: null,
  };
  const company = lead.company?.trim() || null;
  const extra = lead.extra && Object.keys(lead.extra).length > 0 ? { imported: lead.extra } : null;
  // All fields by name: thousands of rows wait at once, and an object that is spread and then added to takes thrice the room.
  return {
    name: name.name,
    first_name: name.first_name,
    last_name: name.last_name,
    email,
    phone,
    phone_e164: phoneE164,
    time_zone: phoneTimeZone(phoneE164),
    company,
    industry: lead.industry?.trim() || null,
    status: lead.status ?? "new",
    priority: lead.priority ?? "medium",
    notes: lead.notes?.trim() || null,
    deal_value: lead.dealValue ?? null,
    lead_source: lead.leadSource?.trim() || null,
    ghl_contact_id: lead.ghlContactId || null,
    extra,
    search: searchText({ name: name.name, email, company, phone, phoneE164 }),
  };
}

/** Notes of both: what a consultant wrote stays, what is new comes below. */
function mergedNotes(before: string | null, after: string | null): string | null {
  if (!after || before?.includes(after)) return before;
  return (before ? `${before}\n\n${after}` : after).slice(0, limits.notesMaxLength);
}

/**
 * The columns of a known lead after the record: what the sender said replaces what was there, what it did not say stays. Notes are
 * added to; the source is where the lead first came from; a client's status is not touched.
 */
export function mergedColumns(before: Candidate, lead: IncomingLead, incoming: TakenColumns): TakenColumns {
  const name = named(lead) ?? before;
  const phoned = incoming.phone_e164 !== null || before.phone === null ? incoming : before;
  const phone = incoming.phone === null ? before : phoned;
  const email = before.email ?? incoming.email;
  const company = incoming.company ?? before.company;
  const merged = {
    name: name.name,
    first_name: name.first_name,
    last_name: name.last_name,
    email,
    phone: phone.phone,
    phone_e164: phone.phone_e164,
    time_zone: phone.time_zone,
    company,
    industry: incoming.industry ?? before.industry,
    status: before.status === "converted" ? before.status : (lead.status ?? before.status),
    priority: lead.priority ?? before.priority,
    notes: mergedNotes(before.notes, incoming.notes),
    deal_value: incoming.deal_value ?? before.deal_value,
    lead_source: before.lead_source ?? incoming.lead_source,
    ghl_contact_id: before.ghl_contact_id ?? incoming.ghl_contact_id,
    extra: mergedExtra(before.extra, incoming.extra),
  };
  const search = searchText({
    name: merged.name,
    email,
    company,
    phone: merged.phone,
    phoneE164: merged.phone_e164,
  });
  return { ...merged, search };
}

function mergedExtra(before: TakenColumns["extra"], after: TakenColumns["extra"]): TakenColumns["extra"] {
  if (!after) return before;
  return {
    ...before,
    imported: { ...(before?.imported as object | undefined), ...(after.imported as object) },
  };
}
