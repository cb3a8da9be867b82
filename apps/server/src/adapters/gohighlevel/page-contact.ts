import { hash } from "node:crypto";
import type { CrmFound } from "../../ports/crm.ts";
import { contactId } from "./schemas.ts";
import { clean, type FieldNames, instant, toContact } from "./transform.ts";

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
