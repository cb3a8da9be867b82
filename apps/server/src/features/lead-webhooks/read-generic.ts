import { type DeliveryEvent, type Fields, idOf, isObject, keyOf, type ReadBody } from "./parse-values.ts";
import { payloadFields } from "./read-fields.ts";

const eventsMax = 1_000;
/** Names under which senders put several leads. */
const listNames = ["leads", "contacts", "records", "items", "data", "new", "events"];
/** Names under which a payload carries its own event's id. */
const eventIdNames = ["eventId", "event_id", "webhookId", "webhook_id", "deliveryId", "delivery_id"];

/** The leads of a body: one, an array, or an array under one of the usual names. */
export function recordsOf(payload: unknown): unknown[] {
  if (Array.isArray(payload)) return payload;
  if (!isObject(payload)) return [payload];
  const list = listNames
    .map((name) => payload[name])
    .find((value) => Array.isArray(value) && value.some(isObject));
  return Array.isArray(list) ? list : [payload];
}

function eventIdOf(payload: Fields): string | null {
  return eventIdNames.map((name) => idOf(payload[name])).find((id) => id !== null) ?? null;
}

/** A workflow of the CRM names its contact `contact_id`; elsewhere that may be anybody's number. */
function ghlContactId(payload: Fields): string | null {
  const named = idOf(payload.ghlContactId ?? payload.ghl_contact_id);
  if (named) return named;
  const id = idOf(payload.contact_id ?? payload.contactId);
  const fromWorkflow = [payload.location, payload.workflow, payload.customData].some(isObject);
  return id && (fromWorkflow || /^[A-Za-z0-9]{20}$/.test(id)) ? id : null;
}

/** Names of ids that stand for themselves and are no field of a lead. */
const idNames = new Set([...eventIdNames, "ghlContactId", "ghl_contact_id", "contact_id", "contactId"]);

export function readRecord(record: unknown, count: number): DeliveryEvent {
  if (!isObject(record))
    return { kind: "rejected", key: null, externalId: null, reason: "Not an object with fields." };
  const eventId = eventIdOf(record);
  const contactId = ghlContactId(record);
  const fields = Object.fromEntries(
    Object.entries(payloadFields(record)).filter(([name]) => !idNames.has(name)),
  );
  return {
    kind: "contact",
    // An event's id above several leads would make repeats of all but the first.
    key: eventId && count === 1 ? keyOf("id", eventId) : null,
    externalId: null,
    at: null,
    fields: contactId ? { ...fields, ghlContactId: contactId } : fields,
  };
}

/** A lead in plain fields, in any of the usual spellings, or the CRM's workflow shape. */
export function readGeneric(payload: unknown): ReadBody {
  const records = recordsOf(payload);
  if (records.length === 0) return { fault: "The body holds no lead." };
  if (records.length > eventsMax) return { fault: `The body holds more than ${eventsMax} leads.` };
  return { events: records.map((record) => readRecord(record, records.length)) };
}
