import { XMLParser } from "fast-xml-parser";
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
  readRecord,
  recordsOf,
} from "./read-generic.ts";

/** Record types that become leads. */
const recordTypes = new Set(["Lead", "Contact", "Account"]);

/** Salesforce ids have 15 characters, optionally followed by three that repeat their case. */
function shortId(id: string): string {
  return id.slice(0, 15);
}

const recordId = /^[A-Za-z0-9]{15}([A-Za-z0-9]{3})?$/;

const changedAt = (fields: Fields) => instantOf(fields.SystemModstamp ?? fields.LastModifiedDate);

/** Entities can encode U+0000, which the database cannot store. */
const storable = (text: string) => text.replaceAll("\u0000", "");

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // A document type is rejected before, so only XML's predefined and numeric entities are left.
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

/** The text of an element without its attributes; null for `xsi:nil`. */
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
  return { kind: "contact", key, externalId, fields, at: changedAt(fields) };
}

/** Whether a body is a SOAP message, which needs a SOAP response. */
export function isSoap(body: string): boolean {
  return /^\s*</.test(body);
}

/**
 * The notifications of an outbound message (Salesforce SOAP API guide, outbound messaging). Document types, and so custom entities, are
 * rejected; `organizationId` rejects other organizations' messages.
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
    return { fault: "The message comes from another organization." };
  const notifications = asList(message.Notification);
  if (notifications.length === 0) return { fault: "The message holds no notification." };
  return { events: notifications.map(readNotification) };
}

/** Objects around a change event: of CometD, Event Relay and Apex. */
const eventWrappers = ["payload", "data", "detail", "event", "message", "body", "record"];

function findChange(value: unknown, depth = 0): Fields | null {
  if (!isObject(value)) return null;
  if (isObject(value.ChangeEventHeader)) return value;
  if (depth >= 4) return null;
  for (const name of eventWrappers) {
    const found = findChange(value[name], depth + 1);
    if (found) return found;
  }
  return null;
}

/** Fields of every change that say nothing about the person. */
const bookkeeping = new Set(["LastModifiedDate", "LastModifiedById", "SystemModstamp"]);

/** A compound name contains its parts. */
const withNameParts = ({ Name, ...fields }: Fields): Fields =>
  isObject(Name) ? { ...Name, ...fields } : { Name, ...fields };

/**
 * A Change Data Capture event (developer.salesforce.com, ChangeEventHeader): the fields that changed at one instant, in one or several
 * records. A cleared field or a deleted record removes nothing from the lead.
 */
function readChange({ ChangeEventHeader, ...fields }: Fields): DeliveryEvent[] {
  const header = ChangeEventHeader as Fields;
  const type = String(header.changeType);
  const entity = String(header.entityName);
  const ids = asList(header.recordIds).map(idOf);
  const ofPerson = Object.entries(withNameParts(fields)).filter(([name]) => !bookkeeping.has(name));
  const said = payloadFields(Object.fromEntries(ofPerson));
  const nulled = asList(header.nulledFields).map((name) => String(name).replace(/^.*\./, ""));
  const emptied = Object.fromEntries(nulled.map((name) => [name, ""]));
  // Changes of one transaction have the same instant.
  const at = (instantOf(header.commitTimestamp) ?? 0) + (Number(header.sequenceNumber) || 0) / 1000;
  const unique = idOf(header.transactionKey) ?? idOf(header.commitNumber);
  return (ids.length > 0 ? ids : [null]).map((id): DeliveryEvent => {
    const key = unique && keyOf("change", unique, header.sequenceNumber, id && shortId(id));
    const externalId = id !== null && recordId.test(id) ? shortId(id) : null;
    const ignored = (reason: string): DeliveryEvent => ({ kind: "ignored", key, externalId, reason });
    if (!recordTypes.has(entity)) return ignored(`Not about a person: ${cut(entity, 40)}.`);
    if (type === "DELETE") return ignored("The record was deleted there; the lead stays.");
    if (!externalId) return ignored("The change names no single record.");
    if (!["CREATE", "UPDATE", "UNDELETE"].includes(type))
      return ignored(`${cut(type, 40)} holds no fields: the record changed, but not in which way.`);
    return { kind: "properties", key, externalId, fields: { ...emptied, ...said }, at };
  });
}

/** Keys with a record's id. */
const idNames = ["Id", "id", "ID", "recordId", "RecordId", "leadId", "LeadId"];

function readJsonRecord(record: unknown, count: number): DeliveryEvent {
  const event = readRecord(isObject(record) ? withNameParts(record) : record, count);
  if (event.kind !== "contact") return event;
  const { fields } = event;
  // Only ids of Salesforce's format belong to its records.
  const id = idNames.map((name) => idOf(fields[name])).find((text) => text !== null && recordId.test(text));
  return { ...event, externalId: id ? shortId(id) : null, at: changedAt(fields) };
}

/** JSON from a flow's HTTP callout or from Apex, in a custom format mostly with the API's field names, or change events. */
export function readSalesforce(payload: unknown): ReadBody {
  const records = recordsOf(payload);
  if (records.length === 0) return { fault: "The body holds no lead." };
  const events = records.flatMap((record) => {
    const change = findChange(record);
    return change ? readChange(change) : [readJsonRecord(record, records.length)];
  });
  return { events };
}
