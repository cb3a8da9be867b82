import { randomFrom } from "../audio.ts";
import { SEEDED_USERS } from "../defaults.ts";
import { idFor } from "../ids.ts";
import { AREAS, areaOf, fictionNumber, generatedNumber } from "../numbers.ts";
import { emptyContact } from "./contact-writes.ts";
import type { CallMessage, Contact, CustomField } from "./entities.ts";
import { FIRST_NAMES, INDUSTRIES, LAST_NAMES, RAW_NAMES, SOURCES, TAGS } from "./people.ts";
import { seedCalls } from "./seed-calls.ts";

const INDUSTRY_FIELD = idFor("custom field industry");
const DEAL_VALUE_FIELD = idFor("custom field deal value");
const LANGUAGE_FIELD = idFor("custom field language");
/** A former user: contacts still refer to them, the list of users does not. */
const FORMER_USER = "usrGone0000000000099";

const DAY_MS = 86_400_000;
const SPREAD_DAYS = 120;
const CONSULTANTS = SEEDED_USERS.filter((user) => user.role === "user").map((user) => user.id);
const TAKEN = new Set(SEEDED_USERS.map((user) => user.phone));

export interface Seed {
  contacts: Contact[];
  customFields: CustomField[];
  messages: CallMessage[];
}

/** `count` realistic leads whose history ends at `now`; the same for the same arguments. */
export function buildSeed(count: number, now: number): Seed {
  const contacts = Array.from({ length: count }, (_, index) => seedContact(index, count, now));
  shareSomeDetails(contacts);
  return { contacts, customFields: seedFields(), messages: seedCalls(contacts) };
}

function seedContact(index: number, count: number, now: number): Contact {
  const random = randomFrom(`lead ${index}`);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const raw = index % 11 === 5 ? RAW_NAMES[Math.floor(index / 11) % RAW_NAMES.length] : undefined;
  const first = raw?.[0] ?? (FIRST_NAMES[(index * 5) % FIRST_NAMES.length] as string);
  const last = raw?.[1] ?? (LAST_NAMES[(index * 7 + Math.floor(index / 42)) % LAST_NAMES.length] as string);
  const [industry, companies] = INDUSTRIES[index % INDUSTRIES.length] as (typeof INDUSTRIES)[number];
  const age = ((count - index - random()) / count) * SPREAD_DAYS * DAY_MS;
  const added = Math.round(now - age);
  const updated = Math.round(added + random() ** 3 * age);
  const phone = index % 25 === 11 ? null : seedNumber(index);
  const area = phone ? areaOf(phone) : undefined;
  return {
    ...emptyContact(idFor(`contact ${index}`), new Date(added).toISOString()),
    dateUpdated: new Date(updated).toISOString(),
    firstName: first,
    lastName: last,
    email: index % 20 === 8 ? null : `${slug(first)}.${slug(last)}.${index + 1}@example.com`,
    phone,
    companyName: random() < 0.85 ? pick(companies) : null,
    city: area?.city ?? null,
    state: area?.state ?? null,
    postalCode: area?.zip ?? null,
    country: "US",
    timezone: area?.timezone ?? null,
    source: pick(SOURCES),
    assignedTo: assigneeOf(index),
    tags: [...new Set([pick(TAGS), pick(TAGS)])].slice(0, random() < 0.3 ? 0 : 2),
    ...doNotDisturb(index),
    customFields: [
      { id: INDUSTRY_FIELD, value: industry },
      ...(random() < 0.8 ? [{ id: DEAL_VALUE_FIELD, value: Math.round(500 + random() ** 2 * 24_500) }] : []),
      { id: LANGUAGE_FIELD, value: random() < 0.55 ? "Spanish" : "English" },
    ],
  };
}

function seedNumber(index: number): string {
  let n = index;
  while (TAKEN.has(fictionNumber(n))) n += 1_000;
  return n < AREAS.length * 100 ? fictionNumber(n) : generatedNumber(100_000 + n);
}

/** Of every 21 leads two are unassigned and one belongs to a former user; the consultants share the rest. */
function assigneeOf(index: number): string | null {
  const place = index % 21;
  if (place === 6 || place === 13) return null;
  if (place === 20) return FORMER_USER;
  return CONSULTANTS[index % CONSULTANTS.length] ?? null;
}

function doNotDisturb(index: number): Pick<Contact, "dnd" | "dndSettings"> {
  const active = { status: "active" as const, message: "Requested by the contact", code: "dnd" };
  if (index % 40 === 16) return { dnd: true, dndSettings: { Call: active, SMS: active, Email: active } };
  if (index % 40 === 23) return { dnd: false, dndSettings: { SMS: { ...active, status: "permanent" } } };
  if (index % 40 === 37) return { dnd: false, dndSettings: { Call: active } };
  return { dnd: false, dndSettings: {} };
}

/** Households share a number; one pair of contacts shares an email address. */
function shareSomeDetails(contacts: Contact[]): void {
  for (let index = 30; index + 1 < contacts.length; index += 24) {
    const [one, other] = [contacts[index], contacts[index + 1]];
    if (one && other) Object.assign(other, { phone: one.phone, lastName: one.lastName });
  }
  const [first, second] = [contacts[3], contacts[45]];
  if (first && second) second.email = first.email;
}

function seedFields(): CustomField[] {
  const shared = { placeholder: "", model: "contact" as const };
  const industries = INDUSTRIES.map(([industry]) => industry);
  return [
    {
      ...shared,
      id: INDUSTRY_FIELD,
      name: "Industry",
      fieldKey: "contact.industry",
      dataType: "SINGLE_OPTIONS",
      position: 50,
      picklistOptions: industries,
    },
    {
      ...shared,
      id: DEAL_VALUE_FIELD,
      name: "Deal Value",
      fieldKey: "contact.deal_value",
      dataType: "MONETORY",
      position: 100,
    },
    {
      ...shared,
      id: LANGUAGE_FIELD,
      name: "Preferred Language",
      fieldKey: "contact.preferred_language",
      dataType: "TEXT",
      position: 150,
    },
  ];
}

function slug(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
}

/** Contacts `from` to `from + count` of the large data set: simple ones, each with its own number and address. */
export function generateContacts(from: number, count: number, now: number): Contact[] {
  return Array.from({ length: count }, (_, offset) => {
    const n = from + offset;
    const first = FIRST_NAMES[n % FIRST_NAMES.length] as string;
    const last = LAST_NAMES[Math.floor(n / FIRST_NAMES.length) % LAST_NAMES.length] as string;
    const [industry, companies] = INDUSTRIES[n % INDUSTRIES.length] as (typeof INDUSTRIES)[number];
    const added = new Date(now - ((n * 7_919) % (SPREAD_DAYS * 86_400)) * 1_000).toISOString();
    return {
      ...emptyContact(idFor(`generated ${n}`), added),
      firstName: first,
      lastName: last,
      email: `${slug(first)}.${slug(last)}.g${n}@example.com`,
      phone: generatedNumber(n),
      companyName: companies[n % companies.length] ?? null,
      source: SOURCES[n % SOURCES.length] ?? null,
      assignedTo: CONSULTANTS[n % CONSULTANTS.length] ?? null,
      customFields: [
        { id: INDUSTRY_FIELD, value: industry },
        { id: DEAL_VALUE_FIELD, value: 500 + (n % 200) * 100 },
      ],
    };
  });
}
