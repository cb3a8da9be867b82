import { readdir, readFile } from "node:fs/promises";
import { defaultRetryRules, type RetryPreview, type RetryRules } from "@portal/contract/entities/retry";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../testing/call-harness.ts";
import type { Client } from "../../testing/test-app.ts";
import { zoneAt } from "../../testing/zone-at.ts";

let desk: CallHarness;
let admin: Client;
let rep: Client;
beforeAll(async () => {
  // The US market, where contact hours apply.
  desk = await openCallHarness({ env: { MARKET: "US" } });
  admin = await desk.signInRep("answers", { role: "admin" });
});
afterAll(() => desk.close());
beforeEach(async () => {
  await desk.pool.query("delete from organisation_settings");
  rep = await desk.signInRep();
});

const minute = 60_000;
const ago = (minutes: number) => new Date(Date.now() - minutes * minute);
/** A zone where it is noon or a little later, so that no test crosses the limits of the contact hours. */
const noon = () => zoneAt(12);
const leadOf = (more: Parameters<CallHarness["leadOf"]>[2] = {}) =>
  desk.leadOf(rep, "answers", { timeZone: noon(), ...more });

const tried = (leadId: number, outcome: string, minutes: number, direction = "outbound") =>
  desk.pool.query(
    `insert into call_logs (lead_id, user_id, confirmed, call_type, duration_seconds, call_date, outcome, direction)
     values ($1, $2, true, 'manual', 5, $3, $4, $5)`,
    [leadId, rep.user.id, ago(minutes), outcome, direction],
  );

const rulesWith = (change: Partial<RetryRules>): RetryRules => ({ ...defaultRetryRules, ...change });
const save = async (rules: RetryRules) => {
  const { version } = (await admin.get("/api/retry-rules")).body;
  const answer = await admin.patch("/api/retry-rules", { rules, version });
  expect(answer.status).toBe(200);
};
const nextTry = async (leadId: number, as = rep) => (await as.get(`/api/leads/${leadId}/next-try`)).body;
const listed = async (more: object = {}) =>
  (await rep.post("/api/dialer/preview", { source: { kind: "filter", status: "all" }, ...more })).body;

describe("retry rules", () => {
  it("are the defaults until an administrator changes them, with a version and an audit entry", async () => {
    const before = await admin.get("/api/retry-rules");
    expect(before).toMatchObject({ status: 200, body: { rules: defaultRetryRules, version: 1 } });
    expect((await rep.get("/api/retry-rules")).status).toBe(403);

    const rules = rulesWith({ busy: { ...defaultRetryRules.busy, attempts: 5, end: { kind: "ask" } } });
    expect((await rep.patch("/api/retry-rules", { rules, version: 1 })).status).toBe(403);
    const saved = await admin.patch("/api/retry-rules", { rules, version: 1 });
    expect(saved).toMatchObject({ status: 200, body: { rules, version: 2 } });
    expect((await admin.get("/api/retry-rules")).body).toEqual({ rules, version: 2 });

    // Another tab still shows the first rules; saving the current rules again is not a conflict.
    const late = await admin.patch("/api/retry-rules", { rules: defaultRetryRules, version: 1 });
    expect(late).toMatchObject({ status: 409, body: { code: "changed_meanwhile" } });
    expect(await admin.patch("/api/retry-rules", { rules, version: 1 })).toMatchObject({
      body: { version: 2 },
    });

    const { body: audit } = await admin.get("/api/admin/audit?action=organisation-retry-rules");
    expect(audit).toHaveLength(1);
    expect(audit[0].data).toEqual({
      version: 2,
      changes: {
        busy: {
          before: { ...defaultRetryRules.busy, end: "rest", days: 30 },
          after: { ...rules.busy, end: "ask" },
        },
      },
    });
  });

  it("are rejected when invalid, and nothing changes", async () => {
    const { busy } = defaultRetryRules;
    for (const wrong of [
      { ...busy, attempts: 11 },
      { ...busy, attempts: 1.5 },
      { ...busy, gap: { amount: 0, unit: "hours" } },
      { ...busy, gap: { amount: 4, unit: "weeks" } },
      { ...busy, hours: { from: 17, until: 9 } },
      { ...busy, end: { kind: "rest", days: 0 } },
      { ...busy, end: { kind: "status", status: "converted" } },
    ]) {
      const rules = { ...defaultRetryRules, busy: wrong };
      expect((await admin.patch("/api/retry-rules", { rules, version: 1 })).status).toBe(400);
      expect((await admin.post("/api/retry-rules/preview", { rules })).status).toBe(400);
    }
    expect((await admin.get("/api/retry-rules")).body.version).toBe(1);
  });

  it("are the defaults for rows from before the migration", async () => {
    await desk.pool.query("insert into organisation_settings (machine_detection) values (false)");
    await desk.pool.query(
      "alter table organisation_settings drop column retry_rules, drop column retry_version",
    );
    await desk.pool.query("alter table leads drop column retry_from");
    const migrations = new URL("../../platform/db/migrations/", import.meta.url);
    const file = (await readdir(migrations)).find((name) => name.endsWith("_retry_rules.sql")) ?? "";
    await desk.pool.query(await readFile(new URL(file, migrations), "utf8"));
    expect((await admin.get("/api/retry-rules")).body).toEqual({ rules: defaultRetryRules, version: 1 });
    expect((await admin.get("/api/organisation-settings")).body).toMatchObject({
      machineDetection: false,
      voicemailDrop: false,
      firstCallMinutes: 5,
    });
  });
});

