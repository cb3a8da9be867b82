import { allLeadSorts } from "@portal/contract/routes/all-leads";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Database, openDatabase } from "../../db/client.ts";
import type { LookUp } from "../../db/shared-connection.ts";
import { buildUser } from "../../testing/factories.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { markets } from "../gate/markets.ts";
import { countLeadsUpTo, findLeads } from "./data-find-leads.ts";
import type { LeadFilter, OwnerScope } from "./data-lead-filter.ts";
import type { LeadSort } from "./data-lead-pages.ts";
import { createLeadTextCache } from "./lead-text-cache.ts";
import { listAllLeads, listOwnLeads } from "./list-leads.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let test: TestDatabase;
let database: Database;
let rep: number;

beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase({ url: test.url, onError: () => undefined });
  rep = (await buildUser(database)).id;
  await database.pool.query(
    `insert into leads (name, email, phone, phone_e164, company, status, priority, lead_source, assigned_to, created_at, converted_at, search)
     select first || ' ' || last, first || n || '@example.com', '+1201555' || lpad(n::text, 4, '0'), '+1201555' || lpad(n::text, 4, '0'),
       'Company ' || n % 500, (array['new', 'contacted', 'qualified', 'interested', 'not_interested', 'converted'])[n % 6 + 1],
       (array['high', 'medium', 'low'])[n % 3 + 1], 'source ' || n % 20, case when n % 20 = 0 then $1::int end,
       now() - n * interval '10 minutes', case when n % 6 = 5 then now() - n * interval '9 minutes' end,
       first || ' ' || last || ' ' || first || n || '@example.com company ' || n % 500 || ' 1201555' || lpad(n::text, 4, '0')
     from generate_series(1, 20000) n,
       lateral (select (array['ana', 'luis', 'marta', 'omar', 'ruth', 'zoe', 'ian'])[n % 7 + 1] as first,
         case when n % 999 = 5 then 'quintanilla' else (array['reyes', 'ortega', 'brooks', 'chen', 'garcia'])[n % 5 + 1] end as last) names`,
    [rep],
  );
  // The index of words keeps new rows on a list of its own until the next vacuum.
  await database.pool.query("vacuum analyze leads, users");
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

/** As the portal asks, by the pool alone. */
const source = {
  get db() {
    return database.db;
  },
  connectionsLost: () => 0,
  lookUp: (async (statement) => (await database.pool.query(statement)).rows) as LookUp,
};

/** Lists that have read nothing yet. */
const lists = () => ({
  database: source,
  leadTexts: createLeadTextCache(),
  gate: { market: markets.US, orgTimeZone: "UTC" },
});

/** What the database does for the statements of some work. */
async function plansOf(work: () => Promise<unknown>): Promise<string> {
  const asked = vi.spyOn(database.pool, "query");
  await work();
  const statements = asked.mock.calls as unknown as [
    string | { text: string; values: unknown[] },
    unknown[],
  ][];
  const calls = statements.map(([sql, values]) => (typeof sql === "string" ? { text: sql, values } : sql));
  asked.mockRestore();
  const plans: string[] = [];
  for (const { text, values } of calls) {
    const { rows } = await database.pool.query({ text: `explain ${text}`, values });
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
  }
  return plans.join("\n\n");
}

const page = (scope: OwnerScope, filter: LeadFilter = {}, sort: LeadSort = "newest") =>
  ({ scope, filter, sort, timeZone: "UTC", after: null, limit: 50 }) as const;

// The lists once sorted every lead of the scope for each page: `desc` in a query means nulls first, in the indexes nulls last.
it.each<[string, (userId: number) => OwnerScope]>([
  ["a consultant", (salesRepId) => ({ salesRepId })],
  ["an administrator", () => "everyone"],
])("a page of 20,000 leads of %s is walked by an index, not sorted", async (_name, scope) => {
  const plan = await plansOf(() => listOwnLeads(lists(), { ...page(scope(rep)), actorId: rep }));
  expect(plan).toMatch(/Index Scan using leads_(owner|created)_idx/);
  expect(plan).not.toMatch(/Seq Scan on leads/);
});

it("leads without the words are passed over without being read", async () => {
  const common = { search: "garcia", status: "new", priority: "high" } as const;
  const plan = await plansOf(() => findLeads(source, page("everyone", common), null));
  expect(plan).toMatch(/Index Only Scan using leads_walk_idx/);
  expect(plan).not.toMatch(/leads_search_idx/);
  const counted = await plansOf(() => countLeadsUpTo(database.db, page("everyone", common), 1_001));
  expect(counted).toMatch(/Index Only Scan using leads_walk_idx/);
});

describe("no page of 20,000 leads reads them all", () => {
  const filters: [string, LeadFilter][] = [
    ["no filter", {}],
    ["status and priority", { status: "new", priority: "high" }],
    ["a status", { status: "interested" }],
    ["leads of nobody", { assignment: "unassigned" }],
    ["a source", { source: "source 7" }],
    ["those of a week", { created: "week" }],
    ["converted within a week", { converted: "week" }],
    ["never called", { called: "no" }],
    ["a common name", { search: "garcia" }],
    ["a common name with status and priority", { search: "garcia", status: "new", priority: "high" }],
    ["a rare name", { search: "quintanilla" }],
    ["a rare name of a status", { search: "quintanilla", status: "new" }],
    ["a common name of those with a consultant", { search: "garcia", assignment: "assigned" }],
    ["a rare name of those with a consultant", { search: "quintanilla", assignment: "assigned" }],
    ["a name that nobody has", { search: "xylophone" }],
    ["a number", { search: "201-555-1234" }],
    ["an address", { search: "zoe777@example.com" }],
    ["two letters", { search: "ga" }],
  ];

  it.each(filters)("%s", async (_name, filter) => {
    for (const sort of allLeadSorts)
      expect(await plansOf(() => listAllLeads(lists(), page("everyone", filter, sort)))).not.toMatch(
        /Seq Scan on leads/,
      );
    const own = { ...page({ salesRepId: rep }, filter), actorId: rep };
    for (const limit of [50, 500])
      expect(await plansOf(() => listOwnLeads(lists(), { ...own, limit }))).not.toMatch(/Seq Scan on leads/);
    const counted = await plansOf(() => countLeadsUpTo(database.db, page("everyone", filter), 1_001));
    expect(counted).not.toMatch(/Seq Scan on leads/);
  });

  it("finds the same by walking and by the index of words", async () => {
    for (const [, filter] of filters.filter(([, { search }]) => search)) {
      for (const sort of allLeadSorts) {
        const asked = page("everyone", filter, sort);
        const found = await findLeads(source, asked, null);
        const { rows } = await database.pool.query(
          `select l.id from leads l where l.search like $1 and ($2::text is null or l.status = $2) and ($3::text is null or l.priority = $3)
             and ($4::text is null or l.assigned_to is not null)
           order by ${{ newest: "l.created_at desc", oldest: "l.created_at", name: "lower(left(l.name, 200)), l.id", name_desc: "lower(left(l.name, 200)) desc, l.id desc" }[sort]} limit 50`,
          [
            `%${filter.search?.replace(/^201-555-/, "201555")}%`,
            filter.status ?? null,
            filter.priority ?? null,
            filter.assignment ?? null,
          ],
        );
        expect(found.ids).toEqual(rows.map(({ id }) => String(id)));
      }
    }
  });
});
