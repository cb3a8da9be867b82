import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort, type ServerProcess, startServer } from "../../testing/server-process.ts";
import { createEmptyDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { makeBackup } from "./backup/make-backup.ts";
import { migrateDatabase, withClient } from "./migrate.ts";

const suffix = randomBytes(4).toString("hex");
const owner = `owner_${suffix}`;
const app = `app_${suffix}`;
let database: TestDatabase;
let server: ServerProcess;
let cookie: string;

const as = (role: string): string => {
  const url = new URL(database.url);
  url.username = role;
  return url.toString();
};
const run = (url: string, statement: string) =>
  withClient(url, async (client) => (await client.query(statement)).rows);
const start = async (env: Record<string, string>) =>
  startServer({ PORT: String(await freePort()), DATABASE_URL: as(app), ...env });

async function send(path: string, body: object): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

beforeAll(async () => {
  database = await createEmptyDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await run(
    database.url,
    `create role ${owner} login; create role ${app} login; alter database ${name} owner to ${owner}`,
  );
});
afterAll(async () => {
  await server?.kill();
  await database.drop();
  await run(process.env.TEST_DATABASE_URL ?? "", `drop role ${app}; drop role ${owner}`);
});

it("the start fails with a message when no role can create the schema", async () => {
  const refused = await start({});
  expect(await refused.exit).toBe(1);
  expect(refused.output()).toMatch(/DATABASE_OWNER_URL/);
});

it("the portal works with a role that may only change rows: a sign-in, a lead, a job", async () => {
  server = await start({ DATABASE_OWNER_URL: as(owner) });
  await server.untilHealthy();
  cookie = await server.signIn("ana@portal.test");
  const lead = { firstName: "Lucía", lastName: "Prado", phone: "(305) 555-0188" };
  expect(await send("/api/leads", lead)).toMatchObject({ status: 200, body: { name: "Lucía Prado" } });
  // An import is a job: it is put into a queue, processed and completed there.
  const leads = [{ name: "José Núñez", email: "jose@example.com" }];
  expect(await send("/api/import/leads", { leads })).toMatchObject({ status: 200, body: { imported: 1 } });
  await expect
    .poll(() => run(as(app), "select state::text from jobs.job where name = 'lead-import'"))
    .toEqual([{ state: "completed" }]);
  // The owner's connections are closed once the schema is created.
  const sessions = `select count(*)::int as n from pg_stat_activity where usename = '${owner}'`;
  expect(await run(database.url, sessions)).toEqual([{ n: 0 }]);
});

it.each([
  "drop table leads",
  "truncate leads",
  "alter table leads add column other text",
  "alter table leads disable trigger all",
  "create table public.mine (id int)",
  "create table jobs.mine (id int)",
  "drop schema jobs cascade",
  "delete from drizzle.__drizzle_migrations",
  "create extension hstore",
])("the role is rejected: %s", async (statement) => {
  await expect(run(as(app), statement)).rejects.toMatchObject({
    code: expect.stringMatching(/^(42501|0A000)$/),
  });
});

it("the role can use what the owner creates later, and starts without the owner once the schema exists", async () => {
  await run(as(owner), "create table later (id serial primary key); insert into later default values");
  await run(
    as(app),
    "insert into later default values; update later set id = 9 where id = 1; delete from later",
  );
  await run(as(owner), "drop table later");
  await server.kill();
  server = await start({});
  await server.untilHealthy();
  expect((await fetch(`${server.url}/api/ready`)).status).toBe(200);
  const folder = mkdtempSync(path.join(tmpdir(), "portal-role-test-"));
  const keys = { backupKey: null, encryptionKey: "an-encryption-key-of-the-portal-0123" };
  const made = await makeBackup({ url: as(app), file: path.join(folder, "x.backup") }, keys);
  expect(made.rows).toBeGreaterThan(0);
  rmSync(folder, { recursive: true });
  // Every start of a process runs this again.
  await migrateDatabase(as(owner), { appUrl: as(app) });
});
