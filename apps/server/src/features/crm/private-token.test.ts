import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { providerEvents } from "../../platform/db/schema/calls.ts";
import { crmSyncRuns } from "../../platform/db/schema/crm.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { type CrmHarness, openCrmHarness } from "../../testing/crm-harness.ts";
import { zoneAt } from "../../testing/zone-at.ts";
import { beginNightlyRead } from "./decide-deletions.ts";

// The portal has a private token and the location has no app installed, so no events are sent.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: CrmHarness;
beforeAll(async () => {
  desk = await openCrmHarness({ listen: true });
});
beforeEach(async () => {
  await desk.renew();
  await control("POST", "/ghl/manners", { appInstalled: false });
  await desk.sendWebhooks(true);
  expect((await desk.admin.post("/api/ghl/sync")).body.synced).toBe(126);
  await desk.refresh();
});
afterAll(() => desk?.close());

const db = () => desk.app.deps.database.db;
const query = async (text: string, values: unknown[] = []) =>
  (await desk.app.deps.database.pool.query(text, values)).rows;
const control = (method: string, path: string, body?: object) => desk.sandbox.control(method, path, body);

interface There {
  id: string;
  dnd: boolean;
  dndSettings: object;
  dateUpdated: string;
}
/** Contacts that may be called and sent SMS. */
async function openContacts(count: number): Promise<There[]> {
  const { contacts } = await control("GET", "/ghl/contacts");
  const open = contacts.filter(
    ({ dnd, dndSettings }: There) => !dnd && Object.keys(dndSettings).length === 0,
  );
  return open.slice(0, count);
}
const leadOf = async ({ id }: There) =>
  (await db().select().from(leads).where(eq(leads.ghlContactId, id)))[0];
const begin = (zone: string) =>
  desk.app.deps.database.transaction((tx) =>
    beginNightlyRead({ ...desk.app.deps, defaultCountry: "US" }, tx, zone),
  );
const wholeRuns = async () =>
  (await db().select().from(crmSyncRuns))
    .filter(({ kind }) => kind !== "changes")
    .toSorted((a, b) => a.id - b.id);
/** Moves all timestamps back by this many hours. */
const pass = (hours: number) =>
  query(
    `update crm_sync_runs set started_at = started_at - $1 * interval '1 hour', finished_at = finished_at - $1 * interval '1 hour',
       read_since = read_since - $1 * interval '1 hour', heartbeat_at = heartbeat_at - $1 * interval '1 hour'`,
    [hours],
  );
const untilRuns = (count: number, last: object) =>
  vi.waitFor(
    async () => {
      const runs = await wholeRuns();
      expect(runs).toHaveLength(count);
      expect(runs.at(-1)).toMatchObject(last);
    },
    { timeout: 45_000, interval: 50 },
  );

describe("a private token without webhooks", () => {
  it("imports changes and opt-outs by the sync of changes, deletions and opt-outs without a date by the nightly sync", async () => {
    const [changed, optedOut, deleted, quiet] = (await openContacts(4)) as [There, There, There, There];
    await control("PATCH", `/ghl/contacts/${changed.id}`, { companyName: "Vidal Hermanos" });
    await control("PATCH", `/ghl/contacts/${optedOut.id}`, { dndSettings: { SMS: { status: "active" } } });
    await control("DELETE", `/ghl/contacts/${deleted.id}`);
    await control("PATCH", `/ghl/contacts/${quiet.id}`, { dnd: true, dateUpdated: quiet.dateUpdated });
    expect((await desk.admin.post("/api/ghl/sync-changes")).body).toMatchObject({ synced: 2 });
    expect(await leadOf(changed)).toMatchObject({ company: "Vidal Hermanos" });
    expect(await leadOf(optedOut)).toMatchObject({ textOptOut: "dnd", callOptOut: null });
    expect(await leadOf(deleted)).toMatchObject({ crmDeletedAt: null });

    await pass(20);
    await begin(zoneAt(3));
    await untilRuns(2, { state: "done", deleted: 1 });
    expect((await leadOf(deleted))?.crmDeletedAt).not.toBeNull();
    expect(await leadOf(quiet)).toMatchObject({ textOptOut: "dnd", callOptOut: "dnd" });
    expect(await db().$count(providerEvents)).toBe(0);
    expect((await desk.admin.get("/api/crm/connection")).body).toMatchObject({
      way: "private",
      noEvents: true,
    });
  });

  it("imports an opt-out of a contact without a name, and creates no lead for such a contact", async () => {
    const [wiped] = (await openContacts(1)) as [There];
    const nobody = { firstName: "", lastName: "", email: null, phone: null };
    await control("PATCH", `/ghl/contacts/${wiped.id}`, { ...nobody, dnd: true });
    const stranger = await control("POST", "/ghl/contacts", nobody);
    const { name } = (await leadOf(wiped)) ?? {};
    expect((await desk.admin.post("/api/ghl/sync")).body.synced).toBe(126);
    expect(await leadOf(wiped)).toMatchObject({ name, callOptOut: "dnd", textOptOut: "dnd" });
    expect(await leadOf(stranger)).toBeUndefined();
    expect((await desk.admin.get("/api/ghl/rejects")).body).toMatchObject([
      { externalId: stranger.id, reason: "has no name, email address or phone number" },
    ]);
  });
});

