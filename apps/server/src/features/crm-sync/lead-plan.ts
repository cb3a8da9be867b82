import { editableLeadStatuses, priorities } from "@portal/contract/entities/lead";
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
  /**
   * What the contacts come from. A search page may lag behind; a contact that was read by itself is the truth; an event names only what
   * it names, and is followed by such a reading.
   */
  from: "search" | "contact" | "event";
}

/**
 * To be raised whenever a contact may come out as another lead than before, here or where it is read (adapters/gohighlevel/transform,
 * values/): every contact is then read and planned again.
 */
const planVersion = 2;

/** What a plan depends on besides contact and lead, for the contact's digest. */
export function planSalt(assignedTo: string | null, { defaultCountry, owners }: PlanRules): string {
  return `${planVersion} ${defaultCountry} ${(assignedTo && owners.get(assignedTo)) ?? ""} `;
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
function optOut(blocked: boolean | null, before: string | null): string | null {
  if (blocked === null) return before;
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
  if (rules.from === "event" && contact.assignedTo === null) return known.assigned_to;
  const changedThere = (known.extra?.assignedTo ?? null) !== contact.assignedTo;
  return changedThere || known.assigned_to === null ? there : known.assigned_to;
}

/** One of the values that the portal knows, or null. */
function oneOf<T extends string>(values: readonly T[], text: string | undefined): T | null {
  return values.find((value) => value === text) ?? null;
}

function isoOf(text: string | undefined): string | null {
  const date = new Date(text ?? Number.NaN);
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= 2200 ? date.toISOString() : null;
}

/** The portal's own fields as someone may have changed them there; what is no value of the portal's is kept beside. */
function ownValues({ own }: CrmContact) {
  const status = oneOf(editableLeadStatuses, own.status);
  const priority = oneOf(priorities, own.priority);
  const followUp = isoOf(own.nextFollowUpDate);
  const unmapped = {
    ...(own.status && !status && own.status !== "converted" && { portal_status: own.status }),
    ...(own.priority && !priority && { portal_priority: own.priority }),
    ...(own.nextFollowUpDate && !followUp && { portal_follow_up: own.nextFollowUpDate }),
  };
  return { status, priority, followUp, unmapped };
}

/** What the CRM tells beyond the columns replaces what it told before; what came with an import or a webhook stays. */
function extraOf(
  contact: CrmContact,
  known: KnownLead | undefined,
  from: PlanRules["from"],
): Record<string, unknown> | null {
  const { followUp, unmapped } = ownValues(contact);
  const fields = { ...contact.otherFields, ...unmapped };
  const imported = known?.extra?.imported;
  const extra = {
    ...(from === "event" ? known?.extra : imported !== undefined && { imported }),
    ...(contact.assignedTo && { assignedTo: contact.assignedTo }),
    ...(contact.tags.length > 0 && { tags: contact.tags }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(followUp && { followUp }),
  };
  return Object.keys(extra).length > 0 ? extra : null;
}

/** Status, priority and follow-up: what the CRM says where it says something, ours where it is on its way there. A client stays one. */
function stateOf(
  contact: CrmContact,
  known: KnownLead | undefined,
  from: PlanRules["from"],
): Pick<LeadFields, "status" | "priority" | "next_follow_up_date"> {
  const there = ownValues(contact);
  const held = new Set(known?.held);
  const keeps = held.has("status") || known?.status === "converted";
  const clearedThere =
    from !== "event" && known?.extra?.followUp !== undefined && !contact.own.nextFollowUpDate;
  const followUp = there.followUp ?? (clearedThere ? null : (known?.next_follow_up_date ?? null));
  return {
    status: keeps && known ? known.status : (there.status ?? known?.status ?? "new"),
    priority:
      (known && held.has("priority") ? known.priority : there.priority) ?? known?.priority ?? "medium",
    next_follow_up_date: known && held.has("nextFollowUpDate") ? known.next_follow_up_date : followUp,
  };
}

function incoming(contact: CrmContact, known: KnownLead | undefined, rules: PlanRules): LeadFields {
  // A lead of ours that the CRM meets for the first time keeps what the CRM does not know, and any lead what an event does not name.
  const kept = known && (known.ghl_contact_id === null || rules.from === "event") ? known : undefined;
  const held = new Set(known?.held);
  const nameless = rules.from === "event" && !(contact.firstName || contact.lastName || contact.name);
  const ours = known && (held.has("name") || nameless) ? known : undefined;
  const { name, first_name, last_name } = ours ?? names(contact, known);
  const phone = contact.phone ?? kept?.phone ?? null;
  const phoneE164 =
    known?.phone === phone && known.phone_e164 ? known.phone_e164 : toE164(phone, rules.defaultCountry);
  const updatedAt = rules.from === "event" ? undefined : contact.updatedAt?.toISOString();
  // A stop or start that the CRM does not have yet is not undone by what it still says.
  const optOutOf = (field: "callsBlocked" | "textsBlocked", before: string | null) =>
    held.has(field) ? before : optOut(contact[field], before);
  const fields = {
    name,
    first_name,
    last_name,
    email: contact.email ?? kept?.email ?? null,
    phone,
    phone_e164: phoneE164,
    time_zone: phoneTimeZone(phoneE164),
    company: contact.company ?? kept?.company ?? null,
    industry: contact.industry ?? kept?.industry ?? null,
    deal_value: contact.dealValue ?? kept?.deal_value ?? null,
    lead_source: contact.source ?? kept?.lead_source ?? null,
    ...stateOf(contact, known, rules.from),
    assigned_to: known && held.has("assignedTo") ? known.assigned_to : owner(contact, known, rules),
    call_opt_out: optOutOf("callsBlocked", known?.call_opt_out ?? null),
    text_opt_out: optOutOf("textsBlocked", known?.text_opt_out ?? null),
    ghl_contact_id: contact.id,
    crm_updated_at: updatedAt ?? known?.crm_updated_at ?? null,
    extra: extraOf(contact, known, rules.from),
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

/** News older than what is known: the search index lags behind writes, events come late, and a deleted contact may still be listed. */
function isStale(contact: CrmContact, known: KnownLead, { from }: PlanRules): boolean {
  if (known.ghl_contact_id === null) return false;
  const at = contact.updatedAt?.toISOString() ?? null;
  if (known.crm_deleted_at && from !== "contact")
    return from === "event" || at === null || at <= known.crm_deleted_at;
  return at !== null && known.crm_updated_at !== null && at < known.crm_updated_at;
}

/**
 * What a contact means for its lead (design §6 GHL): a new lead, changed fields, or nothing. A field changed here that the CRM does not
 * have yet stays, for any other the CRM's word counts; notes are not part of a contact; stale news is ignored.
 */
export function planLead(contact: CrmContact, known: KnownLead | undefined, rules: PlanRules): LeadPlan {
  const fields = incoming(contact, known, rules);
  if (!known) return { kind: "insert", fields, createdAt: contact.createdAt?.toISOString() ?? null };
  if (isStale(contact, known, rules)) return { kind: "same" };
  const changed = leadFieldNames.filter((name) => !same(fields[name], known[name]));
  if (changed.length === 0 && !known.crm_deleted_at) return { kind: "same" };
  const changes: Changes = {};
  for (const name of changed)
    if (!silent.has(name)) changes[name] = { before: known[name], after: fields[name] };
  return { kind: "update", id: known.id, fields, changes, before: known };
}
