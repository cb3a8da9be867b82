import { and, asc, eq, isNull } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { crmOutbox } from "../../platform/db/schema/crm.ts";
import { leadEvents, leads } from "../../platform/db/schema/leads.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { buildLead } from "../../testing/factories.ts";
import { startTestSandbox, type TestSandbox } from "../../testing/sandbox.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { settleOutboxRows } from "../crm-outbox/repository.ts";
import { queueCrmChange, waitForCrmPush } from "../crm-outbox/service.ts";
import { resumeStranded } from "./jobs.ts";
import { pushLead } from "./push-changes.ts";

type Lead = typeof leads.$inferSelect;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

let sandbox: TestSandbox;
let app: TestApp;
let admin: Client;
let all: Lead[];
/** Each test has a lead of its own, whose contact is not assigned to anyone. */
let lead: Lead;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await buildTestApp({ env: sandbox.env, jobs: true });
  admin = await app.signIn({ role: "admin", email: "admin@portal.test" });
  await admin.post("/api/ghl/sync");
  const open = and(isNull(leads.textOptOut), isNull(leads.callOptOut));
  all = await db().select().from(leads).where(open).orderBy(asc(leads.id));
});
beforeEach(async () => {
  await sandbox.control("DELETE", "/fail");
  await sandbox.control("DELETE", "/latency");
  await app.deps.database.pool.query("delete from pacing where name = 'crm'");
  const next = all.shift();
  if (!next) throw new Error("no lead is left");
  lead = next;
});

afterAll(async () => {
  await app?.close();
  await sandbox?.close();
});

const db = () => app.deps.database.db;
const context = () => ({ ...app.deps, defaultCountry: "US" as const });
const failNext = (rule: object) => sandbox.control("POST", "/fail", { vendor: "ghl", ...rule });
const puts = async (): Promise<{ body: { name: string } }[]> =>
  (await sandbox.control("GET", `/requests?vendor=ghl&path=/contacts/${lead.ghlContactId}`)).requests.filter(
    ({ method }: { method: string }) => method === "PUT",
  );
const outbox = () =>
  db().select().from(crmOutbox).where(eq(crmOutbox.leadId, lead.id)).orderBy(asc(crmOutbox.id));
const eventsOf = (kind: "crm-pushed" | "crm-push-failed") =>
  db()
    .select()
    .from(leadEvents)
    .where(and(eq(leadEvents.leadId, lead.id), eq(leadEvents.kind, kind)));
const rename = (name: string) => admin.patch(`/api/leads/${lead.id}/name`, { name });

async function leadNow(): Promise<Lead | undefined> {
  const [row] = await db().select().from(leads).where(eq(leads.id, lead.id));
  return row;
}

async function nameThere(): Promise<string> {
  const { contacts } = await sandbox.control("GET", "/ghl/contacts");
  const contact = contacts.find(({ id }: { id: string }) => id === lead.ghlContactId);
  return `${contact.firstName} ${contact.lastName}`;
}

/** Jobs that are not processed automatically; the test does it. */
const asleep = { enqueue: async () => undefined };

/** Renames without waiting for the CRM. */
async function queue(name: string, jobs: Pick<Jobs, "enqueue"> = app.deps.jobs): Promise<number> {
  const outboxId = await app.deps.database.transaction(async (tx) => {
    await tx.update(leads).set({ name }).where(eq(leads.id, lead.id));
    const change = { leadId: lead.id, field: "name" as const, value: name, userId: admin.user.id };
    return queueCrmChange(tx, jobs, change);
  });
  if (outboxId === null) throw new Error("nothing was queued");
  return outboxId;
}

/** Number of connections that wait for a lock. */
async function countLockWaits(): Promise<number> {
  const { rowCount } = await app.deps.database.pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount ?? 0;
}

