import type { ConvertedClient } from "@portal/contract/routes/clients";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";

vi.setConfig({ testTimeout: 30_000 });

let portal: TestApp;
let rep: Client;
let other: Client;
beforeAll(async () => {
  portal = await buildTestApp({ env: { ORG_TIME_ZONE: "America/New_York" } });
  rep = await portal.signIn({ name: "Inés Duarte" });
  other = await portal.signIn();
});
afterAll(() => portal.close());

const pool = () => portal.deps.database.pool;
const clients = async (query = "") => {
  const { status, body } = await other.get(`/api/clients/converted${query}`);
  expect(status).toBe(200);
  return body as ConvertedClient[];
};
const stats = async () => (await other.get("/api/clients/stats")).body;
const names = (list: ConvertedClient[]) => list.map(({ name }) => name);

/** A client created with the API, then changed as the test needs; `at` is SQL. */
async function client(more: {
  name: string;
  value?: number;
  calls?: number;
  at?: string;
  lead?: Parameters<typeof buildLead>[1];
}): Promise<number> {
  const { name, value = 0, calls = 0, at } = more;
  const lead = await buildLead(portal.deps.database, { name, assignedTo: rep.user.id, ...more.lead });
  const { status } = await rep.post(`/api/leads/${lead.id}/convert`, { conversionValue: value });
  expect(status).toBe(200);
  await pool().query(
    `insert into call_logs (lead_id, user_id, outcome, confirmed, call_type, duration_seconds)
     select $1, $2, 'busy', true, 'browser', 9 from generate_series(1, $3)`,
    [lead.id, rep.user.id, calls],
  );
  if (at)
    await pool().query(
      `with moved as (update clients set converted_at = ${at} where lead_id = $1)
       update leads set converted_at = ${at} where id = $1`,
      [lead.id],
    );
  return lead.id;
}

it.each(["converted", "stats", "export"])("%s requires a session", async (path) => {
  expect((await portal.request("GET", `/api/clients/${path}`)).status).toBe(401);
});

it("clients are empty at first", async () => {
  expect(await clients()).toEqual([]);
  expect(await stats()).toEqual({
    totalClients: 0,
    thisMonth: 0,
    monthStart: expect.stringMatching(/^\d{4}-\d\d-01$/),
    totalValue: 0,
    averageValue: 0,
    conversionRate: null,
  });
  const file = await other.get("/api/clients/export?format=json");
  expect([file.body, file.headers["x-total-count"]]).toEqual([[], "0"]);
});

it("clients of all consultants are listed with the specified fields", async () => {
  const lead = {
    email: "marta@example.com",
    phone: "(212) 555-0177",
    leadSource: "Feria",
    priority: "high",
  } as const;
  const leadId = await client({ name: "Marta Peña", value: 1_250.5, calls: 2, lead });
  await pool().query(
    `update leads set last_contacted_at = '2026-01-02T03:04:05Z', attempts = 2, last_attempt_at = '2026-01-03T03:04:05Z',
       last_attempt_outcome = 'busy' where id = $1`,
    [leadId],
  );
  expect(await clients()).toEqual([
    {
      id: expect.any(Number),
      leadId,
      name: "Marta Peña",
      email: "marta@example.com",
      phone: "(212) 555-0177",
      priority: "high",
      convertedDate: expect.stringMatching(/Z$/),
      originalSource: "Feria",
      conversionValue: 1_250.5,
      salesRepName: "Inés Duarte",
      totalCalls: 2,
      lastContactDate: "2026-01-02T03:04:05.000Z",
      attempts: 2,
      lastAttemptAt: "2026-01-03T03:04:05.000Z",
      lastAttemptOutcome: "busy",
    },
  ]);
  for (const search of ["pena", "MARTA%40EXAMPLE", "212-555-0177", "marta+pena"])
    expect(names(await clients(`?search=${search}`)), search).toEqual(["Marta Peña"]);
  for (const search of ["marta+luisa", "%25", "0178"]) expect(await clients(`?search=${search}`)).toEqual([]);
});

it("clients are counted by the organization's month, of all leads", async () => {
  const month = "date_trunc('month', now() at time zone 'America/New_York') at time zone 'America/New_York'";
  await client({ name: "First of the month", value: 49.5, at: month });
  await client({ name: "Last of the month before", at: `${month} - interval '1 microsecond'` });
  await buildLead(portal.deps.database);
  expect(await stats()).toEqual({
    totalClients: 3,
    thisMonth: 2,
    monthStart: expect.any(String),
    totalValue: 1_300,
    averageValue: 1_300 / 3,
    conversionRate: 75,
  });
  const { monthStart } = await stats();
  const lastDay = new Date(`${monthStart}T00:00:00Z`);
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0);
  const until = lastDay.toISOString().slice(0, 10);
  const ofMonth = names(await clients(`?day=${monthStart}&until=${until}`));
  expect(ofMonth).toEqual(["Marta Peña", "First of the month"]);
  const [day] = (await pool().query("select (($1::date) - 1)::text as before", [monthStart])).rows;
  expect(names(await clients(`?day=${day.before}`))).toEqual(["Last of the month before"]);
});

