import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GHL_COMPANY_ID, GHL_LOCATION_ID, GHL_TOKEN, SEEDED_USERS } from "../defaults.ts";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { ghlClient } from "../testing/vendor-clients.ts";
import { describesGhl } from "../testing/vendor-schemas.ts";

interface Found {
  id: string;
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string | null;
  assignedTo: string | null;
  dnd: boolean;
  dndSettings: Record<string, { status: string }>;
  dateAdded: string;
  dateUpdated: string;
  customFields: { id: string; value: unknown }[];
  searchAfter: [number, string];
}

const locationId = GHL_LOCATION_ID;
const CONVERSATIONS = { headers: { Version: "2021-04-15" } };
const byUpdate = { sort: [{ field: "dateUpdated", direction: "asc" }] };

let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
let client: ReturnType<typeof ghlClient>;

beforeAll(async () => {
  sandbox = await temporarySandbox();
  client = ghlClient(sandbox.url);
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await sandbox.control("POST", "/reset");
  await sandbox.control("POST", "/ghl/rate-limit", { enabled: false });
});

async function search(body: object = {}): Promise<{ contacts: Found[]; total: number }> {
  const request = { locationId, pageLimit: 100, ...body };
  return (await client.contacts.searchContactsAdvanced(request)) as { contacts: Found[]; total: number };
}

async function searchAll(body: object = {}): Promise<Found[]> {
  const all: Found[] = [];
  for (let after: unknown; ; after = all.at(-1)?.searchAfter) {
    const { contacts } = await search({ ...body, ...(after ? { searchAfter: after } : {}) });
    if (contacts.length === 0) return all;
    all.push(...contacts);
  }
}

