import { pageHeaders } from "@portal/contract/entities/fields";
import { allLeadSorts, systemLeadSchema } from "@portal/contract/routes/all-leads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";

const day = 86_400_000;
/** Strings that could break spreadsheets, JSON, SQL or CSV. */
const naughty = [
  '=HYPERLINK("http://example.com","x")',
  "+1+1",
  "-2+3",
  "@SUM(A1)",
  'Quote "inside", comma; semicolon',
  "Line\nbreak and\r\nanother",
  "\\ back / slash \t tab",
  "Ünïcödé 名前 🦊 \u2028 \u202e",
  "null",
  "'; drop table leads; --",
  "</script><script>alert(1)</script>",
];

let app: TestApp;
let ana: Client;
let luis: Client;
let admin: Client;
const known: Record<string, number> = {};

/** Creates a lead under a short name. */
async function lead(key: string, overrides: Parameters<typeof buildLead>[1] = {}): Promise<void> {
  known[key] = (await buildLead(app.deps.database, { name: key, phone: null, ...overrides })).id;
}

beforeAll(async () => {
  app = await buildTestApp();
  ana = await app.signIn({ name: "Ana Reyes" });
  luis = await app.signIn({ name: "Luis Ortega" });
  admin = await app.signIn({ role: "admin" });
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * day);
  await lead("amber", {
    name: "Ámber Núñez",
    firstName: "Ámber",
    lastName: "Núñez",
    email: "amber@solar.example.com",
    phone: "+1 (201) 555-0140",
    company: "Peña & Cía",
    industry: "Energy",
    status: "interested",
    priority: "high",
    leadSource: "Web",
    notes: 'Said: "call me\nat noon"',
    dealValue: 1250.5,
    assignedTo: ana.user.id,
    assignedAt: new Date("2026-03-01T10:00:00.120Z"),
    createdAt: new Date("2026-03-01T09:00:00.000Z"),
    nextFollowUpDate: new Date("2026-04-01T00:00:00.007Z"),
    lastContactedAt: new Date("2026-03-02T00:00:00.999Z"),
    consentAt: new Date("2026-03-01T09:30:00.000Z"),
    consentSource: "web form",
    ghlContactId: "contact-amber",
    crmSync: "synced",
    aiRecordingMessageId: "message-1",
  });
  await lead("bruno", { name: "bruno Díaz", leadSource: "Web", priority: "low", createdAt: at(3) });
  await lead("carla", { assignedTo: luis.user.id, status: "contacted", leadSource: "", createdAt: at(20) });
  await lead("dario", {
    assignedTo: luis.user.id,
    status: "converted",
    leadSource: "Trade fair",
    createdAt: at(40),
    convertedAt: at(2),
  });
  await lead("elena", { leadSource: null, createdAt: at(50) });
  const log = { leadId: known.carla, duration: 60, outcome: "answered" };
  expect((await luis.post("/api/call-logs", log)).status).toBe(200);
});
afterAll(() => app.close());

