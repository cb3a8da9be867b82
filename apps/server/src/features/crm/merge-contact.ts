import { editableLeadStatuses, priorities } from "@portal/contract/entities/lead";
import { followUpInstantOf, followUpTimeText, readFollowUpTime } from "@portal/contract/follow-up-time";
import { properName, repeatsName, splitName } from "../../domain/person-name.ts";
import { phoneTimeZone, toE164 } from "../../domain/phone.ts";
import { searchText } from "../../domain/search-text.ts";
import type { CrmContact } from "../../ports/crm.ts";
import type { LeadEvent } from "../activity/service.ts";
import {
  type Candidate,
  type ConflictPolicy,
  changedColumns,
  changeOf,
  decideFields,
} from "../leads/ingest/policy.ts";
import { contactColumns, type LeadColumns, type StoredLead } from "../leads/ingest/repository.ts";

export interface ContactRules {
  defaultCountry: "US" | "ES";
  /** Consultants by the CRM's user ids. */
  owners: Map<string, number>;
  /**
   * Where the contacts come from. A search page may lag behind; a contact read by id is current; an event holds only some fields and is
   * followed by a read.
   */
  from: "search" | "contact" | "event";
}

/**
 * Raise it whenever a contact may result in other lead columns than before, through this file or the parsing
 * (adapters/gohighlevel/transform, domain/): every contact is then merged again.
 */
const mergeVersion = 7;

/** The part of a contact's digest that comes from what the result depends on besides contact and lead. */
export function digestSalt(assignedTo: string | null, { defaultCountry, owners }: ContactRules): string {
  return `${mergeVersion} ${defaultCountry} ${(assignedTo && owners.get(assignedTo)) ?? ""} `;
}

/** Columns without a timeline entry: they are derived from others, or only say when the CRM's record changed. */
const silent = new Set<keyof LeadColumns>([
  "search",
  "phone_e164",
  "time_zone",
  "crm_updated_at",
  "ghl_contact_id",
  "next_follow_up_zone",
  "next_follow_up_at",
]);

/** Columns that the search text is made of. */
const searched = ["name", "email", "company", "phone", "phone_e164"] as const;

/** Rules for a lead that the CRM knows: the CRM is the authority. */
const usualRules = {
  email: "authority",
  phone: "authority",
  company: "authority",
  industry: "authority",
  deal_value: "authority",
  lead_source: "authority",
} as const;
/** Rules for a lead that the CRM sees for the first time, and for events: empty values do not clear the lead's. */
const firstRules = {
  email: "theirs",
  phone: "theirs",
  company: "theirs",
  industry: "theirs",
  deal_value: "theirs",
  lead_source: "theirs",
} as const;

