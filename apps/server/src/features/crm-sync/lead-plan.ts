import type { CrmContact } from "../../ports/crm.ts";
import { properName, splitName } from "../../values/person-name.ts";
import { toE164 } from "../../values/phone.ts";
import { phoneTimeZone } from "../../values/phone-area.ts";
import { searchText } from "../../values/search-text.ts";
import { type KnownLead, type LeadFields, leadFieldNames } from "./data-leads.ts";

export interface PlanRules {
  defaultCountry: "US" | "ES";
  /** Consultants by the CRM's user ids. */
  owners: Map<string, number>;
}

export type Changes = Partial<Record<keyof LeadFields, { before: unknown; after: unknown }>>;

export type LeadPlan =
  | { kind: "insert"; fields: LeadFields; createdAt: string | null }
  | { kind: "update"; id: number; fields: LeadFields; changes: Changes; before: KnownLead }
  | { kind: "same" };

/** Not worth a line on the timeline: they follow from others, or only say when the CRM was touched. */
const silent = new Set<keyof LeadFields>([
  "search",
  "phone_e164",
  "time_zone",
  "crm_updated_at",
  "ghl_contact_id",
]);

/** What the search column is made of. */
const searched = ["name", "email", "company", "phone", "phone_e164"] as const;

/** First and last name as the CRM divides them, written properly as one name: 'de la O' depends on what stands before it. */
function names(
  contact: CrmContact,
  known: KnownLead | undefined,
): Pick<LeadFields, "name" | "first_name" | "last_name"> {
  const { firstName, lastName } = contact;
  // Already written properly: the usual case, and a third of a sync's work.
  if (known?.name && known.first_name === firstName && known.last_name === lastName && firstName) {
    const joined = lastName === null ? firstName : `${firstName} ${lastName}`;
    if (joined === known.name) return known;
  }
  const parts = [firstName, lastName].filter((part) => part !== null).join(" ");
  const name = properName(parts || (contact.name ?? ""));
  if (!name) return { name: contact.email ?? contact.phone ?? contact.id, first_name: null, last_name: null };
  const words = name.split(" ");
  const count = parts ? (firstName?.split(/\s+/).filter(Boolean).length ?? 0) : null;
  if (count === null) {
    const split = splitName(name);
    return { name, first_name: split.firstName, last_name: split.lastName };
  }
  return {
    name,
    first_name: words.slice(0, count).join(" ") || null,
    last_name: words.slice(count).join(" ") || null,
  };
}

/** 'dnd' while the CRM says so; other reasons are the portal's own and stay. */
function optOut(blocked: boolean, before: string | null): string | null {
  if (blocked) return before ?? "dnd";
  return before === "dnd" ? null : before;
}

/**
 * The CRM's owner where it changed there since the last pull, or where nobody has the lead; else the portal's. A lead that the CRM
 * meets for the first time is not taken from its consultant for someone whom nobody knows here.
 */
function owner(contact: CrmContact, known: KnownLead | undefined, rules: PlanRules): number | null {
  const there = contact.assignedTo ? (rules.owners.get(contact.assignedTo) ?? null) : null;
  if (!known) return there;
  if (known.ghl_contact_id === null) return there ?? known.assigned_to;
  const changedThere = (known.extra?.assignedTo ?? null) !== contact.assignedTo;
  return changedThere || known.assigned_to === null ? there : known.assigned_to;
}

/** What the CRM tells beyond the columns replaces what it told before; what came with an import or a webhook stays. */
function extraOf(contact: CrmContact, known: KnownLead | undefined): Record<string, unknown> | null {
  const imported = known?.extra?.imported;
  const extra = {
    ...(imported !== undefined && { imported }),
    ...(contact.assignedTo && { assignedTo: contact.assignedTo }),
    ...(contact.tags.length > 0 && { tags: contact.tags }),
    ...(Object.keys(contact.otherFields).length > 0 && { fields: contact.otherFields }),
  };
  return Object.keys(extra).length > 0 ? extra : null;
}

function incoming(contact: CrmContact, known: KnownLead | undefined, rules: PlanRules): LeadFields {
  // A lead of ours that the CRM meets for the first time keeps what the CRM does not know.
  const adopted = known && known.ghl_contact_id === null ? known : undefined;
  const held = new Set(known?.held);
  const ours = known && held.has("name") ? known : undefined;
  const { name, first_name, last_name } = ours ?? names(contact, known);
  const phone = contact.phone ?? adopted?.phone ?? null;
  const phoneE164 =
    known?.phone === phone && known.phone_e164 ? known.phone_e164 : toE164(phone, rules.defaultCountry);
  const fields = {
    name,
    first_name,
    last_name,
    email: contact.email ?? adopted?.email ?? null,
    phone,
    phone_e164: phoneE164,
    time_zone: phoneTimeZone(phoneE164),
    company: contact.company ?? adopted?.company ?? null,
    industry: contact.industry ?? adopted?.industry ?? null,
    deal_value: contact.dealValue ?? adopted?.deal_value ?? null,
    lead_source: contact.source ?? adopted?.lead_source ?? null,
    assigned_to: known && held.has("assignedTo") ? known.assigned_to : owner(contact, known, rules),
    call_opt_out: optOut(contact.callsBlocked, known?.call_opt_out ?? null),
    // A stop or start that the CRM does not have yet is not undone by what it still says.
    text_opt_out:
      known && held.has("textsBlocked")
        ? known.text_opt_out
        : optOut(contact.textsBlocked, known?.text_opt_out ?? null),
    ghl_contact_id: contact.id,
    crm_updated_at: contact.updatedAt?.toISOString() ?? known?.crm_updated_at ?? null,
    extra: extraOf(contact, known),
  };
  const unchanged = known?.search && searched.every((field) => fields[field] === known[field]);
  const search = unchanged ? known.search : searchText({ ...fields, phoneE164: fields.phone_e164 });
  return { ...fields, search };
}

function same(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) return JSON.stringify(a) === JSON.stringify(b);
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) =>
    same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

/**
 * What a contact means for its lead (design §6 GHL): a new lead, changed fields, or nothing. Status, priority, notes and follow-up are
 * never touched; a field changed here that the CRM does not have yet stays; news older than what is known is ignored.
 */
export function planLead(contact: CrmContact, known: KnownLead | undefined, rules: PlanRules): LeadPlan {
  const fields = incoming(contact, known, rules);
  if (!known) return { kind: "insert", fields, createdAt: contact.createdAt?.toISOString() ?? null };
  const at = contact.updatedAt?.toISOString();
  // The search index lags behind writes: a page may still show what was there before our own.
  if (known.ghl_contact_id !== null && at && known.crm_updated_at && at < known.crm_updated_at)
    return { kind: "same" };
  const changed = leadFieldNames.filter((name) => !same(fields[name], known[name]));
  if (changed.length === 0) return { kind: "same" };
  const changes: Changes = {};
  for (const name of changed)
    if (!silent.has(name)) changes[name] = { before: known[name], after: fields[name] };
  return { kind: "update", id: known.id, fields, changes, before: known };
}
