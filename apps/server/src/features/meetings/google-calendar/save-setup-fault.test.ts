import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { serverFolder } from "../../../paths.ts";
import { googleAccounts, meetings } from "../../../platform/db/schema/meetings.ts";
import { users } from "../../../platform/db/schema/users.ts";
import { type GoogleHarness, openGoogleHarness } from "../../../testing/google-harness.ts";
import type { Client } from "../../../testing/test-app.ts";
import { findDueAccounts } from "./repository.ts";
import { settleSetupAlerts } from "./service.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

let desk: GoogleHarness;
let ana: Client;
let luis: Client;
let admin: Client;
let people = 0;

beforeAll(async () => {
  desk = await openGoogleHarness();
});
afterAll(() => desk?.close());
beforeEach(async () => {
  await desk.sandbox.control("POST", "/reset");
  people += 1;
  ana = await desk.app.signIn({ email: `ana${people}@one.example` });
  luis = await desk.app.signIn({ email: `luis${people}@two.example` });
  admin = await desk.app.signIn({ role: "admin" });
  for (const client of [ana, luis]) await desk.connect(client);
});

const db = () => desk.app.deps.database.db;
const sync = (client: Client) => client.post("/api/google/sync");
const switchApi = (enabled: boolean) => desk.sandbox.control("POST", "/google/api", { enabled });
const closeDomain = (domain: string, closed: boolean) =>
  desk.sandbox.control("POST", "/google/domain-policy", { domain, closed });

async function schedule(client: Client, title: string): Promise<number> {
  const startTime = new Date(Date.now() + 2 * 86_400_000);
  const answer = await client.post("/api/calendar/events", {
    title,
    startTime: startTime.toISOString(),
    endTime: new Date(startTime.getTime() + 1_800_000).toISOString(),
    timeZone: "America/New_York",
  });
  return answer.body.id;
}

async function standing(id: number) {
  const [row] = await db().select().from(meetings).where(eq(meetings.id, id));
  return [row?.sync, row?.syncError];
}

const titles = async (client: Client) =>
  (await desk.events(client)).map(({ summary }: { summary: string }) => summary).sort();
const notices = async (client: Client) => (await client.get("/api/notices")).body;
const diagnosis = async () =>
  (await admin.get("/api/diagnostics/google")).body.checks.find(
    ({ name }: { name: string }) => name === "credentials",
  );

describe("while the Calendar API is disabled in the Cloud project", () => {
  it("meetings wait, administrators are notified once, and all are created afterwards, once each", async () => {
    await switchApi(false);
    const ids = [await schedule(ana, "First"), await schedule(ana, "Second"), await schedule(luis, "Third")];
    for (const client of [ana, luis, ana, luis]) expect((await sync(client)).status).toBe(502);
    for (const id of ids) expect(await standing(id)).toEqual(["pending", null]);

    const raised = await notices(admin);
    expect(raised).toMatchObject([{ kind: "google_api_off" }]);
    expect(await notices(ana)).toEqual([]);
    expect((await ana.get("/api/google/status")).body).toMatchObject({
      connected: true,
      waitsFor: "api_off",
      pending: 2,
    });
    expect(await diagnosis()).toMatchObject({ status: "fail", finding: "api_off", values: { count: 2 } });

    await switchApi(true);
    const { rows: passed } = await db().$client.query(
      "update google_accounts set claimed_at = claimed_at - interval '6 minutes' returning user_id",
    );
    expect(passed.length).toBeGreaterThanOrEqual(2);
    expect(await findDueAccounts(db())).toEqual(expect.arrayContaining([ana.user.id, luis.user.id]));
    expect((await sync(ana)).status).toBe(200);
    // Luis' calendar was not synced since, so there is still one notification, unchanged.
    expect(await notices(admin)).toEqual(raised);
    expect((await sync(luis)).status).toBe(200);
    await sync(ana);
    expect([await titles(ana), await titles(luis)]).toEqual([["First", "Second"], ["Third"]]);
    for (const id of ids) expect(await standing(id)).toEqual(["synced", null]);
    expect(await notices(admin)).toEqual([]);
    expect((await ana.get("/api/google/status")).body).toMatchObject({ waitsFor: null, pending: 0 });
    expect((await diagnosis()).finding).toBe("accounts_connected");
  });

  it("a deletion waits too, and disconnecting does not wait for it", async () => {
    const id = await schedule(ana, "Called off");
    await sync(ana);
    await switchApi(false);
    await ana.delete(`/api/calendar/events/${id}`);
    await sync(ana);
    expect(await standing(id)).toEqual(["pending", null]);
    expect(await notices(admin)).toHaveLength(1);
    await ana.delete("/api/google/disconnect");
    expect(await notices(admin)).toEqual([]);
    // It also ends for a user whose account is closed, without another response from Google.
    await sync(luis);
    expect(await notices(admin)).toHaveLength(1);
    await db().update(users).set({ disabledAt: new Date() }).where(eq(users.id, luis.user.id));
    const { database, google } = desk.app.deps;
    await database.transaction((tx) => settleSetupAlerts(tx, google));
    expect(await notices(admin)).toEqual([]);
  });
});

it("a domain that blocks the app delays its own users' meetings, and nobody else's", async () => {
  await closeDomain("one.example", true);
  const id = await schedule(ana, "Waits");
  for (let tries = 0; tries < 6; tries += 1) expect((await sync(ana)).body.message).toContain("Workspace");
  await schedule(luis, "Goes");
  expect((await sync(luis)).status).toBe(200);
  expect([await standing(id), await titles(luis)]).toEqual([["pending", null], ["Goes"]]);
  expect(await notices(admin)).toMatchObject([{ kind: "google_domain_policy" }]);
  expect(await diagnosis()).toMatchObject({ finding: "domain_policy", values: { count: 1 } });
  await closeDomain("one.example", false);
  await sync(ana);
  expect(await titles(ana)).toEqual(["Waits"]);
  expect(await notices(admin)).toEqual([]);
  const [account] = await db().select().from(googleAccounts).where(eq(googleAccounts.userId, ana.user.id));
  expect(account?.setupFault).toBeNull();
});

it("meetings that an earlier version gave up for a setup error are sent after the migration, others are not", async () => {
  const given = async (title: string, error: string) => {
    const id = await schedule(ana, title);
    await db().update(meetings).set({ sync: "failed", syncError: error }).where(eq(meetings.id, id));
    return id;
  };
  const ids = [
    await given("Given up", "Google does not allow this change (403)."),
    await given("Malformed", "Google refused the meeting (400)."),
  ];
  const folder = join(serverFolder, "src/platform/db/migrations");
  const file = readdirSync(folder).find((name) => name.endsWith("_golive.sql")) ?? "";
  const migration = readFileSync(join(folder, file), "utf8").split("--> statement-breakpoint");
  await db().$client.query(migration.at(-1) ?? "");
  await sync(ana);
  expect(await titles(ana)).toEqual(["Given up"]);
  expect((await standing(ids[1] ?? 0))[0]).toBe("failed");
});