describe("a preview of retry rules", () => {
  it("counts the current leads by the saved and the new rules, and changes nothing", async () => {
    await desk.pool.query("update leads set status = 'not_interested'");
    const many = async (outcome: string, minutes: number, more: object = {}) => {
      const lead = await leadOf(more);
      await tried(lead.id, outcome, minutes);
      return lead;
    };
    await many("no_answer", 90);
    await many("no_answer", 300);
    await many("no_answer", 300, { callOptOut: "stop" });
    await many("no_answer", 300, { status: "not_interested" });
    await many("answered", 300);
    await many("wrong_number", 300, { numberFault: "wrong_number" });
    const often = await leadOf();
    for (const minutes of [3000, 2700, 2400, 2100]) await tried(often.id, "no_answer", minutes);

    const rules = rulesWith({
      no_answer: {
        attempts: 3,
        gap: { amount: 1, unit: "hours" },
        otherHour: false,
        hours: null,
        end: { kind: "ask" },
      },
    });
    expect((await rep.post("/api/retry-rules/preview", { rules })).status).toBe(403);
    const { status, body } = await admin.post("/api/retry-rules/preview", { rules });
    expect(status).toBe(200);
    const of = (outcome: string) => (body as RetryPreview).groups.find((group) => group.outcome === outcome);
    expect(of("no_answer")).toMatchObject({
      before: { due: 1, waiting: 1, resting: 1, asks: 0, never: 1 },
      after: { due: 2, waiting: 0, waitingUntil: null, resting: 0, asks: 1, never: 1 },
    });
    expect(Date.parse(of("no_answer")?.before.waitingUntil ?? "")).toBeGreaterThan(Date.now() + 100 * minute);
    expect(of("others")).toMatchObject({ before: { never: 1 }, after: { never: 1 } });
    expect(of("busy")).toMatchObject({ before: { due: 0, waiting: 0, resting: 0, asks: 0, never: 0 } });
    expect((await admin.get("/api/retry-rules")).body.version).toBe(1);
  });
});

