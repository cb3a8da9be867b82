import { GHL_LOCATION_ID } from "../defaults.ts";
import type { FoundContact } from "./contact-search.ts";
import type { Contact } from "./entities.ts";
import type { Manners } from "./manners.ts";

/** First and last name, joined as the vendor does it. */
export function fullName(contact: Contact): string {
  return [contact.firstName, contact.lastName].filter(Boolean).join(" ");
}

/** A contact in responses about one contact, in which values of custom fields are texts. */
export function presentContact(contact: Contact): Record<string, unknown> {
  const { raw: _raw, ...fields } = contact;
  return withoutNulls({
    ...fields,
    name: fullName(contact),
    contactName: fullName(contact),
    locationId: GHL_LOCATION_ID,
    ...lowerCaseNames(contact),
    fullNameLowerCase: fullName(contact).toLowerCase(),
    emailLowerCase: contact.email?.toLowerCase() ?? null,
    type: "lead",
    customFields: contact.customFields.map(({ id, value }) => ({
      id,
      value: Array.isArray(value) ? value.join(", ") : String(value ?? ""),
    })),
  });
}

/**
 * A contact in a search result: the address is named `address`, custom field values keep their type, and names may be in lower case only.
 */
export function presentFound(
  { contact, searchAfter }: FoundContact,
  { lowerCaseNames: onlyLowerCase }: Pick<Manners, "lowerCaseNames">,
): unknown {
  if (contact.raw !== undefined) {
    return typeof contact.raw === "object" && contact.raw !== null
      ? { ...contact.raw, searchAfter }
      : contact.raw;
  }
  const { raw: _raw, address1, dateOfBirth, ...fields } = contact;
  return {
    ...fields,
    contactName: fullName(contact),
    locationId: GHL_LOCATION_ID,
    ...lowerCaseNames(contact),
    address: address1 ?? null,
    dateOfBirth: dateOfBirth ? Date.parse(dateOfBirth) : null,
    type: "lead",
    additionalEmails: [],
    additionalPhones: [],
    followers: [],
    searchAfter,
    ...(onlyLowerCase && { firstName: undefined, lastName: undefined, contactName: undefined }),
  };
}

function lowerCaseNames(contact: Contact): Record<string, string | null> {
  return {
    firstNameLowerCase: contact.firstName?.toLowerCase() ?? null,
    lastNameLowerCase: contact.lastName?.toLowerCase() ?? null,
  };
}

function withoutNulls(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== undefined),
  );
}
