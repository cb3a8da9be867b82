import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Database } from "../../../platform/db/client.ts";
import { buildUser } from "../../../testing/factories.ts";
import { createTestDatabase, openTestDatabase, type TestDatabase } from "../../../testing/test-database.ts";
import { type LogFilter, listLogs } from "./log-repository.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let test: TestDatabase;
let database: Database;
let rep: number;

beforeAll(async () => {
  test = await createTestDatabase();
  database = openTestDatabase(test);
  const users = [];
  for (let n = 0; n < 4; n += 1) users.push(await buildUser(database));
  rep = users[0]?.id ?? 0;
  const userIds = users.map(({ id }) => id);
  await database.pool.query(
    `insert into leads (name, assigned_to) select 'Lead ' || n, ($1::int[])[n % 4 + 1] from generate_series(1, 2000) n`,
    [userIds],
  );
  await database.transaction(async ({ $client }) => {
    // The rows are valid; checking 200,000 foreign keys would take longer than the test.
    await $client.query("set local session_replication_role = replica; set local statement_timeout = 0");
    await $client.query(
      `insert into call_logs (lead_id, user_id, outcome, confirmed, call_type, duration_seconds, call_date, search)
       select n % 2000 + 1, ($1::int[])[n % 4 + 1], (array['answered', 'voicemail', 'busy', 'no_answer'])[n % 4 + 1], true, 'browser',
         n % 600, now() - n * interval '2 minutes', case when n % 1000 = 0 then 'renewal offer' when n % 20 = 0 then 'call again at noon' else '' end
       from generate_series(1, 100000) n`,
      [userIds],
    );
    // Every fiftieth call is inbound; a few are open missed calls.
    await $client.query(
      `insert into inbound_calls (id, call_sid, from_number, lead_id, owner_id, stage, result, started_at)
       select c.id, 'CA' || c.id, '+12125550101', c.lead_id, l.assigned_to, 'ended', case when c.id % 10000 = 0 then 'missed' else 'answered' end, c.call_date
       from call_logs c join leads l on l.id = c.lead_id where c.id % 50 = 0`,
    );
    await $client.query("update call_logs set inbound_call_id = id, direction = 'inbound' where id % 50 = 0");
  });
  await database.pool.query("analyze leads, call_logs, users, recordings, inbound_calls");
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: Node[];
}

/** The query plan of `listLogs`, with all its nodes. */
async function planOf(filter: LogFilter, after: { at: string; id: number } | null = null): Promise<Node[]> {
  const asked = vi.spyOn(database.pool, "query");
  const rows = await listLogs(database.db, { filter, after, limit: 51 });
  expect(rows.length).toBeGreaterThan(0);
  const [{ text, values }] = asked.mock.calls[0] as unknown as [{ text: string; values: unknown[] }];
  asked.mockRestore();
  // Prepared, to get the generic plan; the values are the same.
  const name = `plan-${randomUUID()}`;
  const { rows: explained } = await database.pool.query({
    name,
    text: `explain (analyze, format json) ${text}`,
    values,
  });
  const nodes: Node[] = [];
  const visit = (node: Node) => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  visit(explained[0]["QUERY PLAN"][0].Plan);
  return nodes;
}

const zone = { timeZone: "America/New_York" };
const later = () => ({ at: new Date(Date.now() - 40 * 86_400_000).toISOString(), id: 1 });

describe("a page of 100,000 call logs", () => {
  it.each<[string, (user: number) => LogFilter]>([
    ["of an administrator", () => ({ scope: "everyone", ...zone })],
    ["of a consultant", (userId) => ({ scope: { userId }, ...zone })],
    ["with one outcome", () => ({ scope: "everyone", outcome: "busy", ...zone })],
    ["with one outcome of a consultant", (userId) => ({ scope: { userId }, outcome: "answered", ...zone })],
    ["of a consultant, oldest first", (userId) => ({ scope: { userId }, isOldestFirst: true, ...zone })],
    ["of a month", () => ({ scope: "everyone", range: "month", ...zone })],
    ["with words that few notes contain", () => ({ scope: "everyone", search: "renewal", ...zone })],
    [
      "with words, outcome and range of a consultant",
      (userId) => ({ scope: { userId }, search: "renewal", outcome: "answered", range: "month", ...zone }),
    ],
  ])("%s uses index scans", async (_name, filter) => {
    const nodes = await planOf(filter(rep));
    const scans = nodes.filter((node) => node["Relation Name"] === "call_logs");
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.map((node) => node["Node Type"])).not.toContain("Seq Scan");
  });

  it.each<[string, () => LogFilter["scope"]]>([
    ["an administrator", () => "everyone"],
    ["a consultant", () => ({ userId: rep })],
  ])("of the missed calls of %s reads only pending ones, however many others exist", async (_name, scope) => {
    // Regression: all logs of a consultant were read for a few open missed calls.
    const nodes = await planOf({ scope: scope(), missed: true, ...zone });
    const read = nodes
      .filter((node) => node["Relation Name"] === "call_logs" && !node.Plans)
      .reduce((sum, node) => sum + node["Actual Rows"] * node["Actual Loops"], 0);
    expect(read).toBeLessThan(200);
  });

  it.each<[string, LogFilter["scope"] | null, boolean]>([
    ["an administrator", "everyone", false],
    ["a consultant", null, false],
    ["an administrator, oldest first,", "everyone", true],
    ["a consultant, oldest first,", null, true],
  ])("far down the list of %s reads little more than it returns", async (_name, scope, isOldestFirst) => {
    const nodes = await planOf({ scope: scope ?? { userId: rep }, isOldestFirst, ...zone }, later());
    const read = nodes
      .filter((node) => node["Relation Name"] === "call_logs" && !node.Plans)
      .reduce((sum, node) => sum + node["Actual Rows"] * node["Actual Loops"], 0);
    expect(read).toBeLessThan(1_000);
  });
});
