import type { TimelineEntry } from "@portal/contract/entities/timeline";
import { timelineEntrySchema } from "@portal/contract/entities/timeline";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { type LeadEvent, recordLeadEvent } from "./service.ts";

vi.setConfig({ testTimeout: 30_000 });

let portal: TestApp;
beforeAll(async () => {
  portal = await buildTestApp();
});
afterAll(() => portal.close());

const pool = () => portal.deps.database.pool;
const leadOf = (rep: Client, rest: Parameters<typeof buildLead>[1] = {}) =>
  buildLead(portal.deps.database, { assignedTo: rep.user.id, ...rest });
const happens = (event: LeadEvent) => portal.deps.database.transaction((tx) => recordLeadEvent(tx, event));

async function timeline(rep: Client, leadId: number, query = ""): Promise<TimelineEntry[]> {
  const { status, body } = await rep.get(`/api/leads/${leadId}/timeline${query}`);
  expect(status).toBe(200);
  return body;
}

describe("access to a timeline", () => {
  it("is limited to the assignee and administrators", async () => {
    const [rep, other, admin] = [
      await portal.signIn(),
      await portal.signIn(),
      await portal.signIn({ role: "admin" }),
    ];
    const lead = await leadOf(rep);
    const path = `/api/leads/${lead.id}/timeline`;
    expect((await portal.request("GET", path)).status).toBe(401);
    expect(await other.get(path)).toMatchObject({ status: 403, body: { code: "not_your_lead" } });
    expect((await other.get("/api/leads/2147483647/timeline")).status).toBe(404);
    expect((await admin.get(path)).status).toBe(200);
    expect(await rep.get(path)).toMatchObject({ status: 200, body: [] });
  });
});

