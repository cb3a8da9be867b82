import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { GHL_LOCATION_ID, SEEDED_USERS } from "../defaults.ts";
import { type Found, temporaryGhl } from "../testing/temporary-ghl.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const locationId = GHL_LOCATION_ID;
const byUpdate = { sort: [{ field: "dateUpdated", direction: "asc" }] };

let ghl: Awaited<ReturnType<typeof temporaryGhl>>;

beforeAll(async () => {
  ghl = await temporaryGhl();
});
afterAll(() => ghl.close());
beforeEach(() => ghl.control("POST", "/reset"));

describe("the seed", () => {
  test("contains realistic leads for the three consultants", async () => {
    const leads = await ghl.searchAll();
    expect(leads).toHaveLength(126);
    expect(new Set(leads.map((lead) => lead.id)).size).toBe(126);
    const counts = new Map<string | null, number>();
    for (const lead of leads) counts.set(lead.assignedTo, (counts.get(lead.assignedTo) ?? 0) + 1);
    const consultants = SEEDED_USERS.filter((user) => user.role === "user");
    for (const user of consultants) expect(counts.get(user.id)).toBeGreaterThanOrEqual(30);
    expect(counts.get(null)).toBe(12);
    expect(leads.filter((lead) => lead.assignedTo?.startsWith("usrGone"))).toHaveLength(6);
    expect(leads.map((lead) => `${lead.firstName} ${lead.lastName}`)).toEqual(
      expect.arrayContaining(["maria garcia lopez", "JOSE DE LA O", "Duncan McAllister", "Sean O'Brien"]),
    );
  });

  test("contains households, a shared address, missing details and people who want no contact", async () => {
    const leads = await ghl.searchAll();
    const repeated = (values: (string | null)[]) =>
      values.filter((value, index) => value !== null && values.indexOf(value) !== index).length;
    expect(repeated(leads.map((lead) => lead.phone))).toBe(4);
    expect(repeated(leads.map((lead) => lead.email))).toBe(1);
    expect(leads.filter((lead) => lead.phone === null).length).toBeGreaterThan(2);
    expect(leads.filter((lead) => lead.email === null).length).toBeGreaterThan(2);
    expect(leads.filter((lead) => lead.dnd).length).toBeGreaterThan(1);
    expect(leads.some((lead) => !lead.dnd && lead.dndSettings.SMS?.status === "permanent")).toBe(true);
    expect(leads.some((lead) => !lead.dnd && lead.dndSettings.Call?.status === "active")).toBe(true);
    const ages = leads.map((lead) => (Date.now() - Date.parse(lead.dateAdded)) / 86_400_000);
    expect(Math.max(...ages)).toBeLessThanOrEqual(120.1);
    expect(Math.max(...ages)).toBeGreaterThan(110);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
    for (const lead of leads) expect(Date.parse(lead.dateUpdated)).toBeLessThanOrEqual(Date.now());
  });
});

describe("searching contacts", () => {
  test("pages by searchAfter in both directions, each contact once", async () => {
    const up = await ghl.searchAll({ ...byUpdate, pageLimit: 50 });
    const down = await ghl.searchAll({ sort: [{ field: "dateUpdated", direction: "desc" }], pageLimit: 7 });
    expect(up.map((lead) => lead.id)).toEqual(down.map((lead) => lead.id).toReversed());
    const dates = up.map((lead) => lead.dateUpdated);
    expect(dates).toEqual(dates.toSorted());
  });

  test("pages by number, and filters by time of change", async () => {
    const all = await ghl.searchAll(byUpdate);
    const second = await ghl.search({ ...byUpdate, pageLimit: 10, page: 2 });
    expect(second.contacts.map((lead) => lead.id)).toEqual(all.slice(10, 20).map((lead) => lead.id));
    const since = all[99]?.dateUpdated;
    const filters = [{ field: "dateUpdated", operator: "range", value: { gt: since } }];
    expect((await ghl.search({ ...byUpdate, filters })).total).toBe(26);
    await ghl.client.contacts.updateContact({ contactId: all[0]?.id ?? "" }, { source: "changed" });
    const changed = await ghl.search({ ...byUpdate, filters });
    expect(changed.total).toBe(27);
    expect(changed.contacts.at(-1)?.id).toBe(all[0]?.id);
  });

  test("filters by assignee, by groups and by search text", async () => {
    const [ana, luis] = [SEEDED_USERS[1]?.id, SEEDED_USERS[2]?.id];
    const of = (value: unknown) => ({ field: "assignedTo", operator: "eq", value });
    expect((await ghl.search({ filters: [of(ana)] })).total).toBe(36);
    expect((await ghl.search({ filters: [{ group: "OR", filters: [of(ana), of(luis)] }] })).total).toBe(72);
    expect((await ghl.search({ filters: [{ field: "assignedTo", operator: "not_exists" }] })).total).toBe(12);
    const { contacts } = await ghl.search({ query: "mcallister" });
    expect(contacts.length).toBeGreaterThan(0);
    for (const lead of contacts) expect(lead.lastName).toBe("McAllister");
  });

  test("rejects what the vendor rejects", async () => {
    await expect(ghl.search({ pageLimit: 501 })).rejects.toMatchObject({ statusCode: 422 });
    await expect(ghl.search({ page: 200 })).rejects.toMatchObject({ statusCode: 400 });
    await expect(ghl.search({ locationId: "another" })).rejects.toMatchObject({ statusCode: 403 });
    await expect(ghl.search({ page: 1, searchAfter: [1, "x"] })).rejects.toMatchObject({ statusCode: 422 });
  });

  test("handles many more contacts with a number each", async () => {
    await ghl.control("POST", "/ghl/generate", { count: 3_000 });
    await ghl.control("POST", "/ghl/generate", { count: 1_000 });
    const all = await ghl.searchAll({ ...byUpdate, pageLimit: 500 });
    expect(all).toHaveLength(4_126);
    const generated = all.filter((lead) => /\.g\d/.test(lead.email ?? ""));
    expect(new Set(generated.map((lead) => lead.phone)).size).toBe(4_000);
    for (const lead of generated) expect(lead.phone).toMatch(/^\+1\d{3}555(?!01)\d{4}$/);
  });

  test("returns malformed contacts added by a test", async () => {
    await ghl.control("POST", "/ghl/garbage", {});
    await ghl.control("POST", "/ghl/garbage", { contact: { id: null, email: 5 } });
    const { contacts, total } = await ghl.search({ ...byUpdate, pageLimit: 500 });
    expect(total).toBe(128);
    expect(contacts.at(-1)).toMatchObject({ id: null, email: 5 });
  });
});