describe("a missed night", () => {
  it("is caught up once by day, unless the last full sync is recent", async () => {
    const [deleted] = (await openContacts(1)) as [There];
    await control("DELETE", `/ghl/contacts/${deleted.id}`);
    await pass(29);
    await begin(zoneAt(14));
    expect(await wholeRuns()).toHaveLength(1);
    await pass(2);
    await Promise.all([begin(zoneAt(14)), begin(zoneAt(14))]);
    await untilRuns(2, { state: "done", requestedBy: null, deleted: 1 });
    await begin(zoneAt(14));
    expect(await wholeRuns()).toHaveLength(2);
    expect((await leadOf(deleted))?.crmDeletedAt).not.toBeNull();
  });

  it("is retried at the same interval, and waits for an administrator's decision", async () => {
    await pass(31);
    await desk.failNext({ status: 403, match: "/contacts/search" });
    await begin(zoneAt(18));
    await untilRuns(2, { state: "failed" });
    await begin(zoneAt(18));
    expect(await wholeRuns()).toHaveLength(2);
    const { contacts } = await control("GET", "/ghl/contacts");
    for (const { id } of contacts.slice(0, 30)) await control("DELETE", `/ghl/contacts/${id}`);
    await pass(0.2);
    await begin(zoneAt(18));
    await untilRuns(3, { state: "held" });
    await pass(0.2);
    await begin(zoneAt(18));
    expect(await wholeRuns()).toHaveLength(3);
  });
});

describe("a contact that cannot be read", () => {
  it("stays due: it is requested before its lead is called, until it was read", async () => {
    const [contact, other] = (await openContacts(2)) as [There, There];
    const [lead, served] = [await leadOf(contact), await leadOf(other)];
    // The search does not return it, and requests for it fail.
    const listed = (await control("GET", "/ghl/contacts")).contacts.filter(
      ({ id }: There) => id !== contact.id,
    );
    await desk.failNext({
      match: "/contacts/search",
      status: 200,
      body: { contacts: listed, total: listed.length },
    });
    await desk.failNext({ match: `/contacts/${contact.id}`, method: "GET", status: 500, count: 1_000 });
    await pass(20);
    await begin(zoneAt(3));
    await untilRuns(2, { state: "done", deleted: 0, errors: [expect.stringContaining("could not be read")] });
    const asked = async ({ id }: There) =>
      (await control("GET", `/requests?vendor=ghl&path=/contacts/${id}`)).requests.length;
    await control("DELETE", "/requests");
    await control("DELETE", "/fail");
    await control("PATCH", `/ghl/contacts/${contact.id}`, { dnd: true, dateUpdated: contact.dateUpdated });
    const call = (leadId: number | undefined) => desk.admin.post("/api/make-call", { leadId });
    expect((await call(lead?.id)).body.reason).toBe("opted_out");
    await call(served?.id);
    expect([await asked(contact), await asked(other)]).toEqual([1, 0]);
    // It was just read.
    await query("update leads set call_opt_out = null where id = $1", [lead?.id]);
    await call(lead?.id);
    expect(await asked(contact)).toBe(1);
  });
});
