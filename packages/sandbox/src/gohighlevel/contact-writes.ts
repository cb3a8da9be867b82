import { toE164 } from "../numbers.ts";
import type { Contact, CustomField, CustomFieldValue } from "./entities.ts";
import { GhlError } from "./errors.ts";

const TEXTS = [
  "firstName",
  "lastName",
  "name",
  "email",
  "phone",
  "address1",
  "city",
  "state",
  "postalCode",
  "website",
  "timezone",
  "source",
  "country",
  "assignedTo",
] as const;
const UPDATABLE = [
  ...TEXTS,
  "dnd",
  "dndSettings",
  "inboundDndSettings",
  "tags",
  "customFields",
  "dateOfBirth",
];
const CREATABLE = [...UPDATABLE, "locationId", "gender", "companyName"];
const UPSERTABLE = [...CREATABLE, "createNewIfDuplicateAllowed"];

export type WriteBody = Record<string, unknown>;

/**
 * Checks a write against the properties in the vendor's description. Errors: `GhlError` 422 'property … should not exist', or with the name
 * of a value of the wrong type.
 */
export function checkWrite(body: WriteBody, kind: "create" | "update" | "upsert"): void {
  const allowed = kind === "create" ? CREATABLE : kind === "update" ? UPDATABLE : UPSERTABLE;
  const faults = Object.keys(body)
    .filter((key) => !allowed.includes(key))
    .map((key) => `property ${key} should not exist`);
  if (kind !== "update" && typeof body.locationId !== "string") faults.push("locationId must be a string");
  for (const key of [...TEXTS, "companyName"]) {
    const value = body[key];
    if (value !== undefined && value !== null && typeof value !== "string")
      faults.push(`${key} must be a string`);
  }
  if (typeof body.email === "string" && body.email !== "" && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(body.email)) {
    faults.push("email must be an email");
  }
  if (body.dnd !== undefined && typeof body.dnd !== "boolean") faults.push("dnd must be a boolean value");
  if (body.tags !== undefined && !isStringList(body.tags)) faults.push("each value in tags must be a string");
  if (body.customFields !== undefined && !Array.isArray(body.customFields)) {
    faults.push("customFields must be an array");
  }
  if (faults.length > 0) throw new GhlError(422, faults);
}

/** Applies a checked write. Unknown custom fields are ignored, as the vendor does. */
export function applyWrite(contact: Contact, body: WriteBody, fields: CustomField[]): void {
  if (typeof body.name === "string" && body.firstName === undefined && body.lastName === undefined) {
    const [first, ...rest] = body.name.trim().split(/\s+/);
    contact.firstName = first || null;
    contact.lastName = rest.join(" ") || null;
  }
  const {
    name: _name,
    locationId: _location,
    createNewIfDuplicateAllowed: _new,
    customFields,
    phone,
    ...rest
  } = body;
  Object.assign(contact, rest);
  if (typeof phone === "string") contact.phone = phone === "" ? null : (toE164(phone) ?? phone);
  else if (phone === null) contact.phone = null;
  if (contact.email) contact.email = contact.email.toLowerCase();
  if (Array.isArray(body.tags)) contact.tags = [...new Set((body.tags as string[]).map(tag))];
  for (const written of (customFields ?? []) as WriteBody[]) writeCustomField(contact, written, fields);
}

function writeCustomField(contact: Contact, written: WriteBody, fields: CustomField[]): void {
  const key = typeof written.key === "string" ? written.key.replace(/^contact\./, "") : undefined;
  const field = fields.find((one) => one.id === written.id || one.fieldKey === `contact.${key}`);
  if (!field || !("field_value" in written)) return;
  const value: CustomFieldValue = { id: field.id, value: written.field_value };
  const others = contact.customFields.filter((one) => one.id !== field.id);
  const empty = value.value === null || value.value === "";
  contact.customFields = empty ? others : [...others, value];
}

/** Normalises a tag to lower case. */
export function tag(text: string): string {
  return text.trim().toLowerCase();
}

export function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

export function emptyContact(id: string, now: string): Contact {
  return {
    id,
    firstName: null,
    lastName: null,
    email: null,
    phone: null,
    companyName: null,
    source: null,
    assignedTo: null,
    tags: [],
    dnd: false,
    dndSettings: {},
    customFields: [],
    dateAdded: now,
    dateUpdated: now,
  };
}
