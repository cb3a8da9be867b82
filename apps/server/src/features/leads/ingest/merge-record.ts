import { limits } from "@portal/contract/limits";
import { properName, repeatsName, tidyName } from "../../../domain/person-name.ts";
import { phoneTimeZone, toE164 } from "../../../domain/phone.ts";
import type { IncomingLead } from "../../../domain/read-lead-record.ts";
import { foldText, searchText } from "../../../domain/search-text.ts";
import {
  type Candidate,
  type ConflictPolicy,
  changedColumns,
  changeOf,
  decideFields,
  type LeadMatcher,
} from "./policy.ts";
import type { LeadColumn, LeadColumns } from "./repository.ts";

/** Fields whose changes appear on the timeline, with their names in the API. */
const timelineFields = {
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
} as const satisfies Partial<Record<LeadColumn, string>>;

/** Columns that files and webhooks write. */
const written: readonly LeadColumn[] = [
  ...(Object.keys(timelineFields) as (keyof typeof timelineFields)[]),
  "first_name",
  "last_name",
  "phone_e164",
  "time_zone",
  "ghl_contact_id",
  "extra",
  "search",
];
/** `search` is derived from the other columns, and an older version of the portal may have derived it differently. */
const compared = written.filter((name) => name !== "search");

/** A value of the record replaces the lead's, an absent one leaves it. The email, the source and the CRM's id are never replaced. */
const rules = {
  email: "ours",
  company: "theirs",
  industry: "theirs",
  deal_value: "theirs",
  lead_source: "ours",
  ghl_contact_id: "ours",
} as const;

type Names = Pick<LeadColumns, "name" | "first_name" | "last_name">;

const spaced = (...parts: (string | null)[]) => parts.filter(Boolean).join(" ");
const wordsOf = (name: string) => name.split(" ").filter(Boolean);

/** The names of a new lead from a full name or its parts; null if the record has neither. */
function named(lead: IncomingLead): Names | null {
  const first = tidyName(lead.firstName ?? "");
  const last = tidyName(lead.lastName ?? "");
  const full = tidyName(lead.name ?? "");
  const name = properName(full || spaced(first, last));
  if (!name) return null;
  if (full && !(first && last)) {
    const beginsWithFirst = first !== "" && `${foldText(name)} `.startsWith(`${foldText(first)} `);
    const count = beginsWithFirst ? wordsOf(first).length : 1;
    const words = wordsOf(name);
    return {
      name,
      first_name: words.slice(0, count).join(" "),
      last_name: words.slice(count).join(" ") || null,
    };
  }
  return { name, first_name: properName(first) || null, last_name: properName(last) || null };
}

/** The name of a known lead after a record that names one part: the other part stays. */
function withPart(before: Names, first: string, last: string): Names {
  const written = wordsOf(properName(spaced(first || before.first_name, last || before.last_name)));
  const count = wordsOf(first || (before.first_name ?? "")).length;
  const first_name = first ? written.slice(0, count).join(" ") : before.first_name;
  const last_name = last ? written.slice(count).join(" ") : before.last_name;
  return { name: spaced(first_name, last_name), first_name, last_name };
}

/**
 * The name of a known lead after the record. One part does not remove the other, nor does a full name that equals one part. The same name
 * again, or the one that a consultant replaced (`renamedFrom`), changes nothing.
 */
function mergedNames(before: Names, lead: IncomingLead, renamedFrom: string | null): Names {
  const known = { name: before.name, first_name: before.first_name, last_name: before.last_name };
  const first = tidyName(lead.firstName ?? "");
  const last = tidyName(lead.lastName ?? "");
  const full = tidyName(lead.name ?? "");
  const isPart = !full && (first === "") !== (last === "");
  const after =
    isPart && (before.first_name ?? before.last_name) ? withPart(before, first, last) : named(lead);
  if (!after) return known;
  const typed = isPart ? after.name : full || spaced(first, last);
  const folded = foldText(typed);
  const isOnePart =
    before.last_name && [before.first_name, before.last_name].some((part) => foldText(part ?? "") === folded);
  const isOld = renamedFrom !== null && foldText(renamedFrom) === folded;
  return isOnePart || isOld || repeatsName(before.name, typed) ? known : after;
}

/** A record with the columns of a new lead, computed before the lock on ingestion is taken. */
export interface PreparedLead {
  record: IncomingLead;
  columns: LeadColumns;
}

export function prepareLead(record: IncomingLead, country: "US" | "ES"): PreparedLead {
  return { record, columns: columnsOf(record, country) };
}

function columnsOf(lead: IncomingLead, country: "US" | "ES"): LeadColumns {
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
  // Every field is listed: thousands of these objects are in memory at once, and an object built by spreading takes three times the memory.
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
    next_follow_up_date: null,
    next_follow_up_time: null,
    next_follow_up_zone: null,
    next_follow_up_at: null,
    assigned_to: null,
    call_opt_out: null,
    text_opt_out: null,
    ghl_contact_id: lead.ghlContactId || null,
    crm_updated_at: null,
    extra,
    search: searchText({ name: name.name, email, company, phone, phoneE164 }),
  };
}

