import { createHmac } from "node:crypto";
import type { LeadDelivery, WebhookSource } from "@portal/contract/entities/lead-webhook";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../testing/call-harness.ts";
import { buildLead } from "../../testing/factories.ts";
import { oddStrings } from "../../testing/odd-strings.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import {
  ghlWorkflow,
  hubspotChange,
  hubspotContact,
  hubspotEvent,
  pipedriveV1,
  pipedriveV2,
  plainLead,
  salesforceChange,
  salesforceLead,
  salesforceMessage,
  salesforceRecordId,
} from "../../testing/webhook-payloads.ts";

const hubspotSecret = "client-secret-of-the-app";
let portal: TestApp;
let admin: Client;
let first: Client;
let second: Client;
/** A counter, so that each test has its own people. */
let n = 0;
const next = () => {
  n += 1;
  return n;
};

beforeAll(async () => {
  portal = await buildTestApp({ jobs: true });
  admin = await portal.signIn({ role: "admin" });
  first = await portal.signIn();
  second = await portal.signIn();
});
afterAll(() => portal.close());

async function send(
  source: WebhookSource,
  body: object | string,
  headers: Record<string, string> = {},
  query = "",
) {
  const response = await portal.app.inject({
    method: "POST",
    url: `/api/webhook/${source}${query}`,
    headers: { "content-type": typeof body === "string" ? "text/plain" : "application/json", ...headers },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });
  return {
    status: response.statusCode,
    body: response.body,
    json: () => response.json(),
    headers: response.headers,
  };
}

async function untilWorked(): Promise<void> {
  await eventually("the deliveries to be worked", async () => {
    const { rows } = await portal.deps.database.pool.query(
      "select 1 from provider_events where processed_at is null",
    );
    return rows.length === 0;
  });
}

async function deliver(...input: Parameters<typeof send>): Promise<LeadDelivery> {
  const answer = await send(...input);
  expect(answer.status, answer.body).toBe(200);
  await untilWorked();
  const deliveries: LeadDelivery[] = (await admin.get(`/api/webhook-deliveries?source=${input[0]}`)).body;
  return deliveries[0] as LeadDelivery;
}

async function leadsOf(email: string) {
  const { rows } = await portal.deps.database.pool.query(
    "select * from leads where lower(email) = $1 order by id",
    [email],
  );
  return rows;
}

const outcomes = (delivery: LeadDelivery) => delivery.items.map(({ outcome }) => outcome);

const leadNow = async (id: number | null | undefined) =>
  (await portal.deps.database.pool.query("select * from leads where id = $1", [id])).rows[0];
const whole = (n: number) => ({
  Name: { FirstName: "Ana", LastName: "Reyes" },
  Email: plainLead(n).email,
  Phone: plainLead(n).phone,
});

