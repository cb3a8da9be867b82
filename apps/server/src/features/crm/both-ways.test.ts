import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { crmOutbox, crmSyncRuns } from "../../platform/db/schema/crm.ts";
import { leadEvents, leads } from "../../platform/db/schema/leads.ts";
import { users } from "../../platform/db/schema/users.ts";
import { type CrmHarness, openCrmHarness } from "../../testing/crm-harness.ts";
import { buildUser } from "../../testing/factories.ts";
import { buildTestApp } from "../../testing/test-app.ts";
import { queueCrmChanges } from "../crm-outbox/service.ts";
import { createCrmPace } from "./pace-requests.ts";
import { pushLead } from "./push-changes.ts";
import { beginDueChanges } from "./service.ts";

// One app for the whole file; every test uses leads of its own.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

type Lead = typeof leads.$inferSelect;

let desk: CrmHarness;
const taken: number[] = [];

beforeAll(async () => {
  desk = await openCrmHarness({ listen: true });
  await vi.waitFor(
    async () => expect((await desk.admin.post("/api/ghl/sync")).body.synced).toBe(126),
    50_000,
  );
});
beforeEach(() => desk.refresh());
afterAll(() => desk?.close());

const db = () => desk.app.deps.database.db;
const control = (method: string, path: string, body?: object) => desk.sandbox.control(method, path, body);

/** A lead of Ana's that no other test uses, with phone and email. */
async function freshLead(): Promise<Lead & { ghlContactId: string }> {
  const rows = await db()
    .select()
    .from(leads)
    .where(and(eq(leads.assignedTo, desk.ana.user.id), isNotNull(leads.email), isNull(leads.textOptOut)))
    .orderBy(asc(leads.id));
  const lead = rows.find(({ id }) => !taken.includes(id));
  if (!lead?.ghlContactId) throw new Error("no lead is left");
  taken.push(lead.id);
  return { ...lead, ghlContactId: lead.ghlContactId };
}

async function now(leadId: number): Promise<Lead> {
  const [row] = await db().select().from(leads).where(eq(leads.id, leadId));
  if (!row) throw new Error("the lead is gone");
  return row;
}

interface There {
  firstName: string;
  lastName: string;
  companyName: string | null;
  assignedTo: string | null;
  customFields: { id: string; value: unknown }[];
}

/** The contact in the CRM, with the portal's custom fields by name. */
async function there(contactId: string): Promise<There & { own: Record<string, unknown> }> {
  const { contacts } = await control("GET", "/ghl/contacts");
  const contact: There = contacts.find(({ id }: { id: string }) => id === contactId);
  const answer = await fetch(`${desk.sandbox.url}/ghl/locations/loc0000000000000001/customFields`, {
    headers: { authorization: "Bearer pit-sandbox-token", version: "2021-07-28" },
  });
  const { customFields } = (await answer.json()) as { customFields: { id: string; name: string }[] };
  const names = new Map(customFields.map(({ id, name }) => [id, name]));
  return {
    ...contact,
    own: Object.fromEntries(contact.customFields.map(({ id, value }) => [names.get(id), value])),
  };
}

const notesThere = async (contactId: string): Promise<{ id: string; body: string }[]> =>
  (await control("GET", `/ghl/contacts/${contactId}/notes`)).notes;
const changesOf = (leadId: number) =>
  db().select().from(crmOutbox).where(eq(crmOutbox.leadId, leadId)).orderBy(asc(crmOutbox.id));

/** Waits until the lead has this sync state: everything is sent, or something was refused. */
async function untilMarked(leadId: number, mark: Lead["crmSync"]): Promise<void> {
  await vi.waitFor(async () => expect((await now(leadId)).crmSync).toBe(mark), {
    timeout: 45_000,
    interval: 50,
  });
}

/** The same without the delays of the queue and the scheduled task, which push.test.ts covers. */
async function hurryUntilMarked(leadId: number, mark: Lead["crmSync"]): Promise<void> {
  const context = { ...desk.app.deps, defaultCountry: "US" as const };
  await vi.waitFor(
    async () => {
      await pushLead(context, leadId).catch(() => undefined);
      expect((await now(leadId)).crmSync).toBe(mark);
    },
    { timeout: 45_000, interval: 50 },
  );
}

