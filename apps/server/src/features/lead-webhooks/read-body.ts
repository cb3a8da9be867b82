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
  type ReadBody,
} from "./parse-values.ts";
import { payloadFields, readGeneric } from "./read-generic.ts";
import { readHubspot } from "./read-hubspot.ts";
import { isSoap, readSalesforce, readSoap } from "./read-salesforce.ts";

const readers: Record<WebhookSource, (payload: unknown) => ReadBody> = {
  lead: readGeneric,
  salesforce: readSalesforce,
  hubspot: readHubspot,
  pipedrive: readPipedrive,
};

/** Names that reach an object's prototype are left out. */
const hostile = new Set(["__proto__", "constructor", "prototype"]);
const depthMax = 30;

const unreadable = Symbol("unreadable");

const cleanText = (text: string) => text.replaceAll("\u0000", "");

/** What the database can hold and no code trips over; a body may write in escapes what it could not hold as characters. */
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

/** A form's fields; one that holds all as JSON under a single name is read as that. */
function parseForm(body: string): unknown {
  const fields = [...new URLSearchParams(body)].filter(([name]) => !hostile.has(name));
  const [only] = fields;
  if (fields.length === 1 && only && /^\s*[[{]/.test(only[1])) return parseJson(only[1]);
  return clean(Object.fromEntries(fields));
}

/** Refuses the events whose texts no database keeps as they came: half a character may be written in escapes. */
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

/** Reads a kept body by the rules of its source. Pure: the same body always reads the same. */
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

/** What is said of a person; the rest of Pipedrive's record is its own bookkeeping. */
const personFields = ["name", "first_name", "last_name", "job_title", "notes", "label"];
const taken = new Set(["create", "change", "added", "updated"]);

/** v2 and v1 name a person's addresses both ways. */
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
  // v1 gives no event id: its content, without the number of the try, is the same in every repeat.
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
