import {
  cut,
  type DeliveryEvent,
  type Fields,
  idOf,
  isObject,
  keyOf,
  type ReadBody,
} from "./parse-values.ts";

const fieldsMax = 200;
const depthMax = 4;
const valueMax = 5_000;

/** Objects that only wrap a lead's own fields. */
const wrappers = new Set([
  "attributes",
  "body",
  "contact",
  "contactdata",
  "customdata",
  "customer",
  "customfields",
  "data",
  "fields",
  "form",
  "formdata",
  "lead",
  "payload",
  "person",
  "properties",
  "record",
  "sobject",
  "values",
]);

const folded = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

function scalar(value: unknown): string | number | boolean | null {
  if (typeof value === "string") return cut(value, valueMax);
  return typeof value === "number" || typeof value === "boolean" ? value : null;
}

/** Several values of one field: the primary one where they are marked, else those that are plain, in a row. */
function ofList(list: unknown[]): string | number | boolean | null {
  const marked = list.filter(isObject);
  if (marked.length > 0) {
    const first = marked.find(({ primary }) => primary === true) ?? marked[0];
    return scalar(first?.value);
  }
  const plain = list.map(scalar).filter((value) => value !== null && value !== "");
  return plain.length === 0 ? null : cut(plain.join(", "), valueMax);
}

/** `{ value }` and `{ label, value }`, as some senders write a single value. */
function valueInside(value: Fields): string | number | boolean | null | undefined {
  return "value" in value && !isObject(value.value) ? scalar(value.value) : undefined;
}

/**
 * The plain fields of a payload: those of objects that only wrap a lead stand beside the others, deeper ones get a name like
 * `address.city`; the outermost of a name holds. Bounded in number, depth and length.
 */
export function payloadFields(payload: Fields): Fields {
  const found = new Map<string, string | number | boolean>();
  const wrapped: { fields: Fields; depth: number }[] = [];

  function add(fields: Fields, prefix: string, depth: number): void {
    for (const [name, value] of Object.entries(fields)) {
      if (found.size >= fieldsMax) return;
      const key = cut(`${prefix}${name}`, 100);
      const single = isObject(value)
        ? valueInside(value)
        : Array.isArray(value)
          ? ofList(value)
          : scalar(value);
      if (single === undefined && isObject(value)) {
        if (depth >= depthMax) continue;
        if (wrappers.has(folded(name))) wrapped.push({ fields: value, depth: depth + 1 });
        else add(value, `${key}.`, depth + 1);
      } else if (single !== null && single !== undefined && single !== "" && !found.has(key)) {
        found.set(key, single);
      }
    }
  }

  add(payload, "", 0);
  for (let next = wrapped.shift(); next; next = wrapped.shift()) add(next.fields, "", next.depth);
  return Object.fromEntries(found);
}

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
