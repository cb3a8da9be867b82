import type { TodayEntry } from "@portal/contract/entities/today";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { zoneAt } from "../../testing/zone-at.ts";

let portal: TestApp;
let admin: Client;
let ana: Client;
/** A zone where it is noon, so that neither the organization's day nor the lead's contact hours end during the tests. */
const noon = zoneAt(12);
beforeAll(async () => {
  portal = await buildTestApp({ env: { MARKET: "US", ORG_TIME_ZONE: noon } });
  admin = await portal.signIn({ role: "admin" });
});
afterAll(() => portal.close());
beforeEach(async () => {
  ana = await portal.signIn();
});

const minute = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * minute);
const database = () => portal.deps.database;
const leadOf = (more: Parameters<typeof buildLead>[1] = {}, rep = ana) =>
  buildLead(database(), {
    assignedTo: rep.user.id,
    status: "contacted",
    timeZone: noon,
    phone: `+1212555${String(1_000 + phones++).padStart(4, "0")}`,
    ...more,
  });
let phones = 0;

const promised = (minutes: number) => ({
  nextFollowUpDate: ago(minutes),
  nextFollowUpTime: "12:00",
  nextFollowUpZone: noon,
  nextFollowUpAt: ago(minutes),
});
const fresh = (minutes: number) => ({
  status: "new" as const,
  createdAt: ago(minutes),
  assignedAt: ago(minutes),
});

const tried = (leadId: number, outcome: string, minutes: number, direction = "outbound") =>
  database().pool.query(
    `insert into call_logs (lead_id, user_id, confirmed, call_type, duration_seconds, call_date, outcome, direction)
     values ($1, $2, true, 'manual', 5, $3, $4, $5)`,
    [leadId, ana.user.id, ago(minutes), outcome, direction],
  );
const texted = (leadId: number, minutes: number) =>
  database().pool.query(
    `insert into messages (lead_id, direction, body, status, from_number, to_number, created_at)
     values ($1, 'inbound', 'Call me', 'received', '+12125550111', '+12125550100', $2)`,
    [leadId, ago(minutes)],
  );
const missed = (leadId: number, minutes: number) =>
  database().pool.query(
    `insert into inbound_calls (call_sid, from_number, lead_id, owner_id, stage, result, started_at, ended_at)
     values ($1, '+12125550111', $2, $3, 'ended', 'missed', $4, $4)`,
    [`CA${String(phones++).padStart(32, "0")}`, leadId, ana.user.id, ago(minutes)],
  );

const today = async (who = ana): Promise<TodayEntry[]> => {
  const answer = await who.get("/api/today");
  expect(answer.status).toBe(200);
  const { entries, counts } = answer.body;
  // The count in the sidebar equals the number of listed leads.
  const now = entries.filter(({ isLater }: TodayEntry) => !isLater).length;
  expect(counts).toMatchObject({ now, putOff: entries.length - now });
  expect((await who.get("/api/today/count")).body).toEqual(counts);
  return entries;
};
const kindsOf = (entries: TodayEntry[]) =>
  entries.map(({ lead, reasons }) => [lead.id, reasons.map(({ kind }) => kind).join("+")]);

