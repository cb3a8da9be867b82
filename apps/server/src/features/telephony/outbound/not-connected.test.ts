import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { serverFolder } from "../../../paths.ts";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";
import type { Client } from "../../../testing/test-app.ts";

vi.setConfig({ testTimeout: 60_000 });

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
});
afterAll(() => desk.close());
afterEach(async () => {
  await desk.sandbox.control("POST", "/account", {});
  await desk.sandbox.control("POST", "/webhooks", {});
});

type Numbers = Record<"rep" | "lead", string>;
type Lead = Awaited<ReturnType<CallHarness["leadOf"]>>;

const failWith = (lead: Lead, sip: number) =>
  desk.sandbox.control("POST", "/phones", { number: lead.phoneE164, sip });

async function callOnce(rep: Client, lead: Lead) {
  const { callId, callSid } = await desk.call(rep, lead);
  return { callSid, ended: await desk.untilSettled(rep, callId) };
}

const say = (rep: Client, lead: Lead, twilioCallSid: string, outcome: string) =>
  rep.post("/api/call-logs", { leadId: lead.id, duration: 0, outcome, twilioCallSid });

describe("a failed Dial", () => {
  it.each([404, 410, 484, 604])("with %i reports that the number is out of service", async (sip) => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await failWith(lead, sip);
    const { ended } = await callOnce(rep, lead);
    expect(ended).toMatchObject({ result: "disconnected", talkSeconds: 0 });
    expect(await desk.logs(rep)).toMatchObject([{ outcome: "disconnected", confirmed: false }]);
  });

  it.each([
    ["a 503 of the network", () => ({}), 503],
    ["a caller id that is not verified", () => ({ callerIdVerified: false }), null],
    ["a country that is not enabled", ({ lead }: Numbers) => ({ blockedPrefixes: [lead] }), null],
    ["a trial account", ({ rep }: Numbers) => ({ trialNumbers: [rep] }), null],
  ])("for %s could not be connected, and does not mark the number", async (_why, settingsOf, sip) => {
    const rep = await desk.signInRep();
    const colleague = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const household = await desk.leadOf(colleague, "answers", { phone: lead.phone });
    if (sip) await failWith(lead, sip);
    const settings = settingsOf({ rep: await desk.repNumber(rep), lead: lead.phoneE164 ?? "" });
    await desk.sandbox.control("POST", "/account", settings);
    const { ended, callSid } = await callOnce(rep, lead);
    expect(ended).toMatchObject({ result: "not_connected", talkSeconds: 0, leadRingingAt: null });
    expect(await desk.logs(rep, "?needsOutcome=true")).toMatchObject([
      { outcome: "not_connected", confirmed: false, duration: 0 },
    ]);
    // The lead can be called again at once, also by a session.
    expect((await rep.get(`/api/leads/${lead.id}`)).body).toMatchObject({
      lastAttemptOutcome: "not_connected",
      status: "new",
    });
    const preview = { source: { kind: "filter", status: "all" } };
    expect((await rep.post("/api/dialer/preview", preview)).body).toMatchObject({ now: 1, groups: [] });

    // Saving this outcome removes the call from the list and does not block the number.
    expect((await say(rep, lead, callSid, "not_connected")).status).toBe(200);
    expect(await desk.logs(rep, "?needsOutcome=true")).toEqual([]);
    await desk.sandbox.control("POST", "/account", {});
    expect((await colleague.post("/api/make-call", { leadId: household.id })).status).toBe(200);
  });

  it.each([
    ["after the end of the Dial", { delayMs: 400, match: "lead-status" }],
    ["before the end of the Dial", { delayMs: 400, match: "dial-done" }],
  ])("uses a SIP code that arrives %s", async (_when, rules) => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await failWith(lead, 404);
    await desk.sandbox.control("POST", "/webhooks", rules);
    const { callId } = await desk.call(rep, lead);
    await eventually("the code", async () => (await desk.see(rep, callId)).result === "disconnected");
    expect(await desk.logs(rep)).toMatchObject([{ outcome: "disconnected" }]);
  });

  it("could not be connected when the SIP code never arrives", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await failWith(lead, 404);
    await desk.sandbox.control("POST", "/webhooks", { drop: 9, match: "lead-status" });
    const { ended } = await callOnce(rep, lead);
    expect(ended.result).toBe("not_connected");
  });
});

