import { type CrmOwnField, crmOwnFields } from "../../ports/crm.ts";
import { ProviderError } from "../../ports/provider-error.ts";
import type { Client } from "./client.ts";
import { customFieldsSchema, oneFieldSchema } from "./schemas.ts";
import { type FieldNames, fieldNames } from "./transform.ts";

const keptMs = 5 * 60_000;

/** The portal's fields by the names that they have there; all hold texts, which the vendor keeps as they are written. */
const ownFieldNames: Record<CrmOwnField, string> = {
  status: "portal_status",
  priority: "portal_priority",
  nextFollowUpDate: "portal_follow_up",
  nextFollowUpTime: "portal_follow_up_time",
  conversionValue: "portal_conversion_value",
  convertedAt: "portal_converted_at",
};

/** Not found here is the location: it says nothing about a contact for whose sake the fields are read. */
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

/** The location's custom fields, kept for some minutes, and the portal's own among them, made where they are missing. */
export function createFields({ ask }: Client) {
  let known: FieldNames = new Map();
  let until = 0;

  async function read(fresh: boolean): Promise<FieldNames> {
    if (!fresh && until > Date.now()) return known;
    const listed = ask({
      send: (sdk, options, locationId) =>
        sdk.locations.getCustomFields({ locationId, model: "contact" }, options),
      schema: customFieldsSchema,
    });
    known = fieldNames(await ofLocation(listed));
    until = Date.now() + keptMs;
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
      // Another process was first.
      await read(true);
      const id = find(meaning);
      if (id === undefined) throw error;
      return id;
    }
  }

  return {
    /** All fields of contacts by their ids. */
    read,
    /** The ids of the portal's own fields. Errors: `auth` where the key may not make them. */
    async ids(wanted: CrmOwnField[], fresh: boolean): Promise<Map<CrmOwnField, string>> {
      await read(fresh);
      const ids = new Map<CrmOwnField, string>();
      for (const meaning of crmOwnFields.filter((each) => wanted.includes(each)))
        ids.set(meaning, find(meaning) ?? (await make(meaning)));
      return ids;
    },
  };
}

export type Fields = ReturnType<typeof createFields>;
