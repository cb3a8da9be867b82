import type { RouteResponse } from "@portal/contract/route";
import type { searchEverything } from "@portal/contract/routes/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foldText } from "../../domain/search-text.ts";
import { callLogs } from "../../platform/db/schema/calls.ts";
import { messages } from "../../platform/db/schema/messages.ts";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";

type Answer = RouteResponse<typeof searchEverything>;

let app: TestApp;
let ana: Client;
let luis: Client;
let admin: Client;
let mine: { id: number };
let theirs: { id: number };
beforeAll(async () => {
  app = await buildTestApp();
  [ana, luis, admin] = [await app.signIn(), await app.signIn(), await app.signIn({ role: "admin" })];
  const { database } = app.deps;
  mine = await buildLead(database, {
    name: "María Quintanilla",
    email: "mquintanilla@solar.example",
    company: "Techos 50% del Sol",
    phone: "(813) 555-0100",
    notes: "Prefiere que la llamen después\nde las seis. Terraza de cerámica.",
    assignedTo: ana.user.id,
    createdAt: new Date(Date.now() - 86_400_000),
  });
  theirs = await buildLead(database, {
    name: "Quintanilla y Asociados",
    phone: "+1 813 555 0177",
    notes: "Terraza grande",
    assignedTo: luis.user.id,
  });
  await buildLead(database, {
    name: "Zacarías O'Brien_Jr",
    phone: "(305) 555-0199",
    assignedTo: luis.user.id,
  });
  const text = { status: "received" as const, direction: "inbound" as const, toNumber: "+12125550100" };
  const call = { confirmed: true, callType: "browser", durationSeconds: 60, outcome: "answered" as const };
  const noted = (notes: string) => ({ notes, search: foldText(notes) });
  await database.db.insert(messages).values([
    { ...text, leadId: mine.id, fromNumber: "+18135550100", body: "¿Cuánto cuesta el PANEL bifacial?" },
    { ...text, leadId: theirs.id, fromNumber: "+18135550177", body: "Panel bifacial, por favor" },
    { ...text, leadId: null, fromNumber: "+18135550166", body: "bifacial de nadie" },
  ]);
  await database.db.insert(callLogs).values([
    { ...call, leadId: mine.id, userId: ana.user.id, ...noted("Quiere financiación a diez años") },
    { ...call, leadId: theirs.id, userId: luis.user.id, ...noted("Financiación rechazada") },
  ]);
});
afterAll(() => app.close());

async function find(as: Client, q: string, more = ""): Promise<Answer> {
  const { status, body } = await as.get(`/api/search?q=${encodeURIComponent(q)}${more}`);
  expect(status).toBe(200);
  return body as Answer;
}
const similar = "&similar=true";
const names = ({ leads }: Answer) => leads.items.map(({ name }) => name);

describe("search", () => {
  it.each([
    ..."(813) 555-0100|813.555.0100|813/555/0100|+1 813 555 0100|001 813 555 0100|tel:+18135550100|18135550100".split(
      "|",
    ),
    ..."5550100|555-01 00|maría (813) 555-0100|813-555-0100 quintanilla".split("|"),
    ..."MARIA quintanilla|quintanilla maria|mquintanilla@solar|50% del sol|sol techos".split("|"),
  ])("finds a lead by %s", async (typed) => {
    const { leads } = await find(ana, typed);
    expect(leads).toMatchObject({ count: 1, isMore: false, isCut: false });
    expect(leads.items).toMatchObject([{ id: mine.id, isOwn: true }]);
  });

  it("lists one's own leads first, then newer ones of others, as All Leads shows them", async () => {
    expect(names(await find(ana, "quintanilla"))).toEqual(["María Quintanilla", "Quintanilla y Asociados"]);
    expect(names(await find(luis, "quintanilla"))).toEqual(["Quintanilla y Asociados", "María Quintanilla"]);
    const { notes } = await find(ana, "terraza");
    expect(notes.items.map(({ leadId, isOwn }) => [leadId, isOwn])).toEqual([
      [mine.id, true],
      [theirs.id, false],
    ]);
    expect(notes.items[0]?.excerpt).toBe("Prefiere que la llamen después de las seis. Terraza de cerámica.");
  });

  it("finds SMS and calls of one's own leads only, and all for an administrator", async () => {
    for (const [as, found] of [
      [ana, [mine.id]],
      [luis, [theirs.id]],
      [admin, [theirs.id, mine.id]],
    ] as const) {
      expect((await find(as, "panel bifacial")).texts.items.map(({ leadId }) => leadId)).toEqual(found);
      expect((await find(as, "financiacion")).calls.items.map(({ leadId }) => leadId)).toEqual(found);
    }
    const { texts, calls } = await find(ana, "cuanto bifacial");
    expect(texts.items).toMatchObject([
      { excerpt: "¿Cuánto cuesta el PANEL bifacial?", direction: "inbound" },
    ]);
    expect(calls.items).toEqual([]);
  });

  it.each(["qintanilla", "maria quintanila", "quintanlila", "mquintanila@solar.example", "813 555 0109"])(
    "tolerates %s on request",
    async (typed) => {
      expect(await find(ana, typed)).toMatchObject({ hasFew: true, leads: { count: 0 } });
      expect((await find(ana, typed, similar)).leads.items[0]).toMatchObject({ id: mine.id });
    },
  );

  it("tolerates typos in notes and messages, only for users who may read them", async () => {
    expect((await find(ana, "bifaccial", similar)).texts.items.map(({ leadId }) => leadId)).toEqual([
      mine.id,
    ]);
    expect((await find(luis, "finansiacion", similar)).calls.items.map(({ leadId }) => leadId)).toEqual([
      theirs.id,
    ]);
    expect((await find(luis, "preffiere", similar)).notes.items.map(({ leadId }) => leadId)).toEqual([
      mine.id,
    ]);
  });

  it.each([
    ["%%", 0],
    ["50%", 1],
    ["_jr", 1],
    ["__", 0],
    ["o'brien", 1],
    ["\\", 0],
    ["\\\\", 0],
    ["'; drop table leads; --", 0],
    ['"><script>', 0],
    ["a".repeat(200), 0],
    ["\u202e\u200b", 0],
    [" ", 0],
    ["", 0],
    ["m", 0],
    ["zz", 0],
  ])("treats %j literally", async (typed, count) => {
    expect((await find(ana, typed)).leads.items).toHaveLength(count);
    await find(ana, typed, similar);
  });

  it("matches the start of words by two letters", async () => {
    expect(names(await find(ana, "qu"))).toEqual(["María Quintanilla", "Quintanilla y Asociados"]);
    expect(names(await find(ana, "ri"))).toEqual([]);
  });

  it("rejects a query that is too long or cannot be stored", async () => {
    expect((await ana.get(`/api/search?q=${"a".repeat(201)}`)).status).toBe(400);
    expect((await ana.get("/api/search?q=a%00b")).status).toBe(400);
    expect((await ana.get("/api/search?q=ana&limit=21")).status).toBe(400);
  });

  it("counts up to fifty, and reports that there are more", async () => {
    for (let n = 0; n < 51; n += 1) await buildLead(app.deps.database, { name: `Repetida ${n}` });
    const { leads } = await find(ana, "repetida");
    expect(leads).toMatchObject({ count: 50, isMore: true });
    expect(leads.items).toHaveLength(6);
  });
});
