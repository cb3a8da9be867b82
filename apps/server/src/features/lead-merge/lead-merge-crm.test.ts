import { randomUUID } from "node:crypto";
import type { MergePreview } from "@portal/contract/entities/lead-merge";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type CrmHarness, openCrmHarness } from "../../testing/crm-harness.ts";
import { buildLead } from "../../testing/factories.ts";
import { findContactFacts } from "../contact-policy/repository.ts";
import { pushLead } from "../crm/push-changes.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let desk: CrmHarness;
beforeAll(async () => {
  desk = await openCrmHarness();
});
beforeEach(async () => {
  await desk.renew();
  await desk.admin.post("/api/ghl/sync");
});
afterAll(() => desk?.close());

// biome-ignore lint/suspicious/noExplicitAny: rows are checked field by field
type Row = any;
const rowsOf = async (text: string, values: unknown[] = []): Promise<Row[]> =>
  (await desk.app.deps.database.pool.query(text, values)).rows;
const rowOf = async (id: number): Promise<Row> =>
  (await rowsOf("select * from leads where id = $1", [id]))[0];
/** Two of Ana's leads that the CRM knows, with their own numbers and email addresses. */
async function two(): Promise<[Row, Row]> {
  const [one, other] = await rowsOf(
    `update leads set assigned_to = $1 where id in (select id from leads where ghl_contact_id is not null and status = 'new'
       and phone_e164 is not null and email is not null and company is not null and call_opt_out is null order by id limit 2) returning *`,
    [desk.ana.user.id],
  );
  return [one, other];
}
const contact = async (id: string): Promise<Row> =>
  (await desk.sandbox.control("GET", "/ghl/contacts")).contacts.find((one: Row) => one.id === id);
const change = (id: string, fields: object) => desk.sandbox.control("PATCH", `/ghl/contacts/${id}`, fields);
const context = () => ({ ...desk.app.deps, defaultCountry: "US" as const });
const putsTo = async (id: string): Promise<Row[]> =>
  (await desk.sandbox.control("GET", `/requests?vendor=ghl&path=/contacts/${id}`)).requests.filter(
    ({ method }: Row) => method === "PUT",
  );