describe("callbacks without the parent leg", () => {
  it("are matched by our id in their URL: the lead hears the notice, and both are connected", async () => {
    await desk.sandbox.control("POST", "/account", { parentCallSid: false });
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const { ended } = await callOnce(rep, lead);
    expect(ended).toMatchObject({ result: "answered", answeredBy: "person" });
    expect(ended.talkSeconds).toBeGreaterThan(4);
    const [leg] = await desk.legsTo(lead.phoneE164);
    expect(JSON.stringify(leg?.heard)).toContain("recorded");
  });

  it("for another leg than the call's own change nothing", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const callSid = `CA${"a".repeat(32)}`;
    const callId = await desk.callRow(rep, lead, {
      call_sid: callSid,
      lead_call_sid: `CA${"b".repeat(32)}`,
      pressed: true,
      state: "ringing_lead",
    });
    const params = { CallSid: `CA${"c".repeat(32)}`, CallStatus: "in-progress" };
    const notice = await desk.webhook(`/api/twilio/voice/notice?call=${callId}`, params);
    expect(notice.body).toContain("<Hangup/>");
    await desk.webhook(`/api/twilio/voice/lead-status?call=${callId}`, {
      ...params,
      CallStatus: "failed",
      SipResponseCode: "404",
    });
    await eventually("the event", async () => (await desk.openEvents()) === 0);
    expect((await desk.see(rep, callId)).state).toBe("ringing_lead");
    await desk.pool.query("delete from calls where id = $1", [callId]);
  });
});

it("a phone that rang before its call failed is not called again at once, not even by a colleague", async () => {
  const [rep, colleague] = [await desk.signInRep(), await desk.signInRep()];
  const lead = await desk.leadOf(rep);
  const reasonFor = async (who: Client) =>
    (await who.post("/api/dialer/preview", { source: { kind: "filter", status: "all" } })).body.groups.map(
      ({ reason }: { reason: string }) => reason,
    );
  const now = new Date();
  const ended = { state: "ended", settled: true, result: "not_connected", lead_ringing_at: now };
  const callId = await desk.callRow(rep, lead, ended);
  await desk.pool.query(
    `insert into call_logs (lead_id, user_id, call_id, outcome, confirmed, call_type, duration_seconds)
     values ($1, $2, $3, 'not_connected', false, 'outbound', 0)`,
    [lead.id, rep.user.id, callId],
  );
  expect(await reasonFor(rep)).toEqual(["tried_recently"]);
  await desk.pool.query("update leads set assigned_to = $1 where id = $2", [colleague.user.id, lead.id]);
  expect(await reasonFor(colleague)).toEqual(["dialled_by_colleague"]);
});

it("only the provider can report that a call could not be connected", async () => {
  const rep = await desk.signInRep();
  const lead = await desk.leadOf(rep);
  const { ended, callSid } = await callOnce(rep, lead);
  expect(ended.result).toBe("answered");
  const report = { leadId: lead.id, duration: 5, outcome: "not_connected" };
  for (const answer of [
    await say(rep, lead, callSid, "not_connected"),
    await rep.post("/api/call-logs", report),
    await rep.post("/api/call-logs", { ...report, twilioCallSid: `CA${"d".repeat(32)}` }),
  ])
    expect([answer.status, answer.body.code]).toEqual([400, "invalid"]);
  expect(await desk.logs(rep)).toMatchObject([{ outcome: "answered", confirmed: false }]);
});

it("the migration changes dead numbers of an earlier version to not connected, unless a person or a SIP code confirmed them", async () => {
  const rep = await desk.signInRep();
  const lead = await desk.leadOf(rep);
  const failed = async (confirmed: boolean, sip: number | null) => {
    const before = { state: "ended", settled: true, dial_status: "failed", result: "disconnected" };
    const callId = await desk.callRow(rep, lead, { ...before, lead_sip_code: sip });
    await desk.pool.query(
      `insert into call_logs (lead_id, user_id, call_id, outcome, confirmed, call_type, duration_seconds)
       values ($1, $2, $3, 'disconnected', $4, 'outbound', 0)`,
      [lead.id, rep.user.id, callId, confirmed],
    );
    return callId;
  };
  const ids = [await failed(true, null), await failed(false, 404), await failed(false, null)];
  const folder = join(serverFolder, "src/platform/db/migrations");
  const file = readdirSync(folder).find((name) => name.endsWith("_contact_policy.sql")) ?? "";
  const statements = readFileSync(join(folder, file), "utf8").split("--> statement-breakpoint");
  for (const statement of statements.slice(2)) await desk.pool.query(statement);

  const { rows } = await desk.pool.query(
    "select c.result, g.outcome from calls c join call_logs g on g.call_id = c.id where c.id = any($1) order by c.id",
    [ids],
  );
  const [dead, unknown] = ["disconnected", "not_connected"].map((it) => ({ result: it, outcome: it }));
  expect(rows).toEqual([dead, dead, unknown]);
  expect((await rep.get(`/api/leads/${lead.id}`)).body.lastAttemptOutcome).toBe("not_connected");
});