async function kindsOf(leadId: number): Promise<string[]> {
  const rows = await db()
    .select()
    .from(leadEvents)
    .where(eq(leadEvents.leadId, leadId))
    .orderBy(leadEvents.id);
  return rows.map(({ kind }) => kind);
}

describe("changes in the portal", () => {
  it("reach the CRM complete: status, priority, notes, follow-up, then the conversion", async () => {
    const lead = await freshLead();
    const { ana } = desk;
    const followUp = "2031-03-04T15:30:00.000Z";
    const change = {
      status: "qualified",
      priority: "high",
      notes: "Call on Monday",
      nextFollowUpDate: followUp,
      nextFollowUpTime: "10:00",
      nextFollowUpZone: "America/New_York",
    };
    await ana.patch(`/api/leads/${lead.id}`, change);
    await untilMarked(lead.id, "synced");
    expect((await there(lead.ghlContactId)).own).toMatchObject({
      portal_status: "qualified",
      portal_priority: "high",
      portal_follow_up: followUp,
      portal_follow_up_time: "10:00 America/New_York",
    });
    const [note] = await notesThere(lead.ghlContactId);
    expect(note?.body).toBe("Call on Monday");
    expect((await changesOf(lead.id)).map(({ field, state }) => [field, state])).toEqual([
      ["status", "sent"],
      ["priority", "sent"],
      ["notes", "sent"],
      ["nextFollowUpDate", "sent"],
      ["nextFollowUpTime", "sent"],
    ]);

    await ana.patch(`/api/leads/${lead.id}`, {
      notes: "Called: <b>wants</b> 5 & more",
      nextFollowUpDate: null,
    });
    await untilMarked(lead.id, "synced");
    expect(await notesThere(lead.ghlContactId)).toMatchObject([
      { id: note?.id, body: "Called: <b>wants</b> 5 & more" },
    ]);
    const own = (await there(lead.ghlContactId)).own;
    expect(own).not.toHaveProperty("portal_follow_up");
    expect(own).not.toHaveProperty("portal_follow_up_time");

    await ana.post(`/api/leads/${lead.id}/convert`, { conversionValue: 1250.5 });
    await ana.patch(`/api/leads/${lead.id}`, { notes: null });
    await untilMarked(lead.id, "synced");
    expect((await there(lead.ghlContactId)).own).toMatchObject({
      portal_status: "converted",
      portal_conversion_value: "1250.5",
    });
    expect(await notesThere(lead.ghlContactId)).toEqual([]);
    // The portal's own changes are not applied again.
    await desk.admin.post("/api/ghl/sync-changes");
    expect(await now(lead.id)).toMatchObject({ status: "converted", priority: "high", notes: null });
  });

  it("create the custom fields once, also for concurrent changes", async () => {
    const several = [await freshLead(), await freshLead(), await freshLead()];
    await Promise.all(
      several.map(({ id }, index) =>
        desk.ana.patch(`/api/leads/${id}`, { notes: `n${index}`, priority: "low" }),
      ),
    );
    for (const { id } of several) await untilMarked(id, "synced");
    const made = (await control("GET", "/requests?vendor=ghl&path=/customFields")).requests.filter(
      ({ method, status }: { method: string; status: number }) => method === "POST" && status === 201,
    );
    const names = made.map(({ body }: { body: { name: string } }) => body.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it("that the CRM silently ignores fail with the reason, and can be retried by the assignee", async () => {
    const lead = await freshLead();
    await control("POST", "/ghl/drop-fields", { fields: ["portal_status", "note"], count: 20 });
    await desk.ana.patch(`/api/leads/${lead.id}`, { status: "interested", priority: "low" });
    await hurryUntilMarked(lead.id, "failed");
    await control("POST", "/ghl/drop-fields", { fields: [], count: 0 });

    expect((await there(lead.ghlContactId)).own).toMatchObject({ portal_priority: "low" });
    const reason = "GoHighLevel did not keep the new status.";
    const { body: outbox } = await desk.ana.get("/api/ghl/outbox");
    expect(outbox).toMatchObject({ failed: 1, pending: 0, oldestPendingAt: null });
    expect(outbox.failures).toMatchObject([{ leadId: lead.id, field: "status", state: "failed", reason }]);
    const [failure] = outbox.failures;
    const stranger = await desk.app.signIn();
    expect((await stranger.get("/api/ghl/outbox")).body).toMatchObject({ failed: 0, failures: [] });
    expect((await stranger.post("/api/ghl/outbox/retry", { id: failure.id })).status).toBe(403);
    expect((await stranger.get(`/api/ghl/outbox/leads/${lead.id}`)).status).toBe(403);
    expect((await stranger.post("/api/ghl/outbox/retry", {})).body.retried).toBe(0);
    expect((await desk.app.request("POST", "/api/ghl/outbox/retry", { body: {} })).status).toBe(401);

    expect((await desk.ana.post("/api/ghl/outbox/retry", { id: failure.id })).body.retried).toBe(1);
    await untilMarked(lead.id, "synced");
    expect((await there(lead.ghlContactId)).own).toMatchObject({ portal_status: "interested" });
    expect((await desk.ana.get(`/api/ghl/outbox/leads/${lead.id}`)).body).toMatchObject([
      { field: "priority", state: "sent", reason: null },
      { field: "status", state: "sent", reason: null },
    ]);
    expect((await kindsOf(lead.id)).filter((kind) => kind === "crm-push-failed")).toHaveLength(1);
  });

  it("are sent after a call's outcome, an assignment and an opt-out; an unknown user there fails with the reason", async () => {
    const [called, moved, stuck] = [await freshLead(), await freshLead(), await freshLead()];
    const outcome = { leadId: called.id, duration: 40, outcome: "answered", notes: "", callType: "browser" };
    expect((await desk.ana.post("/api/call-logs", outcome)).status).toBe(200);
    const [luis] = await db().select().from(users).where(eq(users.crmUserId, "usrLuis0000000000003"));
    const stranger = await buildUser(desk.app.deps.database);
    await desk.app.deps.database.transaction(async (tx) => {
      const { jobs } = desk.app.deps;
      const userId = desk.admin.user.id;
      await queueCrmChanges(tx, jobs, { leadId: moved.id, userId }, [
        { field: "assignedTo", value: luis?.id ?? null },
        { field: "callsBlocked", value: true },
      ]);
      await queueCrmChanges(tx, jobs, { leadId: stuck.id, userId }, [
        { field: "assignedTo", value: stranger.id },
      ]);
    });
    await untilMarked(moved.id, "synced");
    expect(await there(moved.ghlContactId)).toMatchObject({
      assignedTo: "usrLuis0000000000003",
      dndSettings: { Call: { status: "active" } },
    });
    await untilMarked(stuck.id, "failed");
    expect(await changesOf(stuck.id)).toMatchObject([
      { error: "This consultant is not a user of GoHighLevel." },
    ]);
    await hurryUntilMarked(called.id, "synced");
    expect((await there(called.ghlContactId)).own).toMatchObject({ portal_status: "contacted" });
  });

  it("fail independently of each other", async () => {
    const lead = await freshLead();
    await control("POST", "/fail", {
      vendor: "ghl",
      method: "PUT",
      match: lead.ghlContactId,
      status: 422,
      count: 2,
    });
    await desk.ana.patch(`/api/leads/${lead.id}`, { status: "contacted", priority: "low" });
    await untilMarked(lead.id, "failed");
    expect((await changesOf(lead.id)).map(({ field, state }) => [field, state])).toEqual([
      ["status", "failed"],
      ["priority", "sent"],
    ]);
  });

  it("recover from a 429, an HTML page, a broken connection and lost responses; a note is created once", async () => {
    const rules = [
      { status: 429 },
      { status: 200, html: true },
      { reset: true },
      { status: 500, afterAct: true },
    ];
    const tried = await Promise.all(
      rules.map(async (rule) => {
        const lead = await freshLead();
        const match = lead.ghlContactId;
        await control("POST", "/fail", { vendor: "ghl", method: "PUT", match, ...rule });
        if (rule.afterAct)
          await control("POST", "/fail", { vendor: "ghl", method: "POST", match: `${match}/notes`, ...rule });
        await desk.ana.patch(`/api/leads/${lead.id}`, { priority: "high", notes: "only once" });
        return lead;
      }),
    );
    for (const { id, ghlContactId } of tried) {
      await hurryUntilMarked(id, "synced");
      expect((await there(ghlContactId)).own).toMatchObject({ portal_priority: "high" });
      expect(await notesThere(ghlContactId)).toMatchObject([{ body: "only once" }]);
    }
  });
});

describe("a field edited on both sides", () => {
  it("keeps the portal's value until it is pushed; other fields follow the CRM", async () => {
    const lead = await freshLead();
    await desk.ana.patch(`/api/leads/${lead.id}`, { status: "contacted", priority: "low" });
    await untilMarked(lead.id, "synced");
    const { customFields } = await there(lead.ghlContactId);
    const own = (await there(lead.ghlContactId)).own;
    const idOf = (value: unknown) => customFields.find((field) => field.value === value)?.id;

    await control("POST", "/fail", {
      vendor: "ghl",
      method: "PUT",
      match: lead.ghlContactId,
      status: 422,
      count: 1,
    });
    await desk.ana.patch(`/api/leads/${lead.id}`, { status: "qualified" });
    await untilMarked(lead.id, "failed");
    await control("PATCH", `/ghl/contacts/${lead.ghlContactId}`, {
      companyName: "Solano Hermanos",
      customFields: [
        { id: idOf(own.portal_status), field_value: "not_interested" },
        { id: idOf(own.portal_priority), field_value: "high" },
      ],
    });
    await desk.admin.post("/api/ghl/sync-changes");
    // A manual sync only retries temporary failures; this change was refused.
    expect(await now(lead.id)).toMatchObject({
      status: "qualified",
      priority: "high",
      company: "Solano Hermanos",
      crmSync: "failed",
    });

    await desk.ana.post("/api/ghl/outbox/retry", { leadId: lead.id });
    await untilMarked(lead.id, "synced");
    expect((await there(lead.ghlContactId)).own).toMatchObject({ portal_status: "qualified" });
    await control("PATCH", `/ghl/contacts/${lead.ghlContactId}`, {
      customFields: [
        { id: idOf(own.portal_status), field_value: "not_interested" },
        { id: idOf(own.portal_priority), field_value: "burning" },
      ],
    });
    await desk.admin.post("/api/ghl/sync-changes");
    const after = await now(lead.id);
    expect(after).toMatchObject({ status: "not_interested", priority: "high" });
    expect(after.extra).toMatchObject({ fields: { portal_priority: "burning" } });
  });
});

describe("the sync of changes", () => {
  it("reads little more than what changed, and misses nothing that changes meanwhile", async () => {
    const [before, during] = [await freshLead(), await freshLead()];
    await control("POST", "/ghl/generate", { count: 450 });
    await desk.admin.post("/api/ghl/sync");
    // All contacts except one are older than the overlap.
    await db()
      .update(crmSyncRuns)
      .set({ watermark: new Date(Date.now() + 60_000) });
    await control("PATCH", `/ghl/contacts/${before.ghlContactId}`, { companyName: "Before" });
    await db()
      .update(crmSyncRuns)
      .set({ watermark: new Date(Date.now() - 60_000) });
    await control("DELETE", "/requests");
    await control("POST", "/latency", { vendor: "ghl", match: "/contacts/search", ms: 700, count: 1 });
    const run = desk.admin.post("/api/ghl/sync-changes");
    await vi.waitFor(
      async () =>
        expect(
          (await control("GET", "/requests?vendor=ghl&path=/contacts/search")).requests,
        ).not.toHaveLength(0),
      { timeout: 45_000, interval: 20 },
    );
    await control("PATCH", `/ghl/contacts/${during.ghlContactId}`, { companyName: "During" });
    expect((await run).status).toBe(200);
    expect((await now(before.id)).company).toBe("Before");
    await desk.admin.post("/api/ghl/sync-changes");
    expect((await now(during.id)).company).toBe("During");

    const { body: none } = await desk.admin.post("/api/ghl/sync-changes");
    expect(none).toMatchObject({ synced: 0, message: "No changes in Go High Level since the last sync" });
    const { body: runs } = await desk.ana.get("/api/ghl/sync-runs?limit=3");
    expect(runs[0]).toMatchObject({
      kind: "changes",
      state: "done",
      synced: 0,
      requestedBy: { id: desk.admin.user.id },
      endedAt: expect.any(String),
    });
  });

  it("starts every five minutes, by one of two processes", async () => {
    const { deps } = desk.app;
    const context = { ...deps, defaultCountry: "US" as const };
    const scheduled = () =>
      db()
        .select()
        .from(crmSyncRuns)
        .where(and(eq(crmSyncRuns.kind, "changes"), isNull(crmSyncRuns.requestedBy)));
    const begin = () => deps.database.transaction((tx) => beginDueChanges(context, tx, 300));
    await begin();
    expect(await scheduled()).toHaveLength(0);
    await db()
      .update(crmSyncRuns)
      .set({ startedAt: new Date(Date.now() - 301_000) });
    await Promise.all([begin(), begin()]);
    await vi.waitFor(async () => expect(await scheduled()).toMatchObject([{ state: "done" }]), 50_000);
  });
});

describe("a contact deleted in the CRM", () => {
  it("is found by a full sync: the lead keeps its history, is marked, and no longer pushed", async () => {
    const lead = await freshLead();
    await control("DELETE", `/ghl/contacts/${lead.ghlContactId}`);
    const { body } = await desk.admin.post("/api/ghl/sync");
    const after = await now(lead.id);
    expect(after.crmDeletedAt).not.toBeNull();
    expect(await kindsOf(lead.id)).toEqual(["created", "crm-deleted"]);
    const { body: runs } = await desk.ana.get("/api/ghl/sync-runs");
    expect(runs.find(({ id }: { id: number }) => id === body.runId)).toMatchObject({ deleted: 1 });
    await desk.ana.patch(`/api/leads/${lead.id}`, { status: "contacted" });
    expect(await changesOf(lead.id)).toHaveLength(0);
    expect((await desk.ana.get(`/api/leads/${lead.id}`)).body).toMatchObject({
      status: "contacted",
      crmSync: "none",
    });
  });

  it("is found by a push, which fails with the reason", async () => {
    const lead = await freshLead();
    await control("DELETE", `/ghl/contacts/${lead.ghlContactId}`);
    await desk.ana.patch(`/api/leads/${lead.id}`, { status: "contacted" });
    await untilMarked(lead.id, "none");
    expect(await changesOf(lead.id)).toMatchObject([
      { state: "failed", error: "The contact was deleted in GoHighLevel." },
    ]);
    // The lead shows that it was deleted; nothing can be retried or needs attention.
    const { body } = await desk.ana.get("/api/ghl/outbox");
    expect(body.failures.map(({ leadId }: { leadId: number }) => leadId)).not.toContain(lead.id);
    expect(body.failed).toBe(body.failures.length);
    expect((await now(lead.id)).crmDeletedAt).not.toBeNull();
  });
});

describe("the rate limit", () => {
  it("is shared by two processes: never more requests at once than the CRM allows", async () => {
    const other = await buildTestApp({
      env: desk.sandbox.env,
      databaseUrl: desk.app.deps.env.databaseUrl,
    });
    const paces = [createCrmPace(db()), createCrmPace(other.deps.database.db)];
    const turns: number[] = [];
    const began = performance.now();
    await Promise.all(
      Array.from({ length: 26 }, async (_value, index) => {
        expect(await paces[index % 2]?.turn()).toBe(0);
        turns.push(performance.now());
      }),
    );
    await other.close();
    turns.sort((a, b) => a - b);
    // 18 at once, then one every 125 ms across both processes; a slot is never early.
    for (const [index, turn] of turns.slice(18).entries())
      expect(turn - began).toBeGreaterThanOrEqual(125 * (index + 1) - 20);
  });

  it("reports at once that the day is used up, without a request", async () => {
    const pace = createCrmPace(db());
    await pace.hold(3_600);
    expect(await pace.turn()).toBeGreaterThan(3_500);
    const { body } = await desk.admin.post("/api/ghl/sync-changes");
    expect(body.message).toContain("GoHighLevel allows no more requests for now.");
    await desk.app.deps.database.pool.query("delete from pacing where name = 'crm'");
  });
});