/** First and last name as the CRM divides them, capitalised as one name, because 'de la O' depends on what precedes it. */
function names(
  contact: CrmContact,
  known: Candidate | undefined,
): Pick<LeadColumns, "name" | "first_name" | "last_name"> {
  const { firstName, lastName } = contact;
  // The name is already capitalised: the usual case, and computing it is a third of a sync's work.
  if (known?.name && known.first_name === firstName && known.last_name === lastName && firstName) {
    const joined = lastName === null ? firstName : `${firstName} ${lastName}`;
    if (joined === known.name) return known;
  }
  const parts = [firstName, lastName].filter((part) => part !== null).join(" ");
  const typed = parts || (contact.name ?? "");
  if (known?.name && repeatsName(known.name, typed)) return known;
  const name = properName(typed);
  if (!name) {
    // An empty name does not remove one; a name that only stands for an email, phone or id follows that value.
    const standIns: (string | null)[] = known ? [known.email, known.phone, known.ghl_contact_id] : [];
    if (known?.name && !standIns.includes(known.name)) return known;
    return { name: contact.email ?? contact.phone ?? contact.id, first_name: null, last_name: null };
  }
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

/** 'dnd' while the CRM says so; other reasons belong to the portal and stay. */
function optOut(blocked: boolean | null, before: string | null): string | null {
  if (blocked === null) return before;
  if (blocked) return before ?? "dnd";
  return before === "dnd" ? null : before;
}

/**
 * The CRM's owner if it changed there since the last pull or the lead is unassigned, else the portal's. A lead that the CRM sees for the
 * first time is not taken from its consultant in favour of an unknown CRM user.
 */
function ownerOf(
  contact: CrmContact,
  known: Candidate | undefined,
  { from, owners }: Pick<ContactRules, "from" | "owners">,
): number | null {
  const there = contact.assignedTo ? (owners.get(contact.assignedTo) ?? null) : null;
  if (!known) return there;
  if (known.ghl_contact_id === null) return there ?? known.assigned_to;
  if (from === "event" && contact.assignedTo === null) return known.assigned_to;
  const changedThere = (known.extra?.assignedTo ?? null) !== contact.assignedTo;
  return changedThere || known.assigned_to === null ? there : known.assigned_to;
}

/** The value if it is one of `values`, or null. */
function oneOf<T extends string>(values: readonly T[], text: string | undefined): T | null {
  return values.find((value) => value === text) ?? null;
}

function isoOf(text: string | undefined): string | null {
  const date = new Date(text ?? Number.NaN);
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= 2200 ? date.toISOString() : null;
}

/** The portal's own fields, which may have been edited in the CRM; invalid values go into `extra`. */
function ownValues({ own }: CrmContact) {
  const status = oneOf(editableLeadStatuses, own.status);
  const priority = oneOf(priorities, own.priority);
  const followUp = isoOf(own.nextFollowUpDate);
  const followUpTime = readFollowUpTime(own.nextFollowUpTime);
  const unmapped = {
    ...(own.status && !status && own.status !== "converted" && { portal_status: own.status }),
    ...(own.priority && !priority && { portal_priority: own.priority }),
    ...(own.nextFollowUpDate && !followUp && { portal_follow_up: own.nextFollowUpDate }),
    ...(own.nextFollowUpTime && !followUpTime && { portal_follow_up_time: own.nextFollowUpTime }),
  };
  return { status, priority, followUp, followUpTime, unmapped };
}

/** Values of the CRM without a column replace its earlier ones; fields from imports and webhooks stay. */
function extraOf(
  contact: CrmContact,
  known: Candidate | undefined,
  from: ContactRules["from"],
): Record<string, unknown> | null {
  const { followUp, followUpTime, unmapped } = ownValues(contact);
  const fields = { ...contact.otherFields, ...unmapped };
  const imported = known?.extra?.imported;
  const extra = {
    ...(from === "event" ? known?.extra : imported !== undefined && { imported }),
    ...(contact.assignedTo && { assignedTo: contact.assignedTo }),
    ...(contact.tags.length > 0 && { tags: contact.tags }),
    ...(contact.state && { state: contact.state }),
    ...(contact.timeZone && { timeZone: contact.timeZone }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(followUp && { followUp }),
    ...(followUpTime && { followUpTime: followUpTimeText(followUpTime) }),
  };
  return Object.keys(extra).length > 0 ? extra : null;
}

/** Status, priority and follow-up: the CRM's value if it has one, ours if a change is pending. A client stays a client. */
function stateOf(
  contact: CrmContact,
  known: Candidate | undefined,
  from: ContactRules["from"],
): Pick<LeadColumns, "status" | "priority" | FollowUpColumn> {
  const there = ownValues(contact);
  const held = new Set(known?.held);
  const keeps = held.has("status") || known?.status === "converted";
  return {
    status: keeps && known ? known.status : (there.status ?? known?.status ?? "new"),
    priority:
      (known && held.has("priority") ? known.priority : there.priority) ?? known?.priority ?? "medium",
    ...followUpOf(contact, known, from),
  };
}

type FollowUpColumn = `next_follow_up_${"date" | "time" | "zone" | "at"}`;

/** Date and time follow the same rule; without a date there is no time. */
function followUpOf(
  contact: CrmContact,
  known: Candidate | undefined,
  from: ContactRules["from"],
): Pick<LeadColumns, FollowUpColumn> {
  const there = ownValues(contact);
  const held = new Set(known?.held);
  const clearedThere = (field: "nextFollowUpDate" | "nextFollowUpTime", seenAs: string) =>
    from !== "event" && known?.extra?.[seenAs] !== undefined && !contact.own[field];
  const knownDate = known?.next_follow_up_date ?? null;
  const knownTime = readFollowUpTime(`${known?.next_follow_up_time} ${known?.next_follow_up_zone}`);
  const date = held.has("nextFollowUpDate")
    ? knownDate
    : (there.followUp ?? (clearedThere("nextFollowUpDate", "followUp") ? null : knownDate));
  const timed = held.has("nextFollowUpTime")
    ? knownTime
    : (there.followUpTime ?? (clearedThere("nextFollowUpTime", "followUpTime") ? null : knownTime));
  const time = date === null ? null : timed;
  return {
    next_follow_up_date: date,
    next_follow_up_time: time?.time ?? null,
    next_follow_up_zone: time?.zone ?? null,
    next_follow_up_at: date && time ? followUpInstantOf(date, time).toISOString() : null,
  };
}

function columnsOf(
  contact: CrmContact,
  known: Candidate | undefined,
  { from, defaultCountry, owners }: ContactRules,
): Omit<LeadColumns, "notes"> {
  const isFirst = known?.ghl_contact_id === null || from === "event";
  const held = new Set(known?.held);
  const nameless = from === "event" && !(contact.firstName || contact.lastName || contact.name);
  const ours = known && (held.has("name") || nameless) ? known : undefined;
  const { name, first_name, last_name } = ours ?? names(contact, known);
  // A field that the contact leaves empty is filled from a lead that was merged into this one.
  const fallback = Object.assign({}, ...(known?.aliases ?? []).map((alias) => alias.fallback).reverse());
  const said: Pick<LeadColumns, keyof typeof usualRules> = {
    email: contact.email ?? fallback.email ?? null,
    phone: contact.phone ?? fallback.phone ?? null,
    company: contact.company ?? fallback.company ?? null,
    industry: contact.industry ?? fallback.industry ?? null,
    deal_value: contact.dealValue ?? fallback.deal_value ?? null,
    lead_source: contact.source ?? fallback.lead_source ?? null,
  };
  const decided = known ? decideFields(isFirst ? firstRules : usualRules, known, said) : said;
  const { phone } = decided;
  const phoneE164 =
    known?.phone === phone && known.phone_e164 ? known.phone_e164 : toE164(phone, defaultCountry);
  const updatedAt = from === "event" ? undefined : contact.updatedAt?.toISOString();
  // An opt-out or its withdrawal that the CRM has not received yet is not undone by the CRM's older value.
  const optOutOf = (field: "callsBlocked" | "textsBlocked", before: string | null) =>
    held.has(field) ? before : optOut(contact[field], before);
  const columns = {
    ...decided,
    name,
    first_name,
    last_name,
    phone_e164: phoneE164,
    time_zone: phoneTimeZone(phoneE164),
    ...stateOf(contact, known, from),
    assigned_to:
      known && held.has("assignedTo") ? known.assigned_to : ownerOf(contact, known, { from, owners }),
    call_opt_out: optOutOf("callsBlocked", known?.call_opt_out ?? null),
    text_opt_out: optOutOf("textsBlocked", known?.text_opt_out ?? null),
    ghl_contact_id: contact.id,
    crm_updated_at: updatedAt ?? known?.crm_updated_at ?? null,
    extra: extraOf(contact, known, from),
  };
  const unchanged = known?.search && searched.every((field) => columns[field] === known[field]);
  return { ...columns, search: unchanged ? known.search : searchText({ ...columns, phoneE164 }) };
}

/**
 * Whether the contact is older than what is known: the search index lags behind writes, events come late, and a deleted contact may still
 * be listed.
 */
function isStale(contact: CrmContact, known: Candidate, { from }: ContactRules): boolean {
  if (known.ghl_contact_id === null) return false;
  const at = contact.updatedAt?.toISOString() ?? null;
  if (known.crm_deleted_at && from !== "contact")
    return from === "event" || at === null || at <= known.crm_deleted_at;
  return at !== null && known.crm_updated_at !== null && at < known.crm_updated_at;
}

function changeEvents(before: StoredLead, after: LeadColumns): Pick<LeadEvent, "kind" | "data">[] {
  const events: Pick<LeadEvent, "kind" | "data">[] = [];
  const shown = changedColumns(contactColumns, before, after).filter((name) => !silent.has(name));
  const changes = Object.fromEntries(shown.map((name) => [name, changeOf(name, before, after)]));
  const { assigned_to: assigned, ...others } = changes;
  if (before.ghl_contact_id === null || Object.keys(others).length > 0)
    events.push({ kind: "crm-synced", data: { changes: others } });
  if (assigned) events.push({ kind: "assigned", data: { field: "assignedTo", ...assigned } });
  for (const channel of ["call", "text"] as const) {
    const reason = after[`${channel}_opt_out`];
    if (changes[`${channel}_opt_out`] && reason)
      events.push({ kind: "opted-out", data: { channel, reason } });
  }
  return events;
}

/**
 * The policy of the CRM's contacts. A field with a change pending for the CRM keeps the portal's value, any other takes the CRM's. Notes
 * are not part of a contact. Outdated contacts are ignored. `digests` recognise unchanged contacts.
 */
export function crmContactPolicy(
  rules: ContactRules,
  digests: ReadonlyMap<string, string> | undefined,
): ConflictPolicy<CrmContact> {
  return {
    isCrm: true,
    skipsKnown: false,
    heedsRenames: false,
    written: contactColumns,
    // A contact always has an id, so it is not matched by phone, which households share.
    identityOf: ({ id, email }) => ({ name: "", email, phone_e164: null, ghl_contact_id: id }),
    tiedTo: () => null,
    create: (contact) => ({ ...columnsOf(contact, undefined, rules), notes: null }),
    merge(contact, known) {
      // A further contact of the lead only identifies it; the fields follow the main contact.
      if (known.ghl_contact_id !== null && known.ghl_contact_id !== contact.id) return null;
      if (isStale(contact, known, rules)) return null;
      const columns = columnsOf(contact, known, rules);
      const isChanged = changedColumns(contactColumns, known, columns).length > 0;
      return isChanged || known.crm_deleted_at ? columns : null;
    },
    created: ({ ghl_contact_id: ghlContactId }) => ({ from: "gohighlevel", ghlContactId }),
    changeEvents,
    createdAt: ({ createdAt }) => createdAt?.toISOString() ?? null,
    digestOf: ({ id }) => digests?.get(id) ?? null,
  };
}
