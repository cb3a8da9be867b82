import { IANAZone } from "luxon";
import type { z } from "zod";
import { memoize } from "../../domain/memoize.ts";
import type { CrmCall, CrmContact, CrmOwnField, CrmReject, CrmUser } from "../../ports/crm.ts";
import { callSchema, contactSchema, type customFieldsSchema, type usersSchema } from "./schemas.ts";

/** Custom fields by id, as far as the portal knows what they mean. */
type FieldMeaning = "industry" | "dealValue" | CrmOwnField;
export type FieldNames = Map<string, { name: string; meaning: FieldMeaning | null }>;

/** Keys and names, folded, by which a field is known. */
const meanings: Record<string, FieldMeaning> = {
  industry: "industry",
  dealvalue: "dealValue",
  portalstatus: "status",
  portalpriority: "priority",
  portalfollowup: "nextFollowUpDate",
  portalfollowuptime: "nextFollowUpTime",
  portalconversionvalue: "conversionValue",
  portalconvertedat: "convertedAt",
};

const maxText = 1_000;
/** No address is longer (RFC 5321), and no index would hold it. */
const maxEmail = 254;
/** Latest year a date of theirs is believed in; PostgreSQL could hold more. */
const lastYear = 2200;

/** Text as PostgreSQL can keep it: no U+0000, no lone surrogate. */
function storable(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

/** The same trimmed; null where nothing is left. */
export function clean(text: string | null | undefined): string | null {
  const kept = storable(text ?? "")
    .trim()
    .slice(0, maxText)
    .toWellFormed();
  return kept ? kept : null;
}

/** The same for anything that is to be kept as JSON. */
function cleanJson(value: unknown): unknown {
  if (value === undefined) return null;
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "string") return storable(part);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [storable(name), each]));
  });
  return text.length > 20_000 ? { tooLong: text.length } : JSON.parse(text);
}

export function instant(value: string | number | null | undefined): Date | null {
  if (value === null || value === undefined || value === "") return null;
  const date = new Date(value);
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= lastYear ? date : null;
}

/** '$1,250.00', '1250' or 1250 → 1250; null for what is no amount, negative or above 999,999,999,999. */
export function readAmount(value: unknown): number | null {
  if (typeof value !== "number" && typeof value !== "string") return null;
  const text = String(value).replace(/[\s$€£]|USD|EUR/gi, "");
  if (text === "") return null;
  const decimalComma = /^-?\d{1,3}(\.\d{3})*,\d{1,2}$/.test(text);
  const plain = decimalComma ? text.replaceAll(".", "").replace(",", ".") : text.replaceAll(",", "");
  const amount = Number(plain);
  return Number.isFinite(amount) && amount >= 0 && amount < 1e12 ? Math.round(amount * 100) / 100 : null;
}

/** What the location's custom fields mean, by key or name. */
export function fieldNames({ customFields }: z.output<typeof customFieldsSchema>): FieldNames {
  return new Map(
    customFields.map(({ id, name, fieldKey }) => {
      const key = (fieldKey ?? name ?? "").replace(/^contact\./, "");
      const folded = [key, name ?? ""].map((part) => part.toLowerCase().replace(/[\s_-]+/g, ""));
      const meaning = folded.map((part) => meanings[part]).find((found) => found !== undefined) ?? null;
      return [id, { name: clean(name) ?? key, meaning }];
    }),
  );
}

export function toUsers({ users }: z.output<typeof usersSchema>): CrmUser[] {
  return users
    .filter(({ deleted }) => !deleted)
    .map(({ id, name, firstName, lastName, email }) => ({
      id,
      name: clean(name) ?? clean([firstName, lastName].filter(Boolean).join(" ")) ?? id,
      email: clean(email)?.toLowerCase() ?? null,
    }));
}

type Found = z.output<typeof contactSchema>;

/** Off for good ('permanent') is off as well. https://marketplace.gohighlevel.com/docs/ghl/contacts (dndSettings) */
function blocked({ dnd, dndSettings }: Found, channel: "Call" | "SMS"): boolean | null {
  const status = dndSettings?.[channel]?.status ?? null;
  if (dnd === true || status === "active" || status === "permanent") return true;
  // Nobody is contacted because a field was left out, or has a word that we do not know.
  const isAllowed = status === "inactive" || (status === null && dnd === false);
  return isAllowed ? false : null;
}

const ownKinds = new Set<FieldMeaning>([
  "status",
  "priority",
  "nextFollowUpDate",
  "nextFollowUpTime",
  "conversionValue",
  "convertedAt",
]);