/** A plain request with the location's token. */
async function rest(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${sandbox.url}/ghl${path}`, {
    method,
    headers: {
      authorization: `Bearer ${GHL_TOKEN}`,
      version: "2021-07-28",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe("the seed", () => {
  test("holds believable leads over the three consultants", async () => {
    const leads = await searchAll();
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

  test("has households, a shared address, missing details and people who want no contact", async () => {
    const leads = await searchAll();
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
    const up = await searchAll({ ...byUpdate, pageLimit: 50 });
    const down = await searchAll({ sort: [{ field: "dateUpdated", direction: "desc" }], pageLimit: 7 });
    expect(up.map((lead) => lead.id)).toEqual(down.map((lead) => lead.id).toReversed());
    const dates = up.map((lead) => lead.dateUpdated);
    expect(dates).toEqual(dates.toSorted());
  });

  test("pages by number, and finds what changed since a moment", async () => {
    const all = await searchAll(byUpdate);
    const second = await search({ ...byUpdate, pageLimit: 10, page: 2 });
    expect(second.contacts.map((lead) => lead.id)).toEqual(all.slice(10, 20).map((lead) => lead.id));
    const since = all[99]?.dateUpdated;
    const filters = [{ field: "dateUpdated", operator: "range", value: { gt: since } }];
    expect((await search({ ...byUpdate, filters })).total).toBe(26);
    await client.contacts.updateContact({ contactId: all[0]?.id ?? "" }, { source: "changed" });
    const changed = await search({ ...byUpdate, filters });
    expect(changed.total).toBe(27);
    expect(changed.contacts.at(-1)?.id).toBe(all[0]?.id);
  });

  test("filters by assignee, by groups and by words", async () => {
    const [ana, luis] = [SEEDED_USERS[1]?.id, SEEDED_USERS[2]?.id];
    const of = (value: unknown) => ({ field: "assignedTo", operator: "eq", value });
    expect((await search({ filters: [of(ana)] })).total).toBe(36);
    expect((await search({ filters: [{ group: "OR", filters: [of(ana), of(luis)] }] })).total).toBe(72);
    expect((await search({ filters: [{ field: "assignedTo", operator: "not_exists" }] })).total).toBe(12);
    const { contacts } = await search({ query: "mcallister" });
    expect(contacts.length).toBeGreaterThan(0);
    for (const lead of contacts) expect(lead.lastName).toBe("McAllister");
  });

  test("refuses what the vendor refuses", async () => {
    await expect(search({ pageLimit: 501 })).rejects.toMatchObject({ statusCode: 422 });
    await expect(search({ page: 200 })).rejects.toMatchObject({ statusCode: 400 });
    await expect(search({ locationId: "another" })).rejects.toMatchObject({ statusCode: 403 });
    await expect(search({ page: 1, searchAfter: [1, "x"] })).rejects.toMatchObject({ statusCode: 422 });
  });

  test("holds many more contacts with a number each", async () => {
    await sandbox.control("POST", "/ghl/generate", { count: 3_000 });
    await sandbox.control("POST", "/ghl/generate", { count: 1_000 });
    const all = await searchAll({ ...byUpdate, pageLimit: 500 });
    expect(all).toHaveLength(4_126);
    const generated = all.filter((lead) => /\.g\d/.test(lead.email ?? ""));
    expect(new Set(generated.map((lead) => lead.phone)).size).toBe(4_000);
    for (const lead of generated) expect(lead.phone).toMatch(/^\+1\d{3}555(?!01)\d{4}$/);
  });

  test("shows malformed contacts that a test put in", async () => {
    await sandbox.control("POST", "/ghl/garbage", {});
    await sandbox.control("POST", "/ghl/garbage", { contact: { id: null, email: 5 } });
    const { contacts, total } = await search({ ...byUpdate, pageLimit: 500 });
    expect(total).toBe(128);
    expect(contacts.at(-1)).toMatchObject({ id: null, email: 5 });
  });
});

describe("writing contacts", () => {
  test("creates, reads, changes and deletes one", async () => {
    const industry = (await client.locations.getCustomFields({ locationId })).customFields?.find(
      (field) => field.name === "Industry",
    );
    const { contact } = await client.contacts.createContact({
      locationId,
      name: "Nadia Quiñones",
      email: "Nadia@Example.com",
      phone: "(786) 555-0133",
      companyName: "Aurora",
      customFields: [{ id: industry?.id ?? "", field_value: "Dental" }],
    });
    const contactId = contact?.id ?? "";
    expect((await client.contacts.getContact({ contactId })).contact).toMatchObject({
      firstName: "Nadia",
      lastName: "Quiñones",
      email: "nadia@example.com",
      phone: "+17865550133",
      companyName: "Aurora",
      customFields: [{ id: industry?.id, value: "Dental" }],
    });
    const changed = await client.contacts.updateContact(
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
    await client.contacts.deleteContact({ contactId });
    await expect(client.contacts.getContact({ contactId })).rejects.toMatchObject({ statusCode: 400 });
  });

  test("refuses properties an update does not know", async () => {
    const id = (await search()).contacts[0]?.id ?? "";
    const answer = await rest("PUT", `/contacts/${id}`, { companyName: "X", locationId });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        statusCode: 422,
        message: ["property companyName should not exist", "property locationId should not exist"],
        error: "Unprocessable Entity",
      },
    });
  });

  test("upserts by e-mail, then by phone", async () => {
    const lead = (await search()).contacts.find((one) => one.email && one.phone);
    const email = lead?.email?.toUpperCase() ?? "";
    const again = await client.contacts.upsertContact({ locationId, email, source: "upsert" });
    expect(again).toMatchObject({ new: false, contact: { id: lead?.id, source: "upsert" } });
    const fresh = await client.contacts.upsertContact({
      locationId,
      phone: "+13055550177",
      firstName: "Eva",
    });
    expect(fresh.new).toBe(true);
    const number = "+13055550177";
    const found = (await client.contacts.getDuplicateContact({ locationId, number })) as { contact: Found };
    expect(found.contact.id).toBe(fresh.contact?.id);
  });

  test("adds and removes tags and keeps notes", async () => {
    const contactId = (await search()).contacts[0]?.id ?? "";
    await client.contacts.addTags({ contactId }, { tags: ["VIP", "vip"] });
    expect((await client.contacts.getContact({ contactId })).contact?.tags).toContain("vip");
    await client.contacts.removeTags({ contactId }, { tags: ["vip"] });
    expect((await client.contacts.getContact({ contactId })).contact?.tags).not.toContain("vip");
    const { note } = await client.contacts.createNote({ contactId }, { body: "First" });
    await client.contacts.updateNote({ contactId, id: note?.id ?? "" }, { body: "Second" });
    const { notes } = await client.contacts.getAllNotes({ contactId });
    expect(notes).toMatchObject([{ id: note?.id, body: "Second", contactId }]);
  });
});

describe("users and the location", () => {
  test("lists the four users in both ways", async () => {
    const { users } = await client.users.getUserByLocation({ locationId });
    expect(users?.map((user) => user.email)).toEqual(SEEDED_USERS.map((user) => user.email));
    const found = await client.users.searchUsers({ companyId: GHL_COMPANY_ID, locationId, limit: "2" });
    expect(found).toMatchObject({ count: 4, users: [{ name: "Portal Admin" }, { name: "Ana Torres" }] });
    expect((await client.locations.getLocation({ locationId })).location?.timezone).toBe("America/New_York");
  });

  test("creates a custom field once", async () => {
    const field = { name: "Portal Status", dataType: "TEXT", model: "contact" as const };
    const { customField } = await client.locations.createCustomField({ locationId }, field);
    expect(customField?.fieldKey).toBe("contact.portal_status");
    await expect(client.locations.createCustomField({ locationId }, field)).rejects.toMatchObject({
      statusCode: 400,
    });
    const contactId = (await search()).contacts[0]?.id ?? "";
    const byKey = { customFields: [{ key: "portal_status", field_value: "contacted" }] };
    const { body } = await rest("PUT", `/contacts/${contactId}`, byKey);
    expect((body as { contact: Found }).contact.customFields).toContainEqual({
      id: customField?.id,
      value: "contacted",
    });
  });

  test("refuses a wrong token, a missing version and an unknown one", async () => {
    await expect(
      ghlClient(sandbox.url, "pit-wrong").locations.getLocation({ locationId }),
    ).rejects.toMatchObject({ statusCode: 401 });
    const wrong = await rest("GET", `/locations/${locationId}`, undefined, { authorization: "Bearer no" });
    expect(wrong.body).toMatchObject({
      statusCode: 401,
      message: "Invalid token: access token is invalid",
      error: "Unauthorized",
    });
    expect(describesGhl("locations", "get", "/locations/{locationId}", wrong)).toEqual([]);
    const version = await rest("GET", `/locations/${locationId}`, undefined, { version: "1999-01-01" });
    expect(version).toMatchObject({ status: 401, body: { message: "version header is invalid." } });
  });
});

describe("calls of the AI agent", () => {
  interface Message {
    id: string;
    contactId: string;
    conversationId: string;
    source: string;
    userId?: string;
    meta: { callStatus: string; callDuration: string };
  }

  async function exported(): Promise<Message[]> {
    const all: Message[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.conversations.exportMessagesByLocation(
        { locationId, channel: "Call", limit: 25, ...(cursor ? { cursor } : {}) },
        CONVERSATIONS,
      );
      all.push(...(page.messages as unknown as Message[]));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return all;
  }

  test("belong to a third of the leads and to no user", async () => {
    const calls = await exported();
    expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
    const agent = calls.filter((call) => !call.userId && call.meta.callStatus === "completed");
    expect(new Set(agent.map((call) => call.contactId)).size).toBe(42);
    expect(agent.every((call) => call.source === "workflow")).toBe(true);
    expect(calls.filter((call) => call.userId).every((call) => call.source === "app")).toBe(true);
  });

  test("are found through the lead's conversation in the nested shape", async () => {
    const [call] = await exported();
    const { conversations } = await client.conversations.searchConversation(
      { locationId, contactId: call?.contactId },
      CONVERSATIONS,
    );
    expect(conversations).toMatchObject([{ id: call?.conversationId }]);
    const listed = (await client.conversations.getMessages(
      { conversationId: call?.conversationId ?? "", type: "TYPE_CALL" },
      CONVERSATIONS,
    )) as unknown as { messages: { messages: { id: string; meta: object }[]; nextPage: boolean } };
    expect(listed.messages.nextPage).toBe(false);
    expect(listed.messages.messages.map((message) => message.id)).toContain(call?.id);
    expect(listed.messages.messages[0]?.meta).toMatchObject({ call: { status: expect.any(String) } });
  });

  test("have a recording that is a whole WAV file of its length, the same every time", async () => {
    const calls = await exported();
    const call = calls.find((one) => one.meta.callStatus === "completed");
    const load = async () =>
      Buffer.from(
        (await client.conversations.getMessageRecording(
          { locationId, messageId: call?.id ?? "" },
          { ...CONVERSATIONS, responseType: "arraybuffer" },
        )) as unknown as ArrayBuffer,
      );
    const wav = await load();
    expect(wav.toString("ascii", 0, 4) + wav.toString("ascii", 8, 16)).toBe("RIFFWAVEfmt ");
    expect([wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([
      1, 1, 8_000, 16,
    ]);
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    expect((wav.length - 44) / 16_000).toBe(Number(call?.meta.callDuration));
    const samples = new Int16Array(wav.buffer, wav.byteOffset + 44, (wav.length - 44) / 2);
    expect(Math.max(...samples.subarray(0, 80_000))).toBeGreaterThan(3_000);
    expect((await load()).equals(wav)).toBe(true);
  });

  test("have no recording when nobody answered", async () => {
    const missed = (await exported()).find((call) => call.meta.callStatus === "no-answer");
    await expect(
      client.conversations.getMessageRecording({ locationId, messageId: missed?.id ?? "" }, CONVERSATIONS),
    ).rejects.toMatchObject({ statusCode: 404 });
  });
});

test("counts requests and refuses the hundred-and-first in the interval", async () => {
  await sandbox.control("POST", "/speed", { speed: 0.1 });
  await sandbox.control("POST", "/ghl/rate-limit", { enabled: true });
  const answers = [];
  for (let count = 0; count < 101; count += 1) answers.push(await rest("GET", `/locations/${locationId}`));
  expect(answers.slice(0, 100).every((answer) => answer.status === 200)).toBe(true);
  expect(answers[99]?.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(answers[0]?.headers.get("x-ratelimit-max")).toBe("100");
  expect(answers[100]).toMatchObject({ status: 429, body: { statusCode: 429 } });
});

test("answers as the vendor's description says", async () => {
  const created = await rest("POST", "/contacts/", {
    locationId,
    firstName: "Eva",
    email: "eva@example.com",
  });
  const { id } = (created.body as { contact: { id: string } }).contact;
  const one = "/contacts/{contactId}";
  expect(describesGhl("contacts", "post", "/contacts/", created)).toEqual([]);
  const lead = (await search()).contacts.find((found) => found.customFields.length > 2);
  expect(describesGhl("contacts", "get", one, await rest("GET", `/contacts/${lead?.id}`))).toEqual([]);
  const upserted = await rest("POST", "/contacts/upsert", { locationId, email: "eva@example.com" });
  expect(describesGhl("contacts", "post", "/contacts/upsert", upserted)).toEqual([]);
  expect(describesGhl("contacts", "put", one, await rest("PUT", `/contacts/${id}`, { dnd: true }))).toEqual(
    [],
  );
  expect(describesGhl("contacts", "put", one, await rest("PUT", `/contacts/${id}`, { no: 1 }))).toEqual([]);
  const tags = `${one}/tags`;
  const tagged = await rest("POST", `/contacts/${id}/tags`, { tags: ["a"] });
  expect(describesGhl("contacts", "post", tags, tagged)).toEqual([]);
  const untagged = await rest("DELETE", `/contacts/${id}/tags`, { tags: ["a"] });
  expect(describesGhl("contacts", "delete", tags, untagged)).toEqual([]);
  const noted = await rest("POST", `/contacts/${id}/notes`, { body: "x" });
  const { note } = noted.body as { note: { id: string } };
  expect(describesGhl("contacts", "post", `${one}/notes`, noted)).toEqual([]);
  const renoted = await rest("PUT", `/contacts/${id}/notes/${note.id}`, { body: "y" });
  expect(describesGhl("contacts", "put", `${one}/notes/{id}`, renoted)).toEqual([]);
  expect(describesGhl("contacts", "get", `${one}/notes`, await rest("GET", `/contacts/${id}/notes`))).toEqual(
    [],
  );
  expect(describesGhl("contacts", "delete", one, await rest("DELETE", `/contacts/${id}`))).toEqual([]);

  const users = await rest("GET", `/users/?locationId=${locationId}`);
  expect(describesGhl("users", "get", "/users/", users)).toEqual([]);
  const found = await rest("GET", `/users/search?companyId=${GHL_COMPANY_ID}`);
  expect(describesGhl("users", "get", "/users/search", found)).toEqual([]);
  const location = "/locations/{locationId}";
  expect(describesGhl("locations", "get", location, await rest("GET", `/locations/${locationId}`))).toEqual(
    [],
  );
  const fields = await rest("GET", `/locations/${locationId}/customFields?model=contact`);
  expect(describesGhl("locations", "get", `${location}/customFields`, fields)).toEqual([]);
  const field = await rest("POST", `/locations/${locationId}/customFields`, { name: "X", dataType: "TEXT" });
  expect(describesGhl("locations", "post", `${location}/customFields`, field)).toEqual([]);

  const conversations = await rest("GET", `/conversations/search?locationId=${locationId}`);
  expect(describesGhl("conversations", "get", "/conversations/search", conversations)).toEqual([]);
  const calls = await rest(
    "GET",
    `/conversations/messages/export?locationId=${locationId}&channel=Call&limit=10`,
  );
  expect(describesGhl("conversations", "get", "/conversations/messages/export", calls)).toEqual([]);
});
