import { eq, ne } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { crmSyncRuns } from "../../platform/db/schema/crm.ts";
import { leads } from "../../platform/db/schema/leads.ts";
import { type CrmHarness, openCrmHarness } from "../../testing/crm-harness.ts";
import { buildTestApp } from "../../testing/test-app.ts";
import { zoneAt } from "../../testing/zone-at.ts";
import { beginNightlyRead, needsDecision } from "./decide-deletions.ts";

// One app and one CRM for the whole file; every test starts with empty tables and 126 contacts, and no webhook is sent.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: CrmHarness;
beforeAll(async () => {
  desk = await openCrmHarness();
});
beforeEach(async () => {
  await desk.renew();
  expect((await desk.admin.post("/api/ghl/sync")).body.synced).toBe(126);
});
afterAll(() => desk?.close());

const db = () => desk.app.deps.database.db;
const query = async (text: string, values: unknown[] = []) =>
  (await desk.app.deps.database.pool.query(text, values)).rows;
const control = (method: string, path: string, body?: object) => desk.sandbox.control(method, path, body);

const night = zoneAt(3);

/** Lets time pass: moves all timestamps back by this many hours and resets the rate limiter. */
async function pass(hours: number): Promise<void> {
  await query(
    `update crm_sync_runs set started_at = started_at - $1 * interval '1 hour', finished_at = finished_at - $1 * interval '1 hour',
       read_since = read_since - $1 * interval '1 hour', heartbeat_at = heartbeat_at - $1 * interval '1 hour'`,
    [hours],
  );
  await desk.refresh();
}
const begin = (deps = desk.app.deps, zone = night) =>
  deps.database.transaction((tx) => beginNightlyRead({ ...deps, defaultCountry: "US" }, tx, zone));
const runs = async () =>
  (await db().select().from(crmSyncRuns).where(ne(crmSyncRuns.kind, "changes"))).toSorted(
    (a, b) => a.id - b.id,
  );
const lastRun = async () => (await runs()).at(-1);
const untilEnded = (state: string) =>
  vi.waitFor(async () => expect(await lastRun()).toMatchObject({ state }), { timeout: 45_000, interval: 50 });
/** Deletes contacts in the CRM; returns their leads. */
async function removeContacts(count: number) {
  const { contacts } = await control("GET", "/ghl/contacts");
  const ids = contacts.slice(0, count).map(({ id }: { id: string }) => id);
  for (const id of ids) await control("DELETE", `/ghl/contacts/${id}`);
  return db()
    .select()
    .from(leads)
    .where(eq(leads.ghlContactId, ids[0] ?? ""));
}
const markedCount = async () =>
  (await query("select count(*)::int as n from leads where crm_deleted_at is not null"))[0].n;
const singleReads = async () =>
  (await control("GET", "/requests?vendor=ghl&path=/ghl/contacts/")).requests.filter(
    ({ method }: { method: string }) => method === "GET",
  );