describe("writing contacts", () => {
  test("creates, reads, updates and deletes a contact", async () => {
    const industry = (await ghl.client.locations.getCustomFields({ locationId })).customFields?.find(
      (field) => field.name === "Industry",
    );
    const { contact } = await ghl.client.contacts.createContact({
      locationId,
      name: "Nadia Quiñones",
      email: "Nadia@Example.com",
      phone: "(786) 555-0133",
      companyName: "Aurora",
      customFields: [{ id: industry?.id ?? "", field_value: "Dental" }],
    });
    const contactId = contact?.id ?? "";
    expect((await ghl.client.contacts.getContact({ contactId })).contact).toMatchObject({
      firstName: "Nadia",
      lastName: "Quiñones",
      email: "nadia@example.com",
      phone: "+17865550133",
      companyName: "Aurora",
      customFields: [{ id: industry?.id, value: "Dental" }],
    });
    const changed = await ghl.client.contacts.updateContact(
      { contactId },
      {
        firstName: "Nadia María",
        customFields: [
          { id: industry?.id ?? "", field_value: "Legal" },
          { id: "unknown", field_value: "x" },
        ],
      },
    );
    expect(changed.contact).toMatchObject({
      name: "Nadia María Quiñones",
      customFields: [{ id: industry?.id, value: "Legal" }],
    });
    await ghl.client.contacts.deleteContact({ contactId });
    await expect(ghl.client.contacts.getContact({ contactId })).rejects.toMatchObject({ statusCode: 400 });
  });

  test("rejects unknown properties in an update", async () => {
    const id = (await ghl.search()).contacts[0]?.id ?? "";
    const answer = await ghl.rest("PUT", `/contacts/${id}`, { companyName: "X", locationId });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        statusCode: 422,
        message: ["property companyName should not exist", "property locationId should not exist"],
        error: "Unprocessable Entity",
      },
    });
  });

  test("upserts by email, then by phone", async () => {
    const lead = (await ghl.search()).contacts.find((one) => one.email && one.phone);
    const email = lead?.email?.toUpperCase() ?? "";
    const again = await ghl.client.contacts.upsertContact({ locationId, email, source: "upsert" });
    expect(again).toMatchObject({ new: false, contact: { id: lead?.id, source: "upsert" } });
    const fresh = await ghl.client.contacts.upsertContact({
      locationId,
      phone: "+13055550177",
      firstName: "Eva",
    });
    expect(fresh.new).toBe(true);
    const number = "+13055550177";
    const found = (await ghl.client.contacts.getDuplicateContact({ locationId, number })) as {
      contact: Found;
    };
    expect(found.contact.id).toBe(fresh.contact?.id);
  });

  test("adds and removes tags and stores notes", async () => {
    const contactId = (await ghl.search()).contacts[0]?.id ?? "";
    await ghl.client.contacts.addTags({ contactId }, { tags: ["VIP", "vip"] });
    expect((await ghl.client.contacts.getContact({ contactId })).contact?.tags).toContain("vip");
    await ghl.client.contacts.removeTags({ contactId }, { tags: ["vip"] });
    expect((await ghl.client.contacts.getContact({ contactId })).contact?.tags).not.toContain("vip");
    const { note } = await ghl.client.contacts.createNote({ contactId }, { body: "First" });
    await ghl.client.contacts.updateNote({ contactId, id: note?.id ?? "" }, { body: "Second" });
    const { notes } = await ghl.client.contacts.getAllNotes({ contactId });
    expect(notes).toMatchObject([{ id: note?.id, body: "Second", contactId }]);
  });
});
