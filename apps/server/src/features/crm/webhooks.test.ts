import { createHash, createPrivateKey, sign } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { providerEvents } from "../../platform/db/schema/calls.ts";
import { crmRejects } from "../../platform/db/schema/crm.ts";
import { leadEvents, leads } from "../../platform/db/schema/leads.ts";
import { type CrmHarness, openCrmHarness } from "../../testing/crm-harness.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const locationId = "loc0000000000000001";
/** The sandbox's own key, from its seed. */
const seed = createHash("sha256").update("sandbox GoHighLevel webhooks").digest();
const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });

let desk: CrmHarness;
let count = 0;

beforeAll(async () => {
  desk = await openCrmHarness({ listen: true });
  await vi.waitFor(
    async () => expect((await desk.admin.post("/api/ghl/sync")).body.synced).toBe(126),
    50_000,
  );
});
afterAll(() => desk?.close());

const db = () => desk.app.deps.database.db;
const control = (method: string, path: string, body?: object) => desk.sandbox.control(method, path, body);

/** Sends an event like the CRM; `raw` replaces the JSON. */
async function sendEvent(
  event: object,
  { signature, raw }: { signature?: string; raw?: string } = {},
): Promise<number> {
  count += 1;
  const body =
    raw ?? JSON.stringify({ locationId, webhookId: `wh-${count}`, timestamp: new Date(), ...event });
  const answer = await fetch(`${desk.app.url}/api/ghl/webhook`, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-ghl-signature": signature ?? sign(null, Buffer.from(body), key).toString("base64"),
    },
  });
  await answer.body?.cancel();
  return answer.status;
}

const eventsStored = () => db().$count(providerEvents, eq(providerEvents.source, "gohighlevel"));

/** Waits until all events and the reads they caused are processed. */
async function untilWorked(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await desk.app.deps.database.pool.query(
        `select (select count(*)::int from provider_events where source = 'gohighlevel' and processed_at is null)
           + (select count(*)::int from jobs.job where name = 'crm-refresh' and state in ('created', 'active', 'retry')) as open`,
      );
      expect(rows[0].open).toBe(0);
    },
    { timeout: 45_000, interval: 50 },
  );
}

async function leadOf(contactId: string) {
  const rows = await db().select().from(leads).where(eq(leads.ghlContactId, contactId));
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0];
}

/** A contact in the CRM for which no event was sent yet. */
async function contactThere(fields: object): Promise<string> {
  const contact = await control("POST", "/ghl/contacts", { locationId, ...fields });
  return contact.id;
}

describe("an invalid webhook", () => {
  it("is rejected and not stored: no signature, a forged one, a changed body, an old event, one from the future", async () => {
    const before = await eventsStored();
    const event = { type: "ContactCreate", id: "forged00000000000001", firstName: "Forged" };
    const body = JSON.stringify({ ...event, locationId, webhookId: "wh-f", timestamp: new Date() });
    expect(await sendEvent(event, { signature: "" })).toBe(403);
    expect(await sendEvent(event, { signature: "N/A" })).toBe(403);
    const good = sign(null, Buffer.from(body), key).toString("base64");
    expect(await sendEvent(event, { signature: good, raw: body.replace("Forged", "Changed") })).toBe(403);
    for (const minutes of [-121, 6])
      expect(await sendEvent({ ...event, timestamp: new Date(Date.now() + minutes * 60_000) })).toBe(403);
    expect(await sendEvent({}, { raw: "not JSON" })).toBe(400);
    expect(await sendEvent({}, { raw: "[1]" })).toBe(400);
    expect(await eventsStored()).toBe(before);
  });

  it("blocks its address for a while after a hundred forgeries, without losing signed events", async () => {
    const forge = (signature: string) => sendEvent({ type: "ContactCreate" }, { signature });
    const statuses = new Set<number>();
    for (let n = 0; n < 100; n += 1) statuses.add(await forge(n % 2 ? "forged" : ""));
    expect([...statuses].every((status) => status === 403 || status === 429)).toBe(true);
    for (const signature of ["forged", ""]) expect(await forge(signature)).toBe(429);
    const before = await eventsStored();
    expect(await sendEvent({ type: "LocationUpdate" })).toBe(200);
    expect(await eventsStored()).toBe(before + 1);
  });
});

