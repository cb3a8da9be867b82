import {
  cut,
  type DeliveryEvent,
  type Fields,
  idOf,
  instantOf,
  isObject,
  keyOf,
  type ReadBody,
} from "./parse-values.ts";
import { payloadFields, readGeneric } from "./read-generic.ts";

/** Contacts among the objects of the newer subscription types. */
const contactTypeId = "0-1";

function isContact(type: string, event: Fields): boolean {
  return type.startsWith("contact.") || (type.startsWith("object.") && event.objectTypeId === contactTypeId);
}

/**
 * One event of an app's subscription. It names the contact by its id alone, a change with the one property; whole contacts would have
 * to be asked for with a key of HubSpot's API.
 */
function readEvent(event: unknown): DeliveryEvent {
  if (!isObject(event) || typeof event.subscriptionType !== "string")
    return { kind: "rejected", key: null, externalId: null, reason: "Not an event of a subscription." };
  const type = event.subscriptionType;
  const externalId = idOf(event.objectId);
  const eventId = idOf(event.eventId);
  // HubSpot does not promise that the id alone is unique.
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

/** Addresses that a workflow's contact names beside its properties. */
function profileEmail(payload: Fields): unknown {
  const profiles = payload["identity-profiles"];
  if (!Array.isArray(profiles)) return undefined;
  const identities = profiles.flatMap((profile) =>
    isObject(profile) && Array.isArray(profile.identities) ? profile.identities : [],
  );
  return identities.filter(isObject).find(({ type }) => type === "EMAIL")?.value;
}

/** HubSpot's own record keeping, which says nothing of the person. */
const isInternal = (name: string) => /^hs_(?!lead_status$)/.test(name);

/** A contact of a workflow's "Send a webhook", in the legacy shape or the newer one. */
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

/** HubSpot's payloads: a batch of an app's events, a workflow's contact, or a workflow's own flat body. */
export function readHubspot(payload: unknown): ReadBody {
  if (Array.isArray(payload) && payload.length > 0) return { events: payload.map(readEvent) };
  if (!isObject(payload)) return { fault: "The body holds neither events nor a contact." };
  if (typeof payload.subscriptionType === "string") return { events: [readEvent(payload)] };
  if (isObject(payload.properties)) return { events: [readContact(payload, payload.properties)] };
  const read = readGeneric(payload);
  if ("fault" in read) return read;
  const externalId = idOf(payload.vid ?? payload.hs_object_id ?? payload.objectId);
  return { events: read.events.map((event) => ({ ...event, externalId })) };
}
