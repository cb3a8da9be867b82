import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import { importFaultText } from "@portal/contract/import-faults";
import { faultOfValue } from "../../domain/read-lead-record.ts";
import {
  cut,
  type DeliveryEvent,
  type Fields,
  idOf,
  instantOf,
  isObject,
  keyOf,
  payloadFields,
  type ReadBody,
  readGeneric,
} from "./read-generic.ts";

import { isSoap, readSalesforce, readSoap } from "./read-salesforce.ts";

const readers: Record<WebhookSource, (payload: unknown) => ReadBody> = {
  lead: readGeneric,
  salesforce: readSalesforce,
  hubspot: readHubspot,
  pipedrive: readPipedrive,
};

/** Names that would set an object's prototype are dropped. */
const hostile = new Set(["__proto__", "constructor", "prototype"]);
const depthMax = 30;

const unreadable = Symbol("unreadable");

const cleanText = (text: string) => text.replaceAll("\u0000", "");

/** Removes what the database cannot store or code cannot handle, as escapes may contain invalid characters. */
function clean(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= depthMax) return null;
  if (Array.isArray(value)) return value.map((inner) => clean(inner, depth + 1));
  const entries = Object.entries(value).filter(([name]) => !hostile.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [cleanText(name), clean(inner, depth + 1)]));
}

function parseJson(body: string): unknown {
  try {
    return clean(JSON.parse(body));
  } catch {
    return unreadable;
  }
}

