import { and, eq, isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { leads } from "../../platform/db/schema/leads.ts";
import { meetings } from "../../platform/db/schema/meetings.ts";
import { users } from "../../platform/db/schema/users.ts";
import type { PublishedEvent } from "../../platform/realtime/publish.ts";
import { type CrmHarness, openCrmHarness } from "../../testing/crm-harness.ts";
import { buildLead, buildUser } from "../../testing/factories.ts";
import type { Client } from "../../testing/test-app.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: CrmHarness;
let ana: Client;
let bea: Client;
let admin: Client;
beforeAll(async () => {
  desk = await openCrmHarness();
  ({ ana, admin } = desk);
  bea = await desk.app.signIn({ name: "Bea Osorio" });
});
afterAll(() => desk?.close());

const database = () => desk.app.deps.database;
const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const leadOf = (rep: Client | null, rest: Partial<typeof leads.$inferInsert> = {}) =>
  buildLead(database(), { assignedTo: rep?.user.id ?? null, ...rest });
const transfer = (by: Client, leadId: number, to: { id: number }, rest: object = {}) =>
  by.post(`/api/leads/${leadId}/transfer`, { newSalesRepId: to.id, ...rest });

async function rowOf(leadId: number) {
  const [row] = await database().db.select().from(leads).where(eq(leads.id, leadId));
  return row;
}

async function assignmentsOf(leadId: number): Promise<{ before: number | null; after: number }[]> {
  const { rows } = await database().pool.query(
    "select data from lead_events where lead_id = $1 and kind = 'assigned' order by at, id",
    [leadId],
  );
  return rows.map(({ data }) => data);
}

describe("assignable people", () => {
  it("are the active consultants in order of their names", async () => {
    const gone = await buildUser(database(), { name: "Aaron Gone" });
    await database().db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, gone.id));
    expect((await desk.app.request("GET", "/api/sales-reps")).status).toBe(401);
    const { body } = await ana.get("/api/sales-reps");
    const names = body.map(({ name }: { name: string }) => name);
    expect(names).toContain("Bea Osorio");
    expect(names).toEqual([...names].sort());
    const ids = body.map(({ id }: { id: number }) => id);
    expect(ids).not.toContain(gone.id);
    expect(ids).not.toContain(admin.user.id);
  });
});

describe("permission to assign", () => {
  it("excludes other people's leads and inactive assignees; nothing is written", async () => {
    const lead = await leadOf(ana);
    const before = await rowOf(lead.id);
    const path = `/api/leads/${lead.id}/transfer`;
    expect((await desk.app.request("POST", path, { body: { newSalesRepId: bea.user.id } })).status).toBe(401);
    expect(await transfer(bea, lead.id, bea.user)).toMatchObject({
      status: 403,
      body: { code: "not_your_lead" },
    });
    expect((await transfer(bea, lead.id, ana.user)).status).toBe(403);
    expect((await transfer(ana, 2_147_483_647, bea.user)).status).toBe(404);
    for (const newSalesRepId of [admin.user.id, 2_147_483_647, 0, "x", null])
      expect(await ana.post(path, { newSalesRepId })).toMatchObject({
        status: 400,
        body: { code: "invalid" },
      });
    expect((await ana.post(path, {})).status).toBe(400);
    const gone = await buildUser(database());
    await database().db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, gone.id));
    expect((await transfer(ana, lead.id, gone)).status).toBe(400);
    expect(await rowOf(lead.id)).toEqual(before);
    expect(await assignmentsOf(lead.id)).toEqual([]);
  });

  it("includes unassigned leads for everybody; a repeated request changes nothing more", async () => {
    const lead = await leadOf(null);
    const assign = () => bea.post(`/api/leads/${lead.id}/assign`, { salesRepId: String(ana.user.id) });
    expect(await assign()).toMatchObject({
      status: 200,
      body: { lead: { assignedTo: ana.user.id, salesRepName: ana.user.name } },
    });
    const once = await rowOf(lead.id);
    expect(once?.assignedAt).not.toBeNull();
    expect((await assign()).status).toBe(200);
    expect((await transfer(ana, lead.id, ana.user)).status).toBe(200);
    expect(await rowOf(lead.id)).toEqual(once);
    expect(await assignmentsOf(lead.id)).toHaveLength(1);
    expect((await transfer(admin, lead.id, bea.user)).status).toBe(200);
  });
});