describe("a lead's timeline", () => {
  it("shows changes with the value before and after and the person, newest first", async () => {
    const rep = await portal.signIn({ name: "Inés Duarte" });
    const lead = await leadOf(rep);
    await rep.patch(`/api/leads/${lead.id}`, { status: "interested" });
    await rep.patch(`/api/leads/${lead.id}`, { notes: "Wants a quote" });
    await rep.post(`/api/leads/${lead.id}/convert`, { conversionValue: 1200, notes: "Signed" });
    const entries = await timeline(rep, lead.id);
    expect(entries.map(({ kind }) => kind)).toEqual(["converted", "changed", "changed", "changed"]);
    expect(entries[0]).toMatchObject({
      actorName: "Inés Duarte",
      field: "conversionValue",
      after: 1200,
      text: "Signed",
    });
    expect(entries[1]).toMatchObject({ field: "notes", before: null, after: "Wants a quote" });
    expect(entries).toContainEqual(
      expect.objectContaining({ field: "status", before: "new", after: "interested" }),
    );
  });

  it("shows calls with outcome, talk time, notes and recording, and attempts", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    const sid = `CA${"5".repeat(32)}`;
    const saved = await rep.post("/api/call-logs", {
      leadId: lead.id,
      duration: 74,
      outcome: "answered",
      notes: "Call back at noon",
    });
    await pool().query("update call_logs set call_sid = $1 where id = $2", [sid, saved.body.id]);
    await pool().query(
      "insert into recordings (recording_sid, call_sid, lead_id, status) values ($1, $2, $3, 'completed')",
      [`RE${"5".repeat(32)}`, sid, lead.id],
    );
    const data = { callId: 1, result: "rep_not_reached", talkSeconds: null };
    await happens({ leadId: lead.id, userId: rep.user.id, kind: "call-attempt", data });
    const calls = (await timeline(rep, lead.id)).filter(({ kind }) => kind.startsWith("call"));
    expect(calls).toMatchObject([
      { kind: "call-attempt", outcome: "rep_not_reached" },
      {
        key: `call:${saved.body.id}`,
        kind: "call",
        actorName: rep.user.name,
        outcome: "answered",
        durationSeconds: 74,
        recordingSid: `RE${"5".repeat(32)}`,
        direction: "outbound",
        text: "Call back at noon",
      },
    ]);
  });

  it("shows SMS messages in both directions", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    await pool().query(
      `insert into messages (lead_id, user_id, direction, body, status, from_number, to_number, created_at)
       values ($1, $2, 'outbound', 'Hello', 'delivered', '+12125550100', '+12125550111', now() - interval '1 minute'),
              ($1, null, 'inbound', 'Hi', 'received', '+12125550111', '+12125550100', now())`,
      [lead.id, rep.user.id],
    );
    expect(await timeline(rep, lead.id)).toMatchObject([
      { kind: "text", direction: "inbound", text: "Hi", status: "received", actorName: null },
      { kind: "text", direction: "outbound", text: "Hello", status: "delivered", actorName: rep.user.name },
    ]);
  });

  it("shows the people of an assignment, and the fields of a sync", async () => {
    const [rep, other] = [await portal.signIn(), await portal.signIn()];
    const lead = await leadOf(rep);
    const from = { leadId: lead.id, userId: null };
    await happens({
      ...from,
      kind: "assigned",
      data: { field: "assignedTo", before: other.user.id, after: rep.user.id },
    });
    await happens({
      ...from,
      kind: "crm-synced",
      data: {
        changes: {
          company: { before: "Sol", after: "Luna" },
          crm_updated_at: { before: "a", after: "b" },
          extra: { before: {}, after: { secret: 1 } },
        },
      },
    });
    const [synced, assigned] = await timeline(rep, lead.id);
    expect(synced).toMatchObject({ actorName: null, before: { company: "Sol" }, after: { company: "Luna" } });
    expect(assigned).toMatchObject({
      field: "assignedTo",
      before: other.user.name,
      after: rep.user.name,
    });
  });

  it("omits a repeated outcome, and shows a corrected one", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    const from = { leadId: lead.id, userId: rep.user.id, kind: "outcome-confirmed" as const };
    const voicemail = { outcome: "voicemail", notes: null, confirmed: false };
    await happens({ ...from, data: { before: voicemail, after: { ...voicemail, confirmed: true } } });
    await happens({
      ...from,
      data: { before: voicemail, after: { outcome: "answered", notes: "Hola", confirmed: true } },
    });
    expect(await timeline(rep, lead.id)).toMatchObject([
      { kind: "outcome-confirmed", before: "voicemail", after: "answered", text: "Hola" },
    ]);
  });

  it("shows a call once, with the changes made during it and in its wrap-up only", async () => {
    const [rep, admin] = [
      await portal.signIn({ name: "Inés Duarte" }),
      await portal.signIn({ role: "admin" }),
    ];
    const lead = await leadOf(rep);
    const report = { leadId: lead.id, duration: 74, notes: "Call back at noon" };
    const saved = await rep.post("/api/call-logs", { ...report, outcome: "voicemail" });
    await rep.patch(`/api/leads/${lead.id}`, { nextFollowUpDate: "2099-05-04T00:00:00.000Z" });
    await admin.patch(`/api/leads/${lead.id}`, { status: "qualified" });
    const sync = {
      company: { before: "Sol", after: "Sol" },
      email: { before: null, after: "a@example.com" },
    };
    await happens({ leadId: lead.id, userId: null, kind: "crm-synced", data: { changes: sync } });
    await happens({
      leadId: lead.id,
      userId: rep.user.id,
      kind: "changed",
      data: { field: "priority", before: "high", after: "high" },
    });
    const entries = await timeline(rep, lead.id);
    expect(entries.map(({ kind, field }) => field ?? kind)).toEqual(["crm-synced", "status", "call"]);
    expect(entries[0]?.after).toEqual({ email: "a@example.com" });
    expect(entries[1]).toMatchObject({ actorName: admin.user.name, after: "qualified" });
    expect(entries[2]).toMatchObject({
      key: `call:${saved.body.id}`,
      outcome: "voicemail",
      text: report.notes,
    });
    expect(entries[2]?.related).toMatchObject([
      { actorName: "Inés Duarte", field: "status", before: "new", after: "contacted" },
      { field: "nextFollowUpDate", before: null, after: "2099-05-04T00:00:00.000Z" },
    ]);
    // A correction belongs to its call, even if it comes late.
    await happens({
      leadId: lead.id,
      userId: rep.user.id,
      kind: "outcome-confirmed",
      data: {
        callLogId: saved.body.id,
        before: { outcome: "voicemail", notes: null },
        after: { outcome: "answered", notes: null },
      },
    });
    const [again] = await timeline(rep, lead.id, "?kind=calls&system=false");
    expect(again?.related.at(-1)).toMatchObject({ field: "outcome", before: "voicemail", after: "answered" });
    // Half an hour later it is a separate change.
    await pool().query("update call_logs set call_date = call_date - interval '30 minutes' where id = $1", [
      saved.body.id,
    ]);
    expect((await timeline(rep, lead.id)).map(({ kind, field }) => field ?? kind)).toEqual([
      "crm-synced",
      "status",
      "nextFollowUpDate",
      "status",
      "call",
    ]);
  });

  it("is searched without regard to case and accents, filtered by kind, and shown without automatic entries", async () => {
    const rep = await portal.signIn({ name: "Inés Duarte" });
    const lead = await leadOf(rep);
    await rep.post("/api/call-logs", {
      leadId: lead.id,
      duration: 5,
      outcome: "no_answer",
      notes: "La señora VOLVERÁ el jueves",
    });
    await pool().query(
      `insert into messages (lead_id, user_id, direction, body, status, from_number, to_number)
       values ($1, null, 'inbound', 'Vuelva usted mañana, 100%', 'received', '+12125550111', '+12125550100')`,
      [lead.id],
    );
    await rep.patch(`/api/leads/${lead.id}`, { notes: "Tejado nuevo" });
    await happens({
      leadId: lead.id,
      userId: null,
      kind: "crm-pushed",
      data: { field: "notes", value: "Tejado nuevo" },
    });
    const found = async (query: string) => (await timeline(rep, lead.id, query)).map(({ kind }) => kind);
    expect(await found("?search=volvera%20SENORA")).toEqual(["call"]);
    expect(await found("?search=no%20answer")).toEqual(["call"]);
    expect(await found("?search=manana%20100%25")).toEqual(["text"]);
    expect(await found("?search=tejado")).toEqual(["crm-pushed", "changed"]);
    expect(await found("?search=tejado&system=false")).toEqual(["changed"]);
    expect(await found("?search=field")).toEqual([]);
    expect(await found("?kind=texts")).toEqual(["text"]);
    expect(await found("?kind=notes&system=false")).toEqual(["changed"]);
    expect(await found("?kind=meetings")).toEqual([]);
    const page = await rep.get(`/api/leads/${lead.id}/timeline?limit=1&search=e&system=false`);
    expect(page.headers["x-total-count"]).toBe("3");
    expect((await rep.get(`/api/leads/${lead.id}/timeline?kind=everything`)).status).toBe(400);
  });

  it("is paged without gaps or repeats, also for many entries at one instant", async () => {
    const rep = await portal.signIn();
    const lead = await leadOf(rep);
    await pool().query(
      `insert into lead_events (lead_id, kind, data, at)
       select $1, 'changed', jsonb_build_object('field', 'notes', 'before', n, 'after', n + 1), '2026-01-01T00:00:00.123456Z'::timestamptz + (n / 8) * interval '3 microseconds'
       from generate_series(1, 30) n`,
      [lead.id],
    );
    await pool().query(
      `insert into call_logs (lead_id, user_id, confirmed, call_type, duration_seconds, call_date)
       select $1, $2, true, 'browser', n, '2026-01-01T00:00:00.123456Z'::timestamptz + (n / 8) * interval '3 microseconds' from generate_series(1, 20) n`,
      [lead.id, rep.user.id],
    );
    await pool().query(
      `insert into messages (lead_id, direction, body, status, from_number, to_number, created_at)
       select $1, 'inbound', n::text, 'received', '+12125550111', '+12125550100', '2026-01-01T00:00:00.12346Z'::timestamptz from generate_series(1, 9) n`,
      [lead.id],
    );
    const whole = await timeline(rep, lead.id);
    expect(whole).toHaveLength(59);
    for (const entry of whole) expect(() => timelineEntrySchema.parse(entry)).not.toThrow();
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await rep.get(
        `/api/leads/${lead.id}/timeline?limit=7${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      if (!cursor) expect(page.headers["x-total-count"]).toBe("59");
      seen.push(...page.body.map(({ key }: TimelineEntry) => key));
      cursor = String(page.headers["x-next-cursor"] ?? "");
    } while (cursor);
    expect(seen).toEqual(whole.map(({ key }) => key));
    expect(new Set(seen).size).toBe(59);
  });
});
