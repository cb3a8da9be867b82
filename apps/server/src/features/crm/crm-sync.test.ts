import { asc, eq, isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { crmRejects } from "../../platform/db/schema/crm.ts";
import { leadEvents, leads } from "../../platform/db/schema/leads.ts";
import { users } from "../../platform/db/schema/users.ts";
import { type CrmHarness, openCrmHarness } from "../../testing/crm-harness.ts";
import { buildLead, buildUser } from "../../testing/factories.ts";
import type { TestSandbox } from "../../testing/sandbox.ts";
import type { Client, TestApp } from "../../testing/test-app.ts";
import { findContactFacts } from "../contact-policy/repository.ts";
import { findOwners } from "./contact-repository.ts";
import { preparePage, readChanges } from "./ingest-contacts.ts";

interface GhlContact {
  id: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  assignedTo: string | null;
  dnd: boolean;
  dndSettings: Record<string, { status: string } | undefined>;
  dateUpdated: string;
}

// One app and one CRM for the whole file; every test starts with empty tables and 126 contacts.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let desk: CrmHarness;
let sandbox: TestSandbox;
let app: TestApp;
let admin: Client;
let ana: Client;

beforeAll(async () => {
  desk = await openCrmHarness();
  ({ sandbox, app, admin, ana } = desk);
});
beforeEach(() => desk.renew());

afterAll(() => desk?.close());

const db = () => app.deps.database.db;
const allLeads = () => db().select().from(leads).orderBy(asc(leads.id));
const contactsThere = async (): Promise<GhlContact[]> =>
  (await sandbox.control("GET", "/ghl/contacts")).contacts;
/** Row versions: a rewritten row has another xmin. */
async function versions(): Promise<string[]> {
  const { rows } = await app.deps.database.pool.query(
    "select id || ' ' || xmin || ' ' || updated_at as version from leads order by id",
  );
  return rows.map(({ version }) => version);
}

async function idOfUser(email: string): Promise<number> {
  const found = await db().select().from(users);
  return found.find((user) => user.email.toLowerCase() === email)?.id ?? 0;
}

describe("the sync of contacts", () => {
  it("imports the consultants' contacts, each to its consultant", async () => {
    const answer = await ana.post("/api/ghl/sync-leads");
    const there = await contactsThere();
    const crmUsers = ["usrAna00000000000002", "usrLuis0000000000003", "usrSofia000000000004"];
    const assigned = there.filter(({ assignedTo }) => crmUsers.includes(assignedTo ?? ""));

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ synced: assigned.length, errors: [], running: false });
    expect(answer.body.message).toBe(`Synced ${assigned.length} leads of all consultants from Go High Level`);
    const rows = await allLeads();
    expect(rows).toHaveLength(assigned.length);
    for (const [index, email] of ["ana", "luis", "sofia"].entries()) {
      const mine = await idOfUser(`${email}@portal.test`);
      const wanted = assigned.filter(({ assignedTo }) => assignedTo === crmUsers[index]).length;
      expect(rows.filter(({ assignedTo }) => assignedTo === mine)).toHaveLength(wanted);
    }
  });

  it("imports every contact for an administrator, those of unknown users unassigned", async () => {
    const answer = await admin.post("/api/ghl/sync");
    const rows = await allLeads();
    const there = await contactsThere();

    expect(answer.body).toMatchObject({ synced: there.length, errors: [], running: false });
    expect(rows).toHaveLength(there.length);
    const gone = there.find(({ assignedTo }) => assignedTo === "usrGone0000000000099");
    expect(rows.find(({ ghlContactId }) => ghlContactId === gone?.id)).toMatchObject({ assignedTo: null });
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["new"]));
    expect(rows.every(({ crmSync }) => crmSync === "synced")).toBe(true);
    const created = await db().select().from(leadEvents).where(eq(leadEvents.kind, "created"));
    expect(created).toHaveLength(there.length);
  });

  it("stores proper names, dialable numbers and custom fields in their columns", async () => {
    await admin.post("/api/ghl/sync");
    const rows = await allLeads();
    expect(rows.find(({ lastName }) => lastName === "García López")).toMatchObject({
      name: "María García López",
      firstName: "María",
    });
    expect(rows.find(({ lastName }) => lastName === "de la O")).toMatchObject({ name: "José de la O" });
    expect(rows.find(({ lastName }) => lastName === "McAllister")).toMatchObject({ firstName: "Duncan" });
    expect(rows.every(({ industry }) => industry !== null)).toBe(true);
    expect(rows.some(({ dealValue }) => dealValue !== null && dealValue >= 500)).toBe(true);
    for (const { phone, phoneE164 } of rows) expect(phoneE164).toBe(phone);
    expect(
      rows.every(({ search, name }) => search.includes(name.normalize("NFD").charAt(0).toLowerCase())),
    ).toBe(true);
  });

  it("corrects lower-case names from the CRM, and keeps a better known spelling", async () => {
    await sandbox.control("POST", "/ghl/manners", { lowerCaseNames: true });
    await admin.post("/api/ghl/sync");
    const names = async () => (await allLeads()).map(({ name }) => name);
    for (const name of ["María García López", "José de la O", "Duncan McAllister", "Sean O'Brien"])
      expect(await names()).toContain(name);
    expect((await names()).filter((name) => name.includes("@"))).toEqual([]);
    await sandbox.control("POST", "/ghl/manners", { lowerCaseNames: false });
    await admin.post("/api/ghl/sync");
    const known = await names();
    expect(known).toContain("Luz DeJesus");
    await sandbox.control("POST", "/ghl/manners", { lowerCaseNames: true });
    await admin.post("/api/ghl/sync");
    expect(await names()).toEqual(known);
  });

  it("never clears a name that the CRM omits", async () => {
    await admin.post("/api/ghl/sync");
    const [first] = await allLeads();
    const nameless = { firstName: null, lastName: null };
    await sandbox.control("PATCH", `/ghl/contacts/${first?.ghlContactId}`, nameless);
    const made = await sandbox.control("POST", "/ghl/contacts", { email: "first@example.com" });
    await admin.post("/api/ghl/sync");
    const [after] = await allLeads();
    expect(after).toMatchObject({
      name: first?.name,
      firstName: first?.firstName,
      lastName: first?.lastName,
    });
    // A placeholder for the name is not a name, and follows the value it was made from.
    await sandbox.control("PATCH", `/ghl/contacts/${made.id}`, { email: "second@example.com" });
    await admin.post("/api/ghl/sync");
    const lead = (await allLeads()).find(({ ghlContactId }) => ghlContactId === made.id);
    expect(lead?.name).toBe("second@example.com");
  });

  it("keeps the state and the zone of a contact beside those of its number", async () => {
    const ids: string[] = [];
    for (const place of [
      { state: "FL", timezone: "America/Los_Angeles" },
      { state: "NY", timezone: "America/New_York" },
      { state: "Oklahoma", timezone: "Somewhere" },
    ]) {
      const details = { firstName: "Ana", phone: `+1212555014${ids.length}`, ...place };
      ids.push((await sandbox.control("POST", "/ghl/contacts", details)).id);
    }
    await admin.post("/api/ghl/sync");
    const facts = async () => {
      const known = await allLeads();
      const found = ids.map((id) => {
        const lead = known.find(({ ghlContactId }) => ghlContactId === id);
        return findContactFacts(db(), { leadId: lead?.id ?? 0, userId: admin.user.id, channel: "call" });
      });
      return (await Promise.all(found)).map((one) => [one?.addressState, one?.timeZone]);
    };
    const both = "America/New_York&America/Los_Angeles";
    const rest = [
      ["NY", "America/New_York"],
      ["Oklahoma", "America/New_York"],
    ];
    expect(await facts()).toEqual([["FL", both], ...rest]);

    // Kept besides imported values, and removed if it is removed in the CRM.
    const imported = { imported: { "State/Region": "OK" } };
    await app.deps.database.pool.query("update leads set extra = extra || $1 where ghl_contact_id = $2", [
      imported,
      ids[0],
    ]);
    expect(await facts()).toEqual([["OK&FL", both], ...rest]);
    await sandbox.control("PATCH", `/ghl/contacts/${ids[0]}`, { state: null, timezone: null });
    await admin.post("/api/ghl/sync");
    expect(await facts()).toEqual([["OK", "America/New_York"], ...rest]);
  });

  it("keeps a name corrected by a consultant when the CRM repeats it in another case", async () => {
    await admin.post("/api/ghl/sync");
    const lead = (await allLeads()).find(({ firstName }) => firstName === "Duncan");
    await admin.patch(`/api/leads/${lead?.id}/name`, { name: "J.P. DelaRosa Nunez" });
    for (const [firstName, lastName] of [
      ["j.p.", "delarosa nunez"],
      ["J.P.", "DELAROSA NUNEZ"],
    ]) {
      await sandbox.control("PATCH", `/ghl/contacts/${lead?.ghlContactId}`, { firstName, lastName });
      await admin.post("/api/ghl/sync");
      const found = (await allLeads()).find(({ id }) => id === lead?.id);
      expect(found).toMatchObject({ name: "J.P. DelaRosa Nunez", firstName: "J.P." });
    }
  });

  it("imports opt-outs of calls and SMS", async () => {
    await admin.post("/api/ghl/sync");
    const rows = new Map((await allLeads()).map((lead) => [lead.ghlContactId, lead]));
    const there = await contactsThere();
    const isOff = ({ dnd, dndSettings }: GhlContact, channel: string) =>
      dnd || ["active", "permanent"].includes(dndSettings[channel]?.status ?? "");

    expect(there.some((contact) => isOff(contact, "Call"))).toBe(true);
    for (const contact of there) {
      expect(rows.get(contact.id)).toMatchObject({
        callOptOut: isOff(contact, "Call") ? "dnd" : null,
        textOptOut: isOff(contact, "SMS") ? "dnd" : null,
      });
    }
  });

  it("lifts only the opt-outs that it set itself", async () => {
    await admin.post("/api/ghl/sync");
    const blocked = (await contactsThere()).filter(({ dnd }) => dnd);
    const [first, second] = blocked;
    await db()
      .update(leads)
      .set({ textOptOut: "stop" })
      .where(eq(leads.ghlContactId, second?.id ?? ""));
    for (const contact of [first, second])
      await sandbox.control("PATCH", `/ghl/contacts/${contact?.id}`, { dnd: false, dndSettings: {} });

    await admin.post("/api/ghl/sync");
    const rows = new Map((await allLeads()).map((lead) => [lead.ghlContactId, lead]));
    expect(rows.get(first?.id ?? "")).toMatchObject({ callOptOut: null, textOptOut: null });
    expect(rows.get(second?.id ?? "")).toMatchObject({ callOptOut: null, textOptOut: "stop" });
  });

  it("writes nothing when nothing changed", async () => {
    await admin.post("/api/ghl/sync");
    const before = await versions();
    const events = await db().$count(leadEvents);
    const answer = await admin.post("/api/ghl/sync");

    expect(answer.body.synced).toBe(before.length);
    expect(await versions()).toEqual(before);
    expect(await db().$count(leadEvents)).toBe(events);
  });

  it("skips unchanged contacts, and processes one with any relevant change", async () => {
    await admin.post("/api/ghl/sync");
    const { pool, transaction } = app.deps.database;
    const page = await app.deps.crm?.contactPage({ cursor: null });
    const owners = await findOwners(db());
    /** The contacts that would be read after this change, which is rolled back. */
    const contactsRead = async (
      change: string,
      values: unknown[] = [],
      owned = owners,
    ): Promise<string[]> => {
      let ids: string[] = [];
      const rules = { defaultCountry: "US", owners: owned, from: "search" } as const;
      const work = transaction(async (tx) => {
        await tx.$client.query(change, values);
        const input = await readChanges(tx, preparePage(page?.found ?? [], rules));
        ids = input.contacts.map(({ id }) => id);
        throw new Error("taken back");
      });
      await expect(work).rejects.toThrow("taken back");
      return ids.toSorted();
    };
    const [lead] = (await allLeads()).filter(({ assignedTo }) => assignedTo === ana.user.id);
    const one = [lead?.ghlContactId];

    expect(page?.found).toHaveLength(126);
    expect(await contactsRead("select 1")).toEqual([]);
    for (const change of [
      "update leads set status = 'contacted' where id = $1",
      "update leads set extra = extra || '{\"imported\": {}}' where id = $1",
      "update leads set crm_deleted_at = now() where id = $1",
      "insert into crm_outbox (lead_id, field, value) values ($1, 'status', '\"new\"')",
    ])
      expect(await contactsRead(change, [lead?.id]), change).toEqual(one);
    const hers = (await contactsThere()).filter(({ assignedTo }) => assignedTo === "usrAna00000000000002");
    const without = new Map([...owners].filter(([, id]) => id !== ana.user.id));
    expect(await contactsRead("select 1", [], without)).toEqual(hers.map(({ id }) => id).toSorted());

    // Contacts without a new value are recognized from then on.
    await pool.query("update leads set notes = 'x', crm_hash = null");
    expect(await contactsRead("select 1")).toHaveLength(126);
    await admin.post("/api/ghl/sync");
    expect(await contactsRead("select 1")).toEqual([]);
  });

  it("lets the CRM win for an unchanged contact once no local change blocks it", async () => {
    await admin.post("/api/ghl/sync");
    const [changed, held, back, kept] = await allLeads();
    const { pool } = app.deps.database;
    const [there] = (await contactsThere()).filter(({ assignedTo }) => assignedTo?.startsWith("usrGone"));
    await pool.query("update leads set company = 'Ours', name = 'Ours' where id = any($1)", [
      [changed?.id, held?.id],
    ]);
    await pool.query(
      "insert into crm_outbox (lead_id, field, value, state) values ($1, 'name', '\"Ours\"', 'failed')",
      [held?.id],
    );
    await pool.query("update leads set crm_deleted_at = '2000-01-01' where id = $1", [back?.id]);
    await pool.query("insert into crm_rejects (external_id, reason) values ($1, 'garbage')", [
      kept?.ghlContactId,
    ]);
    const joined = await buildUser(app.deps.database, { email: "joined.later@portal.test" });
    const crmUser = (id: string | null) =>
      pool.query("update users set crm_user_id = $2 where id = $1", [joined.id, id]);
    await crmUser(there?.assignedTo ?? null);
    try {
      for (const name of ["Ours", held?.name]) {
        expect((await admin.post("/api/ghl/sync")).body.synced).toBe(126);
        const rows = new Map((await allLeads()).map((row) => [row.id, row]));
        const { company } = changed ?? {};
        expect(rows.get(changed?.id ?? 0)).toMatchObject({ name: changed?.name, company });
        expect(rows.get(held?.id ?? 0)).toMatchObject({ name, company: held?.company });
        expect(rows.get(back?.id ?? 0)).toMatchObject({ crmDeletedAt: null });
        const theirs = [...rows.values()].find(({ ghlContactId }) => ghlContactId === there?.id);
        expect(theirs?.assignedTo).toBe(joined.id);
        expect(await db().$count(crmRejects)).toBe(0);
        // The push is discarded; the lead and the contact stay as before.
        await pool.query("update crm_outbox set state = 'superseded'");
      }
    } finally {
      await crmUser(null);
    }
  });

  it("maps nobody to a CRM user by an email address they set themselves", async () => {
    const { pool } = app.deps.database;
    const { rows } = await pool.query<{ id: number; crm_user_id: string; email: string }>(
      "select id, crm_user_id, email from users where crm_user_id is not null order by id limit 1",
    );
    const [colleague] = rows;
    const claimant = await buildUser(app.deps.database, { email: "claimant@portal.test" });
    const give = (id: number | undefined, email: string | undefined) =>
      pool.query("update users set email = $2 where id = $1", [id, email]);
    const tie = (to: string | null | undefined) =>
      pool.query("update users set crm_user_id = $2 where id = $1", [colleague?.id, to]);
    await tie(null);
    await give(colleague?.id, "away@portal.test");
    await give(claimant.id, colleague?.email);
    try {
      await admin.post("/api/ghl/sync");
      const tied = await pool.query("select id from users where crm_user_id = $1", [colleague?.crm_user_id]);
      expect(tied.rows).toEqual([]);
    } finally {
      await give(claimant.id, "claimant@portal.test");
      await give(colleague?.id, colleague?.email);
      await tie(colleague?.crm_user_id);
    }
  });

  it("applies changes of the CRM, and keeps the portal's own fields", async () => {
    await admin.post("/api/ghl/sync");
    const [lead] = await db().select().from(leads).where(isNotNull(leads.email)).limit(1);
    await db()
      .update(leads)
      .set({ status: "contacted", priority: "high", notes: "Call on Monday" })
      .where(eq(leads.id, lead?.id ?? 0));
    await sandbox.control("PATCH", `/ghl/contacts/${lead?.ghlContactId}`, {
      firstName: "Inés",
      lastName: "Solano",
      companyName: "Solano Hermanos",
    });

    await admin.post("/api/ghl/sync");
    const [after] = await db()
      .select()
      .from(leads)
      .where(eq(leads.id, lead?.id ?? 0));
    expect(after).toMatchObject({
      name: "Inés Solano",
      company: "Solano Hermanos",
      status: "contacted",
      priority: "high",
      notes: "Call on Monday",
    });
    expect(after?.search).toContain("ines solano");
    const [event] = await db().select().from(leadEvents).where(eq(leadEvents.kind, "crm-synced"));
    expect(event?.data).toMatchObject({ changes: { name: { before: lead?.name, after: "Inés Solano" } } });
  });

  it("matches a lead by its email address in any case, and keeps fields that only the portal has", async () => {
    const [contact] = (await contactsThere()).filter(({ email }) => email);
    const ours = await buildLead(app.deps.database, {
      email: contact?.email?.toUpperCase() ?? "",
      status: "qualified",
      notes: "met at the fair",
    });
    await admin.post("/api/ghl/sync");
    const [after] = await db().select().from(leads).where(eq(leads.id, ours.id));
    expect(after).toMatchObject({ ghlContactId: contact?.id, status: "qualified", notes: "met at the fair" });
    expect(await db().$count(leads)).toBe((await contactsThere()).length);
  });

  it("keeps a lead with its consultant when the CRM has an unknown user", async () => {
    const [stranger] = (await contactsThere()).filter(
      ({ email, assignedTo }) => email && assignedTo?.startsWith("usrGone"),
    );
    const ours = await buildLead(app.deps.database, {
      email: stranger?.email ?? "",
      assignedTo: ana.user.id,
    });
    await admin.post("/api/ghl/sync");
    const [after] = await db().select().from(leads).where(eq(leads.id, ours.id));
    expect(after).toMatchObject({ ghlContactId: stranger?.id, assignedTo: ana.user.id });
  });

  it("keeps two contacts with one email address as two leads, and households apart", async () => {
    await admin.post("/api/ghl/sync");
    const rows = await allLeads();
    const emails = rows.map(({ email }) => email).filter((email) => email !== null);
    const phones = rows.map(({ phoneE164 }) => phoneE164).filter((phone) => phone !== null);
    expect(new Set(emails).size).toBe(emails.length - 1);
    expect(new Set(phones).size).toBeLessThan(phones.length);
    expect(rows).toHaveLength((await contactsThere()).length);
  });

  it("continues after a malformed contact, and stores it with the reason", async () => {
    await sandbox.control("POST", "/ghl/garbage");
    await sandbox.control("POST", "/ghl/garbage", { contact: "no contact at all" });
    const customFields = [{ id: "no\u0000id", value: { "no\u0000key": "x" } }];
    await sandbox.control("POST", "/ghl/garbage", {
      contact: { id: "zeroContact000000001", firstName: "Zero", customFields },
    });
    // A contact that the database refuses does not affect other contacts.
    await app.deps.database.pool.query("alter table leads add check (company <> 'Refused')");
    await sandbox.control("POST", "/ghl/garbage", {
      contact: { id: "refusedContact000001", firstName: "Refused", companyName: "Refused" },
    });
    await sandbox.control("POST", "/ghl/garbage", { contact: { id: "emptyContact00000001", tags: [] } });
    await sandbox.control("POST", "/ghl/contacts", {
      locationId: "loc0000000000000001",
      firstName: "Nora",
      lastName: "Vidal",
      email: "nora.vidal@example.com",
    });
    const first = await admin.post("/api/ghl/sync");
    const second = await admin.post("/api/ghl/sync");

    expect(first.body.synced).toBe(128);
    expect(first.body.errors).toHaveLength(4);
    expect(first.body.errors.join()).toContain("Refused could not be stored");
    expect(first.body.errors.join()).toContain("emptyContact00000001 has no name");
    expect(second.body).toMatchObject({ synced: 128, running: false });
    const rejects = await db().select().from(crmRejects);
    expect(rejects).toHaveLength(4);
    expect((await allLeads()).some(({ email }) => email === "nora.vidal@example.com")).toBe(true);
  });

  it("keeps leads of a closed account there, assigns it no new ones, and matches its successor by the address", async () => {
    const luis = await idOfUser("luis@portal.test");
    await admin.post("/api/ghl/sync");
    const luisHas = async () => (await allLeads()).filter(({ assignedTo }) => assignedTo === luis);
    const [mine, ...others] = await luisHas();
    await app.deps.database.pool.query("delete from lead_events where lead_id = $1", [mine?.id]);
    await db()
      .delete(leads)
      .where(eq(leads.id, mine?.id ?? 0));
    const set = (id: number, values: Partial<typeof users.$inferInsert>) =>
      db().update(users).set(values).where(eq(users.id, id));
    await set(luis, { disabledAt: new Date(), email: "luis.left@portal.test" });
    try {
      await admin.post("/api/ghl/sync");
      const again = async () =>
        (await allLeads()).find(({ ghlContactId }) => ghlContactId === mine?.ghlContactId);
      expect((await again())?.assignedTo).toBeNull();
      expect(await luisHas()).toHaveLength(others.length);
      const next = await buildUser(app.deps.database, { name: "Successor", email: "luis@portal.test" });
      await admin.post("/api/ghl/sync");
      expect((await again())?.assignedTo).toBe(next.id);
      expect(await luisHas()).toHaveLength(others.length);
      await set(next.id, { crmUserId: null, email: "successor@portal.test" });
    } finally {
      await set(luis, { disabledAt: null, email: "Luis@portal.test", crmUserId: "usrLuis0000000000003" });
    }
  });

  it("applies an assignment that changed in the CRM, unless it changed in the portal", async () => {
    await admin.post("/api/ghl/sync");
    const [mine, other] = (await allLeads()).filter(({ assignedTo }) => assignedTo === ana.user.id);
    const luis = await idOfUser("luis@portal.test");
    await sandbox.control("PATCH", `/ghl/contacts/${mine?.ghlContactId}`, {
      assignedTo: "usrLuis0000000000003",
    });
    await db()
      .update(leads)
      .set({ assignedTo: luis })
      .where(eq(leads.id, other?.id ?? 0));
    await admin.post("/api/ghl/sync");
    const rows = new Map((await allLeads()).map((lead) => [lead.id, lead]));
    expect(rows.get(mine?.id ?? 0)?.assignedTo).toBe(luis);
    expect(rows.get(other?.id ?? 0)?.assignedTo).toBe(luis);
  });
});
