import { give, makeLead, type numberSource } from "./leads.ts";
import { dayMs, minuteMs } from "./org-clock.ts";
import type { Delivery, Lead, World } from "./world.ts";

type Source = Delivery["source"];

/** How many days ago the sources were connected: older deliveries have been deleted by now. */
const connectedDays = 28;
/** Number of leads of each source, and the lead source of their leads. */
const sources: Record<Source, { leads: number; name: string }> = {
  lead: { leads: 11, name: "Webhook" },
  hubspot: { leads: 7, name: "HubSpot" },
  salesforce: { leads: 5, name: "Salesforce" },
  pipedrive: { leads: 4, name: "Pipedrive" },
};
const workMs = 900;
/** The attempts for an event, and how long they take. */
const tries = { count: 20, ms: 76 * minuteMs };

/** A system's data about a person; the ids are those of its own record and of the event. */
function bodyOf(source: Source, lead: Lead, { record, event }: { record: string; event: string }): unknown {
  const { firstName, lastName, email, phone, company, industry } = lead;
  switch (source) {
    case "lead":
      return { name: `${firstName} ${lastName}`, email, phone, company, industry };
    case "salesforce":
      return {
        Id: record,
        FirstName: firstName,
        LastName: lastName,
        Email: email,
        Phone: phone,
        Company: company,
        Industry: industry,
      };
    case "hubspot": {
      const properties = { firstname: firstName, lastname: lastName, email, phone, company, industry };
      return {
        vid: Number(record),
        "is-contact": true,
        properties: Object.fromEntries(
          Object.entries(properties).flatMap(([name, value]) => (value ? [[name, { value }]] : [])),
        ),
      };
    }
    case "pipedrive":
      return {
        meta: {
          action: "create",
          entity: "person",
          version: "2.0",
          id: event,
          entity_id: record,
          attempt: 1,
          timestamp: new Date(lead.createdAt - 2_000).toISOString(),
        },
        data: {
          id: Number(record),
          name: `${firstName} ${lastName}`,
          first_name: firstName,
          last_name: lastName,
          emails: email ? [{ value: email, primary: true, label: "work" }] : [],
          phones: [{ value: phone, primary: true, label: "mobile" }],
          org_name: company,
        },
        previous: null,
      };
  }
}

/** The id of a record at its sender. */
function recordOf({ random }: World, source: Source): string | null {
  if (source === "lead") return null;
  const number = String(random.int(10_000, 99_999));
  return source === "salesforce" ? `00Q5e00001${number}` : number;
}

function deliver(
  world: World,
  delivery: Omit<Delivery, "id" | "key" | "processedAt" | "attempts" | "error">,
): Delivery {
  const { at, source } = delivery;
  const key = `${source}:${world.random.crmId()}`;
  const kept = { ...delivery, id: 0, key, processedAt: at + workMs, attempts: 1, error: null };
  world.deliveries.push(kept);
  return kept;
}

/** An instant at which somebody submits a form, since the sources were connected; its consequences have ended by now. */
function someInstant({ random, clock }: World): number {
  const at = clock.at(-random.int(0, connectedDays), random.int(7 * 60, 21 * 60)) + random.int(0, 59) * 1_000;
  return at > clock.now - 4 * 60 * minuteMs ? at - dayMs : at;
}

/** Leads sent by other systems; they are assigned to the first consultant. */
export function deliverLeads(world: World, nextNumber: ReturnType<typeof numberSource>): void {
  const { random, leads, reps, history } = world;
  for (const [source, { leads: count, name }] of Object.entries(sources) as [
    Source,
    { leads: number; name: string },
  ][]) {
    for (let index = 0; index < count; index += 1) {
      const createdAt = someInstant(world);
      const number = 7_000 + leads.length;
      const lead = makeLead(world, { ...nextNumber(), createdAt, fromCrm: false, number });
      lead.id = leads.push(lead);
      Object.assign(lead, { source: name, dealValue: null, priority: "medium", tags: [] });
      if (source === "pipedrive") lead.industry = null;
      give(lead, reps[0], createdAt);
      const data = { from: "webhook", source: name };
      history.push({ at: createdAt, lead, userId: null, kind: "created", data });
      const externalId = recordOf(world, source);
      const body = bodyOf(source, lead, { record: externalId ?? "", event: random.crmId() });
      const item = { outcome: "created", reason: null, lead } as const;
      deliver(world, { source, at: createdAt, body, items: [item], externalId });
      // Some systems send a person again whenever their record is opened.
      if (random.chance(0.3)) {
        const again = createdAt + random.int(20, 200) * minuteMs;
        const outcome = source === "pipedrive" ? "repeat" : "unchanged";
        deliver(world, { source, at: again, body, items: [{ outcome, reason: null, lead }], externalId });
      }
    }
  }
  deliverOddities(world);
}

/** Deliveries that are not leads, and failed ones. */
function deliverOddities(world: World): void {
  const { random } = world;
  const nobody = { name: "Newsletter sign-up", message: "Please send me the price list" };
  const reason = "Has neither an email nor a phone number.";
  for (const body of [nobody, { ...nobody, name: "Anonymous visitor" }])
    deliver(world, {
      source: "lead",
      at: someInstant(world),
      body,
      items: [{ outcome: "rejected", reason, lead: null }],
      externalId: null,
    });
  const deal = {
    meta: {
      action: "create",
      entity: "deal",
      version: "2.0",
      id: random.crmId(),
      entity_id: "415",
      attempt: 1,
    },
    data: { id: 415, title: "Annual contract", value: 4_800, currency: "USD" },
    previous: null,
  };
  deliver(world, {
    source: "pipedrive",
    at: someInstant(world),
    body: deal,
    items: [{ outcome: "ignored", reason: "Not about a person: deal.", lead: null }],
    externalId: null,
  });
  // The database was unreachable for longer than an event is retried; the event waits to be replayed.
  const known = world.leads.find(({ source }) => source === "Webhook") as Lead;
  const body = { name: `${known.firstName} ${known.lastName}`, phone: known.phone, company: known.company };
  const failed = deliver(world, {
    source: "lead",
    at: someInstant(world),
    body,
    items: [],
    externalId: null,
  });
  Object.assign(failed, {
    attempts: tries.count,
    error: "canceling statement due to statement timeout",
    processedAt: failed.at + tries.ms,
  });
}