describe("a lead in plain fields", () => {
  it("is created and assigned to the first sales rep, with a timeline", async () => {
    const i = next();
    const answer = await send("lead", plainLead(i, { Tarifa: "2.0TD" }));
    expect(answer.json()).toMatchObject({ success: true, message: "Webhook received", received: 1 });
    await untilWorked();
    const [lead] = await leadsOf(`ana${i}@example.com`);
    expect(lead).toMatchObject({
      name: "Ana Reyes",
      phone_e164: `+121255501${String(i).padStart(2, "0")}`,
      company: "Reyes LLC",
      lead_source: "Web form",
      notes: "Asked for a quote",
      assigned_to: first.user.id,
      extra: { imported: { Tarifa: "2.0TD" } },
    });
    const { body } = await first.get(`/api/leads/${lead.id}/timeline`);
    expect(body.map(({ kind }: { kind: string }) => kind)).toEqual(["created"]);
  });

  it("is matched by its email, its phone and the CRM's id, and updated", async () => {
    const i = next();
    const byEmail = await deliver("lead", plainLead(i));
    const again = await deliver("lead", {
      firstName: "Ana",
      lastName: "Reyes Gil",
      EMAIL: `ANA${i}@example.com`,
    });
    expect(outcomes(again)).toEqual(["updated"]);
    expect(again.items[0]).toMatchObject({ leadId: byEmail.items[0]?.leadId, leadName: "Ana Reyes Gil" });
    const byPhone = await deliver("lead", {
      name: "Ana Reyes",
      phone: plainLead(i).phone,
      company: "Gil SL",
    });
    expect(byPhone.items[0]?.leadId).toBe(byEmail.items[0]?.leadId);

    const contact = await buildLead(portal.deps.database, { ghlContactId: ghlWorkflow(i).contact_id });
    const byContact = await deliver("lead", ghlWorkflow(i, { email: `moved${i}@example.com` }));
    expect(byContact.items[0]?.leadId).toBe(contact.id);
    expect((await leadsOf(`ana${i}@example.com`)).length).toBe(1);
  });

  it("keeps the consultant's status, priority and notes", async () => {
    const i = next();
    const { items } = await deliver("lead", plainLead(i));
    const id = items[0]?.leadId;
    await first.patch(`/api/leads/${id}`, {
      status: "interested",
      priority: "high",
      notes: "Call on Monday",
    });
    await deliver("lead", plainLead(i, { status: "new", priority: "low" }));
    const [lead] = await leadsOf(`ana${i}@example.com`);
    expect(lead).toMatchObject({ status: "interested", priority: "high" });
    expect(lead.notes).toContain("Call on Monday");
  });

  it("is dropped as a repeat by its event id, in the body or a header", async () => {
    const i = next();
    await deliver("lead", plainLead(i, { eventId: `e-${i}` }));
    expect(outcomes(await deliver("lead", plainLead(i, { eventId: `e-${i}`, company: "New" })))).toEqual([
      "repeat",
    ]);
    const headers = { "x-webhook-id": `h-${i}` };
    const one = (await send("lead", plainLead(i), headers)).json();
    expect((await send("lead", plainLead(i), headers)).json()).toMatchObject({
      repeat: true,
      deliveryId: one.deliveryId,
    });
  });

  it("is accepted as a form, in an array, and in another character set", async () => {
    const i = next();
    await send("lead", `name=Jos%C3%A9+Gil&email=ana${i}%40example.com`, {
      "content-type": "application/x-www-form-urlencoded",
    });
    const j = next();
    const k = next();
    await send("lead", { leads: [plainLead(j), plainLead(k), { name: "Nobody" }] });
    const l = next();
    const latin = Buffer.from(JSON.stringify(plainLead(l, { name: "Begoña Ibáñez" })), "latin1");
    await portal.app.inject({
      method: "POST",
      url: "/api/webhook/lead",
      headers: { "content-type": "application/json; charset=iso-8859-1" },
      payload: latin,
    });
    await untilWorked();
    expect((await leadsOf(`ana${i}@example.com`))[0]?.name).toBe("José Gil");
    expect(
      (await leadsOf(`ana${j}@example.com`)).length + (await leadsOf(`ana${k}@example.com`)).length,
    ).toBe(2);
    expect((await leadsOf(`ana${l}@example.com`))[0]?.name).toBe("Begoña Ibáñez");
  });

  it("creates one lead for concurrent deliveries", async () => {
    const i = next();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send("lead", plainLead(i))));
    await untilWorked();
    expect(await leadsOf(`ana${i}@example.com`)).toHaveLength(1);
    // Requests that arrive during an insert are stored together by the next one.
    const { rows } = await portal.deps.database.pool.query(
      "select distinct received_at from provider_events where id = any($1)",
      [answers.map((answer) => answer.json().deliveryId)],
    );
    expect(rows.length).toBeLessThan(20);
  });

  it("keeps unusual texts as sent", async () => {
    const lead = (text: string, n: number) => ({
      name: text,
      email: `odd${n}@example.com`,
      notes: text,
      company: text,
      [`x${text}`]: text,
    });
    const { items } = await deliver("lead", { leads: oddStrings.map(lead) });
    // A lone surrogate is rejected and must not become another character.
    expect(items.map(({ outcome }) => outcome)).toEqual(
      oddStrings.map((text) => (text.isWellFormed() ? "created" : "rejected")),
    );
    expect(items.find(({ outcome }) => outcome === "rejected")?.reason).toBe("Has broken characters: name.");
    const { rows } = await portal.deps.database.pool.query(
      "select notes from leads where email like 'odd%@example.com' order by id",
    );
    expect(rows).toHaveLength(oddStrings.filter((text) => text.isWellFormed()).length);
    for (const text of ["<svg/onload=alert(1)>", "👩‍👩‍👧‍👦 👨🏿‍🚀 🏳️‍🌈 🇪🇸🇵🇷", "\u202etfel ot thgir\u202c"])
      expect(rows).toContainEqual({ notes: text });
  });

  it("is rejected with a reason when it is invalid, and stored", async () => {
    for (const [body, reason] of [
      ['{"email":"half@example.com","note":"\\ud83d"}', "Has broken characters: note."],
      ['{"email":"half@example.com","\\ude00":1}', "Has broken characters: \ufffd."],
      ["{not json", "The body is not JSON."],
      ["", "The body is empty."],
      ['{"name":"Ana"}', "Has neither an email nor a phone number."],
      ['"text"', "Not an object with fields."],
      ["<lead/>", "XML is not read at this address."],
      [`{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`, null],
    ] as const) {
      const answer = await send("lead", body);
      expect(answer.status).toBe(400);
      if (reason) expect(answer.json().message).toContain(reason);
      await untilWorked();
      const [kept] = (await admin.get("/api/webhook-deliveries?source=lead")).body as LeadDelivery[];
      expect(kept).toMatchObject({ state: "rejected", body });
      if (reason) expect(kept?.reason).toBe(reason);
    }
    expect((await send("lead", "x".repeat(1_100_000))).status).toBe(413);
    expect((await send("lead", "{}", { "content-encoding": "gzip" })).status).toBe(415);
  });
});