function customValues(contact: Found, fields: FieldNames) {
  let industry: string | null = null;
  let dealValue: number | null = null;
  const own: CrmContact["own"] = {};
  const otherFields: Record<string, unknown> = {};
  for (const { id, value } of contact.customFields ?? []) {
    const field = fields.get(id);
    if (field?.meaning === "industry") industry = clean([value].flat().filter(Boolean).join(", "));
    else if (field?.meaning === "dealValue" && readAmount(value) !== null) dealValue = readAmount(value);
    else if (field?.meaning && ownKinds.has(field.meaning)) {
      const text = clean(
        typeof value === "number" ? String(value) : typeof value === "string" ? value : null,
      );
      if (text) own[field.meaning as CrmOwnField] = text;
    } else if (value !== null && value !== undefined && value !== "")
      otherFields[field?.name ?? storable(id)] = cleanJson(value);
  }
  return { industry, dealValue, own, otherFields };
}

function label(raw: unknown): string {
  if (typeof raw !== "object" || raw === null)
    return `a record that is ${raw === null ? "empty" : "no contact"}`;
  const { id, firstName, lastName, name, contactName, email } = raw as Record<string, unknown>;
  const known = [
    contactName,
    name,
    [firstName, lastName].filter((part) => typeof part === "string").join(" "),
  ];
  const text = [...known, email, id].find((part) => typeof part === "string" && part.trim() !== "");
  return clean(text as string | undefined)?.slice(0, 80) ?? "a contact without a name";
}

function reject(raw: unknown, reason: string): CrmReject {
  const id = (raw as { id?: unknown } | null)?.id;
  return {
    externalId: typeof id === "string" ? clean(id) : null,
    label: label(raw),
    reason,
    payload: cleanJson(raw),
  };
}

/** The parts of the name; some accounts have them in lower case alone, which is used where nothing else names the person. */
function namesOf(contact: Found): Pick<CrmContact, "firstName" | "lastName" | "name"> {
  const name = clean(contact.name) ?? clean(contact.contactName);
  const [firstName, lastName] = [clean(contact.firstName), clean(contact.lastName)];
  if (name && !firstName && !lastName) return { firstName, lastName, name };
  return {
    firstName: firstName ?? clean(contact.firstNameLowerCase),
    lastName: lastName ?? clean(contact.lastNameLowerCase),
    name,
  };
}

/** Zones are few, and asking whether there is one takes long. */
const isZone = memoize(1_000, (zone) => IANAZone.isValidZone(zone));

/** A zone that there is; null for anything else. */
function zoneOf(text: string | null | undefined): string | null {
  const zone = clean(text);
  return zone && isZone(zone) ? zone : null;
}

/** Reads one contact; what cannot be understood comes back as a reject and harms no other. */
export function toContact(raw: unknown, fields: FieldNames): CrmContact | CrmReject {
  const parsed = contactSchema.safeParse(raw);
  if (!parsed.success) return reject(raw, parsed.error.issues[0]?.message ?? "cannot be read");
  const contact = parsed.data;
  const { firstName, lastName, name } = namesOf(contact);
  const email = clean(contact.email)?.toLowerCase() ?? null;
  const phone = clean(contact.phone);
  if (email && email.length > maxEmail)
    return reject(raw, `has an email address longer than ${maxEmail} characters`);
  return {
    id: contact.id,
    firstName,
    lastName,
    name,
    email,
    phone,
    company: clean(contact.companyName),
    state: clean(contact.state),
    timeZone: zoneOf(contact.timezone),
    source: clean(contact.source),
    callsBlocked: blocked(contact, "Call"),
    textsBlocked: blocked(contact, "SMS"),
    assignedTo: clean(contact.assignedTo),
    createdAt: instant(contact.dateAdded),
    updatedAt: instant(contact.dateUpdated),
    tags: (contact.tags ?? []).map((tag) => clean(tag)).filter((tag) => tag !== null),
    ...customValues(contact, fields),
  };
}

/** True for a reject of `toContact`. */
export function isReject(outcome: CrmContact | CrmReject): outcome is CrmReject {
  return "reason" in outcome;
}

/**
 * Reads a call message; null for what is no call with a sound. The AI agent's calls carry no user and were not placed in the
 * vendor's own app by a person (`source` is 'workflow', 'campaign', 'api' or absent, never 'app').
 */
export function toCall(raw: unknown): CrmCall | null {
  const parsed = callSchema.safeParse(raw);
  if (!parsed.success) return null;
  const { id, contactId, dateAdded, messageType, source, userId, meta } = parsed.data;
  const at = instant(dateAdded);
  const status = meta?.callStatus ?? meta?.call?.status;
  const given = Number(meta?.callDuration ?? meta?.call?.duration ?? Number.NaN);
  const durationSeconds = Number.isFinite(given) ? Math.round(given) : null;
  const talked =
    (status === "completed" || status === "answered") && (durationSeconds === null || durationSeconds > 0);
  if (!at || !talked || (messageType && !messageType.includes("CALL"))) return null;
  return { messageId: id, contactId, at, durationSeconds, byAgent: !userId && source !== "app" };
}