describe("the nightly full sync", () => {
  it("starts at night, once and by one of two processes, and finds changes without a webhook", async () => {
    const [deleted] = await removeContacts(1);
    const { contacts } = await control("GET", "/ghl/contacts");
    const quiet = contacts.find(
      ({ dnd, dndSettings }: { dnd: boolean; dndSettings: object }) =>
        !dnd && !Object.keys(dndSettings).length,
    );
    // A change that does not update the contact's modification date.
    await control("PATCH", `/ghl/contacts/${quiet.id}`, { dnd: true, dateUpdated: quiet.dateUpdated });
    const other = await buildTestApp({
      env: desk.sandbox.env,
      jobs: true,
      databaseUrl: desk.app.deps.env.databaseUrl,
    });
    try {
      await begin(desk.app.deps, night);
      expect(await runs()).toHaveLength(1);
      await pass(20);
      await begin(desk.app.deps, zoneAt(12));
      expect(await runs()).toHaveLength(1);
      await Promise.all([begin(), begin(other.deps), begin(), begin(other.deps)]);
      await untilEnded("done");
      await Promise.all([begin(), begin(other.deps)]);
    } finally {
      await other.close();
    }
    expect(await runs()).toMatchObject([{}, { kind: "all", requestedBy: null, synced: 125, deleted: 1 }]);
    expect(await markedCount()).toBe(1);
    const [optedOut] = await db().select().from(leads).where(eq(leads.ghlContactId, quiet.id));
    expect(optedOut).toMatchObject({ callOptOut: "dnd", textOptOut: "dnd" });
    for (const id of [deleted?.id, optedOut?.id]) {
      const call = await desk.admin.post("/api/make-call", { leadId: id });
      const text = await desk.admin.post(`/api/leads/${id}/sms`, { message: "Hola" });
      const reason = id === deleted?.id ? "deleted" : "opted_out";
      expect([call.body, text.body]).toMatchObject([{ reason }, { reason }]);
    }
    expect((await desk.admin.get(`/api/leads/${deleted?.id}`)).body).toMatchObject({
      callRefusal: "deleted",
    });
  });

  it("completes pending single requests after a restart, however many", async () => {
    await removeContacts(2);
    const [run] = await db()
      .insert(crmSyncRuns)
      .values({ kind: "all", lease: "a process that was killed", cursor: ["missing", 0, 500] })
      .returning();
    const { contacts } = await control("GET", "/ghl/contacts");
    await query("insert into crm_run_pages (run_id, contact_ids) values ($1, $2)", [
      run?.id,
      contacts.map(({ id }: { id: string }) => id),
    ]);
    await pass(1);
    await untilEnded("done");
    expect(await lastRun()).toMatchObject({ id: run?.id, deleted: 2 });
    expect(await markedCount()).toBe(2);
    expect(
      await query("select * from crm_missing union all select run_id, 0, null from crm_run_pages"),
    ).toEqual([]);
  });

  it("requests leads marked as deleted that the CRM lists again", async () => {
    const [lead] = await db().select().from(leads);
    await query("update leads set crm_deleted_at = now() where id = $1", [lead?.id]);
    await pass(20);
    await begin();
    await untilEnded("done");
    expect(await markedCount()).toBe(0);
  });

  it("retries in the same night after a failure, and restarts after half a day", async () => {
    await pass(20);
    await desk.failNext({ status: 403, match: "/contacts/search" });
    await begin();
    await untilEnded("failed");
    await begin();
    expect(await runs()).toHaveLength(2);
    await query("update crm_sync_runs set cursor = '[1, \"x\"]' where state = 'failed'");
    await pass(13);
    await begin();
    await untilEnded("done");
    expect(await lastRun()).toMatchObject({ synced: 126 });
  });

  it("is retried by day after a failed night", async () => {
    await pass(20);
    await desk.failNext({ status: 403, match: "/contacts/search" });
    await begin();
    await untilEnded("failed");
    await pass(1);
    await begin(desk.app.deps, zoneAt(12));
    await untilEnded("done");
    expect(await lastRun()).toMatchObject({ requestedBy: null, synced: 126 });
  });

  it("restarts after half a day for a manual run too", async () => {
    const [failed] = await db()
      .insert(crmSyncRuns)
      .values({ kind: "all", state: "failed", cursor: ["missing", 1_000, 500], readSince: new Date() })
      .returning();
    await pass(13);
    expect((await desk.admin.post("/api/ghl/sync")).body.synced).toBe(126);
    expect((await lastRun())?.id).not.toBe(failed?.id);
  });

  it("continues when one contact cannot be read, and reports it; stops when none can", async () => {
    const [lead] = await removeContacts(2);
    await desk.failNext({ status: 403, match: `/contacts/${lead?.ghlContactId}`, count: 1_000 });
    await pass(20);
    await begin();
    await untilEnded("done");
    expect(await lastRun()).toMatchObject({
      deleted: 1,
      errors: [`${lead?.name} could not be read: GoHighLevel does not allow this to the key (403).`],
    });
    expect(
      await query("select id from leads where id = $1 and crm_deleted_at is null", [lead?.id]),
    ).toHaveLength(1);
    await desk.failNext({ status: 403, match: "/contacts/", method: "GET", count: 1_000 });
    expect((await desk.admin.post("/api/ghl/sync")).status).toBe(502);
    expect(await lastRun()).toMatchObject({ state: "failed", deleted: 0 });
  });
});