describe("a renamed lead", () => {
  it("is renamed in the CRM, which the response confirms", async () => {
    const answer = await rename("Inés Solano Vega");
    expect(answer.body).toMatchObject({ ghlSynced: true });
    expect(await nameThere()).toBe("Inés Solano Vega");
    expect(await leadNow()).toMatchObject({ crmSync: "synced", firstName: "Inés", lastName: "Solano Vega" });
    const events = await eventsOf("crm-pushed");
    expect(events).toMatchObject([{ userId: admin.user.id, data: { value: "Inés Solano Vega" } }]);
  });

  it("is not reported as synced while the CRM fails, and is retried automatically", async () => {
    await failNext({ status: 500, method: "PUT", match: "/contacts/" });
    await sandbox.control("POST", "/latency", { vendor: "ghl", match: "/contacts/", ms: 3_500, count: 1 });
    const answer = await rename("Inés Solano");
    expect(answer.body).toMatchObject({ ghlSynced: false });
    expect((await leadNow())?.crmSync).toBe("pending");

    const [row] = await outbox();
    const sent = await waitForCrmPush(context(), { outboxId: row?.id ?? 0, timeoutMs: 45_000 });
    expect(sent).toBe(true);
    expect(await nameThere()).toBe("Inés Solano");
    expect((await outbox())[0]).toMatchObject({ state: "sent", attempts: 2 });
  });

  it("keeps its name through a sync until it is pushed; then changes of the CRM apply again", async () => {
    await failNext({ status: 422, method: "PUT", match: "/contacts/" });
    await rename("Inés Solano");
    expect((await outbox())[0]).toMatchObject({ state: "failed" });
    await sandbox.control("PATCH", `/ghl/contacts/${lead.ghlContactId}`, {
      firstName: "Theirs",
      lastName: "Instead",
      companyName: "Solano Hermanos",
    });
    await admin.post("/api/ghl/sync");
    expect(await leadNow()).toMatchObject({
      name: "Inés Solano",
      company: "Solano Hermanos",
      crmSync: "failed",
    });

    expect((await rename("Inés Solano Vega")).body.ghlSynced).toBe(true);
    await sandbox.control("PATCH", `/ghl/contacts/${lead.ghlContactId}`, { lastName: "Vega" });
    await admin.post("/api/ghl/sync");
    expect(await leadNow()).toMatchObject({ name: "Inés Vega", crmSync: "synced" });
  });

  it("reports the reason when the CRM rejects the name, and is not retried", async () => {
    await failNext({ status: 422, method: "PUT", match: "/contacts/" });
    expect((await rename("Inés Solano")).body.ghlSynced).toBe(false);
    expect(await leadNow()).toMatchObject({ crmSync: "failed" });
    expect(await puts()).toHaveLength(1);
    const [event] = await eventsOf("crm-push-failed");
    expect(event?.data).toMatchObject({ reason: "GoHighLevel refused the request (422)." });
  });

  it("is pushed after the next successful sync when the key was rejected", async () => {
    await failNext({ status: 401, method: "PUT", match: "/contacts/" });
    expect((await rename("Inés Solano")).body.ghlSynced).toBe(false);
    expect((await outbox())[0]).toMatchObject({ state: "failed", retriable: true });
    await admin.post("/api/ghl/sync");
    const [row] = await outbox();
    expect(await waitForCrmPush(context(), { outboxId: row?.id ?? 0, timeoutMs: 45_000 })).toBe(true);
    expect(await nameThere()).toBe("Inés Solano");
  });

  it("is confirmed only after it is read back", async () => {
    await sandbox.control("POST", "/fail", {
      vendor: "ghl",
      method: "PUT",
      match: "/contacts/",
      status: 200,
      body: { succeded: true },
    });
    await queue("Inés Solano", asleep);
    await expect(pushLead(context(), lead.id)).rejects.toThrow("did not keep the new name");
    expect((await outbox())[0]).toMatchObject({ state: "pending" });
    await pushLead(context(), lead.id);
    expect((await outbox())[0]).toMatchObject({ state: "sent", attempts: 2 });
    expect(await puts()).toHaveLength(2);
    expect(await nameThere()).toBe("Inés Solano");
  });

  it("pushes only the last of several names, by one of two workers", async () => {
    for (const name of ["First Name", "Second Name", "Third Name"]) await queue(name, asleep);
    await Promise.allSettled([pushLead(context(), lead.id), pushLead(context(), lead.id)]);
    expect((await puts()).map(({ body }) => body.name)).toEqual(["Third Name"]);
    expect((await outbox()).map(({ state }) => state)).toEqual(["superseded", "superseded", "sent"]);
    expect((await leadNow())?.crmSync).toBe("synced");
  });

  it("pushes a newer name after the older one in progress", async () => {
    await sandbox.control("POST", "/latency", { vendor: "ghl", method: "PUT", ms: 500, count: 1 });
    await queue("Older Name", asleep);
    const work = pushLead(context(), lead.id);
    await vi.waitFor(async () => expect(await puts()).toHaveLength(1), 50_000);
    await queue("Newer Name", asleep);
    await work;
    expect((await puts()).map(({ body }) => body.name)).toEqual(["Older Name", "Newer Name"]);
    expect(await nameThere()).toBe("Newer Name");
  });

  it("is pushed by another worker when the first one dies", async () => {
    const [row] = await db()
      .insert(crmOutbox)
      .values({
        leadId: lead.id,
        field: "name",
        value: "Inés Solano",
        claimedAt: new Date(Date.now() - 16 * 60_000),
        createdAt: new Date(Date.now() - 16 * 60_000),
      })
      .returning();
    await resumeStranded(context());
    expect(await waitForCrmPush(context(), { outboxId: row?.id ?? 0, timeoutMs: 45_000 })).toBe(true);
    expect(await nameThere()).toBe("Inés Solano");
  });

  it("stays pending when another change arrives before the first is settled", async () => {
    const database = app.deps.database;
    const first = await queue("Inés Solano", asleep);
    let settled: Promise<void> | undefined;
    await database.transaction(async (tx) => {
      await tx.update(leads).set({ status: "contacted" }).where(eq(leads.id, lead.id));
      const change = { field: "status", value: "contacted" } as const;
      await queueCrmChange(tx, asleep, { leadId: lead.id, userId: admin.user.id, ...change });
      settled = database.transaction((other) =>
        settleOutboxRows(other, lead.id, [{ id: first, outcome: { state: "sent" } }]),
      );
      await expect.poll(countLockWaits).toBe(1);
    });
    await settled;
    expect(await leadNow()).toMatchObject({ crmSync: "pending" });
  });

  it("is left to the worker that holds it", async () => {
    await db()
      .insert(crmOutbox)
      .values({ leadId: lead.id, field: "name", value: "Inés Solano", claimedAt: new Date() });
    await expect(pushLead(context(), lead.id)).rejects.toThrow(/another worker/);
    expect(await puts()).toHaveLength(0);
  });

  it("is not pushed when the CRM does not have the lead", async () => {
    const ours = await buildLead(app.deps.database, { assignedTo: admin.user.id });
    const answer = await admin.patch(`/api/leads/${ours.id}/name`, { name: "Inés Solano" });
    expect(answer.body).toMatchObject({ ghlSynced: false, lead: { name: "Inés Solano", crmSync: "none" } });
    const rows = await db().select().from(crmOutbox).where(eq(crmOutbox.leadId, ours.id));
    expect(rows).toHaveLength(0);
  });
});

