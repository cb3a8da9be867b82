import { pageHeaders } from "@portal/contract/entities/fields";
import type { Duplicates } from "@portal/contract/routes/leads";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";

let portal: TestApp;
let ana: Client;
let luis: Client;
let ids: Record<string, number>;
beforeAll(async () => {
  portal = await buildTestApp();
  [ana, luis] = await Promise.all([portal.signIn(), portal.signIn({ name: "Luis Mora" })]);
  const lead = async (name: string, rest: object) =>
    (await buildLead(portal.deps.database, { name, company: null, ...rest })).id;
  ids = {
    one: await lead("One", { phone: "(646) 555-0101", assignedTo: ana.user.id }),
    two: await lead("Two", { phone: "646.555.0101", assignedTo: luis.user.id }),
    three: await lead("Three", { phone: "(646) 555-0102" }),
    four: await lead("Four", { phone: "+1 646 555 0102" }),
    alone: await lead("Alone", { phone: "(646) 555-0103" }),
    // Two CRM contacts with the same email address stay two leads but may be duplicates.
    mail: await lead("Mail", { email: "Same@example.com", ghlContactId: "c1", phone: null }),
    mail2: await lead("Mail Two", { email: "same@example.com", ghlContactId: "c2", phone: null }),
    name: await lead("María PEÑA", { company: "Núñez & Cía", phone: null, assignedTo: ana.user.id }),
    name2: await lead("maria pena", { company: "NUNEZ & CIA", phone: null }),
    other: await lead("maria pena", { company: "Another", phone: null }),
    noCompany: await lead("maria pena", { phone: null }),
  };
});
afterAll(() => portal.close());

const groups = async (by: Client, query = "") => {
  const { status, body, headers } = await by.get(`/api/leads/duplicates?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return { found: (body as Duplicates[]).map(({ leads }) => leads.map(({ id }) => id)), body, headers };
};

it("groups leads of all consultants by number, address, or name and company; one's own on request", async () => {
  expect((await portal.request("GET", "/api/leads/duplicates")).status).toBe(401);
  const { found, body } = await groups(ana);
  expect(found).toEqual([
    [ids.one, ids.two],
    [ids.three, ids.four],
  ]);
  expect(body[0]).toMatchObject({ count: 2, leads: [{ name: "One" }, { salesRepName: "Luis Mora" }] });
  expect((await groups(ana, "by=email")).found).toEqual([[ids.mail, ids.mail2]]);
  expect((await groups(ana, "by=name")).found).toEqual([[ids.name, ids.name2]]);
  expect((await groups(ana, "mine=yes")).found).toEqual([[ids.one, ids.two]]);
  expect((await groups(ana, "mine=yes&by=name")).found).toEqual([[ids.name, ids.name2]]);
  expect((await groups(luis, "mine=yes&by=email")).found).toEqual([]);
});

it("is paged, and rejects unknown parameters", async () => {
  const first = await groups(ana, "limit=1");
  expect(first.found).toEqual([[ids.one, ids.two]]);
  expect(first.headers[pageHeaders.total]).toBe("2");
  const next = await groups(ana, `limit=1&cursor=${first.headers[pageHeaders.cursor]}`);
  expect(next.found).toEqual([[ids.three, ids.four]]);
  expect(next.headers[pageHeaders.cursor]).toBeUndefined();
  for (const query of ["by=notes", "by=phone'--", "mine=all", "limit=0", "limit=1&cursor=x"])
    expect(await ana.get(`/api/leads/duplicates?${query}`), query).toMatchObject({
      status: 400,
      body: { code: "invalid" },
    });
});