describe("too many deletions", () => {
  it("require a decision above 2 % and from 20 on, or when no lead was found", () => {
    const found = (deleted: number, all: number, missing = deleted) =>
      needsDecision({ deleted, leads: all, missing });
    expect([found(19, 100), found(20, 1_000), found(0, 0), found(5, 126)]).toEqual(Array(4).fill(false));
    expect([found(20, 999), found(21, 1_000), found(1, 7, 7)]).toEqual([true, true, true]);
  });

  it("are not applied: the run stops until an administrator decides, which is audited", async () => {
    await removeContacts(40);
    await pass(20);
    await begin();
    await untilEnded("held");
    expect(await markedCount()).toBe(0);
    expect(await singleReads()).toHaveLength(20);
    const alerts = async () =>
      (await desk.admin.get("/api/notices")).body.map(({ kind }: { kind: string }) => kind);
    expect(await alerts()).toEqual(["crm_deletions_held"]);
    expect((await desk.ana.get("/api/ghl/deletions")).status).toBe(403);
    const { held } = (await desk.admin.get("/api/ghl/deletions")).body;
    expect(held).toMatchObject({ leads: 126, missing: 40, asked: 20, deleted: 20 });
    expect(held.examples).toHaveLength(5);
    expect((await desk.ana.post(`/api/ghl/deletions/${held.runId}`, { decision: "mark" })).status).toBe(403);
    expect((await desk.admin.post(`/api/ghl/deletions/${held.runId}`, { decision: "no" })).status).toBe(400);
    expect(await lastRun()).toMatchObject({ state: "held" });

    await desk.refresh();
    expect((await desk.admin.post(`/api/ghl/deletions/${held.runId}`, { decision: "mark" })).status).toBe(
      200,
    );
    await untilEnded("done");
    expect(await alerts()).toEqual([]);
    expect(await lastRun()).toMatchObject({ id: held.runId, deleted: 40, decision: "mark" });
    expect(await markedCount()).toBe(40);
    expect(
      await query("select user_id, data from audit_log where action = 'crm-deletions-decided'"),
    ).toMatchObject([
      {
        user_id: desk.admin.user.id,
        data: { decision: "mark", leads: 126, missing: 40, asked: 20, deleted: 20 },
      },
    ]);
    const late = await desk.admin.post(`/api/ghl/deletions/${held.runId}`, { decision: "leave" });
    expect(late).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  it("are applied as decided after an outage and a manual sync, at any hour", async () => {
    await removeContacts(40);
    await pass(20);
    await begin();
    await untilEnded("held");
    const { held } = (await desk.admin.get("/api/ghl/deletions")).body;
    await desk.failNext({ status: 403, match: "/contacts/", method: "GET", count: 1_000 });
    await desk.admin.post(`/api/ghl/deletions/${held.runId}`, { decision: "mark" });
    await untilEnded("failed");
    await desk.admin.post("/api/ghl/sync");
    expect(await lastRun()).toMatchObject({
      state: "failed",
      requestedBy: desk.admin.user.id,
      decision: "mark",
    });
    expect(await markedCount()).toBe(0);
    await control("DELETE", "/fail");
    await pass(11);
    await begin(desk.app.deps, zoneAt(20));
    await untilEnded("done");
    expect(await lastRun()).toMatchObject({ deleted: 40, decision: "mark", requestedBy: null });
    expect(await markedCount()).toBe(40);
  });

  it("are discarded when an administrator says so, until the contacts are found again", async () => {
    const { contacts } = await control("GET", "/ghl/contacts");
    await removeContacts(30);
    await pass(25);
    await begin();
    await untilEnded("held");
    const { held } = (await desk.admin.get("/api/ghl/deletions")).body;
    await desk.admin.post(`/api/ghl/deletions/${held.runId}`, { decision: "leave" });
    expect((await desk.admin.get("/api/ghl/deletions")).body).toEqual({ held: null });
    const leadOf = async (contact: { id: string }) =>
      (await db().select().from(leads).where(eq(leads.ghlContactId, contact.id)))[0];
    // The contacts were not read yet, so a call reads them on the same day.
    await desk.failNext({
      status: 200,
      match: `/contacts/${contacts[29].id}`,
      body: { contact: { ...contacts[29], dnd: true } },
    });
    const unread = { leadId: (await leadOf(contacts[29]))?.id };
    expect((await desk.admin.post("/api/make-call", unread)).body.reason).toBe("opted_out");
    // The next nightly run requests them again and marks none; a call does not mark any either.
    await control("DELETE", "/requests");
    await pass(24);
    await begin();
    await untilEnded("done");
    expect(await singleReads()).toHaveLength(30);
    await pass(25);
    const left = await leadOf(contacts[0]);
    const facts = await query("select count(*)::int as n from crm_missing where left_at is not null");
    expect(facts).toEqual([{ n: 30 }]);
    expect((await desk.admin.post("/api/make-call", { leadId: left?.id })).body.reason).not.toBe("deleted");
    expect(await markedCount()).toBe(0);
    // The full read finds them again.
    await query("update leads set ghl_contact_id = $2 where id = $1", [left?.id, "elsewhere"]);
    await query("update leads set ghl_contact_id = $2 where ghl_contact_id = $1", [contacts[40].id, "moved"]);
    await query("update leads set ghl_contact_id = $2 where id = $1", [left?.id, contacts[40].id]);
    await desk.admin.post("/api/ghl/sync");
    expect(await query("select 1 from crm_missing where lead_id = $1", [left?.id])).toEqual([]);
  });

  it("are not detected in a wrong location: nothing is marked by a sync, a push or before a call, and the next good run continues", async () => {
    const [lead] = await db().select().from(leads).where(eq(leads.assignedTo, desk.ana.user.id));
    await desk.failNext({ status: 404, match: "/contacts/", method: "GET", count: 1_000 });
    await desk.failNext({ status: 404, match: "/contacts/", method: "PUT", count: 1_000 });
    await desk.failNext({
      status: 200,
      match: "/contacts/search",
      method: "POST",
      // The scheduled run for changes may also send requests.
      count: 1_000,
      body: { contacts: [], total: 0 },
    });
    await pass(25);
    expect((await desk.admin.post("/api/make-call", { leadId: lead?.id })).body.reason).not.toBe("deleted");
    await desk.ana.patch(`/api/leads/${lead?.id}`, { status: "contacted" });
    await vi.waitFor(
      async () => expect(await query("select state from crm_outbox")).toEqual([{ state: "failed" }]),
      20_000,
    );
    await desk.refresh();
    await begin();
    await untilEnded("held");
    expect(await markedCount()).toBe(0);
    await control("DELETE", "/fail");
    await desk.failNext({ status: 404, match: "/contacts/search", method: "POST", count: 1_000 });
    expect((await desk.admin.post("/api/ghl/sync")).body.message).toMatch(
      /^GoHighLevel does not know this location/,
    );
    await control("DELETE", "/fail");
    await pass(24);
    await begin();
    await untilEnded("done");
    expect(await runs()).toMatchObject([
      { state: "done" },
      { state: "failed", cursor: null },
      { state: "failed" },
      { state: "done", deleted: 0 },
    ]);
    expect(await markedCount()).toBe(0);
  });
});
