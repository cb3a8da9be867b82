import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { crmRunPages, crmSyncRuns } from "../../platform/db/schema/crm.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { type CrmHarness, openCrmHarness } from "../../testing/crm-harness.ts";
import { buildTestApp } from "../../testing/test-app.ts";
import { awaitContacts, queueUnmet, type Refresh } from "./gather-refreshes.ts";

vi.setConfig({ testTimeout: 200_000, hookTimeout: 60_000 });

const waitOptions = { timeout: 100_000, interval: 100 };
const count = 700;
let desk: CrmHarness;

beforeAll(async () => {
  desk = await openCrmHarness({ listen: true });
});
afterAll(() => desk?.close());

it("reads the contacts of many events by pages, and single ones only when no page has them", async () => {
  const { app, sandbox } = desk;
  const { control } = sandbox;
  await control("POST", "/ghl/rate-limit", { enabled: false });
  await control("POST", "/ghl/generate", { count });
  await vi.waitFor(
    async () => expect((await desk.admin.post("/api/ghl/sync")).body.synced).toBe(126 + count),
    waitOptions,
  );
  const { contacts } = await control("GET", "/ghl/contacts");
  const changed: { id: string }[] = contacts.slice(0, count);
  const [gone, ...others] = changed;
  await control("DELETE", "/requests");
  await desk.sendWebhooks(true);
  for (const { id } of others) await control("PATCH", `/ghl/contacts/${id}`, { companyName: "Changed" });
  await control("DELETE", `/ghl/contacts/${gone?.id}`);

  const { pool, db } = app.deps.database;
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      `select (select count(*)::int from provider_events where processed_at is not null) as worked,
         (select count(*)::int from jobs.job where name like 'crm-r%' and state < 'completed') as waiting`,
    );
    expect(rows).toEqual([{ worked: count, waiting: 0 }]);
  }, waitOptions);
  const known = new Map((await db.select().from(leads)).map((lead) => [lead.ghlContactId, lead]));
  expect(known.get(gone?.id ?? "")?.crmDeletedAt).not.toBeNull();
  const there: { id: string; dateUpdated: string }[] = (await control("GET", "/ghl/contacts")).contacts;
  const notRead = there.filter(
    ({ id, dateUpdated }) => known.get(id)?.crmUpdatedAt?.toISOString() !== dateUpdated,
  );
  expect(notRead).toEqual([]);

  const { requests } = await control("GET", "/requests?vendor=ghl&path=/contacts/");
  const searches = requests.filter(({ path }: { path: string }) => path.endsWith("/search"));
  expect(searches.length).toBeLessThanOrEqual(20);
  expect(requests.length - searches.length).toBeLessThan(300);
});

it("queues contacts again that were not on the pages", async () => {
  const app = await buildTestApp();
  const { database } = app.deps;
  /** Contacts queued after a run that was to read five: two named before it started, three after its first page. */
  const queuedAfter = async (failed: boolean) => {
    const [run] = await database.db
      .insert(crmSyncRuns)
      .values({ kind: "changes", state: "done" })
      .returning();
    const runId = run?.id ?? 0;
    const page = (...contactIds: string[]) => database.db.insert(crmRunPages).values({ runId, contactIds });
    await database.transaction((tx) =>
      awaitContacts(tx, { runId, contactIds: ["met", "unmet"], joins: false }),
    );
    await page("met", "met before", "x");
    const late = ["met before", "met after", "never met"];
    await database.transaction((tx) => awaitContacts(tx, { runId, contactIds: late, joins: true }));
    await page("met after");
    const queued: [string, "alone" | "together", number | undefined][] = [];
    const enqueue: Jobs["enqueue"] = async (_tx, _queue, data, { startAfterSeconds } = {}) => {
      const { contactId, alone } = data as Refresh;
      queued.push([contactId, alone ? "alone" : "together", startAfterSeconds]);
    };
    await database.transaction((tx) => queueUnmet({ jobs: { enqueue } }, tx, { runId, failed }));
    return queued.toSorted();
  };
  expect(await queuedAfter(false)).toEqual([
    ["met before", "together", undefined],
    ["never met", "together", undefined],
    ["unmet", "alone", undefined],
  ]);
  expect(await queuedAfter(true)).toEqual([
    ["met before", "together", 60],
    ["never met", "together", 60],
    ["unmet", "together", 60],
  ]);
  await app.close();
});
