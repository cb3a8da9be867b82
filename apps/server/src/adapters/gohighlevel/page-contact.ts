import { hash } from "node:crypto";
import type { CrmFound } from "../../ports/crm.ts";
import { contactId } from "./schemas.ts";
import { clean, type FieldNames, instant, toContact } from "./transform.ts";

type Raw = Record<string, unknown>;

const isPlain = (value: unknown) => typeof value === "string" || typeof value === "number";

/** What the location's fields mean of which the contact holds a value: it is read by them. */
function fieldsOf(customFields: unknown, names: FieldNames): unknown[] {
  if (!Array.isArray(customFields)) return [];
  return customFields.map((field: { id?: unknown } | null) => names.get(String(field?.id)) ?? null);
}

/** All of a contact that `toContact` looks at; to be kept in step with `contactSchema`. */
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

/** A contact of a search page, to be read only where it is not known as it is: reading costs several times what its digest does. */
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