async function find(query: Record<string, string>): Promise<number[]> {
  const asked = new URLSearchParams(query);
  const { status, body } = await ana.get(`/api/leads/all?${asked}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return z
    .array(systemLeadSchema)
    .parse(body)
    .map(({ id }) => id);
}

const ids = (...keys: string[]) => keys.map((key) => known[key]);

describe("All Leads by role", () => {
  it("shows whether a lead may be contacted to administrators only", async () => {
    const query = "/api/leads/all?search=amber@solar.example.com&limit=5";
    const [plain] = (await admin.get(query)).body;
    expect(plain).not.toHaveProperty("callRefusal");
    const [lead] = (await admin.get(`${query}&detail=work`)).body;
    expect(lead).toEqual((await admin.get(`/api/leads/${lead.id}`)).body);
    expect(lead).toMatchObject({ unreadTexts: 0, textRefusal: expect.toBeOneOf([null, expect.any(String)]) });
    expect((await ana.get(`${query}&detail=work`)).body).toEqual([plain]);
    expect((await admin.get(`${query}&detail=all`)).status).toBe(400);
  });
});

describe("GET /api/leads/all", () => {
  it("requires a session", async () => {
    for (const path of ["", "/stats"])
      expect((await app.request("GET", `/api/leads/all${path}`)).status).toBe(401);
    expect((await app.request("GET", "/api/leads/export")).status).toBe(401);
    expect((await app.request("POST", "/api/leads/assign", { body: {} })).status).toBe(401);
  });

  it("lists every consultant's leads, newest first, each as the lead route returns it", async () => {
    const { body } = await ana.get("/api/leads/all");
    expect(body.map(({ id }: { id: number }) => id)).toEqual(
      ids("bruno", "carla", "dario", "elena", "amber"),
    );
    for (const listed of body) {
      const { body: alone } = await ana.get(`/api/leads/${listed.id}`);
      expect(systemLeadSchema.strict().parse(listed)).toEqual(listed);
      expect(alone).toMatchObject(listed);
    }
  });

  it.each([
    ["+1 (201) 555-0140", ["amber"]],
    ["201.555.0140", ["amber"]],
    ["5550140", ["amber"]],
    ["0140", ["amber"]],
    ["AMBER nunez", ["amber"]],
    ["amber@SOLAR", ["amber"]],
    ["pena & cia", ["amber"]],
    ["diaz", ["bruno"]],
    ["bruno solar", []],
    ["%", []],
  ])("finds by %s", async (search, keys) => {
    expect(await find({ search })).toEqual(ids(...keys));
    expect(await find({ search, limit: "50", sort: "name" })).toEqual(ids(...keys));
  });

  it.each<[Record<string, string>, string[]]>([
    [{ status: "converted" }, ["dario"]],
    [{ status: "interested", priority: "high" }, ["amber"]],
    [{ assignment: "unassigned" }, ["bruno", "elena"]],
    [{ assignment: "assigned" }, ["carla", "dario", "amber"]],
    [{ source: "Web" }, ["bruno", "amber"]],
    [{ source: "web" }, []],
    [{ sources: "none" }, ["carla", "elena"]],
    [{ created: "week" }, ["bruno"]],
    [{ created: "month" }, ["bruno", "carla"]],
    [{ created: "all", converted: "" }, ["bruno", "carla", "dario", "elena", "amber"]],
    [{ converted: "week" }, ["dario"]],
    [{ called: "yes" }, ["carla"]],
    [{ called: "no", assignment: "assigned" }, ["dario", "amber"]],
    [{ called: "once" }, ["carla"]],
    [{ called: "often" }, []],
  ])("filters by %j", async (query, keys) => {
    expect(await find(query)).toEqual(ids(...keys));
  });

  it("filters by consultant", async () => {
    expect(await find({ rep: String(luis.user.id) })).toEqual(ids("carla", "dario"));
    expect(await find({ rep: String(luis.user.id), status: "contacted", priority: "medium" })).toEqual(
      ids("carla"),
    );
    expect(await find({ rep: String(luis.user.id), assignment: "unassigned" })).toEqual([]);
  });

  it.each([
    ["newest", ["bruno", "carla", "dario", "elena", "amber"]],
    ["oldest", ["amber", "elena", "dario", "carla", "bruno"]],
    ["name", ["bruno", "carla", "dario", "elena"]],
    ["name_desc", ["elena", "dario", "carla", "bruno"]],
  ])("sorts by %s", async (sort, keys) => {
    // The position of 'Á' depends on the database's collation.
    expect((await find({ sort })).filter((id) => keys.includes("amber") || id !== known.amber)).toEqual(
      ids(...keys),
    );
  });

  it("pages by keyset in every order, without gaps or repeats, with and without a search", async () => {
    const createdAt = new Date("2026-01-05T00:00:00.123Z");
    // A name may be as long as the CRM allows.
    const long = "名".repeat(1_000);
    for (const name of ["Keyset", "keyset", "Keyset", `Keyset ${long}`, `Keyset ${long}`, "keyset '%_"])
      await buildLead(app.deps.database, { name, company: "Keyset Corp", createdAt });
    for (const sort of allLeadSorts) {
      for (const search of ["", "keyset corp"]) {
        const whole = await find({ sort, search });
        const seen: number[] = [];
        let cursor = "";
        do {
          const query = new URLSearchParams({ sort, search, limit: "2", cursor });
          const page = await ana.get(`/api/leads/all?${query}`);
          expect(page.status).toBe(200);
          seen.push(...page.body.map(({ id }: { id: number }) => id));
          if (!cursor) expect(page.headers[pageHeaders.total]).toBe(String(whole.length));
          cursor = String(page.headers[pageHeaders.cursor] ?? "");
        } while (cursor);
        expect(seen).toEqual(whole);
        expect(seen).toHaveLength(search ? 6 : 11);
      }
    }
    const refused = await ana.get("/api/leads/all?limit=2&cursor=nonsense");
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid" } });
  });
});

describe("GET /api/leads/all/stats", () => {
  it("returns counts that match the rows", async () => {
    const { rows } = await app.deps.database.pool.query(
      `select count(*)::int as total, count(assigned_to)::int as assigned, count(*) filter (where assigned_to is null)::int as unassigned,
         count(*) filter (where status = 'converted')::int as converted from leads`,
    );
    expect((await luis.get("/api/leads/all/stats")).body).toEqual(rows[0]);
  });
});

describe("POST /api/leads/assign", () => {
  const assign = (client: Client, leadIds: number[], more: object = {}) =>
    client.post("/api/leads/assign", { leadIds, salesRepId: ana.user.id, ...more });
  const build = (assignedTo: number | null) => buildLead(app.deps.database, { assignedTo });

  it("assigns each lead that may be assigned, and returns the others", async () => {
    const free = await build(null);
    const own = await build(luis.user.id);
    const others = await build(ana.user.id);
    const gone = 2_000_000_000;
    const answer = await luis.post("/api/leads/assign", {
      leadIds: [free.id, own.id, others.id, gone, free.id],
      salesRepId: luis.user.id,
      notes: " fair share ",
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        assigned: 2,
        message: "2 leads were assigned.",
        refused: [
          { leadId: others.id, code: "not_your_lead" },
          { leadId: gone, code: "not_found" },
        ],
      },
    });
    expect((await luis.get(`/api/leads/${free.id}`)).body.assignedTo).toBe(luis.user.id);
    expect((await luis.get(`/api/leads/${others.id}`)).body.assignedTo).toBe(ana.user.id);
    const { rows } = await app.deps.database.pool.query(
      "select lead_id, data ->> 'notes' as notes from lead_events where lead_id = any($1::int[])",
      [[free.id, own.id, others.id]],
    );
    expect(rows).toEqual([{ lead_id: free.id, notes: "fair share" }]);
  });

  it("rejects an inactive assignee, and more than 500 leads", async () => {
    const free = await build(null);
    const refused = await assign(ana, [free.id], { salesRepId: admin.user.id });
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid" } });
    expect((await ana.get(`/api/leads/${free.id}`)).body.assignedTo).toBeNull();
    const many = Array.from({ length: 501 }, (_value, index) => index + 1);
    for (const leadIds of [[], many]) expect((await assign(ana, leadIds)).status).toBe(400);
  });
});

describe("GET /api/leads/export", () => {
  const download = async (query: string) => {
    const { headers, body, statusCode } = await app.app.inject({
      method: "GET",
      url: `/api/leads/export?${query}`,
      headers: { cookie: ana.cookie },
    });
    expect(statusCode).toBe(200);
    return { headers, body };
  };

  it("writes the filtered leads as a table safe from spreadsheet formulas", async () => {
    for (const name of naughty)
      await buildLead(app.deps.database, { name, company: "Naughty Corp", notes: name });
    const { headers, body } = await download("search=naughty&sort=oldest");
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(headers["content-disposition"]).toBe('attachment; filename="leads.csv"');
    expect(headers[pageHeaders.total]).toBe(String(naughty.length));
    expect(body.startsWith("\ufeffLead ID,Name,First Name,")).toBe(true);
    for (const cell of ["'=HYPERLINK(", "'+1+1", "'-2+3", "'@SUM(A1)"]) expect(body).toContain(cell);
    expect(body).toContain('"Quote ""inside"", comma; semicolon"');
    expect(body).toContain('"Line\nbreak and\r\nanother"');
    for (const name of naughty.slice(6)) expect(body).toContain(name);
  });

  it("writes every lead once and in order over many pages, with any filter", async () => {
    const source = "O'Hara \\ $1 'x' -- %";
    await app.deps.database.pool.query(
      `insert into leads (name, company, lead_source, created_at, search)
       select 'Lead ' || n, 'Many Corp', $1, '2026-01-01'::timestamptz + n / 3 * interval '1 minute', 'many corp' from generate_series(1, 10100) n`,
      [source],
    );
    const query = `source=${encodeURIComponent(source)}&search=many`;
    for (const sort of allLeadSorts) {
      const json = JSON.parse((await download(`format=json&${query}&sort=${sort}`)).body);
      const lines = (await download(`${query}&sort=${sort}`)).body.trimEnd().split("\n").slice(1);
      expect(lines.map((line) => Number(line.split(",")[0]))).toEqual(
        json.map(({ id }: { id: number }) => id),
      );
      expect(lines).toHaveLength(10_100);
    }
  });

  it("writes each cell of the table with its value in JSON", async () => {
    const { id } = await buildLead(app.deps.database, {
      assignedTo: ana.user.id,
      dealValue: 1_250.5,
      name: "Cell Probe",
    });
    await app.deps.database.pool.query(
      "update leads set last_contacted_at = '2026-03-08 06:59:59.98765+00', lead_source = null where id = $1",
      [id],
    );
    const [lead] = JSON.parse((await download(`format=json&ids=${id}`)).body);
    const [header = "", line = ""] = (await download(`ids=${id}`)).body.slice(1).split("\n");
    const cells = line.replaceAll('"', "").split(",");
    const cellOf = (name: string) => cells[header.split(",").indexOf(name)];
    expect(lead).toMatchObject({ dealValue: 1_250.5, lastContactedAt: "2026-03-08T06:59:59.987Z" });
    for (const [name, value] of Object.entries({
      "Lead ID": id,
      Name: lead.name,
      "Lead Source": "",
      "Deal Value": lead.dealValue,
      "Assigned To": lead.salesRepName,
      Created: lead.createdAt.replace(/\.\d+Z/, "Z"),
      "Last Contact": "2026-03-08T06:59:59Z",
      Converted: "",
    }))
      expect([name, cellOf(name)]).toEqual([name, String(value)]);
  });

  it("writes additional fields of a lead as the lead route shows them", async () => {
    const imported = {
      "=cmd()": "=1+1",
      utm: 'spring "sale"',
      Age: 41,
      list: ["a", { b: null }],
      "<b>": "two\nlines",
      __proto: "x",
    };
    const { id } = await buildLead(app.deps.database, {
      name: "Extra Probe",
      extra: {
        imported,
        tags: ["hot", "crm"],
        state: "FL",
        fields: { Roof: "flat", Ages: [3, 9] },
        assignedTo: "u1",
      },
    });
    const plain = await buildLead(app.deps.database, { name: "Plain Probe", extra: { assignedTo: "u1" } });
    const fromImport = [
      ["<b>", "two\nlines"],
      ["=cmd()", "=1+1"],
      ["Age", "41"],
      ["__proto", "x"],
      ["list", '["a", {"b": null}]'],
      ["utm", 'spring "sale"'],
    ];
    const fields = await ana.get(`/api/leads/${id}/extra-fields`);
    const crm = [
      { name: "state", value: "FL", from: "crm" },
      { name: "tags", value: "hot, crm", from: "crm" },
      { name: "Ages", value: "3, 9", from: "crm-field" },
      { name: "Roof", value: "flat", from: "crm-field" },
    ];
    expect(fields).toMatchObject({
      status: 200,
      body: [...fromImport.map(([name, value]) => ({ name, value, from: "import" })), ...crm],
    });
    expect((await ana.get(`/api/leads/${plain.id}/extra-fields`)).body).toEqual([]);
    expect((await ana.get("/api/leads/2147483647/extra-fields")).status).toBe(404);
    const inFlorida = await buildLead(app.deps.database, {
      timeZone: "America/Chicago&America/New_York",
      extra: { state: "FL", timeZone: "America/New_York" },
    });
    expect((await ana.get(`/api/leads/${inFlorida.id}/place`)).body).toEqual({
      crmState: "FL",
      crmTimeZone: "America/New_York",
      numberTimeZones: ["America/Chicago", "America/New_York"],
    });
    expect((await ana.get(`/api/leads/${plain.id}/place`)).body).toMatchObject({ crmState: null });
    expect((await ana.get("/api/leads/2147483647/place")).status).toBe(404);
    expect((await app.request("GET", `/api/leads/${id}/extra-fields`)).status).toBe(401);

    const json = JSON.parse((await download(`format=json&ids=${id},${plain.id}&sort=oldest`)).body);
    expect(json.map(({ extraFields }: { extraFields: unknown }) => extraFields)).toEqual([imported, {}]);
    const csv = (await download(`ids=${id},${plain.id}&sort=oldest`)).body;
    expect(csv.split("\n")[0]).toMatch(/,GHL Contact ID,Extra fields$/);
    const cell = fromImport.map((line) => line.join(": ")).join("\n");
    expect(csv).toContain(`,"${cell.replaceAll('"', '""')}"\n`);
    expect(csv.trimEnd().split("\n").at(-1)).toMatch(/Plain Probe.*,$/);

    const long = { "=first": "x".repeat(30_000), second: "y".repeat(30_000) };
    await app.deps.database.pool.query("update leads set extra = $2 where id = $1", [id, { imported: long }]);
    const cut = (await download(`ids=${id}`)).body;
    expect(cut).toContain(`,"'=first: ${"x".repeat(30_000)}\nsecond: y`);
    expect(cut.length).toBeLessThan(33_500);
    expect(JSON.parse((await download(`format=json&ids=${id}`)).body)[0].extraFields).toEqual(long);
    for (const extra of [{ imported: "no object" }, { imported: ["a"] }, {}]) {
      await app.deps.database.pool.query("update leads set extra = $2 where id = $1", [id, extra]);
      expect((await ana.get(`/api/leads/${id}/extra-fields`)).body).toEqual([]);
      expect((await download(`ids=${id}`)).body.trimEnd()).toMatch(/,$/);
    }
  });

  it("writes the same as JSON, and only the selected leads", async () => {
    const { headers, body } = await download("format=json&search=naughty&sort=oldest");
    expect(headers["content-disposition"]).toBe('attachment; filename="leads.json"');
    const leads = z.array(systemLeadSchema).parse(JSON.parse(body));
    expect(leads.map(({ name }) => name)).toEqual(naughty);
    const chosen = await download(`format=json&ids=${known.amber},${known.bruno}`);
    expect(JSON.parse(chosen.body).map(({ id }: { id: number }) => id)).toEqual(ids("bruno", "amber"));
    expect(chosen.headers[pageHeaders.total]).toBe("2");
    expect((await ana.get("/api/leads/export?ids=1,9999999999")).status).toBe(400);
  });
});
