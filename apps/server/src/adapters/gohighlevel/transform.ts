import { hash } from "node:crypto";
import { IANAZone } from "luxon";
import type { z } from "zod";
import { memoize } from "../../domain/memoize.ts";
import type { CrmCall, CrmContact, CrmFound, CrmOwnField, CrmReject, CrmUser } from "../../ports/crm.ts";
import {
  callSchema,
  contactId,
  contactSchema,
  type customFieldsSchema,
  type usersSchema,
} from "./schemas.ts";

/** Meanings of custom fields. `FieldNames` holds the location's fields by id, with null for an unknown meaning. */
type FieldMeaning = "industry" | "dealValue" | CrmOwnField;
export type FieldNames = Map<string, { name: string; meaning: FieldMeaning | null }>;

/** Meanings of fields by key or name, without case and separators. */
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
/** The maximum of RFC 5321; an index could not hold a longer one. */
const maxEmail = 254;
/** The latest year that is accepted in a date. PostgreSQL could store later ones. */
const lastYear = 2200;

/** Text that PostgreSQL can store: without U+0000 and lone surrogates. */
function storable(text: string): string {
  return text.replaceAll("\u0000", "").toWellFormed();
}

/** Storable text, trimmed; null if it is empty. */
function clean(text: string | null | undefined): string | null {
  const kept = storable(text ?? "")
    .trim()
    .slice(0, maxText)
    .toWellFormed();
  return kept ? kept : null;
}

/** A value as JSON that PostgreSQL can store. */
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

/** '$1,250.00', '1250' and 1250 become 1250. Null for other values, and for negative amounts and those above 999,999,999,999. */
export function readAmount(value: unknown): number | null {
  if (typeof value !== "number" && typeof value !== "string") return null;
  const text = String(value).replace(/[\s$€£]|USD|EUR/gi, "");
  if (text === "") return null;
  const decimalComma = /^-?\d{1,3}(\.\d{3})*,\d{1,2}$/.test(text);
  const plain = decimalComma ? text.replaceAll(".", "").replace(",", ".") : text.replaceAll(",", "");
  const amount = Number(plain);
  return Number.isFinite(amount) && amount >= 0 && amount < 1e12 ? Math.round(amount * 100) / 100 : null;
}

/** Returns the location's custom fields with their meanings, by key or name. */
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

/** 'permanent' blocks a channel too. https://marketplace.gohighlevel.com/docs/ghl/contacts (dndSettings) */
function blocked({ dnd, dndSettings }: Found, channel: "Call" | "SMS"): boolean | null {
  const status = dndSettings?.[channel]?.status ?? null;
  if (dnd === true || status === "active" || status === "permanent") return true;
  // A missing field or an unknown status must not allow contact.
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

/** Returns the parts of the name. Some accounts have only the lower-case fields, which are used if the person has no other name. */
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

/** Memoized: there are few zones, and checking one is slow. */
const isZone = memoize(1_000, (zone) => IANAZone.isValidZone(zone));

/** Returns a valid IANA zone; null for anything else. */
function zoneOf(text: string | null | undefined): string | null {
  const zone = clean(text);
  return zone && isZone(zone) ? zone : null;
}

/** Parses one contact. A contact that cannot be parsed is returned as a reject, so that it does not affect others. */
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

export function isReject(outcome: CrmContact | CrmReject): outcome is CrmReject {
  return "reason" in outcome;
}

/**
 * Parses a call message; null if it is not a call with audio. Calls of the AI agent have no user and were not started by a person in the
 * vendor's app: `source` is 'workflow', 'campaign', 'api' or absent, never 'app'.
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

type Raw = Record<string, unknown>;

const isPlain = (value: unknown) => typeof value === "string" || typeof value === "number";

/** The meanings of the contact's custom fields, because parsing depends on them. */
function fieldsOf(customFields: unknown, names: FieldNames): unknown[] {
  if (!Array.isArray(customFields)) return [];
  return customFields.map((field: { id?: unknown } | null) => names.get(String(field?.id)) ?? null);
}

/** Everything of a contact that `toContact` uses. Must match `contactSchema`. */
function contentOf(raw: Raw, names: FieldNames): unknown[] {
  return [
    raw.id,
    raw.firstName,
    raw.lastName,
    raw.firstNameLowerCase,
    raw.lastNameLowerCase,
    raw.name,
    raw.contactName,
    raw.email,
    raw.phone,
    raw.companyName,
    raw.state,
    raw.timezone,
    raw.source,
    raw.assignedTo,
    raw.dnd,
    raw.dndSettings,
    raw.tags,
    raw.customFields,
    raw.dateAdded,
    raw.dateUpdated,
    fieldsOf(raw.customFields, names),
  ];
}

/** A contact of a search page. It is parsed only if its digest changed, because parsing costs several times as much as the digest. */
export function toFound(found: unknown, names: FieldNames): CrmFound {
  const raw = (typeof found === "object" && found !== null ? found : {}) as Raw;
  const { id, assignedTo, dateUpdated } = raw;
  return {
    id: typeof id === "string" && contactId.test(id) ? id : null,
    assignedTo: isPlain(assignedTo) ? clean(String(assignedTo)) : null,
    updatedAt: isPlain(dateUpdated) ? instant(dateUpdated as string | number) : null,
    digest: (salt) => hash("sha256", salt + JSON.stringify(contentOf(raw, names)), "base64url").slice(0, 22),
    read: () => toContact(found, names),
  };
}