async function untilSynced(leadId: number) {
  await vi.waitFor(
    async () => {
      await pushLead(context(), leadId).catch(() => undefined);
      expect((await rowOf(leadId)).crm_sync).toBe("synced");
    },
    { timeout: 45_000, interval: 50 },
  );
}
async function merge(kept: Row, other: Row, choices: object) {
  const { status, body } = await desk.ana.post(`/api/leads/${kept.id}/merge`, {
    otherId: other.id,
    choices,
    clientRef: randomUUID(),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

it("pushes go to the chosen contact, syncs of the other change nothing, and undo restores both", async () => {
  const [kept, other] = await two();
  await rowsOf("update leads set status = 'interested', notes = 'Ours' where id = $1", [kept.id]);
  const { body }: { body: MergePreview } = await desk.ana.post(`/api/leads/${kept.id}/merge/preview`, {
    otherId: other.id,
    choices: { contact: "other" },
  });
  expect(body.fields).toContainEqual({ field: "email", side: "other", fixed: true });
  await desk.sandbox.control("DELETE", "/requests");
  const made = await merge(kept, other, { contact: "other", name: "kept", status: "kept" });
  await untilSynced(kept.id);
  expect(await rowOf(kept.id)).toMatchObject({
    ...{
      ghl_contact_id: other.ghl_contact_id,
      email: other.email,
      phone: other.phone,
      company: other.company,
    },
    ...{ name: kept.name, status: "interested", notes: "Ours" },
  });
  expect(await putsTo(kept.ghl_contact_id)).toEqual([]);
  expect((await putsTo(other.ghl_contact_id)).length).toBeGreaterThan(0);
  expect((await contact(other.ghl_contact_id)).firstName.toLowerCase()).toBe(kept.first_name.toLowerCase());

  const count = async () => (await rowsOf("select count(*)::int as n from leads"))[0].n;
  const before = await count();
  await change(kept.ghl_contact_id, { companyName: "Said by the other contact" });
  await change(other.ghl_contact_id, { companyName: "Said by its own" });
  await desk.admin.post("/api/ghl/sync");
  expect(await count()).toBe(before);
  expect(await rowOf(kept.id)).toMatchObject({ company: "Said by its own", status: "interested" });

  await desk.ana.post(`/api/lead-merges/${made.id}/undo`);
  await untilSynced(kept.id);
  await untilSynced(other.id);
  expect(await rowOf(kept.id)).toMatchObject({
    ...{
      ghl_contact_id: kept.ghl_contact_id,
      email: kept.email,
      company: kept.company,
      status: "interested",
    },
  });
  expect(await rowOf(other.id)).toMatchObject({
    ...{ ghl_contact_id: other.ghl_contact_id, name: other.name, status: "new", company: "Said by its own" },
  });
  expect((await contact(other.ghl_contact_id)).firstName.toLowerCase()).toBe(other.first_name.toLowerCase());
  await desk.admin.post("/api/ghl/sync");
  expect(await count()).toBe(before + 1);
  expect(await rowOf(kept.id)).toMatchObject({ company: "Said by the other contact" });
});

it("do-not-disturb of the other contact applies to the lead, whatever its own contact says, and is undone with it", async () => {
  const [kept, other] = await two();
  const made = await merge(kept, other, { contact: "kept" });
  await change(other.ghl_contact_id, { dnd: true });
  await desk.admin.post("/api/ghl/sync");
  await desk.admin.post("/api/ghl/sync");
  const facts = await findContactFacts(desk.app.deps.database.db, {
    ...{ leadId: kept.id, userId: desk.ana.user.id, channel: "call" },
  });
  expect(facts).toMatchObject({ callOptOut: "dnd", textOptOut: "dnd" });
  expect(await rowOf(kept.id)).toMatchObject({ call_opt_out: null });
  await desk.ana.post(`/api/lead-merges/${made.id}/undo`);
  expect(await rowOf(other.id)).toMatchObject({ call_opt_out: "dnd", text_opt_out: "dnd" });
});

it("fields that the contact leaves empty come from the other lead after every sync; webhook ids match the lead", async () => {
  const [kept] = await two();
  await change(kept.ghl_contact_id, { phone: null, companyName: null });
  await desk.admin.post("/api/ghl/sync");
  expect(await rowOf(kept.id)).toMatchObject({ phone: null, company: null });
  const other = await buildLead(desk.app.deps.database, {
    ...{
      assignedTo: desk.ana.user.id,
      phone: "(646) 555-0177",
      company: "By hand",
      email: "hand@example.com",
    },
  });
  await rowsOf(
    "insert into lead_origins (source, external_id, lead_id) values ('salesforce', '00Q000000000001', $1)",
    [other.id],
  );
  const made = await merge(kept, other, {});
  expect(await rowOf(kept.id)).toMatchObject({
    phone_e164: "+16465550177",
    company: "By hand",
    email: kept.email,
  });
  await change(kept.ghl_contact_id, { website: "https://example.com" });
  await desk.admin.post("/api/ghl/sync");
  expect(await rowOf(kept.id)).toMatchObject({ phone_e164: "+16465550177", company: "By hand" });
  expect(await rowsOf("select lead_id from lead_origins")).toEqual([{ lead_id: kept.id }]);
  await desk.ana.post(`/api/lead-merges/${made.id}/undo`);
  expect(await rowOf(kept.id)).toMatchObject({ phone: null, company: null });
  expect(await rowOf(other.id)).toMatchObject({ phone_e164: "+16465550177", email: "hand@example.com" });
  expect(await rowsOf("select lead_id from lead_origins")).toEqual([{ lead_id: other.id }]);
});
