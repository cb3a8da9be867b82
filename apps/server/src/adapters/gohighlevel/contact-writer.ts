import { z } from "zod";
import type { Crm, CrmContactPatch, CrmOwnField } from "../../ports/crm.ts";
import type { Client } from "./client.ts";
import type { Fields } from "./own-fields.ts";
import { dndSettingsSchema, oneContactSchema } from "./schemas.ts";

type Setting = { status: "active" | "inactive" | "permanent"; message?: string; code?: string };

function setting(blocked: boolean): Setting {
  return {
    status: blocked ? "active" : "inactive",
    message: blocked ? "Asked for by the person" : "Allowed again by the person",
    code: blocked ? "STOP" : "START",
  };
}

/** Writes at a contact: one PUT for all that changes (docs: apps/contacts, `UpdateContactDto`). */
export function createContactWriter({ ask }: Client, fields: Fields): Crm["updateContact"] {
  /** The settings are written whole: the other channels are read first and sent back as they were. */
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
      // The generated type knows no null, which the description allows for `assignedTo`.
      send: (sdk, request) => sdk.contacts.updateContact({ contactId }, body as object, request),
      schema: z.unknown(),
      tries: 1,
    });
  };
}
