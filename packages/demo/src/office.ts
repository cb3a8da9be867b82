import { addAudit, addEvent } from "./changes.ts";
import { firstSyncAt, give, makeLead, type numberSource } from "./leads.ts";
import { dayMs, minuteMs } from "./org-clock.ts";
import type { ImportRun, Lead, Person, World } from "./world.ts";

type Numbers = ReturnType<typeof numberSource>;

/** Imported files: when, by whom and with how many rows. */
const files = [
  { day: -51, rep: 0, name: "expo-hogar-miami.csv", rows: 58, skipped: 4 },
  { day: -24, rep: 1, name: "camara-de-comercio.csv", rows: 41, skipped: 2 },
  { day: -9, rep: 2, name: "referidos-noviembre.csv", rows: 33, skipped: 5 },
] as const;

const columns = ["Nombre", "Apellido", "Correo", "Teléfono", "Empresa", "Industria"];
const badRows: Omit<ImportRun["failures"][number], "row">[] = [
  {
    reasons: [{ code: "invalid_phone", value: "305-55" }],
    cells: ["Rogelio", "Paredes", "", "305-55", "Paredes Cocinas", "Construction"],
  },
  {
    reasons: [{ code: "no_contact", value: null }],
    cells: ["Silvia", "Montiel", "", "", "Florería Montiel", ""],
  },
  {
    reasons: [{ code: "invalid_email", value: "ventas(at)nopales" }],
    cells: ["Ulises", "Prado", "ventas(at)nopales", "", "Nopales Grill", "Restaurants"],
  },
];

/** Makes the lead somebody whom the CRM already holds, with another address: a possible duplicate. Nobody calls the two before a merge. */
function meetAgain({ leads }: World, lead: Lead, owner: Person): void {
  const known = leads.find(
    (other) => other.owner === owner && other.email && other.company && !other.doNotDisturb,
  );
  if (!known) return;
  const { firstName, lastName, phone, area, company, industry, language, email } = known;
  Object.assign(lead, { firstName, lastName, phone, area, company, industry, language });
  lead.email = `office.${email}`;
  lead.nextCallAt = Number.POSITIVE_INFINITY;
  known.nextCallAt = Number.POSITIVE_INFINITY;
}

/** Imports of consultants' leads from fairs and lists, with the skipped rows. */
export function importFiles(world: World, nextNumber: Numbers): void {
  const { clock, random, imports, leads } = world;
  for (const { day, rep, name, rows, skipped } of files) {
    const by = world.reps[rep];
    const at = clock.at(day, 9 * 60 + 5 + random.int(0, 40));
    const total = rows + skipped + badRows.length;
    const failures = badRows.map((bad, index) => ({ ...bad, row: 7 + index * 11 }));
    const run = {
      id: imports.length + 1,
      by,
      fileName: name,
      at,
      columns,
      total,
      imported: rows,
      skipped,
      failures,
    };
    imports.push(run);
    const data = { sourceSystem: "csv", fileName: name, rows: total };
    addAudit(world, { at, by, action: "import", subject: `import:${run.id}`, data });
    for (let index = 0; index < rows; index += 1) {
      const number = 1_000 * run.id + index;
      const lead = makeLead(world, { ...nextNumber(), createdAt: at + 1_000, fromCrm: false, number });
      if (index === rows - 1) meetAgain(world, lead, by);
      lead.id = leads.push(lead);
      lead.source = name === "expo-hogar-miami.csv" ? "trade show" : "referral";
      give(lead, by, lead.createdAt);
      const from = { from: "import", source: "csv", importId: run.id };
      addEvent(world, { at: lead.createdAt, lead, by, kind: "created", data: from });
    }
  }
}

/** Whether a lead of the CRM was assigned at an instant. */
const wasAssigned = (lead: Lead, at: number) =>
  lead.contactId !== null && lead.arrivedAt <= at && lead.assignedAt !== null && lead.assignedAt <= at;

