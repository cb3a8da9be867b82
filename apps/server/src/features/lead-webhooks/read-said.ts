import type { WebhookSource } from "@portal/contract/entities/lead-webhook";
import type { Tx } from "../../db/client.ts";
import { createRecordReader } from "../../values/read-lead-record.ts";
import { findOrigins, type Origin } from "./data-origins.ts";
import type { DeliveryEvent, Fields } from "./delivery-event.ts";
import { mergeProperties, plainProperties } from "./properties.ts";
import { type ReadLead, readLead } from "./read-lead.ts";

/** What is said of one record, by one event or by several of the delivery. */
export interface Said {
  events: DeliveryEvent[];
  origin: Origin | null;
  read: ReadLead;
}

const idOnly =
  "Only the contact's id came. It becomes a lead when its e-mail or phone comes: subscribe to these properties, or let a workflow send the whole contact.";

/** Reads what the events say, record by record; properties that came one by one are put together first. */
export async function readSaid(
  tx: Tx,
  { source, events, country }: { source: WebhookSource; events: DeliveryEvent[]; country: "US" | "ES" },
): Promise<Said[]> {
  const readRecord = createRecordReader({ country });
  const externalIds = events.map(({ externalId }) => externalId).filter((id) => id !== null);
  const origins = await findOrigins(tx, { source, externalIds });
  const originOf = (externalId: string | null): Origin | null =>
    externalId === null ? null : (origins.get(externalId) ?? { externalId, leadId: null, properties: null });
  const read = (fields: Fields, origin: Origin | null): ReadLead => {
    const leadId = origin?.leadId ?? null;
    const said = readLead(readRecord, fields, { isKnown: leadId !== null });
    return "lead" in said ? { lead: { ...said.lead, leadId } } : said;
  };

  const said: Said[] = [];
  const changed = new Map<string, DeliveryEvent[]>();
  for (const event of events) {
    if (event.kind === "properties" && event.externalId !== null)
      changed.set(event.externalId, [...(changed.get(event.externalId) ?? []), event]);
    else if (event.kind === "contact") {
      const origin = originOf(event.externalId);
      said.push({ events: [event], origin, read: read(event.fields, origin) });
    }
  }
  for (const [externalId, of] of changed) {
    const before = originOf(externalId) as Origin;
    const origin = { ...before, properties: mergeProperties(before.properties, of) };
    const fields = plainProperties(origin.properties);
    const isEmpty = Object.keys(fields).length === 0 && origin.leadId === null;
    said.push({ events: of, origin, read: isEmpty ? { fault: idOnly } : read(fields, origin) });
  }
  return said;
}