it("clients are filtered by value, age and date range, including the limits", async () => {
  await pool().query("delete from clients");
  /** The first instant of the day `days` days ago. */
  const ago = (days: number, more = "") =>
    `((now() at time zone 'America/New_York')::date - ${days})::timestamp at time zone 'America/New_York' ${more}`;
  await client({ name: "today", value: 1_000 });
  await client({ name: "in the week", value: 1_000.01, at: ago(6) });
  await client({ name: "in the month", value: 20, at: ago(29) });
  await client({ name: "before", value: 9_000, at: ago(29, "- interval '1 second'") });
  expect(names(await clients())).toEqual(["today", "in the week", "in the month", "before"]);
  expect(names(await clients("?filter=high_value"))).toEqual(["in the week", "before"]);
  expect(names(await clients("?filter=recent"))).toEqual(["today", "in the week", "in the month"]);
  expect(names(await clients("?range=week"))).toEqual(["today", "in the week"]);
  expect(names(await clients("?range=month&filter=high_value"))).toEqual(["in the week"]);
  expect(names(await clients("?range=&filter=&sort=&search="))).toHaveLength(4);
  await pool().query("update clients set converted_by = $1 where conversion_value = 20", [other.user.id]);
  expect(names(await clients(`?rep=${other.user.id}`))).toEqual(["in the month"]);
  expect(await clients(`?rep=${other.user.id}&range=week`)).toEqual([]);
  expect((await other.get("/api/clients/converted?sort=size")).status).toBe(400);
});

it("clients are paged in every order without gaps or repeats", async () => {
  await pool().query("delete from clients");
  const drawn = ["ana", "Ana", "Óscar", "oscar", "", "Zoë", "ana"];
  for (let n = 0; n < 21; n += 1)
    await client({
      name: drawn[n % 7] || `Ñ${n}`,
      value: (n % 4) * 700.25,
      calls: n % 3,
      at: `'2026-03-01T10:00:00.123456Z'::timestamptz - ${n % 5} * interval '1 microsecond'`,
    });
  for (const sort of ["recent", "name", "value", "calls"]) {
    const all = await clients(`?sort=${sort}`);
    expect(all).toHaveLength(21);
    const keys = all.map((row) => (sort === "value" ? row.conversionValue : row.totalCalls));
    if (sort === "value" || sort === "calls") expect(keys).toEqual([...keys].sort((a, b) => b - a));
    const seen: ConvertedClient[] = [];
    let cursor = "";
    do {
      const page = await other.get(
        `/api/clients/converted?sort=${sort}&limit=4${cursor && `&cursor=${cursor}`}`,
      );
      if (!cursor) expect(page.headers["x-total-count"]).toBe("21");
      seen.push(...page.body);
      cursor = String(page.headers["x-next-cursor"] ?? "");
    } while (cursor);
    expect(seen).toEqual(all);
  }
  const folded = names(await clients("?sort=name")).map((name) => name.toLowerCase());
  expect(folded.slice(0, 9).every((name) => name === "ana")).toBe(true);
  // The cursor of another sort order is refused.
  const page = await other.get("/api/clients/converted?sort=name&limit=4");
  const refused = await other.get(
    `/api/clients/converted?sort=recent&limit=4&cursor=${page.headers["x-next-cursor"]}`,
  );
  expect([refused.status, refused.body.code]).toEqual([400, "invalid"]);
});

it("clients are exported with the filters, safe from spreadsheet formulas, with the specified columns", async () => {
  await pool().query("delete from clients");
  const odd = [
    "=1+1",
    "+1",
    "-2",
    "@SUM(A1)",
    "\t=1",
    'Luz "La" Peña, S.A.',
    "two\nlines",
    "日本 👩‍👩‍👧 ‮",
    "'; drop table clients; --",
    "<script>alert(1)</script>",
  ];
  for (const [n, name] of odd.entries())
    await client({ name, value: 2_000 + n, lead: { leadSource: name, email: null, phone: null } });
  await client({ name: "cheap", value: 5 });
  const csv = await other.get("/api/clients/export?filter=high_value&sort=value&search=");
  expect(csv.status).toBe(200);
  expect(csv.headers).toMatchObject({
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": 'attachment; filename="converted-clients.csv"',
    "x-total-count": String(odd.length),
  });
  const [header, ...lines] = csv.body.trimEnd().split("\r\n");
  expect(header).toBe(
    "\uFEFFName,Email,Phone,Priority,Converted,Original source,Value,Sales rep,Total calls,Last contact,Client ID,Lead ID,Extra fields",
  );
  const cells = odd.toReversed().map((name) => {
    const guarded = /^[=+\-@\t\r]/.test(name) ? `'${name}` : name;
    return /[",\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
  });
  expect(lines).toHaveLength(cells.length);
  for (const [n, cell] of cells.entries()) {
    expect(lines[n].slice(0, cell.length + 10)).toBe(`${cell},,,medium,`);
    expect(lines[n]).toContain(`Z,${cell},${2_009 - n},Inés Duarte,0,,`);
  }
  const json = await other.get("/api/clients/export?format=json&sort=name&range=week");
  expect(json.headers).toMatchObject({
    "content-disposition": 'attachment; filename="converted-clients.json"',
    "x-total-count": String(odd.length + 1),
  });
  const listed = await clients("?sort=name&range=week");
  expect(json.body).toEqual(listed.map((client: object) => ({ ...client, extraFields: {} })));

  const imported = { "+first": "=1", utm: "spring" };
  await client({ name: "With more", value: 9_999, lead: { extra: { imported } } });
  const more = await other.get("/api/clients/export?filter=high_value&search=with+more");
  expect(more.body.trimEnd()).toMatch(/,\d+,\d+,"'\+first: =1\nutm: spring"$/);
  const [exported] = (await other.get("/api/clients/export?format=json&search=with+more")).body;
  expect(exported.extraFields).toEqual(imported);
  expect((await other.get("/api/clients/export?format=xlsx")).status).toBe(400);
});