describe("a lead under retry rules", () => {
  it("is deferred with the reason and the time, the stricter of rule and contact limits", async () => {
    const [waits, rests, capped, promised] = [await leadOf(), await leadOf(), await leadOf(), await leadOf()];
    await tried(waits.id, "no_answer", 60);
    for (const minutes of [3000, 2700, 2400, 2100]) await tried(rests.id, "no_answer", minutes);
    // Due by the rule, but called as often as allowed per day.
    await tried(capped.id, "busy", 200);
    for (let call = 0; call < 6; call += 1)
      await desk.callRow(rep, capped, {
        state: "ended",
        settled: true,
        result: "busy",
        lead_ringing_at: ago(200),
      });
    await desk.pool.query("update calls set requested_at = lead_ringing_at where lead_id = $1", [capped.id]);
    await tried(promised.id, "no_answer", 60);
    await desk.pool.query("update leads set next_follow_up_date = $2, next_follow_up_at = $2 where id = $1", [
      promised.id,
      ago(10),
    ]);

    const preview = await listed();
    expect(preview.nowLeads.map(({ leadId }: { leadId: number }) => leadId)).toEqual([promised.id]);
    const group = (reason: string) => preview.groups.find((one: { reason: string }) => one.reason === reason);
    expect(group("retry_waiting").leads).toMatchObject([
      { leadId: waits.id, allowedAt: (await nextTry(waits.id)).until },
    ]);
    expect(group("retry_resting")).toMatchObject({ count: 1, leads: [{ leadId: rests.id }] });
    expect(Date.parse(group("retry_resting").allowedAt)).toBeGreaterThan(ago(-28 * 1_440).getTime());
    expect(group("attempt_cap")).toMatchObject({ count: 1, leads: [{ leadId: capped.id }] });
    expect(await nextTry(capped.id)).toMatchObject({
      kind: "waiting",
      until: group("attempt_cap").allowedAt,
    });
    expect(await nextTry(waits.id)).toMatchObject({
      kind: "waiting",
      timeZone: noon(),
      rule: { outcome: "no_answer", tries: 1, of: 4 },
    });

    // With the option at Start: waiting leads, not resting ones; selected by hand: both.
    const asked = await listed({ includeTried: true });
    expect(asked.groups.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      "attempt_cap",
      "retry_resting",
    ]);
    const chosen = await listed({ source: { kind: "selection", leadIds: [waits.id, rests.id, capped.id] } });
    expect(chosen).toMatchObject({ now: 2, groups: [{ reason: "attempt_cap" }] });
  });

  it("is not dialed by a session when the rules defer it, but can be called by hand", async () => {
    const lead = await leadOf();
    await tried(lead.id, "no_answer", 60);
    expect((await rep.post("/api/dialer/start", { source: { kind: "filter", status: "all" } })).status).toBe(
      200,
    );
    const session = await eventually("the session's end", async () => {
      const { body } = await rep.get("/api/dialer");
      return body.session.status === "completed" && body.session;
    });
    expect(session).toMatchObject({ counts: { dialled: 0, skipped: 1 } });
    const { body: summary } = await rep.get(`/api/dialer/${session.id}/summary`);
    expect(summary.skipped).toMatchObject([
      { reason: "retry_waiting", leads: [{ leadId: lead.id, allowedAt: (await nextTry(lead.id)).until }] },
    ]);
    const { callId } = await desk.call(rep, lead);
    await desk.untilSettled(rep, callId);
  });

  it("is retried or paused by the decision of its consultant", async () => {
    await save(rulesWith({ busy: { ...defaultRetryRules.busy, attempts: 0, end: { kind: "ask" } } }));
    const lead = await leadOf();
    await tried(lead.id, "busy", 100);
    expect(await nextTry(lead.id)).toMatchObject({ kind: "asks", until: null, rule: { outcome: "busy" } });
    expect(await listed()).toMatchObject({ now: 0, groups: [{ reason: "retry_asks", count: 1 }] });

    const decide = (decision: string, as = rep) => as.post(`/api/leads/${lead.id}/next-try`, { decision });
    expect((await decide("again", await desk.signInRep())).status).toBe(403);
    expect((await decide("never")).status).toBe(400);
    expect(await decide("again")).toMatchObject({ status: 200, body: { kind: "due", rule: null } });
    expect(await listed()).toMatchObject({ now: 1, groups: [] });
    const rests = await decide("rest");
    expect(rests).toMatchObject({ status: 200, body: { kind: "resting" } });
    expect(Date.parse(rests.body.until)).toBeGreaterThan(ago(-30 * 1_440 + 5).getTime());
    const { body: timeline } = await rep.get(`/api/leads/${lead.id}/timeline`);
    const decided = timeline.filter(({ field }: { field: string }) => field === "retryFrom");
    expect(decided).toHaveLength(2);
  });
});

describe("the final status of a rule", () => {
  const end = { kind: "status", status: "not_interested" } as const;
  const statusOf = async (leadId: number) => (await rep.get(`/api/leads/${leadId}`)).body.status;
  const say = (leadId: number, outcome: string, more: object = {}) =>
    rep.post("/api/call-logs", { leadId, outcome, duration: 3, callType: "manual", ...more });

  beforeEach(() => save(rulesWith({ busy: { ...defaultRetryRules.busy, attempts: 1, end } })));

  it("is set with the outcome that uses up the tries, and not by a change of the rules", async () => {
    const lead = await leadOf({ status: "contacted" });
    await tried(lead.id, "busy", 3000);
    await tried(lead.id, "busy", 2000);
    expect(await statusOf(lead.id)).toBe("contacted");
    expect((await say(lead.id, "busy")).status).toBe(200);
    expect(await statusOf(lead.id)).toBe("not_interested");
    const { body: timeline } = await rep.get(`/api/leads/${lead.id}/timeline`);
    expect(timeline[0]).toMatchObject({
      outcome: "busy",
      related: [{ field: "status", before: "contacted", after: "not_interested" }],
    });
  });

  it("is reverted with the outcome that set it, unless somebody changed it", async () => {
    const sid = (end: string) => `CA${end.repeat(32)}`;
    const [corrected, changed] = [
      await leadOf({ status: "interested" }),
      await leadOf({ status: "interested" }),
    ];
    for (const { id } of [corrected, changed]) {
      await tried(id, "busy", 3000);
      await say(id, "busy", { twilioCallSid: sid("a") });
      expect(await statusOf(id)).toBe("not_interested");
    }
    await rep.patch(`/api/leads/${changed.id}`, { status: "qualified" });
    for (const { id } of [corrected, changed]) await say(id, "answered", { twilioCallSid: sid("a") });
    expect(await statusOf(corrected.id)).toBe("interested");
    expect(await statusOf(changed.id)).toBe("qualified");
    // And the outcome is given again.
    await say(corrected.id, "busy", { twilioCallSid: sid("a") });
    expect(await statusOf(corrected.id)).toBe("not_interested");
  });
});
