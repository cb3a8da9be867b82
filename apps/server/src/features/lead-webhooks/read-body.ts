import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import type { ReadBody } from "./delivery-event.ts";
import { readGeneric } from "./read-generic.ts";
import { readHubspot } from "./read-hubspot.ts";
import { readPipedrive } from "./read-pipedrive.ts";
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

const cleanText = (text: string) => text.replaceAll("\u0000", "").toWellFormed();

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

/** Reads a kept body by the rules of its source. Pure: the same body always reads the same. */
export function readBody(
  source: WebhookSource,
  { contentType, body }: { contentType: string; body: string },
  { organizationId }: { organizationId: string | null },
): ReadBody {
  if (body.trim() === "") return { fault: "The body is empty." };
  if (isSoap(body)) {
    if (source === "salesforce") return readSoap(body, organizationId);
    return { fault: "XML is not read at this address." };
  }
  const isForm = /^application\/x-www-form-urlencoded/i.test(contentType);
  const payload = isForm ? parseForm(body) : parseJson(body);
  if (payload === unreadable) return { fault: "The body is not JSON." };
  return readers[source](payload);
}