describe("a transfer", () => {
  const meeting = (leadId: number, userId: number, from: number) =>
    database()
      .db.insert(meetings)
      .values({
        userId,
        leadId,
        title: "Visit",
        startsAt: hour(from),
        endsAt: hour(from + 1),
        timeZone: "America/New_York",
        calendarType: "local",
      })
      .returning();
  const meetingsOf = async (leadId: number) =>
    (
      await database()
        .db.select()
        .from(meetings)
        .where(eq(meetings.leadId, leadId))
        .orderBy(meetings.startsAt)
    ).map(({ userId }) => userId);

  it("moves follow-up, upcoming meetings, SMS and history, and notifies both consultants", async () => {
    const lead = await leadOf(ana, { nextFollowUpDate: hour(30) });
    await meeting(lead.id, ana.user.id, -48);
    await meeting(lead.id, ana.user.id, 48);
    await database().pool.query(
      `insert into messages (lead_id, direction, body, status, from_number, to_number)
       values ($1, 'inbound', 'Hola', 'received', '+12125550111', '+12125550100')`,
      [lead.id],
    );
    const unread = async (rep: Client) => (await rep.get("/api/sms/unread")).body.leads;
    const [ofAna, ofBea] = [await unread(ana), await unread(bea)];
    const heard: PublishedEvent[] = [];
    const stop = desk.app.deps.events.onEvent((event) => {
      // An event of another lead may arrive late.
      if (event.topic === "meeting" || event.id === lead.id) heard.push(event);
    });

    const answer = await transfer(ana, lead.id, bea.user, { notes: "  Speaks Portuguese " });
    expect(answer).toMatchObject({
      status: 200,
      body: { lead: { assignedTo: bea.user.id, nextFollowUpDate: lead.nextFollowUpDate?.toISOString() } },
    });
    await vi.waitFor(
      () => expect(heard.map(({ topic }) => topic)).toEqual(["meeting", "lead", "sms"]),
      45_000,
    );
    stop();
    for (const { audience } of heard) expect(audience).toEqual([ana.user.id, bea.user.id]);

    expect(await meetingsOf(lead.id)).toEqual([ana.user.id, bea.user.id]);
    expect([await unread(ana), await unread(bea)]).toEqual([ofAna - 1, ofBea + 1]);
    const listed = async (rep: Client) =>
      (await rep.get("/api/leads?limit=500")).body.some(({ id }: { id: number }) => id === lead.id);
    expect([await listed(ana), await listed(bea)]).toEqual([false, true]);
    expect((await ana.patch(`/api/leads/${lead.id}`, { notes: "mine" })).status).toBe(403);
    expect((await ana.get(`/api/leads/${lead.id}/timeline`)).status).toBe(403);
    const [entry] = (await bea.get(`/api/leads/${lead.id}/timeline`)).body;
    expect(entry).toMatchObject({
      kind: "assigned",
      actorName: ana.user.name,
      before: ana.user.name,
      after: "Bea Osorio",
      text: "Speaks Portuguese",
    });
    // The response was lost, so she retries although the lead is no longer hers.
    expect((await transfer(ana, lead.id, bea.user)).status).toBe(200);
    expect(await assignmentsOf(lead.id)).toHaveLength(1);
    const { rows } = await database().pool.query(
      "select user_id, data from audit_log where action = 'lead-assigned' and subject = $1",
      [`lead:${lead.id}`],
    );
    expect(rows).toMatchObject([{ user_id: ana.user.id, data: { after: bea.user.id, meetings: 1 } }]);
  });

  it("can leave meetings and clear the follow-up; the timeline keeps its date", async () => {
    const due = hour(30);
    const lead = await leadOf(ana, { nextFollowUpDate: due });
    await meeting(lead.id, ana.user.id, 48);
    const { body } = await transfer(ana, lead.id, bea.user, { takeAlong: false });
    expect(body.lead.nextFollowUpDate).toBeNull();
    expect(await meetingsOf(lead.id)).toEqual([ana.user.id]);
    expect((await bea.get(`/api/leads/${lead.id}/timeline`)).body).toMatchObject([
      { kind: "assigned" },
      { kind: "changed", field: "nextFollowUpDate", before: due.toISOString(), after: null },
    ]);
  });

  it("does not interrupt a live call of the previous consultant, whose outcome is saved", async () => {
    const lead = await leadOf(ana);
    const callSid = `CA${"7".repeat(32)}`;
    await database().pool.query(
      `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, state, call_sid, asked_at)
       values ($1, $2, '+13055550101', 'personal', '+12125550111', true, 'in_progress', $3, now())`,
      [lead.id, ana.user.id, callSid],
    );
    await transfer(ana, lead.id, bea.user);
    expect((await ana.get("/api/calls/live")).body.call).toMatchObject({
      leadId: lead.id,
      state: "in_progress",
    });
    const log = { leadId: lead.id, duration: 40, outcome: "answered", notes: "Wants a visit" };
    expect((await ana.post("/api/call-logs", { ...log, twilioCallSid: callSid })).status).toBe(200);
    const entries = (await bea.get(`/api/leads/${lead.id}/timeline`)).body;
    expect(entries).toContainEqual(expect.objectContaining({ kind: "call", text: "Wants a visit" }));
  });
});