describe("Today", () => {
  it("lists one's own leads in one order, each once with all its reasons", async () => {
    expect((await portal.request("GET", "/api/today")).status).toBe(401);
    expect((await portal.request("GET", "/api/today/count")).status).toBe(401);
    const other = await portal.signIn();
    const followUp = await leadOf({ nextFollowUpDate: ago(60) });
    const retry = await leadOf();
    await tried(retry.id, "no_answer", 300);
    const newLead = await leadOf(fresh(1));
    const caller = await leadOf();
    await missed(caller.id, 90);
    const texter = await leadOf();
    await texted(texter.id, 5);
    await missed(texter.id, 4);
    const promise = await leadOf(promised(30));
    await leadOf(promised(30), other);
    await leadOf({ ...promised(30), status: "converted" });

    const entries = await today();
    expect(kindsOf(entries)).toEqual([
      [promise.id, "promise"],
      [texter.id, "text+missed_call"],
      [caller.id, "missed_call"],
      [newLead.id, "new_lead"],
      [retry.id, "retry"],
      [followUp.id, "follow_up"],
    ]);
    expect(entries[0]).toMatchObject({
      lead: { name: promise.name, phone: promise.phone, timeZone: noon },
      reasons: [{ at: promise.nextFollowUpAt?.toISOString(), overdue: true }],
      putOff: null,
    });
    expect(entries[4]?.reasons[0]?.rule).toEqual({ outcome: "no_answer", tries: 1, of: 4 });
    expect((await ana.get("/api/today/count")).body).toEqual({ now: 6, overdue: 1, putOff: 0 });
  });

  it("shows until when and why a lead is deferred", async () => {
    const retry = await leadOf();
    await tried(retry.id, "no_answer", 120);
    const later = await leadOf(promised(-90));
    const asleep = await leadOf({ ...promised(10), timeZone: zoneAt(5) });
    const never = await leadOf({ ...promised(20), callOptOut: "dnd" });
    await leadOf({ ...fresh(3), callOptOut: "dnd" });
    const entries = await today();
    expect(entries.map(({ lead, putOff }) => [lead.id, putOff?.reason, putOff?.until !== null])).toEqual([
      [later.id, "promised", true],
      [retry.id, "retry_waiting", true],
      [asleep.id, "outside_hours", true],
      [never.id, "opted_out", false],
    ]);
    expect(entries[0]?.putOff?.until).toBe(later.nextFollowUpAt?.toISOString());
  });

  it("removes what is done: a planned call by a later call, not by one before it was planned", async () => {
    const lead = await leadOf({ nextFollowUpDate: ago(24 * 60) });
    await tried(lead.id, "answered", 10);
    expect(await today()).toEqual([]);
    // They ask for another call today, and only the date is set.
    const nextFollowUpDate = new Date().toISOString();
    expect((await ana.patch(`/api/leads/${lead.id}`, { nextFollowUpDate })).status).toBe(200);
    expect(kindsOf(await today())).toEqual([[lead.id, "follow_up"]]);
    await tried(lead.id, "answered", -1);
    expect(await today()).toEqual([]);
  });

  it("does not list an inbound caller as new after a talk", async () => {
    const lead = await leadOf(fresh(1));
    await tried(lead.id, "answered", 0.5, "inbound");
    expect(await today()).toEqual([]);
  });
});

describe("a reassigned lead", () => {
  it("keeps an overdue planned call, and starts a new first-call clock beside that of its arrival", async () => {
    const bea = await portal.signIn();
    const promise = await leadOf(promised(45));
    const newLead = await leadOf(fresh(60));
    for (const lead of [promise, newLead]) {
      const { status } = await ana.post(`/api/leads/${lead.id}/transfer`, { newSalesRepId: bea.user.id });
      expect(status).toBe(200);
    }
    expect(await today()).toEqual([]);
    const [first, second] = await today(bea);
    expect(first).toMatchObject({ lead: { id: promise.id }, reasons: [{ kind: "promise", overdue: true }] });
    expect(second).toMatchObject({
      lead: { id: newLead.id },
      reasons: [{ kind: "new_lead", overdue: false, arrival: { overdue: true } }],
    });
    // Follow-up reminders use the same follow-ups.
    expect((await bea.get("/api/follow-ups/timed")).body).toMatchObject([{ leadId: promise.id }]);
  });
});

describe("the first-call target", () => {
  const path = "/api/organisation-settings";

  it("is set by administrators, and audited", async () => {
    expect((await ana.get("/api/today")).body.firstCallMinutes).toBe(5);
    const lead = await leadOf(fresh(8));
    expect((await today())[0]?.reasons[0]).toMatchObject({ overdue: true });
    expect((await ana.patch(path, { firstCallMinutes: 15 })).status).toBe(403);
    for (const bad of [0, 1_441, 7.5, "5", null])
      expect((await admin.patch(path, { firstCallMinutes: bad })).status).toBe(400);
    expect((await admin.patch(path, { firstCallMinutes: 15 })).body).toMatchObject({
      machineDetection: true,
      voicemailDrop: false,
      firstCallMinutes: 15,
    });
    const [entry] = await today();
    expect(entry?.reasons[0]).toMatchObject({ overdue: false });
    expect(entry?.reasons[0]?.at).toBe(
      new Date((lead.assignedAt?.getTime() ?? 0) + 15 * minute).toISOString(),
    );
    const { body: audit } = await admin.get("/api/admin/audit?action=organisation-changed");
    expect(audit[0].data).toEqual({ changes: { firstCallMinutes: { before: 5, after: 15 } } });
  });

  it("excludes minutes in which the consultant could not be reached", async () => {
    await admin.patch(path, { firstCallMinutes: 5 });
    const lead = await leadOf(fresh(8));
    expect((await today())[0]?.reasons[0]?.overdue).toBe(true);
    await database().pool.query("insert into absences (user_id, started_at, until) values ($1, $2, $3)", [
      ana.user.id,
      ago(7),
      ago(2),
    ]);
    const [entry] = await today();
    expect(entry?.reasons[0]).toMatchObject({
      overdue: false,
      at: new Date((lead.assignedAt?.getTime() ?? 0) + 10 * minute).toISOString(),
    });
  });
});