describe("a CRM event", () => {
  it("is accepted for two hours, as the CRM retries it with its first timestamp", async () => {
    const before = await eventsStored();
    const raw = JSON.stringify({ webhookId: "wh-late", timestamp: new Date(Date.now() - 119 * 60_000) });
    for (let n = 0; n < 2; n += 1) expect(await sendEvent({}, { raw })).toBe(200);
    expect(await eventsStored()).toBe(before + 1);
  });

  it("may be as large as the vendor's limit; larger ones are not read", async () => {
    const before = await eventsStored();
    const note = { type: "NoteCreate", contactId: "nobody00000000000001", id: "note1" };
    expect(await sendEvent({ ...note, body: "ñ".repeat(1_500_000) })).toBe(200);
    expect(await eventsStored()).toBe(before + 1);
    expect(await sendEvent({ ...note, body: "x".repeat(8_000_000) })).toBe(413);
    const deep = `${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`;
    expect(await sendEvent({}, { raw: `{"type":"NoteCreate","webhookId":"wh-deep","more":${deep}}` })).toBe(
      400,
    );
    expect(await eventsStored()).toBe(before + 1);
  });

  it("creates a lead once for repeated and concurrent deliveries", async () => {
    const id = await contactThere({ firstName: "Nora", lastName: "Vidal", email: "nora.vidal@example.com" });
    const event = {
      type: "ContactCreate",
      id,
      firstName: "Nora",
      lastName: "Vidal",
      email: "nora.vidal@example.com",
    };
    const again = JSON.stringify({ ...event, locationId, webhookId: "wh-nora", timestamp: new Date() });
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendEvent({}, { raw: again })));
    expect(new Set(answers)).toEqual(new Set([200]));
    await untilWorked();
    expect(await leadOf(id)).toMatchObject({ name: "Nora Vidal", crmSync: "synced", crmDeletedAt: null });
    const stored = await db().select().from(providerEvents).where(eq(providerEvents.eventKey, "wh-nora"));
    expect(stored).toMatchObject([{ kind: "ContactCreate", error: null }]);
  });

  it("triggers a read from the CRM, so that late and unordered events end with the current state", async () => {
    const id = await contactThere({
      firstName: "Eva",
      lastName: "Marín",
      dndSettings: { SMS: { status: "active" } },
    });
    const late = { id, firstName: "Older", lastName: "Name", companyName: "Older" };
    // An update before the creation, an outdated one after it, and a change without an event.
    await sendEvent({ type: "ContactUpdate", ...late });
    await sendEvent({ type: "ContactCreate", id, firstName: "Eva", lastName: "Marín" });
    await sendEvent({ type: "ContactUpdate", ...late, timestamp: new Date(Date.now() - 120_000) });
    await untilWorked();
    expect(await leadOf(id)).toMatchObject({ name: "Eva Marín", company: null, textOptOut: "dnd" });
    // The event does not mention the channels, which does not allow SMS again.
    await sendEvent({ type: "ContactUpdate", id, firstName: "Eva", lastName: "Marín", dnd: false });
    await untilWorked();
    expect(await leadOf(id)).toMatchObject({ textOptOut: "dnd" });
  });

  it("marks the lead of a deleted contact, even when create and update events arrive after it", async () => {
    const id = await contactThere({ firstName: "Ida", lastName: "Prado" });
    await sendEvent({ type: "ContactCreate", id, firstName: "Ida", lastName: "Prado" });
    await untilWorked();
    await control("DELETE", `/ghl/contacts/${id}`);
    await sendEvent({ type: "ContactDelete", id });
    await sendEvent({ type: "ContactUpdate", id, firstName: "Ida", lastName: "Prado" });
    await untilWorked();
    const lead = await leadOf(id);
    expect(lead?.crmDeletedAt).not.toBeNull();
    const kinds = await db()
      .select()
      .from(leadEvents)
      .where(eq(leadEvents.leadId, lead?.id ?? 0))
      .orderBy(asc(leadEvents.id));
    expect(kinds.map(({ kind }) => kind)).toEqual(["created", "crm-deleted"]);
  });

  it("without the full contact is applied as far as possible: the vendor's own example", async () => {
    const id = "nmFmQEsNgz6AVpgLVUJ0";
    const example = {
      type: "ContactCreate",
      locationId,
      id,
      address1: "3535 1st St N",
      companyName: "Loram ipsum",
      source: "xyz form",
      dateAdded: "2021-11-26T12:41:02.193Z",
      dnd: true,
      email: "john.deo@example.com",
      name: "John Deo",
      firstName: "John",
      lastName: "Deo",
      phone: "+919509597501",
      tags: ["id magna sed Lorem"],
      assignedTo: "nmFmQEsNgz6AVpgLVUJ0",
      customFields: [{ id: "BcdmQEsNgz6AVpgLVUJ0", value: "XYZ Corp" }],
    };
    expect(await sendEvent({}, { raw: JSON.stringify(example) })).toBe(200);
    await untilWorked();
    expect(await leadOf(id)).toMatchObject({ name: "John Deo", callOptOut: "dnd", company: "Loram ipsum" });
  });

  it("that is invalid is stored with the reason; other types and locations are acknowledged and ignored", async () => {
    expect(await sendEvent({ type: "ContactUpdate", id: "broken00000000000001", firstName: { no: 1 } })).toBe(
      200,
    );
    expect(await sendEvent({ type: "INSTALL", appId: "x" })).toBe(200);
    expect(
      await sendEvent({
        type: "ContactCreate",
        id: "elsewhere00000000001",
        locationId: "other",
        name: "Not Ours",
      }),
    ).toBe(200);
    await untilWorked();
    const [reject] = await db()
      .select()
      .from(crmRejects)
      .where(eq(crmRejects.externalId, "broken00000000000001"));
    expect(reject?.reason).toBe("has a first name that is no text");
    expect((await desk.ana.get("/api/ghl/rejects")).body).toMatchObject([
      { externalId: "broken00000000000001" },
    ]);
    expect(await leadOf("elsewhere00000000001")).toBeUndefined();
  });
});

