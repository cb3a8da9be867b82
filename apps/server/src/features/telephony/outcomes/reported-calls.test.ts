import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";
import type { Client } from "../../../testing/test-app.ts";
import { saveInboundLog } from "../inbound/repository.ts";

vi.setConfig({ testTimeout: 30_000 });

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
});
afterAll(() => desk.close());

const newSid = (kind = "CA") => kind + randomBytes(16).toString("hex");
const report = (rep: Client, body: object) =>
  rep.post("/api/call-logs", { duration: "1:05", outcome: "answered", notes: "Wants a quote", ...body });
const summary = async (rep: Client) => (await rep.get("/api/call-logs/summary")).body;

/** Sends the callbacks of an outbound call, whose sid only becomes known now. */
async function sendCallbacks(callId: number, callSid: string, seconds = 74): Promise<void> {
  const leg = { CallSid: newSid(), ParentCallSid: callSid };
  await desk.webhook(`/api/twilio/voice/lead-status?call=${callId}`, { ...leg, CallStatus: "ringing" });
  await desk.webhook(`/api/twilio/voice/detection?call=${callId}`, { ...leg, AnsweredBy: "human" });
  await desk.webhook(`/api/twilio/voice/dial-done?call=${callId}`, {
    CallSid: callSid,
    DialCallStatus: "completed",
    DialCallDuration: String(seconds),
    DialBridged: "true",
  });
}
const started = (rep: Client, lead: { id: number; phoneE164: string | null }, more = {}) =>
  desk.callRow(rep, lead, { rep_leg: "in-progress", pressed: true, ...more });

describe("a report of an unknown call", () => {
  it("is stored with its sid; its duration is marked as reported and excluded from talk time", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const twilioCallSid = newSid();
    const saved = await report(rep, { leadId: lead.id, twilioCallSid });
    expect(saved).toMatchObject({
      status: 200,
      body: { twilioCallSid, duration: 65, durationReported: true, unmatched: true, notes: "Wants a quote" },
    });
    expect(saved.body).toMatchObject({ confirmed: true, outcome: "answered", recordingSid: null });
    expect(await summary(rep)).toMatchObject({ totalCalls: 1, answered: 1, totalSeconds: 0 });
    expect((await rep.get(`/api/leads/${lead.id}/timeline`)).body).toContainEqual(
      expect.objectContaining({ kind: "call", durationSeconds: 65, durationReported: true }),
    );
    expect((await rep.get("/api/reports/calls?range=week")).body).toMatchObject({
      totalCalls: { value: 1 },
      talkSeconds: { value: 0 },
      averageTalkSeconds: { value: null },
    });
    const csv = (await rep.get("/api/call-logs/export?format=csv")).body;
    expect(csv).toContain(",65,Wants a quote,");
    expect(csv).toContain(",Duration from,Call SID matched\r\n");
    expect(csv).toContain(",reported,no\r\n");
    for (const time of ["reported", "unmatched"])
      expect(await desk.logs(rep, `?time=${time}`)).toMatchObject([{ id: saved.body.id }]);
    expect(await desk.logs(rep, "?time=measured")).toEqual([]);
  });

  it("is one log when repeated: after a lost response, concurrently, and corrected", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const body = { leadId: lead.id, twilioCallSid: newSid(), clientRef: randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => report(rep, body)));
    expect(new Set(answers.map(({ status, body: { id } }) => `${status} ${id}`)).size).toBe(1);
    const { clientRef: _, ...again } = body;
    const corrected = await report(rep, { ...again, outcome: "voicemail", notes: null });
    expect(corrected.body).toMatchObject({
      id: answers[0]?.body.id,
      outcome: "voicemail",
      notes: "Wants a quote",
    });
    const timed = await report(rep, { ...again, outcome: "voicemail", notes: null, duration: "2:10" });
    expect(timed.body).toMatchObject({ id: answers[0]?.body.id, duration: 130, durationReported: true });
    const silent = await report(rep, { ...again, outcome: "answered", notes: null, duration: 0 });
    expect(silent.body).toMatchObject({ outcome: "answered", duration: 130 });
    expect(await desk.logs(rep)).toHaveLength(1);
  });

  it("is rejected with an invalid sid, and may have none", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    for (const twilioCallSid of ["CA123", "SM".padEnd(34, "0"), `${newSid()}'`]) {
      const refused = await report(rep, { leadId: lead.id, twilioCallSid });
      expect(refused).toMatchObject({ status: 400, body: { code: "invalid" } });
      expect(refused.body.message).toContain("Use CA and 32 hexadecimal digits, or leave it out");
    }
    expect((await report(rep, { leadId: lead.id, twilioCallSid: "x".repeat(500) })).status).toBe(400);
    expect((await report(rep, { leadId: lead.id, twilioCallSid: "" })).body.twilioCallSid).toBeNull();
  });

  it.each(["webhook", "recording"])("becomes the call's log when a %s reports the call's sid", async (by) => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const callSid = newSid();
    const callId = await started(rep, lead);
    const saved = await report(rep, { leadId: lead.id, twilioCallSid: callSid, outcome: "voicemail" });
    if (by === "recording") {
      const recordingSid = newSid("RE");
      await desk.webhook(`/api/twilio/recording-status?call=${callId}`, {
        AccountSid: `AC${"0".repeat(32)}`,
        CallSid: callSid,
        RecordingSid: recordingSid,
        RecordingStatus: "completed",
        RecordingDuration: "74",
      });
      await eventually("the recording", async () => (await desk.logs(rep))[0]?.recordingSid === recordingSid);
      expect(await desk.logs(rep)).toMatchObject([
        { id: saved.body.id, unmatched: false, recordingSeconds: 74 },
      ]);
    }
    await sendCallbacks(callId, callSid);
    await desk.untilSettled(rep, callId);
    expect(await desk.logs(rep)).toMatchObject([
      {
        id: saved.body.id,
        outcome: "voicemail",
        confirmed: true,
        notes: "Wants a quote",
        duration: 74,
        durationReported: false,
        unmatched: false,
      },
    ]);
    expect((await desk.see(rep, callId)).callLogId).toBe(saved.body.id);
    expect((await summary(rep)).totalSeconds).toBe(74);
  });

  it("is merged with an existing log: the later outcome, both notes, one log", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const callSid = newSid();
    const callId = await started(rep, lead, { state: "ended", duration_seconds: 12 });
    await desk.pool.query(
      `insert into call_logs (lead_id, user_id, call_id, outcome, confirmed, confirmed_at, call_type, duration_seconds, notes)
       values ($1, $2, $3, 'busy', true, now() - interval '1 minute', 'browser', 12, 'First try')`,
      [lead.id, rep.user.id, callId],
    );
    await report(rep, { leadId: lead.id, twilioCallSid: callSid });
    await sendCallbacks(callId, callSid);
    await desk.untilSettled(rep, callId);
    expect(await desk.logs(rep)).toMatchObject([
      { outcome: "answered", notes: "First try\nWants a quote", duration: 74, unmatched: false },
    ]);
  });

  it("is matched whichever of the two arrives first, also concurrently", async () => {
    const rep = await desk.signInRep();
    for (let round = 0; round < 6; round += 1) {
      const lead = await desk.leadOf(rep);
      const callSid = newSid();
      const callId = await started(rep, lead);
      await Promise.all([
        report(rep, { leadId: lead.id, twilioCallSid: callSid }),
        sendCallbacks(callId, callSid),
      ]);
      await desk.untilSettled(rep, callId);
      expect(await desk.logs(rep, `?leadId=${lead.id}`)).toMatchObject([
        { confirmed: true, unmatched: false, duration: 74, twilioCallSid: callSid },
      ]);
    }
  });

  it("becomes the log of an inbound call that the same consultant took", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const callSid = newSid();
    const saved = await report(rep, { leadId: lead.id, twilioCallSid: callSid });
    const { deps } = desk.portal;
    const { rows } = await desk.pool.query(
      `insert into inbound_calls (call_sid, from_number, lead_id, owner_id, taken_by, stage, result, duration_seconds)
       values ($1, $2, $3, $4, $4, 'ended', 'answered', 31) returning id`,
      [callSid, lead.phoneE164, lead.id, rep.user.id],
    );
    await deps.database.transaction((tx) =>
      saveInboundLog(tx, {
        leadId: lead.id,
        userId: rep.user.id,
        inboundCallId: rows[0].id,
        outcome: "answered",
        confirmed: false,
        durationSeconds: 31,
        callDate: new Date(),
        callSid,
      }),
    );
    expect(await desk.logs(rep)).toMatchObject([
      { id: saved.body.id, direction: "inbound", duration: 31, durationReported: false, unmatched: false },
    ]);
  });
});