describe("a delivery of Salesforce", () => {
  it("from a flow is accepted, and its record is matched by its id when the email changes", async () => {
    const i = next();
    const made = await deliver("salesforce", salesforceLead(i));
    expect((await leadsOf(`ana${i}@example.com`))[0]).toMatchObject({ lead_source: "Web", status: "new" });
    const moved = await deliver("salesforce", salesforceLead(i, { Email: `moved${i}@example.com` }));
    expect(moved.items[0]).toMatchObject({ outcome: "updated", leadId: made.items[0]?.leadId });
    expect(await leadsOf(`moved${i}@example.com`)).toHaveLength(1);
    expect(await leadsOf(`ana${i}@example.com`)).toHaveLength(0);
  });

  it("as an outbound message gets its Ack, and repeats are dropped", async () => {
    const [i, j] = [next(), next()];
    const headers = { "content-type": "text/xml; charset=utf-8", soapaction: '""' };
    const answer = await send("salesforce", salesforceMessage([i, j]), headers);
    expect(answer.headers["content-type"]).toContain("text/xml");
    expect(answer.body).toContain("<Ack>true</Ack>");
    await untilWorked();
    expect((await leadsOf(`ana${i}@example.com`))[0]?.name).toBe("Ana & José Reyes");
    expect(outcomes(await deliver("salesforce", salesforceMessage([j, next()]), headers))).toEqual([
      "repeat",
      "created",
    ]);
    const [kept] = (await admin.get("/api/webhook-deliveries?source=salesforce")).body as LeadDelivery[];
    expect(kept?.body).not.toContain("secret-session");
  });

  it("that changes a known record updates that lead, whatever the rest contains", async () => {
    const [i, other] = [next(), next()];
    const { items } = await deliver("salesforce", salesforceLead(i));
    await deliver("lead", plainLead(other, { name: "Otra Persona" }));
    const fields = { Name: { LastName: "Gil" }, Phone: "+13055550999", Email: plainLead(other).email };
    const changed = await deliver("salesforce", salesforceChange(i, fields));
    expect(changed.items).toMatchObject([
      { outcome: "updated", leadId: items[0]?.leadId, leadName: "Ana Gil" },
    ]);
    expect(await leadNow(items[0]?.leadId)).toMatchObject({
      first_name: "Ana",
      last_name: "Gil",
      phone_e164: "+13055550999",
      email: plainLead(i).email,
      extra: { imported: { email: plainLead(other).email } },
    });
    expect(JSON.stringify((await leadNow(items[0]?.leadId)).extra)).not.toContain("transactionKey");
    expect(await leadsOf(plainLead(other).email)).toHaveLength(1);
    expect((await leadsOf(plainLead(other).email))[0]?.name).toBe("Otra Persona");
  });

  it("that changes a record without a lead waits for its email or phone", async () => {
    const i = next();
    const name = { Name: { FirstName: "Ana", LastName: "Reyes" } };
    expect(outcomes(await deliver("salesforce", salesforceChange(i, name)))).toEqual(["waiting"]);
    const email = salesforceChange(i, { Email: plainLead(i).email }, { at: 10 });
    expect((await deliver("salesforce", email)).items).toMatchObject([
      { outcome: "created", leadName: "Ana Reyes" },
    ]);
    expect(outcomes(await deliver("salesforce", email))).toEqual(["repeat"]);
  });

  it("that is late undoes nothing newer, and one with an empty field clears nothing", async () => {
    const i = next();
    const { items } = await deliver("salesforce", salesforceChange(i, whole(i), { changeType: "CREATE" }));
    await deliver("salesforce", salesforceChange(i, { Company: "Newest" }, { at: 30 }));
    const late = salesforceChange(i, { Company: "Older", Industry: "Dental" }, { at: 20 });
    expect(outcomes(await deliver("salesforce", late))).toEqual(["updated"]);
    const emptied = salesforceChange(
      i,
      { Name: { FirstName: null } },
      { at: 40, nulledFields: ["Name.FirstName"] },
    );
    expect(outcomes(await deliver("salesforce", emptied))).toEqual(["unchanged"]);
    const staleName = salesforceChange(i, { Name: { FirstName: "Old" } }, { at: 35 });
    expect(outcomes(await deliver("salesforce", staleName))).toEqual(["unchanged"]);
    expect(await leadNow(items[0]?.leadId)).toMatchObject({
      name: "Ana Reyes",
      company: "Newest",
      industry: "Dental",
    });
  });

  it("can change several records", async () => {
    const [i, j] = [next(), next()];
    await deliver("salesforce", [salesforceLead(i), salesforceLead(j)]);
    const recordIds = [salesforceRecordId(i), salesforceRecordId(j)];
    const both = salesforceChange(i, { Company: "Moved SA" }, { recordIds });
    expect(outcomes(await deliver("salesforce", both))).toEqual(["updated", "updated"]);
    for (const n of [i, j]) expect((await leadsOf(plainLead(n).email))[0]?.company).toBe("Moved SA");
  });

  it("that deletes a record keeps its lead, can be undone, and reports gaps", async () => {
    const i = next();
    const { items } = await deliver("salesforce", salesforceLead(i));
    const ofTypes = [
      salesforceChange(i, {}, { changeType: "DELETE", at: 1 }),
      salesforceChange(i, {}, { changeType: "GAP_UPDATE", at: 2 }),
      salesforceChange(i, {}, { changeType: "GAP_OVERFLOW", recordIds: ["000000000000000AAA"], at: 3 }),
      salesforceChange(i, {}, { recordIds: ["00Q*"], at: 4 }),
      salesforceChange(i, {}, { entityName: "Opportunity", at: 5 }),
    ];
    expect(outcomes(await deliver("salesforce", ofTypes))).toEqual(Array(5).fill("ignored"));
    expect(await leadNow(items[0]?.leadId)).toMatchObject({ name: "Ana Reyes", crm_deleted_at: null });
    const back = salesforceChange(i, { ...whole(i), Company: "Back" }, { changeType: "UNDELETE", at: 9 });
    expect((await deliver("salesforce", back)).items).toMatchObject([
      { outcome: "updated", leadId: items[0]?.leadId },
    ]);
  });

  it("ignores the value '[not provided]'", async () => {
    const i = next();
    const empty = { LastName: "[not provided]", Company: "[[Unknown]]", Phone: "[not provided]" };
    const { items } = await deliver("salesforce", salesforceLead(i, empty));
    expect(await leadNow(items[0]?.leadId)).toMatchObject({ name: "Ana", company: null, phone: null });
    await deliver("salesforce", salesforceLead(i));
    expect(outcomes(await deliver("salesforce", salesforceLead(i, empty)))).toEqual(["unchanged"]);
    expect(await leadNow(items[0]?.leadId)).toMatchObject({ name: "Ana Reyes", company: "Reyes LLC" });
    const onlyId = { Id: salesforceRecordId(i), LastName: "Gil", Email: "[not provided]" };
    expect(outcomes(await deliver("salesforce", onlyId))).toEqual(["updated"]);
    expect((await leadNow(items[0]?.leadId)).name).toBe("Ana Gil");
  });

  it("is rejected when it defines entities or comes from another organization", async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${salesforceMessage([next()])}`;
    expect((await send("salesforce", bomb)).json().message).toContain("A document type is not accepted.");
    expect((await send("salesforce", "<a><b></a>")).status).toBe(400);
    const set = await admin.patch("/api/webhook-sources/salesforce", { organizationId: "00D000000000001" });
    expect(set.body.organizationId).toBe("00D000000000001");
    const other = await send("salesforce", salesforceMessage([next()], "00D000000000002AAA"));
    expect(other.json().message).toContain("another organization");
    expect((await send("salesforce", salesforceMessage([next()]))).status).toBe(200);
    await admin.patch("/api/webhook-sources/salesforce", { organizationId: null });
  });
});

describe("a delivery of HubSpot", () => {
  it("from a workflow creates its contact", async () => {
    const i = next();
    const { items } = await deliver("hubspot", hubspotContact(i));
    expect(items).toMatchObject([{ outcome: "created", leadName: "Ana Reyes" }]);
    expect((await leadsOf(`ana${i}@example.com`))[0]).toMatchObject({
      status: "contacted",
      lead_source: "HubSpot",
      company: "Reyes LLC",
    });
  });

  it("with ids only waits until the properties of a lead have arrived, in any order", async () => {
    const i = next();
    const waiting = await deliver("hubspot", [
      hubspotChange(i, "firstname", "Lucía", 20),
      hubspotChange(i, "firstname", "Ana", 10),
      hubspotEvent(i),
      hubspotEvent(i, { eventId: 900 + i, subscriptionType: "company.creation" }),
      hubspotEvent(i, { eventId: 950 + i, subscriptionType: "contact.deletion" }),
    ]);
    expect(outcomes(waiting)).toEqual(["waiting", "waiting", "waiting", "ignored", "ignored"]);
    const made = await deliver("hubspot", [
      hubspotChange(i, "email", `ana${i}@example.com`),
      hubspotChange(i, "lastname", "Reyes"),
    ]);
    expect(made.items).toMatchObject([
      { outcome: "created", leadName: "Lucía Reyes" },
      { outcome: "created", leadName: "Lucía Reyes" },
    ]);
    const later = await deliver("hubspot", [
      hubspotChange(i, "company", "Gil SL", 30),
      hubspotChange(i, "email", `ana${i}@example.com`),
      hubspotEvent(i, { subscriptionType: "object.creation", objectTypeId: "0-1", eventId: 970 + i }),
    ]);
    expect(outcomes(later)).toEqual(["updated", "repeat", "updated"]);
    expect((await leadsOf(`ana${i}@example.com`))[0]?.company).toBe("Gil SL");
  });

  it("that names a known contact by its id clears nothing when partial, and undoes nothing when late", async () => {
    const [i, other] = [next(), next()];
    const contact = (properties: object) => ({ vid: 1000 + i, properties });
    const { items } = await deliver("hubspot", hubspotContact(i));
    const id = items[0]?.leadId;
    await deliver("lead", plainLead(other));
    const moved = contact({ lastname: { value: "Gil" }, email: { value: plainLead(other).email } });
    expect((await deliver("hubspot", moved)).items).toMatchObject([
      { outcome: "updated", leadId: id, leadName: "Ana Gil" },
    ]);
    const empty = contact({
      firstname: { value: "(No value)" },
      company: { value: "--" },
      phone: { value: "" },
    });
    expect(outcomes(await deliver("hubspot", empty))).toEqual(["unchanged"]);
    await deliver("hubspot", [hubspotChange(i, "company", "Newest", 20)]);
    await deliver("hubspot", [
      hubspotChange(i, "company", "Older", 10),
      hubspotChange(i, "phone", "", 10),
      hubspotChange(i, "lastname", "Soto", 10),
    ]);
    expect(await leadNow(id)).toMatchObject({
      name: "Ana Soto",
      company: "Newest",
      phone: plainLead(i).phone,
    });
  });

  it("is accepted only by its signature once the client secret is set", async () => {
    await admin.patch("/api/webhook-sources/hubspot", { clientSecret: hubspotSecret });
    const i = next();
    const sign = (body: string, timestamp: number, secret = hubspotSecret) => ({
      "x-hubspot-request-timestamp": String(timestamp),
      "x-hubspot-signature-v3": createHmac("sha256", secret)
        .update(`POST${portal.url}/api/webhook/hubspot?x=1${body}${timestamp}`)
        .digest("base64"),
    });
    const body = JSON.stringify([hubspotChange(i, "email", `ana${i}@example.com`)]);
    const now = Date.now();
    const refused = [
      await send("hubspot", body, {}, "?x=1"),
      await send("hubspot", body, sign(body, now, "forged-secret"), "?x=1"),
      await send("hubspot", `${body} `, sign(body, now), "?x=1"),
      await send("hubspot", body, sign(body, now), "?x=2"),
      await send("hubspot", body, sign(body, now - 301_000), "?x=1"),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect((await send("hubspot", body, sign(body, now), "?x=1")).json()).toMatchObject({ repeat: false });
    expect((await send("hubspot", body, sign(body, now), "?x=1")).json()).toMatchObject({ repeat: true });
    await untilWorked();
    expect(await leadsOf(`ana${i}@example.com`)).toHaveLength(1);
    const { rows } = await portal.deps.database.pool.query(
      "select client_secret_encrypted from lead_webhook_sources where source = 'hubspot'",
    );
    expect(rows[0].client_secret_encrypted).not.toContain(hubspotSecret);
    const sources = await first.get("/api/webhook-sources");
    expect(JSON.stringify(sources.body)).not.toContain(hubspotSecret);
    await admin.patch("/api/webhook-sources/hubspot", { clientSecret: null });
  });
});

describe("a delivery of Pipedrive", () => {
  it("with a person in either version uses the primary addresses", async () => {
    const [i, j] = [next(), next()];
    await deliver("pipedrive", pipedriveV2(i));
    await deliver("pipedrive", pipedriveV1(j));
    expect(await leadsOf(`ana${i}@example.com`)).toHaveLength(1);
    expect((await leadsOf(`ana${j}@example.com`))[0]).toMatchObject({
      company: "Reyes LLC",
      lead_source: "Pipedrive",
    });
    expect(await leadsOf("other@example.com")).toHaveLength(0);
  });

  it("that repeats an event is dropped, and one that changes a person updates the lead", async () => {
    const [i, j] = [next(), next()];
    const made = await deliver("pipedrive", pipedriveV2(i));
    expect(outcomes(await deliver("pipedrive", pipedriveV2(i, {}, { attempt: 2 })))).toEqual(["repeat"]);
    const changed = pipedriveV2(
      i,
      { name: "Ana Gil", first_name: "Ana", last_name: "Gil", emails: [] },
      {
        action: "change",
        id: `change-${i}`,
      },
    );
    const { items } = await deliver("pipedrive", changed);
    expect(items).toMatchObject([{ outcome: "updated", leadId: made.items[0]?.leadId, leadName: "Ana Gil" }]);
    await deliver("pipedrive", pipedriveV1(j));
    expect(outcomes(await deliver("pipedrive", pipedriveV1(j, 1)))).toEqual(["repeat"]);
    const others = [
      await deliver("pipedrive", pipedriveV2(next(), {}, { entity: "deal" })),
      await deliver("pipedrive", pipedriveV2(next(), {}, { action: "delete" })),
    ];
    expect(others.flatMap(outcomes)).toEqual(["ignored", "ignored"]);
  });
});

describe("a record in Pipedrive and another system", () => {
  it("is one lead, whatever the rest contains; partial messages clear nothing, late ones undo nothing", async () => {
    const [i, other] = [next(), next()];
    const change = (data: object, meta: { timestamp: string }) =>
      pipedriveV2(
        i,
        { emails: [], phones: [], ...data },
        { action: "change", id: `c-${i}-${meta.timestamp}`, ...meta },
      );
    const { items } = await deliver("pipedrive", pipedriveV2(i));
    const id = items[0]?.leadId;
    await deliver("lead", plainLead(other));
    const moved = change(
      { name: "Ana Gil", last_name: "Gil", emails: [{ value: plainLead(other).email, primary: true }] },
      { timestamp: "2025-11-20T11:00:00.000Z" },
    );
    expect((await deliver("pipedrive", moved)).items).toMatchObject([{ leadId: id, leadName: "Ana Gil" }]);
    const late = change(
      { name: "Anna Reyes", first_name: "Anna" },
      { timestamp: "2025-11-20T10:30:00.000Z" },
    );
    await deliver("pipedrive", late);
    expect(await leadNow(id)).toMatchObject({ name: "Ana Gil" });
    const partial = change(
      { name: null, first_name: null, last_name: "Soto", org_name: "[Unknown]" },
      { timestamp: "2025-11-20T12:00:00.000Z" },
    );
    await deliver("pipedrive", partial);
    expect(await leadNow(id)).toMatchObject({ name: "Ana Soto", phone: plainLead(i).phone, company: null });
  });

  it("with an id that another system uses too is another lead; several records may be one lead", async () => {
    const [i, j] = [next(), next()];
    const hubspot = await deliver("hubspot", { ...hubspotContact(i), vid: 70 + j });
    const pipedrive = await deliver("pipedrive", pipedriveV2(j));
    expect(pipedrive.items[0]?.leadId).not.toBe(hubspot.items[0]?.leadId);
    const second = await deliver("hubspot", { ...hubspotContact(i), vid: 5_000 + j });
    expect(second.items[0]?.leadId).toBe(hubspot.items[0]?.leadId);
    const change = { vid: 5_000 + j, properties: { company: { value: "Two Records" } } };
    expect((await deliver("hubspot", change)).items).toMatchObject([
      { outcome: "updated", leadId: hubspot.items[0]?.leadId },
    ]);
  });
});

describe("a name that a consultant corrected", () => {
  it("is kept when the sender repeats the old one, also in another case, until it sends a new one", async () => {
    const i = next();
    const { items } = await deliver("lead", plainLead(i, { name: "JP MORGAN" }));
    const id = items[0]?.leadId;
    await first.patch(`/api/leads/${id}/name`, { name: "  J.P. Morgan DelaRosa " });
    for (const name of ["JP Morgan", "jp morgan", "J.P. MORGAN DELAROSA", "j.p. morgan delarosa"]) {
      await deliver("lead", plainLead(i, { name }));
      expect((await leadNow(id)).name).toBe("J.P. Morgan DelaRosa");
    }
    await deliver("lead", plainLead(i, { name: "john morgan" }));
    expect((await leadNow(id)).name).toBe("John Morgan");
  });
});

describe("a webhook delivery", () => {
  it("is replayed by an administrator without duplicates", async () => {
    const i = next();
    const made = await deliver("lead", plainLead(i, { eventId: `replay-${i}` }));
    expect((await first.post(`/api/webhook-deliveries/${made.id}/replay`)).status).toBe(403);
    expect((await admin.post(`/api/webhook-deliveries/${made.id}/replay`)).status).toBe(200);
    await untilWorked();
    const [again] = (await admin.get("/api/webhook-deliveries?source=lead")).body as LeadDelivery[];
    expect(again).toMatchObject({
      id: made.id,
      items: [{ outcome: "unchanged", leadId: made.items[0]?.leadId }],
    });
    expect((await admin.post("/api/webhook-deliveries/999999/replay")).status).toBe(404);
  });

  it("left by a crash is processed in the next run", async () => {
    const i = next();
    const payload = { contentType: "application/json", body: JSON.stringify(plainLead(i)), test: false };
    await portal.deps.database.pool.query(
      "insert into provider_events (source, event_key, kind, payload) values ('lead-webhook', 'left', 'lead', $1)",
      [payload],
    );
    await untilWorked();
    expect(await leadsOf(`ana${i}@example.com`)).toHaveLength(1);
  });

  it("that fails does not affect others, and is retried", async () => {
    const i = next();
    const { pool } = portal.deps.database;
    const good = { contentType: "application/json", body: JSON.stringify(plainLead(i)), test: false };
    await pool.query(
      `insert into provider_events (source, event_key, kind, payload)
       values ('lead-webhook', 'broken', 'lead', '{}'), ('lead-webhook', 'whole', 'lead', $1)`,
      [good],
    );
    const [broken] = await eventually("the broken one to fail alone", async () => {
      const { rows } = await pool.query(
        "select attempts, error, processed_at from provider_events where event_key = 'broken' and attempts > 0",
      );
      return rows.length > 0 && (await leadsOf(`ana${i}@example.com`)).length > 0 && rows;
    });
    expect(broken).toMatchObject({ processed_at: null, error: expect.stringContaining("undefined") });
    await pool.query("delete from provider_events where event_key = 'broken'");
  });

  it("for testing is parsed and creates no lead; it requires a session", async () => {
    const [i, j] = [next(), next()];
    const headers = { "x-webhook-test": "1" };
    const tested = await deliver("lead", plainLead(i), { ...headers, cookie: second.cookie });
    expect(tested).toMatchObject({ test: true, items: [{ outcome: "tested", leadId: null }] });
    expect(tested.items[0]?.reason).toContain(`ana${i}@example.com`);
    expect(await leadsOf(`ana${i}@example.com`)).toHaveLength(0);
    await deliver("lead", plainLead(j), headers);
    expect(await leadsOf(`ana${j}@example.com`)).toHaveLength(1);
  });

  it("is listed for administrators only", async () => {
    expect((await portal.request("GET", "/api/webhook-deliveries?source=lead")).status).toBe(401);
    expect((await first.get("/api/webhook-deliveries?source=lead")).status).toBe(403);
  });

  it("with hostile content never causes an error", async () => {
    const addresses: WebhookSource[] = ["lead", "salesforce", "hubspot", "pipedrive"];
    const naughty = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom(
        "\u0000",
        "\ud800",
        "__proto__",
        "'; drop table leads;--",
        "=cmd|'/c calc'!A1",
        "‮",
        "🧵".repeat(50),
      ),
    );
    const shapes = fc.oneof(
      fc.record({
        name: naughty,
        email: fc.emailAddress(),
        notes: naughty,
        phone: naughty,
        other: fc.anything(),
      }),
      fc.json(),
      naughty,
      fc.record({ meta: fc.object(), data: fc.object() }),
      fc.array(fc.record({ subscriptionType: naughty, objectId: fc.anything(), eventId: fc.anything() })),
      naughty.map((text) => salesforceMessage([1]).replace("Reyes LLC", text)),
    );
    const statuses: number[] = [];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...addresses), shapes, async (source, shape) => {
        const body = typeof shape === "string" ? shape : (JSON.stringify(shape) ?? "");
        statuses.push((await send(source, body)).status);
      }),
      { numRuns: 150 },
    );
    expect(statuses.filter((status) => status !== 200 && status !== 400)).toEqual([]);
    await untilWorked();
    const { rows } = await portal.deps.database.pool.query(
      "select error from provider_events where error is not null and error <> 'nothing in it could be read'",
    );
    expect(rows).toEqual([]);
  });
});

describe("keys of a source", () => {
  const key = async (source: string) => (await admin.post(`/api/webhook-sources/${source}/key`)).body;

  it("are created by administrators, shown once, and then required for every request", async () => {
    expect((await portal.request("POST", "/api/webhook-sources/lead/key")).status).toBe(401);
    expect((await first.post("/api/webhook-sources/lead/key")).status).toBe(403);
    const open = (await first.get("/api/webhook-sources")).body;
    expect(open.map(({ access }: { access: string }) => access)).toEqual(Array(5).fill("open"));
    const made = await key("lead");
    expect(made.source).toMatchObject({
      access: "keyed",
      key: { hint: made.key.slice(-4), previousUntil: null },
    });
    expect(JSON.stringify((await admin.get("/api/webhook-sources")).body)).not.toContain(made.key);
    const { rows } = await portal.deps.database.pool.query(
      "select * from lead_webhook_sources where source = 'lead'",
    );
    expect(JSON.stringify(rows)).not.toContain(made.key);

    const i = next();
    const body = JSON.stringify(plainLead(i));
    const json = { "content-type": "application/json" };
    const signature = (secret: string) => createHmac("sha256", secret).update(body).digest("hex");
    const good = [
      await send("lead", body, { ...json, "x-webhook-secret": made.key }),
      await send("lead", body, { ...json, authorization: `Bearer ${made.key}` }),
      await send("lead", body, { ...json, authorization: `Basic ${btoa(`portal:${made.key}`)}` }),
      await send("lead", body, json, `?key=${made.key}`),
      await send("lead", body, { ...json, "x-webhook-signature": `sha256=${signature(made.key)}` }),
      await send("lead", body, { ...json, cookie: second.cookie }),
      await send("lead", body, {
        ...json,
        "x-webhook-secret": made.key,
        origin: "https://elsewhere.example",
      }),
    ];
    expect(good.map(({ status }) => status)).toEqual(Array(7).fill(200));
    const bad = [
      await send("lead", body, json),
      await send("lead", body, { ...json, "x-webhook-secret": `${made.key}x` }),
      await send("lead", body, { ...json, "x-webhook-signature": signature("guessed") }),
      await send("lead", body, { ...json, cookie: `${second.cookie}x` }),
    ];
    expect(bad.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    const foreign = { ...json, cookie: second.cookie, origin: "https://elsewhere.example" };
    expect((await send("lead", body, foreign)).status).toBe(403);
  });

  it("are rotated with an overlap of a day and end at once when removed", async () => {
    const old = await key("pipedrive");
    const fresh = await key("pipedrive");
    expect(fresh.source.key.previousUntil).not.toBeNull();
    const basic = (secret: string) => ({ authorization: `Basic ${btoa(`anyone:${secret}`)}` });
    expect((await send("pipedrive", pipedriveV2(next()), basic(old.key))).status).toBe(200);
    expect((await send("pipedrive", pipedriveV2(next()), basic(fresh.key))).status).toBe(200);
    await portal.deps.database.pool.query(
      "update lead_webhook_sources set previous_until = now() - interval '1 s'",
    );
    portal.deps.sourceAuth.forget();
    expect((await send("pipedrive", pipedriveV2(next()), basic(old.key))).status).toBe(401);
    const removed = await portal.request("DELETE", "/api/webhook-sources/pipedrive/key", {
      cookie: admin.cookie,
    });
    expect(removed.body).toMatchObject({ key: null, access: "open" });
    const audit = await portal.deps.database.pool.query(
      "select action from audit_log where subject = 'webhook-source:pipedrive' order by id",
    );
    expect(audit.rows.map(({ action }) => action)).toEqual([
      "webhook-key-made",
      "webhook-key-made",
      "webhook-key-removed",
    ]);
  });

  it("keep accepting valid requests while forged ones of the same address are rate-limited", async () => {
    const made = await key("salesforce");
    const statuses = new Set<number>();
    for (let count = 0; count < 40; count += 1)
      statuses.add(
        (await send("salesforce", salesforceLead(1), { "x-webhook-secret": `guess-${count}` })).status,
      );
    expect([...statuses].sort()).toEqual([401, 429]);
    const forged = await send("salesforce", salesforceLead(1));
    expect(Number(forged.headers["retry-after"])).toBeGreaterThan(0);
    expect((await send("salesforce", salesforceLead(1), { "x-api-key": made.key })).status).toBe(200);
  });
});

it("an open source accepts 600 requests a minute from one address, then answers when to retry", async () => {
  const demo = await buildTestApp({ databaseUrl: portal.deps.env.databaseUrl });
  // Counted first and then refused, so that nothing is stored.
  const headers = { "content-encoding": "gzip" };
  const deliver = () => demo.request("POST", "/api/webhook/pipedrive", { body: {}, headers });
  let counted = 0;
  let refused = await deliver();
  for (; refused.status !== 429; refused = await deliver()) {
    counted += 1;
    expect(refused.status).toBe(415);
  }
  expect(counted).toBe(600);
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  await demo.close();
});

describe("in production", () => {
  it("a source without a key accepts signed-in users only", async () => {
    const production = await buildTestApp({
      env: {
        NODE_ENV: "production",
        SESSION_SECRET: "s".repeat(32),
        ENCRYPTION_KEY: "e".repeat(32),
        ADMIN_EMAIL: "admin@portal.test",
      },
    });
    const client = await production.signIn({ role: "admin" });
    const refused = await production.request("POST", "/api/webhook/lead", { body: plainLead(1) });
    expect(refused.status).toBe(401);
    expect(refused.body.message).toContain("has no key yet");
    const sources = (await client.get("/api/webhook-sources")).body;
    expect(sources.map(({ access }: { access: string }) => access)).toEqual(Array(5).fill("closed"));
    expect((await client.post("/api/webhook/lead", plainLead(1))).status).toBe(200);
    // A client secret that cannot be decrypted, because ENCRYPTION_KEY was changed, still closes its source.
    await production.deps.database.pool.query(
      "insert into lead_webhook_sources (source, client_secret_encrypted) values ('hubspot', 'v1:AAAA')",
    );
    production.deps.sourceAuth.forget();
    expect(await production.deps.sourceAuth.accessOf("hubspot")).toBe("keyed");
    const unsealed = await production.request("POST", "/api/webhook/hubspot", {
      body: [hubspotEvent(1)],
      headers: { "x-hubspot-signature": "0".repeat(64), "x-hubspot-signature-version": "v1" },
    });
    expect(unsealed.status).toBe(401);
    await production.close();
  });
});