/** A form's fields; a form with JSON in a single field is parsed as that. */
function parseForm(body: string): unknown {
  const fields = [...new URLSearchParams(body)].filter(([name]) => !hostile.has(name));
  const [only] = fields;
  if (fields.length === 1 && only && /^\s*[[{]/.test(only[1])) return parseJson(only[1]);
  return clean(Object.fromEntries(fields));
}

/** Rejects events with lone surrogates, which can be written in escapes but not stored. */
function refuseBroken(read: ReadBody): ReadBody {
  if ("fault" in read) return read;
  const events = read.events.map((event): DeliveryEvent => {
    if (!faultOfValue(event)) return event;
    const broken =
      "fields" in event ? Object.entries(event.fields).find((entry) => faultOfValue(entry)) : null;
    const externalId = event.externalId?.isWellFormed() ? event.externalId : null;
    const value = broken?.[0].toWellFormed() ?? "id";
    const reason = `${importFaultText({ code: "broken_text", value })}.`;
    return { kind: "rejected", key: event.key, externalId, reason };
  });
  return { events };
}

/** Parses a stored body by the rules of its source. Pure: the same body always gives the same result. */
export function readBody(
  source: WebhookSource,
  { contentType, body }: { contentType: string; body: string },
  { organizationId }: { organizationId: string | null },
): ReadBody {
  if (body.trim() === "") return { fault: "The body is empty." };
  if (isSoap(body)) {
    if (source === "salesforce") return refuseBroken(readSoap(body, organizationId));
    return { fault: "XML is not read at this address." };
  }
  const isForm = /^application\/x-www-form-urlencoded/i.test(contentType);
  const payload = isForm ? parseForm(body) : parseJson(body);
  if (payload === unreadable) return { fault: "The body is not JSON." };
  return refuseBroken(readers[source](payload));
}

/** Fields about the person; the rest of Pipedrive's record is internal. */
const personFields = ["name", "first_name", "last_name", "job_title", "notes", "label"];
const taken = new Set(["create", "change", "added", "updated"]);

/** v1 and v2 name a person's emails and phones differently. */
function personOf(record: Fields): Fields {
  const organization = isObject(record.org_id) ? record.org_id.name : null;
  return payloadFields({
    ...Object.fromEntries(personFields.map((name) => [name, record[name]])),
    email: record.emails ?? record.email,
    phone: record.phones ?? record.phone,
    company: record.org_name ?? organization,
    custom_fields: record.custom_fields,
  });
}

/** Persons of Pipedrive's webhooks, v1 and v2 (pipedrive.readme.io, guide-for-webhooks, guide-for-webhooks-v2). */
function readPipedrive(payload: unknown): ReadBody {
  if (!isObject(payload) || !isObject(payload.meta)) return readGeneric(payload);
  const { meta, retry: _retry, ...rest } = payload;
  const entity = meta.entity ?? meta.object;
  const action = String(meta.action);
  const eventId = idOf(meta.version ? meta.id : null);
  // v1 has no event id: the content without the number of the attempt is equal in every repeat.
  const key = eventId ? keyOf("v2", eventId) : keyOf("v1", meta, rest);
  const record = payload.data ?? payload.current;
  const externalId = idOf(meta.entity_id ?? (isObject(record) ? record.id : meta.id));
  const ignored = (reason: string): ReadBody => ({ events: [{ kind: "ignored", key, externalId, reason }] });
  if (entity !== "person") return ignored(`Not about a person: ${cut(String(entity), 40)}.`);
  if (!taken.has(action)) return ignored(`Nothing is taken from a person's ${cut(action, 40)}.`);
  if (!isObject(record)) return { fault: "The person's data is missing." };
  const at = instantOf(meta.timestamp);
  return { events: [{ kind: "contact", key, externalId, fields: personOf(record), at }] };
}

/** Object type id of contacts in the newer subscription types. */
const contactTypeId = "0-1";

function isContact(type: string, event: Fields): boolean {
  return type.startsWith("contact.") || (type.startsWith("object.") && event.objectTypeId === contactTypeId);
}

/**
 * One event of an app's subscription. It has only the contact's id and, for a change, one property; reading whole contacts would need a key
 * of HubSpot's API.
 */
function readEvent(event: unknown): DeliveryEvent {
  if (!isObject(event) || typeof event.subscriptionType !== "string")
    return { kind: "rejected", key: null, externalId: null, reason: "Not an event of a subscription." };
  const type = event.subscriptionType;
  const externalId = idOf(event.objectId);
  const eventId = idOf(event.eventId);
  // HubSpot does not guarantee that the id alone is unique.
  const key = eventId ? keyOf(event.portalId, type, eventId, externalId, event.propertyName) : null;
  if (!isContact(type, event))
    return { kind: "ignored", key, externalId, reason: `Not about a contact: ${cut(type, 60)}.` };
  if (!externalId) return { kind: "rejected", key, externalId, reason: "The contact's id is missing." };
  const at = instantOf(event.occurredAt) ?? 0;
  if (type.endsWith(".creation")) return { kind: "properties", key, externalId, fields: {}, at };
  if (!type.endsWith(".propertyChange"))
    return { kind: "ignored", key, externalId, reason: `Nothing is taken from ${cut(type, 60)}.` };
  const name = idOf(event.propertyName);
  if (!name) return { kind: "rejected", key, externalId, reason: "The property's name is missing." };
  return { kind: "properties", key, externalId, fields: { [name]: event.propertyValue ?? "" }, at };
}

/** The email of a workflow's contact from its identity profiles. */
function profileEmail(payload: Fields): unknown {
  const profiles = payload["identity-profiles"];
  if (!Array.isArray(profiles)) return undefined;
  const identities = profiles.flatMap((profile) =>
    isObject(profile) && Array.isArray(profile.identities) ? profile.identities : [],
  );
  return identities.filter(isObject).find(({ type }) => type === "EMAIL")?.value;
}

/** HubSpot's internal properties. */
const isInternal = (name: string) => /^hs_(?!lead_status$)/.test(name);

/** A contact of a workflow's "Send a webhook", in the legacy or the newer format. */
function readContact(payload: Fields, properties: Fields): DeliveryEvent {
  const said = Object.entries(payloadFields(properties)).filter(([name]) => !isInternal(name));
  const fields = Object.fromEntries(said);
  const email = fields.email ?? profileEmail(payload);
  return {
    kind: "contact",
    key: null,
    externalId: idOf(payload.vid ?? payload["canonical-vid"] ?? payload.objectId ?? payload.id),
    fields: email ? { ...fields, email } : fields,
    at: instantOf(fields.lastmodifieddate),
  };
}

/** HubSpot's payloads: a batch of an app's events, a workflow's contact, or a workflow's flat body. */
function readHubspot(payload: unknown): ReadBody {
  if (Array.isArray(payload) && payload.length > 0) return { events: payload.map(readEvent) };
  if (!isObject(payload)) return { fault: "The body holds neither events nor a contact." };
  if (typeof payload.subscriptionType === "string") return { events: [readEvent(payload)] };
  if (isObject(payload.properties)) return { events: [readContact(payload, payload.properties)] };
  const read = readGeneric(payload);
  if ("fault" in read) return read;
  const externalId = idOf(payload.vid ?? payload.hs_object_id ?? payload.objectId);
  return { events: read.events.map((event) => ({ ...event, externalId })) };
}