describe("a report with the sid of another user's call", () => {
  it("is kept apart, reveals and changes nothing of it, and is visible to administrators", async () => {
    const [rep, other, admin] = [
      await desk.signInRep(),
      await desk.signInRep(),
      await desk.signInRep(null, { role: "admin" }),
    ];
    const [lead, next, theirs] = [await desk.leadOf(rep), await desk.leadOf(rep), await desk.leadOf(other)];
    const callSid = newSid();
    const callId = await started(rep, lead);
    const early = await report(other, { leadId: theirs.id, twilioCallSid: callSid, notes: "Mine" });
    await sendCallbacks(callId, callSid);
    await desk.pool.query(
      "insert into recordings (recording_sid, call_sid, call_id, lead_id, user_id, status) values ($1, $2, $3, $4, $5, 'completed')",
      [newSid("RE"), callSid, callId, lead.id, rep.user.id],
    );
    await desk.untilSettled(rep, callId);
    const unknown = await report(other, { leadId: theirs.id, twilioCallSid: newSid() });
    const late = await report(rep, { leadId: next.id, twilioCallSid: callSid, outcome: "busy" });
    for (const { status, body } of [early, late, unknown]) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ durationReported: true, unmatched: true, recordingSid: null });
    }
    expect((await desk.logs(other)).map(({ recordingSid }) => recordingSid)).toEqual([null, null]);
    expect(await desk.logs(rep, `?leadId=${lead.id}`)).toMatchObject([
      { confirmed: false, outcome: "answered", notes: null, duration: 74, unmatched: false },
    ]);
    const seen = (await desk.logs(admin, "?time=unmatched")).map(({ id }) => id);
    expect(seen).toEqual(expect.arrayContaining([early, late, unknown].map(({ body }) => body.id)));
    const { checks } = (await admin.get("/api/diagnostics/twilio")).body;
    expect(checks).toContainEqual(
      expect.objectContaining({ name: "reports", status: "warn", finding: "reports_unmatched" }),
    );
    expect((await report(other, { leadId: lead.id, twilioCallSid: callSid })).body.code).toBe(
      "not_your_lead",
    );
  });
});
