import { leadSorts } from "@portal/contract/entities/lead-list";
import { allLeadSorts } from "@portal/contract/routes/all-leads";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Database } from "../../platform/db/client.ts";
import { buildUser } from "../../testing/factories.ts";
import { createTestDatabase, openTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { markets } from "../contact-policy/decide-contact.ts";
import { findDuplicates } from "./duplicate-repository.ts";
import { countLeadsUpTo, type LeadFilter, type LeadSort } from "./lead-list-repository.ts";
import type { OwnerScope } from "./lead-repository.ts";
import { allLeads, ownLeads } from "./list-leads.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let test: TestDatabase;
let database: Database;
let rep: number;

beforeAll(async () => {
  test = await createTestDatabase();
  database = openTestDatabase(test);
  rep = (await buildUser(database)).id;
  // In batches that even a busy machine inserts within the statement timeout.
  for (let from = 1; from < 20_000; from += 2_000)
    await database.pool.query(
      `insert into leads (name, email, phone, phone_e164, company, status, priority, lead_source, assigned_to, created_at, converted_at,
         attempts, last_attempt_at, last_contacted_at, next_follow_up_date, unread_messages, time_zone, language_guess, search)
       select first || ' ' || last, first || n || '@example.com', '+1201555' || lpad(n::text, 4, '0'), '+1201555' || lpad(n::text, 4, '0'),
         'Company ' || n % 500, (array['new', 'contacted', 'qualified', 'interested', 'not_interested', 'converted'])[n % 6 + 1],
         (array['high', 'medium', 'low'])[n % 3 + 1], 'source ' || n % 20, case when n % 20 = 0 then $1::int end,
         now() - n * interval '10 minutes', case when n % 6 = 5 then now() - n * interval '9 minutes' end,
         n % 5, case when n % 5 > 0 then now() - n * interval '8 minutes' end, case when n % 5 > 0 then now() - n * interval '8 minutes' end,
         case when n % 40 = 0 then now() + (n - 10000) * interval '1 hour' end, case when n % 2000 = 1 then 1 else 0 end,
         (array['America/New_York', 'America/Chicago', 'America/Los_Angeles'])[n % 3 + 1], (array['en', 'es', null])[n % 3 + 1],
         first || ' ' || last || ' ' || first || n || '@example.com company ' || n % 500 || ' 1201555' || lpad(n::text, 4, '0')
       from generate_series($2::int, $3::int) n,
         lateral (select (array['ana', 'luis', 'marta', 'omar', 'ruth', 'zoe', 'ian'])[n % 7 + 1] as first,
           case when n % 999 = 5 then 'quintanilla' else (array['reyes', 'ortega', 'brooks', 'chen', 'garcia'])[n % 5 + 1] end as last) names`,
      [rep, from, from + 1_999],
    );
  // The trigram index keeps new rows in a pending list until the next vacuum.
  await database.pool.query("vacuum analyze leads, users");
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

const rules = { market: markets.US, orgTimeZone: "UTC" };

/** The query plans of the statements of some work. */
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
  ({ scope, filter, sort, timeZone: "UTC", limit: 50 }) as const;
type Page = ReturnType<typeof page> | (Omit<ReturnType<typeof page>, "limit"> & { limit: number });

const everyones = ({ limit, ...query }: Page) => allLeads(database.db, query).fetch(null, limit);
const own = ({ limit, ...query }: Page) =>
  ownLeads(database.db, { ...query, actorId: rep }, rules).fetch(null, limit);

// Regression: the lists sorted every lead of the scope for each page, because `desc` in a query means nulls first but the indexes have
// nulls last.
it.each<[string, (userId: number) => OwnerScope]>([
  ["a consultant", (salesRepId) => ({ salesRepId })],
  ["an administrator", () => "everyone"],
])("a page of 20,000 leads of %s uses an index scan without a sort", async (_name, scope) => {
  const plan = await plansOf(() => own(page(scope(rep))));
  expect(plan).toMatch(/Index (Only )?Scan using leads_(owner|created)_idx/);
  expect(plan).not.toMatch(/Seq Scan on leads/);
});

// PostgreSQL decides: words that a fifth of the leads have are found while scanning the list, rare ones by the index.
it("a search scans the list for a common word and uses the trigram index for a rare one", async () => {
  const planOf = (search: string) => plansOf(() => everyones(page("everyone", { search })));
  expect(await planOf("garcia")).toMatch(/Index Scan using leads_created_idx/);
  for (const rare of ["quintanilla", "xylophone", "zoe777@example.com"])
    expect(await planOf(rare)).toMatch(/Bitmap Index Scan on leads_search_idx/);
});

describe("no page of 20,000 leads uses a sequential scan", () => {
  // Noon in Chicago, because at night none of these leads is within the requested hours.
  beforeAll(() => void vi.useFakeTimers({ now: new Date("2026-07-01T17:00:00Z"), toFake: ["Date"] }));
  afterAll(() => void vi.useRealTimers());

  const filters: [string, LeadFilter][] = [
    ["no filter", {}],
    ["status and priority", { status: "new", priority: "high" }],
    ["a status", { status: "interested" }],
    ["unassigned leads", { assignment: "unassigned" }],
    ["a source", { source: "source 7" }],
    ["created within a week", { created: "week" }],
    ["converted within a week", { converted: "week" }],
    ["never called", { called: "no" }],
    ["never tried", { attempts: "none" }],
    ["tried twice", { attempts: "two" }],
    ["contacted today", { lastContact: "today" }],
    ["an overdue follow-up", { followUp: "overdue" }],
    ["unread SMS", { unread: true }],
    ["contact hours by their clock", { localTime: "day" }],
    ["a language", { language: "es" }],
    ["a common name", { search: "garcia" }],
    ["a common name with status and priority", { search: "garcia", status: "new", priority: "high" }],
    ["a rare name", { search: "quintanilla" }],
    ["a rare name with a status", { search: "quintanilla", status: "new" }],
    ["a common name of assigned leads", { search: "garcia", assignment: "assigned" }],
    ["a rare name of assigned leads", { search: "quintanilla", assignment: "assigned" }],
    ["a name without matches", { search: "xylophone" }],
    ["a number", { search: "201-555-1234" }],
    ["an email address", { search: "zoe777@example.com" }],
    ["two letters", { search: "ga" }],
  ];

  it.each(filters)("%s", async (_name, filter) => {
    for (const sort of leadSorts)
      expect(await plansOf(() => everyones(page("everyone", filter, sort)))).not.toMatch(/Seq Scan on leads/);
    for (const limit of [50, 500])
      expect(await plansOf(() => own({ ...page({ salesRepId: rep }, filter), limit }))).not.toMatch(
        /Seq Scan on leads/,
      );
    const counted = await plansOf(() => countLeadsUpTo(database.db, page("everyone", filter), 1_001));
    expect(counted).not.toMatch(/Seq Scan on leads/);
  });

  it("contact hours without matching leads use the zone index in every order", async () => {
    vi.setSystemTime(new Date("2026-07-01T07:00:00Z"));
    for (const sort of leadSorts)
      expect(await plansOf(() => everyones(page("everyone", { localTime: "day" }, sort))), sort).toMatch(
        /Scan (on|using) leads_zone_idx/,
      );
    vi.setSystemTime(new Date("2026-07-01T17:00:00Z"));
  });

  it("both plans return the same rows", async () => {
    for (const [, filter] of filters.filter(([, { search }]) => search)) {
      for (const sort of allLeadSorts) {
        const asked = page("everyone", filter, sort);
        const found = await everyones(asked);
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
        expect(found.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
      }
    }
  });
});

it.each(["phone", "email", "name"] as const)("possible duplicates by %s use their index", async (by) => {
  const index = { phone: "leads_phone_idx", email: "leads_email_idx", name: "leads_namesake_idx" }[by];
  for (const ownerId of [null, rep]) {
    const plan = await plansOf(() => findDuplicates(database.db, { by, ownerId, after: null, limit: 51 }));
    expect(plan).toMatch(new RegExp(`(using|on) ${index}`));
    expect(plan).not.toMatch(/Seq Scan on leads/);
  }
});
