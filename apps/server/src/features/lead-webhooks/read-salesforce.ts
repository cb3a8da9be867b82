import { XMLParser } from "fast-xml-parser";
import {
  cut,
  type DeliveryEvent,
  type Fields,
  idOf,
  isObject,
  keyOf,
  type ReadBody,
} from "./delivery-event.ts";
import { readRecord, recordsOf } from "./read-generic.ts";

/** Records from which a lead is taken. */
const recordTypes = new Set(["Lead", "Contact", "Account"]);

/** Salesforce writes an id with 15 characters or with three more that only repeat them. */
function shortId(id: string): string {
  return id.slice(0, 15);
}

/** Entities can write what the database cannot hold. */
const storable = (text: string) => text.replaceAll("\u0000", "").toWellFormed();

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // A document type is refused before, so that only XML's own five names and numbers are left to be expanded.
  processEntities: true,
  htmlEntities: true,
  maxNestedTags: 50,
  tagValueProcessor: (_name, value) => storable(value),
  attributeValueProcessor: (_name, value) => storable(value),
});

function parseXml(body: string): unknown {
  try {
    return parser.parse(body, true);
  } catch {
    return null;
  }
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

/** The text of an element, without its attributes; null for `xsi:nil`. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  return isObject(value) && typeof value["#text"] === "string" ? value["#text"] : null;
}

function readNotification(notification: unknown): DeliveryEvent {
  const record = isObject(notification) ? notification.sObject : undefined;
  const notificationId = isObject(notification) ? idOf(textOf(notification.Id)) : null;
  const key = notificationId ? keyOf("notification", shortId(notificationId)) : null;
  if (!isObject(record))
    return { kind: "rejected", key, externalId: null, reason: "The notification holds no record." };
  const type = String(record["@type"] ?? "").replace(/^.*:/, "");
  const fields: Fields = Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => !name.startsWith("@") && name !== "Id")
      .map(([name, value]) => [name, textOf(value)])
      .filter(([, value]) => value !== null),
  );
  const id = idOf(textOf(record.Id));
  const externalId = id && shortId(id);
  if (type && !recordTypes.has(type))
    return { kind: "ignored", key, externalId, reason: `Not about a person: ${cut(type, 40)}.` };
  return { kind: "contact", key, externalId, fields };
}

/** Whether a body is a SOAP message, which wants a SOAP answer. */
export function isSoap(body: string): boolean {
  return /^\s*</.test(body);
}

/**
 * The notifications of an outbound message (Salesforce SOAP API guide, outbound messaging). A document type is refused, with it every
 * entity that a sender could define; `organizationId` refuses another organisation's messages.
 */
export function readSoap(body: string, organizationId: string | null): ReadBody {
  if (/<!(DOCTYPE|ENTITY)/i.test(body)) return { fault: "A document type is not accepted." };
  const document = parseXml(body);
  const envelope = isObject(document) ? document.Envelope : undefined;
  const content = isObject(envelope) ? envelope.Body : undefined;
  const message = isObject(content) ? content.notifications : undefined;
  if (!isObject(message)) return { fault: "The XML is not an outbound message." };
  const organization = textOf(message.OrganizationId)?.trim() ?? "";
  if (organizationId && shortId(organization) !== shortId(organizationId))
    return { fault: "The message comes from another organisation." };
  const notifications = asList(message.Notification);
  if (notifications.length === 0) return { fault: "The message holds no notification." };
  return { events: notifications.map(readNotification) };
}

/** JSON of a flow's HTTP callout or of Apex: the administrator's own shape, mostly in the API's field names. */
export function readSalesforce(payload: unknown): ReadBody {
  const records = recordsOf(payload);
  if (records.length === 0) return { fault: "The body holds no lead." };
  const events = records.map((record) => {
    const idName = isObject(record) && idOf(record.Id) ? "Id" : "id";
    const event = readRecord(record, records.length, idName);
    const { externalId } = event;
    // Only ids of Salesforce's form are its records'.
    const known = externalId && /^[A-Za-z0-9]{15}([A-Za-z0-9]{3})?$/.test(externalId);
    return { ...event, externalId: known ? shortId(externalId) : null };
  });
  return { events };
}
