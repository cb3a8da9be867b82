import { addAudit, addEvent, pushToCrm } from "./changes.ts";
import { dayMs, minuteMs } from "./org-clock.ts";
import {
  areas,
  englishFirstNames,
  englishLastNames,
  type Industry,
  industries,
  officeLine,
  sources,
  spanishFirstNames,
  spanishLastNames,
  systemNumber,
  tags,
} from "./people.ts";
import { leadNotes } from "./phrases.ts";
import type { Lead, Person, World } from "./world.ts";

/** Weights of the last digits, on which the behaviour of the simulated phones depends; most people can be reached. */
const lastDigits = { 0: 14, 1: 14, 2: 14, 3: 13, 4: 13, 5: 7, 6: 9, 7: 8, 8: 3, 9: 4 };

/** Numbers from 555-0100 to 555-0199, reserved for fiction, each once. */
export function numberSource(world: World): () => { phone: string; area: (typeof areas)[number] } {
  const people = [...world.reps, world.admin].map(({ phone }) => phone);
  const taken = new Set<string | null>([systemNumber, officeLine, ...people]);
  return () => {
    for (;;) {
      const area = world.random.pick(areas);
      const digit = world.random.weighted(lastDigits as unknown as Record<string, number>);
      const phone = `+1${area.code}55501${world.random.int(0, 9)}${digit}`;
      if (taken.has(phone)) continue;
      taken.add(phone);
      return { phone, area };
    }
  };
}

function slug(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
}

/** A lead in its initial state. */
export function makeLead(
  world: World,
  given: Pick<Lead, "phone" | "area" | "createdAt"> & { fromCrm: boolean; number: number },
): Lead {
  const { random } = world;
  const { fromCrm, number, createdAt, ...place } = given;
  const spanish = random.chance(0.62);
  const firstName = random.pick(spanish ? spanishFirstNames : englishFirstNames);
  const lastName = random.pick(spanish || random.chance(0.3) ? spanishLastNames : englishLastNames);
  const industry = random.pick(Object.keys(industries) as Industry[]);
  return {
    ...place,
    id: 0,
    contactId: fromCrm ? random.crmId() : null,
    firstName,
    lastName,
    email: random.chance(0.93) ? `${slug(firstName)}.${slug(lastName)}.${number}@example.com` : null,
    company: random.chance(0.85) ? random.pick(industries[industry]) : null,
    industry,
    source: random.weighted(sources),
    dealValue: random.chance(0.8) ? Math.round(6 + random.next() ** 2 * 110) * 100 : null,
    language: spanish ? "es" : "en",
    tags: random.chance(0.6) ? [random.pick(tags)] : [],
    createdAt,
    arrivedAt: createdAt,
    owner: null,
    assignedAt: null,
    status: "new",
    pushedStatus: false,
    priority: random.weighted({ low: 2, medium: 6, high: 2 }),
    notes: null,
    noteId: null,
    followUpAt: null,
    lastContactedAt: null,
    lastActivityAt: null,
    convertedAt: null,
    conversionValue: null,
    numberFault: null,
    doNotDisturb: fromCrm && random.chance(0.025),
    stoppedAt: null,
    wrote: false,
    unreachableByText: false,
    aiCall: null,
    crmUpdatedAt: createdAt,
    updatedAt: createdAt,
    nextCallAt: createdAt + random.int(10, 900) * minuteMs,
    missesInRow: 0,
    conversations: 0,
    calledOn: Number.NEGATIVE_INFINITY,
  };
}

/** Assigns the lead to a consultant from then on. */
export function give(lead: Lead, owner: Person, at: number): void {
  lead.owner = owner;
  lead.assignedAt = at;
}

/** An administrator assigns a lead that came without a consultant. */
function assignByAdmin(world: World, lead: Lead, owner: Person, at: number): void {
  const data = {
    field: "assignedTo",
    before: null,
    after: owner.id,
    notes: null,
    takeAlong: true,
    meetings: 0,
  };
  give(lead, owner, at);
  lead.updatedAt = at;
  addEvent(world, { at, lead, by: world.admin, kind: "assigned", data });
  addAudit(world, { at, by: world.admin, action: "lead-assigned", subject: `lead:${lead.id}`, data });
  pushToCrm(world, { at, lead, by: world.admin, field: "assignedTo", value: owner.id });
}

/** Number of the CRM's contacts at the end, and of those before the first day. */
const contacts = 600;
const early = 290;

/** When the first full sync with the CRM started. */
export function firstSyncAt({ clock }: World, days: number): number {
  return clock.at(clock.workdayFrom(1 - days), 8 * 60);
}

/** The CRM's leads in the order of their creation, most of them with a consultant from the start. */
export function makeCrmLeads(world: World, days: number, nextNumber: ReturnType<typeof numberSource>): void {
  const { random, clock } = world;
  const born = Array.from({ length: contacts }, (_, index) => {
    if (index < early) return clock.at(-days, 0) - Math.round(random.next() * 60 * dayMs);
    const at = clock.at(-Math.floor(random.next() * days), random.int(6 * 60, 20 * 60));
    // What follows an arrival within four hours has ended by now.
    return (at > clock.now - 4 * 60 * minuteMs ? at - dayMs : at) + random.int(0, 59) * 1_000;
  });
  for (const [index, createdAt] of born.sort((a, b) => a - b).entries()) {
    const lead = makeLead(world, { ...nextNumber(), createdAt, fromCrm: true, number: index + 1 });
    lead.id = world.leads.push(lead);
    const first = firstSyncAt(world, days);
    lead.arrivedAt = createdAt < first ? first + 2_000 : createdAt + random.int(2, 9) * 1_000;
    lead.updatedAt = lead.arrivedAt;
    lead.nextCallAt = lead.arrivedAt + random.int(3, createdAt < first ? 3_000 : 300) * minuteMs;
    const data = { from: "gohighlevel", ghlContactId: lead.contactId };
    addEvent(world, { at: lead.arrivedAt, lead, by: null, kind: "created", data });
    if (random.chance(0.88)) give(lead, random.pick(world.reps), lead.arrivedAt);
    else if (random.chance(0.7)) {
      const at = morningAfter(world, lead.arrivedAt);
      if (at < clock.now) assignByAdmin(world, lead, random.pick(world.reps), at);
    }
    if (random.chance(0.25)) {
      const at = createdAt + random.int(2, 12) * minuteMs;
      lead.aiCall = { id: random.crmId(), at, durationSeconds: random.int(18, 74) };
    }
    if (lead.owner && random.chance(0.12)) {
      const at = lead.arrivedAt + random.int(20, 200) * minuteMs;
      lead.notes = random.pick(leadNotes[lead.language]);
      lead.noteId = random.crmId();
      const changed = { field: "notes", before: null, after: lead.notes };
      addEvent(world, { at, lead, by: lead.owner, kind: "changed", data: changed });
      pushToCrm(world, { at, lead, by: lead.owner, field: "notes", value: lead.notes });
      lead.updatedAt = Math.max(lead.updatedAt, at);
    }
  }
}

/** When new leads are looked at: the morning of the next working day. */
function morningAfter(world: World, instant: number): number {
  const { clock, random } = world;
  const day = clock.workdayFrom(clock.dayOf(instant) + 1);
  return clock.at(day, 8 * 60 + random.int(35, 75)) + random.int(0, 59) * 1_000;
}
