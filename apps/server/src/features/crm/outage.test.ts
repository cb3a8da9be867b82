import { eq } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { providerEvents } from "../../platform/db/schema/calls.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { startDatabaseLine } from "../../testing/database-line.ts";
import { startTestSandbox } from "../../testing/sandbox.ts";
import { buildTestApp } from "../../testing/test-app.ts";
import { createTestDatabase } from "../../testing/test-database.ts";

const waitOptions = { timeout: 45_000, interval: 50 };
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

it("loses no CRM event while the database is down for twelve minutes", async () => {
  const database = await createTestDatabase();
  const line = await startDatabaseLine(database.url);
  const sandbox = await startTestSandbox({ ghlRateLimit: false, speed: 1 });
  closing.push(database.drop, line.close, sandbox.close);
  const app = await buildTestApp({ env: sandbox.env, databaseUrl: line.url, jobs: true, listen: true });
  closing.push(app.close);
  const { control } = sandbox;
  const admin = await app.signIn({ role: "admin" });
  expect((await admin.post("/api/ghl/sync")).body.synced).toBe(126);
  const [renamed, silenced, gone] = (await control("GET", "/ghl/contacts")).contacts;
  await control("POST", "/ghl/webhook", { url: `${app.url}/api/ghl/webhook` });
  /** Waits until this many responses were 429 and this many events wait for a retry. */
  const untilRefused = (refused: number, waiting: number) =>
    vi.waitFor(
      async () => expect(await control("GET", "/ghl/webhook")).toMatchObject({ refused, waiting }),
      waitOptions,
    );

  await line.cut();
  await control("PATCH", `/ghl/contacts/${renamed.id}`, { firstName: "Renamed", lastName: "Meanwhile" });
  await control("PATCH", `/ghl/contacts/${silenced.id}`, { dndSettings: { Call: { status: "active" } } });
  await control("DELETE", `/ghl/contacts/${gone.id}`);
  const made = await control("POST", "/ghl/contacts", { firstName: "Made", lastName: "Meanwhile" });
  await untilRefused(4, 4);
  await control("POST", "/clock", { minutes: 10 });
  await untilRefused(8, 4);
  await control("POST", "/clock", { minutes: 2 });
  await line.restore();
  await vi.waitFor(
    async () => expect((await app.request("GET", "/api/ready")).status).toBe(200),
    waitOptions,
  );
  await control("POST", "/clock", { minutes: 8 });
  await untilRefused(8, 0);

  const { db } = app.deps.database;
  const leadOf = async ({ id }: { id: string }) =>
    (await db.select().from(leads).where(eq(leads.ghlContactId, id)))[0];
  await vi.waitFor(async () => {
    expect(await leadOf(renamed)).toMatchObject({ name: "Renamed Meanwhile" });
    expect(await leadOf(silenced)).toMatchObject({ callOptOut: "dnd" });
    expect((await leadOf(gone))?.crmDeletedAt).not.toBeNull();
    expect(await leadOf(made)).toMatchObject({ name: "Made Meanwhile" });
  }, waitOptions);
  expect(await db.$count(providerEvents)).toBe(4);
});