describe("STOP or START by SMS", () => {
  async function queueBlocked(value: boolean): Promise<boolean> {
    const outboxId = await app.deps.database.transaction(async (tx) => {
      await tx
        .update(leads)
        .set({ textOptOut: value ? "stop" : null })
        .where(eq(leads.id, lead.id));
      return queueCrmChange(tx, app.deps.jobs, {
        leadId: lead.id,
        field: "textsBlocked",
        value,
        userId: null,
      });
    });
    return waitForCrmPush(context(), { outboxId: outboxId ?? 0, timeoutMs: 45_000 });
  }
  async function settingsThere(): Promise<Record<string, { status: string }>> {
    const { contacts } = await sandbox.control("GET", "/ghl/contacts");
    return contacts.find(({ id }: { id: string }) => id === lead.ghlContactId).dndSettings;
  }

  it("sets do-not-disturb for SMS in the CRM and leaves other channels unchanged", async () => {
    const Call = { status: "active", message: "By phone", code: "dnd" };
    await sandbox.control("PATCH", `/ghl/contacts/${lead.ghlContactId}`, { dndSettings: { Call } });
    expect(await queueBlocked(true)).toBe(true);
    expect(await settingsThere()).toMatchObject({ Call, SMS: { status: "active" } });
    expect(await leadNow()).toMatchObject({ textOptOut: "stop", crmSync: "synced" });
    expect(await queueBlocked(false)).toBe(true);
    expect(await settingsThere()).toMatchObject({ Call, SMS: { status: "inactive" } });
    await admin.post("/api/ghl/sync");
    expect(await leadNow()).toMatchObject({ textOptOut: null, callOptOut: "dnd" });
  });

  it("is not undone by a sync before it is pushed", async () => {
    expect(await queueBlocked(true)).toBe(true);
    await failNext({ status: 422, method: "PUT", match: "/contacts/", count: 5 });
    expect(await queueBlocked(false)).toBe(false);
    await sandbox.control("PATCH", `/ghl/contacts/${lead.ghlContactId}`, { companyName: "Otra" });
    await admin.post("/api/ghl/sync");
    expect(await leadNow()).toMatchObject({ company: "Otra", textOptOut: null });
  });

  it("is kept when the CRM lifts its own do-not-disturb", async () => {
    expect(await queueBlocked(true)).toBe(true);
    const SMS = { status: "inactive" };
    await sandbox.control("PATCH", `/ghl/contacts/${lead.ghlContactId}`, { dndSettings: { SMS } });
    await admin.post("/api/ghl/sync");
    expect((await leadNow())?.textOptOut).toBe("stop");
  });
});
