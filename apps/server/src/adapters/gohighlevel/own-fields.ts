import { z } from "zod";
import { type Crm, type CrmContactPatch, type CrmOwnField, crmOwnFields } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { Client } from "./client.ts";
import { customFieldsSchema, dndSettingsSchema, oneContactSchema, oneFieldSchema } from "./schemas.ts";
import { type FieldNames, fieldNames } from "./transform.ts";

type Setting = { status: "active" | "inactive" | "permanent"; message?: string; code?: string };

function setting(blocked: boolean): Setting {
  return {
    status: blocked ? "active" : "inactive",
    message: blocked ? "Asked for by the person" : "Allowed again by the person",
    code: blocked ? "STOP" : "START",
  };
}

/** Writes changes of a contact in one PUT (docs: apps/contacts, `UpdateContactDto`). */
export function createContactWriter({ ask }: Client, fields: Fields): Crm["updateContact"] {
  /** The API replaces all settings, so the other channels are read first and sent back unchanged. */
  async function dndSettings(contactId: string, { callsBlocked, textsBlocked }: CrmContactPatch) {
    if (callsBlocked === undefined && textsBlocked === undefined) return {};
    const { contact } = await ask({
      send: (sdk, request) => sdk.contacts.getContact({ contactId }, request),
      schema: oneContactSchema,
      tries: 1,
    });
    return {
      dndSettings: {
        ...dndSettingsSchema.parse(contact).dndSettings,
        ...(callsBlocked !== undefined && { Call: setting(callsBlocked) }),
        ...(textsBlocked !== undefined && { SMS: setting(textsBlocked) }),
      },
    };
  }

  async function customFields(own: CrmContactPatch["own"], fresh: boolean) {
    const entries = Object.entries(own ?? {}) as [CrmOwnField, string | null][];
    if (entries.length === 0) return {};
    const ids = await fields.ids(
      entries.map(([field]) => field),
      fresh,
    );
    return {
      customFields: entries.map(([field, value]) => ({ id: ids.get(field) ?? "", field_value: value ?? "" })),
    };
  }

  return async (contactId, patch, { fresh = false } = {}) => {
    const body = {
      ...patch.name,
      ...(patch.assignedTo !== undefined && { assignedTo: patch.assignedTo }),
      ...(await customFields(patch.own, fresh)),
      ...(await dndSettings(contactId, patch)),
    };
    await ask({
      // The generated type does not allow null, which the API description allows for `assignedTo`.
      send: (sdk, request) => sdk.contacts.updateContact({ contactId }, body as object, request),
      schema: z.unknown(),
      tries: 1,
    });
  };
}

const keptMs = 5 * 60_000;

/** Names of the portal's own fields in the CRM. All hold texts, which the vendor stores unchanged. */
const ownFieldNames: Record<CrmOwnField, string> = {
  status: "portal_status",
  priority: "portal_priority",
  nextFollowUpDate: "portal_follow_up",
  nextFollowUpTime: "portal_follow_up_time",
  conversionValue: "portal_conversion_value",
  convertedAt: "portal_converted_at",
};

/** Here not-found concerns the location, so it must not be taken for a missing contact. */
async function ofLocation<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "not-found") throw error;
    throw new ProviderError({
      provider: "gohighlevel",
      kind: "unavailable",
      message: "GoHighLevel does not have this location's custom fields.",
      httpStatus: error.httpStatus,
      cause: error.cause,
    });
  }
}

/** The location's custom fields, cached for some minutes. Missing fields of the portal are created. */
export function createFields({ ask }: Client) {
  let known: FieldNames = new Map();
  let until = 0;

  async function read(fresh: boolean): Promise<FieldNames> {
    if (!fresh && until > performance.now()) return known;
    const listed = ask({
      send: (sdk, options, locationId) =>
        sdk.locations.getCustomFields({ locationId, model: "contact" }, options),
      schema: customFieldsSchema,
    });
    known = fieldNames(await ofLocation(listed));
    until = performance.now() + keptMs;
    return known;
  }

  function find(meaning: CrmOwnField): string | undefined {
    for (const [id, field] of known) if (field.meaning === meaning) return id;
    return undefined;
  }

  async function make(meaning: CrmOwnField): Promise<string> {
    const name = ownFieldNames[meaning];
    try {
      const created = ask({
        send: (sdk, options, locationId) =>
          sdk.locations.createCustomField(
            { locationId },
            { name, dataType: "TEXT", model: "contact" },
            options,
          ),
        schema: oneFieldSchema,
        tries: 1,
      });
      const { customField } = await ofLocation(created);
      known.set(customField.id, { name, meaning });
      return customField.id;
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== "invalid") throw error;
      // Another process created it first.
      await read(true);
      const id = find(meaning);
      if (id === undefined) throw error;
      return id;
    }
  }

  return {
    /** Returns all custom fields of contacts by id. */
    read,
    /** Returns the ids of the portal's own fields. Errors: `auth` if the key may not create them. */
    async ids(wanted: CrmOwnField[], fresh: boolean): Promise<Map<CrmOwnField, string>> {
      await read(fresh);
      const ids = new Map<CrmOwnField, string>();
      for (const meaning of crmOwnFields.filter((each) => wanted.includes(each)))
        ids.set(meaning, find(meaning) ?? (await make(meaning)));
      return ids;
    },
  };
}

type Fields = ReturnType<typeof createFields>;
