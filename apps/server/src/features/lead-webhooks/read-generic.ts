import { hash } from "node:crypto";

/** A sender's fields by the sender's names. */
export type Fields = Record<string, unknown>;

/** One event of a delivery. */
export type DeliveryEvent = {
  /** A key that is unique at the sender, or null. */
  key: string | null;
  /** Id of the record at the sender, if it has one. */
  externalId: string | null;
} /** A whole contact at an instant in ms; null if the sender gives none. */ & (
  | { kind: "contact"; fields: Fields; at: number | null }
  /** Properties of a record that changed at an instant in ms; none if only the id came. '' means that a value was removed. */
  | { kind: "properties"; fields: Fields; at: number }
  | { kind: "ignored"; reason: string }
  | { kind: "rejected"; reason: string }
);

/** The events of a body, or why it cannot be parsed. */
export type ReadBody = { events: DeliveryEvent[] } | { fault: string };

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text of at most this length, without cutting a surrogate pair. */
export function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/** An id, number or text, or null. */
export function idOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value.trim() !== "" ? cut(value.trim(), 100) : null;
}

/** An instant in ms from ms, seconds (number or digits) or ISO 8601; null for anything else. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== "number" && typeof value !== "string") return null;
  const digits = typeof value === "string" && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  if (typeof digits === "string") {
    const at = Date.parse(digits);
    return Number.isNaN(at) ? null : at;
  }
  if (!Number.isFinite(digits) || digits <= 0) return null;
  return digits < 1e11 ? digits * 1000 : digits;
}

/** A key of fixed length from values that are unique together. */
export function keyOf(...parts: unknown[]): string {
  return hash("sha256", JSON.stringify(parts));
}

const fieldsMax = 200;
const depthMax = 4;
const valueMax = 5_000;

/** Objects that only wrap a lead's fields. */
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

/** One value of a list: the primary one if marked, else the plain ones joined. */
function ofList(list: unknown[]): string | number | boolean | null {
  const marked = list.filter(isObject);
  if (marked.length > 0) {
    const first = marked.find(({ primary }) => primary === true) ?? marked[0];
    return scalar(first?.value);
  }
  const plain = list.map(scalar).filter((value) => value !== null && value !== "");
  return plain.length === 0 ? null : cut(plain.join(", "), valueMax);
}

/** The value of `{ value }` and `{ label, value }` objects. */
function valueInside(value: Fields): string | number | boolean | null | undefined {
  return "value" in value && !isObject(value.value) ? scalar(value.value) : undefined;
}

/**
 * The plain fields of a payload. Fields of wrapping objects are lifted, deeper ones get a name like `address.city`; of equal names the
 * outermost wins. Limited in number, depth and length.
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
/** Keys under which senders list several leads. */
const listNames = ["leads", "contacts", "records", "items", "data", "new", "events"];
/** Keys with the event's id. */
const eventIdNames = ["eventId", "event_id", "webhookId", "webhook_id", "deliveryId", "delivery_id"];

/** The leads of a body: one, an array, or an array under one of the usual keys. */
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

/** The CRM's workflows send the contact's id as `contact_id`; in other payloads that may be another id. */
function ghlContactId(payload: Fields): string | null {
  const named = idOf(payload.ghlContactId ?? payload.ghl_contact_id);
  if (named) return named;
  const id = idOf(payload.contact_id ?? payload.contactId);
  const fromWorkflow = [payload.location, payload.workflow, payload.customData].some(isObject);
  return id && (fromWorkflow || /^[A-Za-z0-9]{20}$/.test(id)) ? id : null;
}

/** Keys with ids, which are no fields of a lead. */
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
    // An event's id that covers several leads would make all but the first count as repeats.
    key: eventId && count === 1 ? keyOf("id", eventId) : null,
    externalId: null,
    at: null,
    fields: contactId ? { ...fields, ghlContactId: contactId } : fields,
  };
}

/** Leads in plain fields with any of the usual names, or the CRM's workflow format. */
export function readGeneric(payload: unknown): ReadBody {
  const records = recordsOf(payload);
  if (records.length === 0) return { fault: "The body holds no lead." };
  if (records.length > eventsMax) return { fault: `The body holds more than ${eventsMax} leads.` };
  return { events: records.map((record) => readRecord(record, records.length)) };
}