describe("concurrent transfers", () => {
  it("run one after the other without losing one", async () => {
    const lead = await leadOf(ana);
    const other = await desk.app.signIn({ role: "admin" });
    const cleo = await buildUser(database());
    const answers = await Promise.all([
      transfer(admin, lead.id, bea.user),
      transfer(other, lead.id, cleo),
      transfer(admin, lead.id, bea.user),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const events = await assignmentsOf(lead.id);
    expect(events.length).toBeGreaterThanOrEqual(2);
    let holder: number | null = ana.user.id;
    for (const { before, after } of events) {
      expect(before).toBe(holder);
      holder = after;
    }
    expect((await rowOf(lead.id))?.assignedTo).toBe(holder);
  });

  it("by the owner: the first one wins", async () => {
    const lead = await leadOf(ana);
    const cleo = await buildUser(database());
    const answers = await Promise.all([transfer(ana, lead.id, bea.user), transfer(ana, lead.id, cleo)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await assignmentsOf(lead.id)).toHaveLength(1);
  });
});

describe("the CRM", () => {
  it("receives a consultant it knows; the owner is kept here for one it does not know", async () => {
    await admin.post("/api/ghl/sync");
    const [lead] = await database()
      .db.select()
      .from(leads)
      .where(and(eq(leads.assignedTo, ana.user.id), isNotNull(leads.ghlContactId)))
      .limit(1);
    const [luis] = await database().db.select().from(users).where(eq(users.email, "Luis@portal.test"));
    if (!lead || !luis?.crmUserId) throw new Error("the sync took nothing in");
    await transfer(ana, lead.id, luis);
    await vi.waitFor(
      async () => {
        const { contacts } = await desk.sandbox.control("GET", "/ghl/contacts");
        const contact = contacts.find(({ id }: { id: string }) => id === lead.ghlContactId);
        expect(contact.assignedTo).toBe(luis.crmUserId);
        expect((await rowOf(lead.id))?.crmSync).toBe("synced");
      },
      { timeout: 45_000 },
    );
    const timeline = (await admin.get(`/api/leads/${lead.id}/timeline`)).body;
    expect(timeline).toContainEqual(
      expect.objectContaining({ kind: "crm-pushed", field: "assignedTo", after: luis.name }),
    );
    await transfer(admin, lead.id, bea.user);
    const outboxSql = "select state from crm_outbox where lead_id = $1 and field = 'assignedTo' order by id";
    await vi.waitFor(
      async () => {
        const { rows } = await database().pool.query(outboxSql, [lead.id]);
        expect(rows.map(({ state }) => state)).toEqual(["sent", "failed"]);
      },
      { timeout: 45_000 },
    );
    await admin.post("/api/ghl/sync");
    expect((await rowOf(lead.id))?.assignedTo).toBe(bea.user.id);
  });
});

describe("follow-ups", () => {
  it("are grouped by the days of the organization, limited to one's own leads, without clients", async () => {
    const rep = await desk.app.signIn();
    // The first and last second of days in the organization's time zone.
    const { rows } = await database().pool.query<{ name: string; at: Date }>(
      `select name, (date_trunc('day', now() at time zone $1) + shift) at time zone $1 as at
       from (values ('yesterday', interval '-1 second'), ('morning', interval '0'), ('tonight', interval '1 day -1 second'),
         ('tomorrow', interval '1 day'), ('day seven', interval '8 days -1 second'), ('day eight', interval '8 days')) d(name, shift)`,
      [desk.app.deps.notifications.orgTimeZone],
    );
    for (const { name, at } of rows) await leadOf(rep, { name, nextFollowUpDate: at });
    await leadOf(rep, { name: "client", nextFollowUpDate: hour(-72), status: "converted" });
    await leadOf(rep, { name: "undated" });
    await leadOf(bea, { name: "another's", nextFollowUpDate: hour(-72) });
    const groups: Record<string, string[]> = {};
    for (const group of ["overdue", "today", "week", "later"]) {
      const { body } = await rep.get(`/api/follow-ups?group=${group}`);
      expect(body.counts).toEqual({ overdue: 1, today: 2, week: 2, later: 1 });
      groups[group] = body.leads.map(({ name }: { name: string }) => name);
    }
    expect(groups).toEqual({
      overdue: ["yesterday"],
      today: ["morning", "tonight"],
      week: ["tomorrow", "day seven"],
      later: ["day eight"],
    });
    expect((await rep.get("/api/dashboard-stats")).body.pendingFollowUp).toBe(6);
    const everyone = (await admin.get("/api/follow-ups")).body.leads.map(
      ({ name }: { name: string }) => name,
    );
    expect(everyone).toEqual(expect.arrayContaining(["another's", "yesterday"]));
    expect((await rep.get("/api/follow-ups")).body.due).toEqual([]);
    // Past and upcoming times: due ones come first, and the user is reminded of their own.
    const minute = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    const at = (name: string, minutes: number) =>
      leadOf(rep, {
        name,
        nextFollowUpDate: minute(minutes),
        nextFollowUpTime: "10:00",
        nextFollowUpZone: "UTC",
        nextFollowUpAt: minute(minutes),
      });
    await at("soon", 5);
    await at("now", -1);
    await at("earlier", -90);
    await at("two days ago", -2_880);
    const named = ({ name }: { name: string }) => name;
    expect((await rep.get("/api/follow-ups?group=later")).body.due.map(named)).toEqual(["earlier", "now"]);
    expect((await rep.get("/api/follow-ups/timed")).body.map(named)).toEqual(["earlier", "now", "soon"]);
    expect((await admin.get("/api/follow-ups/timed")).body).toEqual([]);
    expect((await rep.get("/api/follow-ups?group=never")).status).toBe(400);
    expect((await desk.app.request("GET", "/api/follow-ups")).status).toBe(401);
  });
});
