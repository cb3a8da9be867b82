import type { DeliveryOutcome, WebhookSource } from "@portal/contract/entities/lead-webhook";
import type { Tx } from "../../db/client.ts";
import { lockLeadIntake } from "../../db/sql/intake-lock.ts";
import { publishEvent } from "../../events/publish.ts";
import type { StoredEvent } from "../../jobs/event-inbox.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { createRecordReader } from "../../values/read-lead-record.ts";
import { takeLeads } from "../leads/take-lead.ts";
import {
  type DeliveryPayload,
  fillLeadSource,
  findFirstConsultant,
  findWorkedKeys,
  insertItems,
} from "./data-deliveries.ts";
import { findOrigins, type Origin, saveOrigins } from "./data-origins.ts";
import { cut, type DeliveryEvent, type Fields } from "./delivery-event.ts";
import type { Intake } from "./intake.ts";
import { mergeProperties, plainProperties } from "./properties.ts";
import { readBody } from "./read-body.ts";
import { type ReadLead, readLead } from "./read-lead.ts";

interface TakeContext {
  jobs: Pick<Jobs, "enqueue">;
  intake: Pick<Intake, "keysOf">;
  defaultCountry: "US" | "ES";
}

/** What becomes of an event. */
interface Fate {
  outcome: DeliveryOutcome;
  reason?: string | undefined;
  leadId?: number;
}

/** What is said of one record, by one event or by several of the delivery. */
interface Said {
  events: DeliveryEvent[];
  origin: Origin | null;
  read: ReadLead;
}

/** Where a new lead came from, where the sender does not say. */
const sourceNames: Record<WebhookSource, string> = {
  lead: "Webhook",
  salesforce: "Salesforce",
  hubspot: "HubSpot",
  pipedrive: "Pipedrive",
};

const idOnly =
  "Only the contact's id came. It becomes a lead when its e-mail or phone comes: subscribe to these properties, or let a workflow send the whole contact.";

/** The events that did nothing before, in a delivery or twice in this one. */
async function freshEvents(tx: Tx, source: WebhookSource, events: DeliveryEvent[]) {
  const keys = events.map(({ key }) => key).filter((key) => key !== null);
  const seen = keys.length > 0 ? await findWorkedKeys(tx, { source, keys }) : new Set<string>();
  const fresh: DeliveryEvent[] = [];
  const repeats: DeliveryEvent[] = [];
  for (const event of events) {
    (event.key !== null && seen.has(event.key) ? repeats : fresh).push(event);
    if (event.key !== null) seen.add(event.key);
  }
  return { fresh, repeats };
}

/** Reads what the events say, record by record; properties that came one by one are put together first. */
async function readSaid(
  context: TakeContext,
  tx: Tx,
  source: WebhookSource,
  events: DeliveryEvent[],
): Promise<Said[]> {
  const readRecord = createRecordReader({ country: context.defaultCountry });
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

/** Takes what can be taken and ties the senders' records to their leads. */
async function takeSaid(
  context: TakeContext,
  tx: Tx,
  { source, deliveryId, said }: { source: WebhookSource; deliveryId: number; said: Said[] },
): Promise<Map<DeliveryEvent, Fate>> {
  const fates = new Map<DeliveryEvent, Fate>();
  const readable = said.flatMap((of) => ("lead" in of.read ? [{ ...of, lead: of.read.lead }] : []));
  const taken = await takeLeads(
    tx,
    readable.map(({ lead }) => lead),
    {
      jobs: context.jobs,
      defaultCountry: context.defaultCountry,
      from: { kind: "webhook", data: { source: sourceNames[source], deliveryId } },
      assignTo: await findFirstConsultant(tx),
      known: "merge",
      actor: null,
    },
  );
  const created = taken.filter(({ outcome }) => outcome === "created").map(({ leadId }) => leadId);
  if (created.length > 0) await fillLeadSource(tx, { leadIds: created, leadSource: sourceNames[source] });

  const origins: Origin[] = [];
  for (const [index, { events, origin }] of readable.entries()) {
    const { outcome, leadId } = taken[index] as (typeof taken)[number];
    if (origin) origins.push({ ...origin, leadId });
    // Webhooks neither skip known leads nor ask whose they are: the other two outcomes are not theirs.
    for (const event of events) fates.set(event, { outcome: outcome as DeliveryOutcome, leadId });
  }
  for (const { events, origin, read } of said) {
    if ("lead" in read) continue;
    const waits = origin?.properties !== null && events.some(({ kind }) => kind === "properties");
    if (origin && waits) origins.push(origin);
    for (const event of events)
      fates.set(event, { outcome: waits ? "waiting" : "rejected", reason: read.fault });
  }
  await saveOrigins(tx, { source, origins });
  return fates;
}

/** What the test would have taken, in words. */
function testedFate({ read }: Said): Fate {
  if ("fault" in read) return { outcome: "rejected", reason: read.fault };
  const { name, firstName, lastName, email, phone, company } = read.lead;
  const said = [name ?? [firstName, lastName].filter(Boolean).join(" "), email, phone, company];
  return { outcome: "tested", reason: said.filter(Boolean).join(", ") };
}

/**
 * Works a kept delivery: each event once, new leads to the first sales rep, known ones brought up to date. Answers why nothing could be
 * taken of it, or null.
 */
export async function takeDelivery(
  context: TakeContext,
  tx: Tx,
  { id, kind, payload }: StoredEvent<DeliveryPayload>,
): Promise<string | null> {
  const source = kind as WebhookSource;
  const { organizationId } = await context.intake.keysOf(source);
  const body = readBody(source, payload, { organizationId });
  const events: DeliveryEvent[] =
    "events" in body ? body.events : [{ kind: "rejected", key: null, externalId: null, reason: body.fault }];
  await lockLeadIntake(tx);
  const { fresh, repeats } = await freshEvents(tx, source, events);
  const fates = new Map<DeliveryEvent, Fate>(repeats.map((event) => [event, { outcome: "repeat" }]));
  for (const event of fresh)
    if (event.kind === "ignored" || event.kind === "rejected")
      fates.set(event, { outcome: event.kind, reason: event.reason });
  const said = await readSaid(context, tx, source, fresh);
  if (payload.test) for (const one of said) for (const event of one.events) fates.set(event, testedFate(one));
  else
    for (const [event, fate] of await takeSaid(context, tx, { source, deliveryId: id, said }))
      fates.set(event, fate);

  const items = events.map((event) => {
    const { outcome, reason, leadId } = fates.get(event) as Fate;
    return { eventKey: event.key, outcome, reason: reason ? cut(reason, 500) : null, leadId: leadId ?? null };
  });
  await insertItems(tx, { deliveryId: id, source, items });
  await publishEvent(tx, { topic: "webhook-delivery", id, audience: [] });
  const isRejected = items.every(({ outcome }) => outcome === "rejected");
  return isRejected ? "nothing in it could be read" : null;
}
