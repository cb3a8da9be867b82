import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import { importFaultText } from "@portal/contract/import-faults";
import { createRecordReader, type IncomingLead, type ReadRecord } from "../../domain/read-lead-record.ts";
import type { Tx } from "../../platform/db/client.ts";
import { cut, type DeliveryEvent, type Fields } from "./read-generic.ts";
import { findOrigins, type KnownProperties, type Origin, type PropertyValue } from "./repository.ts";

/** What one or several events of a delivery say about a record. */
export interface ParsedRecord {
  events: DeliveryEvent[];
  origin: Origin | null;
  read: ReadLead;
}

const idOnly =
  "Only the contact's id came. It becomes a lead when its email or phone comes: subscribe to these properties, or let a workflow send the whole contact.";

/** Parses the events by record; properties that were reported at different times are merged first. */
export async function parseStored(
  tx: Tx,
  { source, events, country }: { source: WebhookSource; events: DeliveryEvent[]; country: "US" | "ES" },
): Promise<ParsedRecord[]> {
  const readRecord = createRecordReader({ country });
  const externalIds = events.map(({ externalId }) => externalId).filter((id) => id !== null);
  const origins = await findOrigins(tx, { source, externalIds });
  const originOf = (externalId: string): Origin =>
    origins.get(externalId) ?? { externalId, leadId: null, properties: null };
  const read = (fields: Fields, origin: Origin | null): ReadLead => {
    const leadId = origin?.leadId ?? null;
    const said = readLead(readRecord, fields, { isKnown: leadId !== null });
    return "lead" in said ? { lead: { ...said.lead, leadId } } : said;
  };

  const said: ParsedRecord[] = [];
  const ofRecords = new Map<string, DeliveryEvent[]>();
  for (const event of events) {
    if (event.kind !== "contact" && event.kind !== "properties") continue;
    if (event.externalId === null)
      said.push({ events: [event], origin: null, read: read(event.fields, null) });
    else ofRecords.set(event.externalId, [...(ofRecords.get(event.externalId) ?? []), event]);
  }
  for (const [externalId, of] of ofRecords) {
    const before = originOf(externalId);
    const { properties, changed } = mergeProperties(before.properties, of);
    const origin = { ...before, properties };
    // For a known lead only changed properties count: others may have been corrected here, or be older than another system's.
    const fields = origin.leadId === null ? plainProperties(properties) : changed;
    const isEmpty = Object.keys(fields).length === 0 && origin.leadId === null;
    said.push({ events: of, origin, read: isEmpty ? { fault: idOnly } : read(fields, origin) });
  }
  return said;
}

/** Maximum number of properties of a record. */
const propertiesMax = 200;
const valueMax = 5_000;

function storedValue(value: unknown): PropertyValue {
  if (typeof value === "number" || typeof value === "boolean") return value;
  return cut(String(value ?? ""), valueMax);
}

/**
 * Merges events into the known properties of a record, in any order of arrival: the latest change of each property wins, and a contact
 * without an instant counts as the latest. `changed` are the properties with a new value.
 */
function mergeProperties(
  known: KnownProperties | null,
  events: DeliveryEvent[],
): { properties: KnownProperties; changed: Fields } {
  const merged = new Map(Object.entries(known ?? {}));
  for (const event of events) {
    if (event.kind !== "contact" && event.kind !== "properties") continue;
    for (const [name, value] of Object.entries(event.fields)) {
      const before = merged.get(name);
      const at = event.at ?? before?.at ?? 0;
      if (before ? before.at > at : merged.size >= propertiesMax) continue;
      merged.set(name, { value: storedValue(value), at });
    }
  }
  const properties = Object.fromEntries(merged);
  const fresh = Object.entries(properties).filter(([name, { value }]) => value !== known?.[name]?.value);
  return { properties, changed: plainProperties(Object.fromEntries(fresh)) };
}

/** The non-empty properties, without their instants. */
function plainProperties(properties: KnownProperties | null): Fields {
  const said = Object.entries(properties ?? {}).filter(([, { value }]) => value !== "");
  return Object.fromEntries(said.map(([name, { value }]) => [name, value]));
}

/** A payload's fields as a lead, or why it is not one. */
export type ReadLead = { lead: IncomingLead } | { fault: string };

const contactIdMax = 100;

/**
 * Parses a sender's fields by the aliases of imports. A lead needs an email or a phone, unless the sender's record is already linked to a
 * lead (`isKnown`) or has a contact id of the CRM.
 */
export function readLead(
  readRecord: (record: unknown) => ReadRecord,
  { ghlContactId, hs_lead_status, ...fields }: Fields,
  { isKnown }: { isKnown: boolean },
): ReadLead {
  const named = hs_lead_status === undefined ? fields : { ...fields, lead_status: hs_lead_status };
  const { lead, reasons } = readRecord(named);
  const contactId = typeof ghlContactId === "string" ? ghlContactId.slice(0, contactIdMax) : null;
  const isIdentified = isKnown || contactId !== null;
  const faults = reasons.filter(({ code }) => !(isIdentified && code === "no_contact"));
  if (faults.length > 0) return { fault: `${faults.map(importFaultText).join("; ")}.` };
  return { lead: contactId ? { ...lead, ghlContactId: contactId } : lead };
}