/** A sync every working morning, with what the CRM's events missed. */
export function syncMornings(world: World, days: number): void {
  const { clock, random, runs } = world;
  const first = firstSyncAt(world, days);
  const late = world.leads.filter(
    (lead) =>
      lead.contactId !== null &&
      lead.createdAt >= first &&
      lead.notes === null &&
      lead.assignedAt === lead.arrivedAt &&
      random.chance(0.12),
  );
  let since = Number.NEGATIVE_INFINITY;
  for (let day = 1 - days; day <= 0; day += 1) {
    const isFirst = runs.length === 0;
    const at = isFirst ? first : clock.at(day, 8 * 60 + random.int(2, 28)) + random.int(0, 59) * 1_000;
    if (clock.weekday(day) > 5 || at > clock.now - minuteMs) continue;
    const by = isFirst ? world.admin : random.pick(world.reps);
    const kind = isFirst ? "all" : "assigned";
    const began = since;
    const arrived = (lead: Lead) => lead.createdAt < at && lead.createdAt >= began;
    const created = isFirst
      ? world.leads.filter((lead) => lead.contactId !== null && arrived(lead))
      : late.filter(arrived);
    if (!isFirst) for (const lead of created) arriveBy(world, lead, at + 2_000);
    const synced = world.leads.filter((lead) =>
      isFirst ? lead.contactId !== null && lead.arrivedAt <= at + 2_000 : wasAssigned(lead, at + 2_000),
    ).length;
    const run = {
      id: runs.length + 1,
      kind,
      by,
      at,
      finishedAt: at + 4_000,
      synced,
      created: created.length,
    } as const;
    runs.push({ ...run, changed: 0 });
    addAudit(world, { at, by, action: "crm-sync", subject: `crm-sync:${run.id}`, data: { kind } });
    since = at;
  }
}

/** The lead came with a sync, after its creation in the CRM. */
function arriveBy(world: World, lead: Lead, at: number): void {
  const created = world.history.find((event) => event.lead === lead && event.kind === "created");
  if (created) created.at = at;
  lead.arrivedAt = at;
  if (lead.assignedAt !== null && lead.assignedAt < at) lead.assignedAt = at;
  lead.nextCallAt = Math.max(lead.nextCallAt, at + 10 * minuteMs);
}

/** An address for documentation (RFC 5737). */
const officeAddress = "203.0.113.24";
const officeBrowser =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/** Everybody signs in on the mornings of their working days. */
export function signInMornings(world: World, days: number): void {
  const { clock, random } = world;
  for (let day = 1 - days; day <= 0; day += 1) {
    if (clock.weekday(day) > 5) continue;
    for (const by of [world.admin, ...world.reps]) {
      const at = clock.at(day, 8 * 60 + random.int(0, 50)) + random.int(0, 59) * 1_000;
      if (at < clock.now - minuteMs)
        addAudit(world, {
          at,
          by,
          action: "sign-in",
          data: { by: "password", address: officeAddress, userAgent: officeBrowser },
        });
    }
  }
}

/** What the CRM has and the portal does not have yet: contacts of the last hours, and a few that were changed there. */
export function leaveWaiting(world: World, nextNumber: Numbers): void {
  const { clock, random } = world;
  for (let index = 0; index < 12; index += 1) {
    const createdAt = clock.now - random.int(15, 600) * minuteMs;
    const lead = makeLead(world, { ...nextNumber(), createdAt, fromCrm: true, number: 9_000 + index });
    give(lead, random.pick(world.reps), createdAt);
    world.waiting.push(lead);
  }
  const known = world.leads.filter(
    (lead) => lead.contactId !== null && lead.status !== "converted" && lead.crmUpdatedAt < clock.now - dayMs,
  );
  for (let index = 0; index < 4; index += 1) {
    const lead = random.pick(known);
    world.changedThere.set(lead, { dealValue: (lead.dealValue ?? 0) + 1_500 });
  }
}