describe("a note with HTML from the CRM", () => {
  it("is stored as plain text without anything executable; a consultant's text stays as typed", async () => {
    const id = await contactThere({ firstName: "Olga", assignedTo: "usrAna00000000000002" });
    await sendEvent({ type: "ContactCreate", id, firstName: "Olga", assignedTo: "usrAna00000000000002" });
    await untilWorked();
    const leadId = (await leadOf(id))?.id ?? 0;
    const written = (note: object) => control("POST", `/ghl/contacts/${id}/notes`, note);
    const leadNow = async () => (await db().select().from(leads).where(eq(leads.id, leadId)))[0];
    await desk.sendWebhooks(true);
    await written({
      body: '<p>Met <b>Eva</b> &amp; Luis</p><p>Budget &lt; $500</p><img src=x onerror="alert(1)"><script>alert(2)</script>',
      bodyText: "Met Eva & Luis Budget < $500",
    });
    await desk.ana.patch(`/api/leads/${leadId}`, { notes: "use <b>bold</b> & <5 words" });
    await vi.waitFor(async () => expect(await leadNow()).toMatchObject({ crmSync: "synced" }), 45_000);
    await untilWorked();
    expect(await leadNow()).toMatchObject({ notes: "use <b>bold</b> & <5 words" });

    // The CRM's editor wraps its text in HTML and has different line breaks.
    await desk.ana.patch(`/api/leads/${leadId}`, { notes: "one\n\ntwo" });
    await vi.waitFor(async () => expect(await leadNow()).toMatchObject({ crmSync: "synced" }), 45_000);
    await written({ id: (await leadNow())?.crmNoteId, body: "<p>one</p><p>two</p>" });
    await untilWorked();
    expect(await leadNow()).toMatchObject({ notes: "one\n\ntwo" });

    await written({ id: (await leadNow())?.crmNoteId, body: "<p>Changed <i>there</i></p><p>twice</p>" });
    await vi.waitFor(
      async () => expect(await leadNow()).toMatchObject({ notes: "Changed there\ntwice" }),
      30_000,
    );
    await desk.sendWebhooks(false);
    await untilWorked();
    const events = await db().select().from(leadEvents).where(eq(leadEvents.leadId, leadId));
    expect(events.filter(({ kind }) => kind === "crm-note").map(({ data }) => data.body)).toEqual([
      "Met Eva & Luis\nBudget < $500",
    ]);
  });
});

describe("CRM webhooks", () => {
  it("deliver contacts, do-not-disturb, notes and the agent's calls; the portal's own changes come back without effect", async () => {
    const [lead] = await db()
      .select()
      .from(leads)
      .where(eq(leads.assignedTo, desk.ana.user.id))
      .orderBy(asc(leads.id))
      .limit(1);
    const id = lead?.ghlContactId ?? "";
    await desk.sendWebhooks(true);
    await control("PATCH", `/ghl/contacts/${id}`, {
      companyName: "Vidal Hermanos",
      dndSettings: { Call: { status: "active" } },
    });
    await desk.ana.patch(`/api/leads/${lead?.id}`, { notes: "ours", status: "qualified" });
    const rest = (method: string, path: string, body: object) =>
      fetch(`${desk.sandbox.url}/ghl/contacts/${id}${path}`, {
        method,
        body: JSON.stringify(body),
        headers: {
          authorization: "Bearer pit-sandbox-token",
          version: "2021-07-28",
          "content-type": "application/json",
        },
      });
    await rest("POST", "/notes", { body: "Somebody else's note" });
    const call = await control("POST", `/ghl/contacts/${id}/calls`, { seconds: 50 });
    await vi.waitFor(
      async () =>
        expect(await leadOf(id)).toMatchObject({
          company: "Vidal Hermanos",
          callOptOut: "dnd",
          aiRecordingMessageId: call.id,
          crmSync: "synced",
        }),
      { timeout: 45_000, interval: 50 },
    );
    const { crmNoteId } = (await leadOf(id)) ?? {};
    await rest("PUT", `/notes/${crmNoteId}`, { body: "changed there" });
    await vi.waitFor(async () => expect((await leadOf(id))?.notes).toBe("changed there"), {
      timeout: 45_000,
      interval: 50,
    });
    await desk.sendWebhooks(false);
    await untilWorked();
    const events = await db()
      .select()
      .from(leadEvents)
      .where(eq(leadEvents.leadId, lead?.id ?? 0));
    expect(events.filter(({ kind }) => kind === "crm-note").map(({ data }) => data.body)).toEqual([
      "Somebody else's note",
    ]);
    expect((await leadOf(id))?.status).toBe("qualified");
  });
});