/** The existing notes, followed by the new ones. */
function mergedNotes(before: string | null, after: string | null): string | null {
  if (!after || before?.includes(after)) return before;
  return (before ? `${before}\n\n${after}` : after).slice(0, limits.notesMaxLength);
}

/**
 * Columns of a known lead after the record. Notes are appended; a client's status does not change. `renamedFrom` is the name that a
 * consultant replaced by the current one.
 */
function mergedColumns(
  before: Candidate,
  { record, columns: incoming }: PreparedLead,
  renamedFrom: string | null,
): Partial<LeadColumns> {
  // A further number of the lead (an alias) does not replace its main number.
  const isFurther = before.aliases.some(({ phone_e164: number }) => number && number === incoming.phone_e164);
  const isNumber = incoming.phone_e164 !== null && !isFurther;
  const phoned = isNumber || before.phone === null ? incoming : before;
  const { phone, phone_e164, time_zone } = incoming.phone === null ? before : phoned;
  // A number that cannot be dialed does not replace another and is stored in `extra`.
  const isAside = !isFurther && incoming.phone !== null && incoming.phone !== phone;
  const imported = incoming.extra?.imported as object | undefined;
  const merged = {
    ...decideFields(rules, before, incoming),
    ...mergedNames(before, record, renamedFrom),
    phone,
    phone_e164,
    time_zone,
    status: before.status === "converted" ? before.status : (record.status ?? before.status),
    priority: record.priority ?? before.priority,
    notes: mergedNotes(before.notes, incoming.notes),
    extra: mergedExtra(
      before.extra,
      isAside ? { imported: { Phone: incoming.phone, ...imported } } : incoming.extra,
    ),
  };
  return { ...merged, search: searchText({ ...merged, phoneE164: phone_e164 }) };
}

function mergedExtra(before: LeadColumns["extra"], after: LeadColumns["extra"]): LeadColumns["extra"] {
  if (!after) return before;
  return {
    ...before,
    imported: { ...(before?.imported as object | undefined), ...(after.imported as object) },
  };
}

/** Moves identifying values that belong to another lead into `extra`, so that nothing the record says is lost. */
function withoutOthers(columns: LeadColumns, others: ReturnType<LeadMatcher["heldByOthers"]>): LeadColumns {
  if (Object.keys(others).length === 0) return columns;
  const imported = { ...(columns.extra?.imported as object | undefined), ...others };
  const ownOnly = Object.fromEntries(Object.keys(others).map((name) => [name, null]));
  return { ...columns, ...ownOnly, extra: { ...columns.extra, imported } };
}

/** What happens to a known lead: nothing (`skip`), it takes the record's values (`update`), or all but status and priority (`merge`). */
export type KnownLeads = "skip" | "update" | "merge";

/**
 * The policy of files and webhooks. `merge` is for senders that repeat all their fields with every change: status, priority and a changed
 * name stay as the consultant set them. A file imported by a person overwrites them.
 */
export function recordPolicy({
  known,
  from,
  assignTo,
}: {
  known: KnownLeads;
  /** Source for the timeline; `data` is stored with it (importId, source). */
  from: { kind: "import" | "webhook" | "hand"; data?: Record<string, unknown> };
  /** Consultant who gets new leads, or null. */
  assignTo: number | null;
}): ConflictPolicy<PreparedLead> {
  return {
    isCrm: false,
    skipsKnown: known === "skip",
    heedsRenames: known === "merge",
    written,
    identityOf: ({ columns }) => columns,
    tiedTo: ({ record }) => record.leadId ?? null,
    create: ({ columns }) => ({ ...columns, assigned_to: assignTo }),
    merge({ record, columns: incoming }, lead, { matcher, renamedFrom }) {
      const said = known === "merge" ? { ...record, status: null, priority: null } : record;
      const isTied = record.leadId != null && record.leadId === lead.id;
      const columns = isTied ? withoutOthers(incoming, matcher.heldByOthers(incoming, lead)) : incoming;
      // The sender's own record has a new email.
      const before = isTied && columns.email !== null ? { ...lead, email: columns.email } : lead;
      const merged = mergedColumns(before, { record: said, columns }, renamedFrom);
      return changedColumns(compared, lead, merged).length > 0 ? merged : null;
    },
    created: { from: from.kind, ...from.data },
    changeEvents: (before, after) =>
      (Object.keys(timelineFields) as (keyof typeof timelineFields)[])
        .filter((column) => before[column] !== after[column])
        .map((column) => ({
          kind: "changed",
          data: { field: timelineFields[column], ...changeOf(column, before, after) },
        })),
  };
}
