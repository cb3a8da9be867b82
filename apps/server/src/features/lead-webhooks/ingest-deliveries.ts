import type { DeliveryOutcome, WebhookSource } from "@portal/contract/entities/lead-webhook";
import { lockLeadIngestion } from "../../platform/db/advisory-locks.ts";
import type { Tx } from "../../platform/db/client.ts";
import type { StoredEvent } from "../../platform/jobs/event-inbox.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { ingestLeads } from "../leads/ingest/ingest-leads.ts";
import { prepareLead, recordPolicy } from "../leads/ingest/merge-record.ts";
import type { WebhookSourceAuth } from "./check-source.ts";
import { type ParsedRecord, parseStored } from "./parse-stored.ts";
import { readBody } from "./read-body.ts";
import { cut, type DeliveryEvent } from "./read-generic.ts";
import {
  type DeliveryPayload,
  fillLeadSource,
  findFirstConsultant,
  findWorkedKeys,
  insertItems,
  type Origin,
  saveOrigins,
} from "./repository.ts";

interface IngestContext {
  jobs: Pick<Jobs, "enqueue">;
  sourceAuth: Pick<WebhookSourceAuth, "keysOf">;
  defaultCountry: "US" | "ES";
}

/** Result of an event. */
interface Fate {
  outcome: DeliveryOutcome;
  reason?: string | undefined;
  leadId?: number;
}

/** Source of a new lead if the sender gives none. */
const sourceNames: Record<WebhookSource, string> = {
  lead: "Webhook",
  salesforce: "Salesforce",
  hubspot: "HubSpot",
  pipedrive: "Pipedrive",
};

/** Returns the events that were not processed before, without repeats within the delivery. */
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

/** Ingests the valid records and links the senders' records to their leads. */
async function ingestParsed(
  context: IngestContext,
  tx: Tx,
  { source, said }: { source: WebhookSource; said: ParsedRecord[] },
): Promise<Map<DeliveryEvent, Fate>> {
  const fates = new Map<DeliveryEvent, Fate>();
  const readable = said.flatMap((of) => ("lead" in of.read ? [{ ...of, lead: of.read.lead }] : []));
  const policy = recordPolicy({
    known: "merge",
    from: { kind: "webhook", data: { source: sourceNames[source] } },
    assignTo: await findFirstConsultant(tx),
  });
  const { leads } = await ingestLeads(
    tx,
    readable.map(({ lead }) => prepareLead(lead, context.defaultCountry)),
    { policy, jobs: context.jobs, actor: null },
  );
  const unnamed = leads
    .filter(({ outcome }, index) => outcome === "created" && !readable[index]?.lead.leadSource)
    .map(({ leadId }) => leadId);
  if (unnamed.length > 0) await fillLeadSource(tx, { leadIds: unnamed, leadSource: sourceNames[source] });

  const origins: Origin[] = [];
  for (const [index, { events, origin }] of readable.entries()) {
    const { outcome, leadId } = leads[index] as (typeof leads)[number];
    if (origin) origins.push({ ...origin, leadId });
    // Webhooks do not skip known leads, and have no owner check: the other two outcomes do not occur.
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

/** The result of a test: what would have been ingested, as text. */
function testedFate({ read }: ParsedRecord): Fate {
  if ("fault" in read) return { outcome: "rejected", reason: read.fault };
  const { name, firstName, lastName, email, phone, company } = read.lead;
  const said = [name ?? [firstName, lastName].filter(Boolean).join(" "), email, phone, company];
  return { outcome: "tested", reason: said.filter(Boolean).join(", ") };
}

interface Delivery {
  id: number;
  source: WebhookSource;
  test: boolean;
  events: DeliveryEvent[];
}

/** Maximum number of events ingested together. */
const eventsTogether = 500;

async function readDelivery(
  { sourceAuth }: IngestContext,
  { id, kind, payload }: StoredEvent<DeliveryPayload>,
): Promise<Delivery> {
  const source = kind as WebhookSource;
  const { organizationId } = await sourceAuth.keysOf(source);
  const body = readBody(source, payload, { organizationId });
  const events: DeliveryEvent[] =
    "events" in body ? body.events : [{ kind: "rejected", key: null, externalId: null, reason: body.fault }];
  return { id, source, test: payload.test, events };
}

/**
 * Groups deliveries of one source. A delivery about the sender's own records is not grouped, as its properties must be stored before the
 * next one is parsed; nor is a test.
 */
function groupDeliveries(deliveries: Delivery[]): Delivery[][] {
  const groups: Delivery[][] = [];
  const open = new Map<WebhookSource, { group: Delivery[]; count: number }>();
  for (const delivery of deliveries) {
    const { source, events, test } = delivery;
    const known = open.get(source);
    const isAlone = test || events.some(({ externalId }) => externalId !== null);
    if (!isAlone && known && known.count + events.length <= eventsTogether) {
      known.group.push(delivery);
      known.count += events.length;
      continue;
    }
    const group = [delivery];
    groups.push(group);
    if (isAlone) open.delete(source);
    else open.set(source, { group, count: events.length });
  }
  return groups;
}

async function ingestGroup(context: IngestContext, tx: Tx, group: Delivery[]): Promise<(string | null)[]> {
  const { source, test } = group[0] as Delivery;
  const { fresh, repeats } = await freshEvents(
    tx,
    source,
    group.flatMap(({ events }) => events),
  );
  const fates = new Map<DeliveryEvent, Fate>(repeats.map((event) => [event, { outcome: "repeat" }]));
  for (const event of fresh)
    if (event.kind === "ignored" || event.kind === "rejected")
      fates.set(event, { outcome: event.kind, reason: event.reason });
  const said = await parseStored(tx, { source, events: fresh, country: context.defaultCountry });
  if (test) for (const one of said) for (const event of one.events) fates.set(event, testedFate(one));
  else for (const [event, fate] of await ingestParsed(context, tx, { source, said })) fates.set(event, fate);

  const outcomes = group.map(({ id, events }) =>
    events.map((event) => {
      const { outcome, reason, leadId } = fates.get(event) as Fate;
      return {
        deliveryId: id,
        eventKey: event.key,
        outcome,
        reason: reason ? cut(reason, 500) : null,
        leadId: leadId ?? null,
      };
    }),
  );
  await insertItems(tx, { source, items: outcomes.flat() });
  return outcomes.map((items) =>
    items.every(({ outcome }) => outcome === "rejected") ? "nothing in it could be read" : null,
  );
}

/**
 * Processes stored deliveries, oldest first, and each event once. New leads go to the first consultant; known ones are updated. Returns for
 * each delivery why nothing of it could be ingested, or null.
 */
export async function ingestDeliveries(
  context: IngestContext,
  tx: Tx,
  events: StoredEvent<DeliveryPayload>[],
): Promise<(string | null)[]> {
  const deliveries: Delivery[] = [];
  for (const event of events) deliveries.push(await readDelivery(context, event));
  await lockLeadIngestion(tx);
  const notes = new Map<number, string | null>();
  for (const group of groupDeliveries(deliveries))
    for (const [index, note] of (await ingestGroup(context, tx, group)).entries())
      notes.set((group[index] as Delivery).id, note);
  const [{ id }] = deliveries as [Delivery];
  await publishEvent(tx, { topic: "webhook-delivery", id, audience: [] });
  return events.map((event) => notes.get(event.id) ?? null);
}
