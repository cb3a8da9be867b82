import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";
import type { Client } from "../../../testing/test-app.ts";
import { requireTelephony } from "./service.ts";
import { callInbox } from "./webhook-routes.ts";

vi.setConfig({ testTimeout: 30_000 });

let desk: CallHarness;
let rep: Client;
beforeAll(async () => {
  desk = await openCallHarness();
  rep = await desk.signInRep();
});
afterAll(() => desk.close());

const newSid = () => `CA${randomBytes(16).toString("hex")}`;
const at = "Fri, 20 Nov 2026 10:01:14 +0000";

/** A live call with the ids of both legs, in which the consultant has pressed 1. */
async function dialledCall() {
  await desk.pool.query(
    "update calls set state = 'ended', result = 'failed', settled = true where state <> 'ended'",
  );
  const lead = await desk.leadOf(rep);
  const [repSid, leadSid] = [newSid(), newSid()];
  const id = await desk.callRow(rep, lead, {
    call_sid: repSid,
    rep_leg: "in-progress",
    pressed: true,
    state: "ringing_lead",
  });
  const leadStatus = (CallStatus: string, SequenceNumber: number, more: Record<string, string> = {}) =>
    desk.webhook(`/api/twilio/voice/lead-status?call=${id}`, {
      CallSid: leadSid,
      ParentCallSid: repSid,
      CallStatus,
      SequenceNumber: String(SequenceNumber),
      Timestamp: at,
      ...more,
    });
  return { id, lead, repSid, leadSid, leadStatus };
}

const worked = () => eventually("the events to be worked", async () => (await desk.openEvents()) === 0);

function orders<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

describe("call webhook signatures", () => {
  it.each(["rep-status", "lead-status", "detection", "answered", "confirm", "dial-done"])(
    "are required: a forged %s is rejected, and nothing is written",
    async (path) => {
      const { id, repSid } = await dialledCall();
      const events = await desk.count("provider_events");
      const params = { CallSid: repSid, CallStatus: "completed", Digits: "1", DialCallStatus: "completed" };
      const forged = await desk.webhook(`/api/twilio/voice/${path}?call=${id}`, params, "another-token");
      expect(forged.status).toBe(403);
      expect(JSON.parse(forged.body).code).toBe("signature_invalid");
      expect(await desk.count("provider_events")).toBe(events);
      expect((await desk.see(rep, id)).state).toBe("ringing_lead");
    },
  );

  it("are required, and invalid for a changed URL", async () => {
    const { id, repSid } = await dialledCall();
    const bare = await fetch(`${desk.portal.url}/api/twilio/voice/rep-status?call=${id}`, {
      method: "POST",
      body: new URLSearchParams({ CallSid: repSid, CallStatus: "completed" }),
    });
    expect(bare.status).toBe(403);
    const json = await fetch(`${desk.portal.url}/api/twilio/voice/rep-status?call=${id}`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json", "x-twilio-signature": "c2lnbmVk" },
    });
    expect(json.status).toBe(415);
  });
});

describe("call webhook events", () => {
  it("are stored once when repeated", async () => {
    const { id, leadStatus } = await dialledCall();
    const events = await desk.count("provider_events");
    const answers = await Promise.all(Array.from({ length: 20 }, () => leadStatus("ringing", 1)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers[0]?.body).toContain("<Response/>");
    await worked();
    expect(await desk.count("provider_events")).toBe(events + 1);
    expect((await desk.see(rep, id)).leadRingingAt).not.toBeNull();
  });

  // Regression: the end arrived before the event that the lead's phone rang, and the timeline had an attempt and a call.
  it("create the log of a call that was an attempt at first", async () => {
    const { id, lead, repSid, leadStatus } = await dialledCall();
    const end = { CallSid: repSid, DialCallStatus: "canceled" };
    await desk.webhook(`/api/twilio/voice/dial-done?call=${id}`, end);
    expect(await desk.timeline(lead.id)).toEqual(["call-attempt"]);
    await leadStatus("ringing", 1);
    await worked();
    expect(await desk.timeline(lead.id)).toEqual(["call-ended"]);
  });

  it("end in the same state in all 24 orders of a talk's four events, each sent twice", async () => {
    const steps = ["initiated", "ringing", "in-progress", "completed"];
    for (const order of orders(steps.map((status, index) => ({ status, index })))) {
      const { id, lead, leadStatus } = await dialledCall();
      for (const { status, index } of order) {
        const more: Record<string, string> = status === "completed" ? { CallDuration: "74" } : {};
        await leadStatus(status, index, more);
        await leadStatus(status, index, more);
      }
      await worked();
      expect(await desk.see(rep, id), order.map(({ status }) => status).join()).toMatchObject({
        state: "ended",
        result: "answered",
        talkSeconds: 74,
      });
      expect(await desk.logs(rep, `?leadId=${lead.id}`)).toHaveLength(1);
      expect((await desk.timeline(lead.id)).filter((kind) => kind === "call-ended")).toHaveLength(1);
    }
  });

  it("show that machine detection is running, without an outcome, until a machine is detected", async () => {
    const { id, leadSid, lead, leadStatus } = await dialledCall();
    await leadStatus("completed", 3, { CallDuration: "9" });
    await worked();
    expect(await desk.see(rep, id)).toMatchObject({ result: "answered", answeredBy: null, talkSeconds: 9 });
    const timeline = async () => (await rep.get(`/api/leads/${lead.id}/timeline`)).body;
    const figures = async () => (await rep.get("/api/call-logs/summary?outcome=voicemail")).body.totalCalls;
    expect(await desk.logs(rep, `?leadId=${lead.id}`)).toMatchObject([
      { outcome: null, checking: true, duration: 9 },
    ]);
    expect(await timeline()).toContainEqual(expect.objectContaining({ kind: "call", outcome: "checking" }));
    const before = await figures();
    await desk.webhook(`/api/twilio/voice/detection?call=${id}`, {
      CallSid: leadSid,
      AnsweredBy: "machine_start",
    });
    await worked();
    expect(await desk.see(rep, id)).toMatchObject({ result: "voicemail", answeredBy: "machine" });
    expect(await desk.logs(rep, `?leadId=${lead.id}`)).toMatchObject([
      { outcome: "voicemail", checking: false, duration: 9 },
    ]);
    expect(await timeline()).toContainEqual(expect.objectContaining({ kind: "call", outcome: "voicemail" }));
    expect(await figures()).toBe(before + 1);
  });

  it("suggest an outcome for a call that ended when answered, and count its time from the answer", async () => {
    const { id, repSid, leadSid, leadStatus } = await dialledCall();
    await leadStatus("completed", 3, { CallDuration: "2" });
    const done = await desk.webhook(`/api/twilio/voice/dial-done?call=${id}`, {
      CallSid: repSid,
      DialCallSid: leadSid,
      DialCallStatus: "completed",
      DialBridged: "false",
    });
    expect(done.body).toContain("<Hangup/>");
    await worked();
    await desk.webhook(`/api/twilio/voice/detection?call=${id}`, { CallSid: leadSid, AnsweredBy: "unknown" });
    await worked();
    expect(await desk.see(rep, id)).toMatchObject({ result: "answered", talkSeconds: 2 });
    expect(await desk.logs(rep, "?needsOutcome=true")).toContainEqual(
      expect.objectContaining({ outcome: "answered", duration: 2, confirmed: false }),
    );
  });

  it("are acknowledged and stored with the reason when they cannot be used", async () => {
    const { id, repSid, leadStatus } = await dialledCall();
    const unknown = { CallSid: newSid(), CallStatus: "ringing", SequenceNumber: "1" };
    expect((await desk.webhook("/api/twilio/voice/rep-status?call=999999", unknown)).status).toBe(200);
    expect((await desk.webhook("/api/twilio/voice/rep-status", { CallSid: newSid() })).status).toBe(200);
    expect((await leadStatus("teleported", 7)).status).toBe(200);
    // A leg of another call.
    const foreign = { CallSid: newSid(), CallStatus: "completed", SequenceNumber: "3" };
    expect((await desk.webhook(`/api/twilio/voice/rep-status?call=${id}`, foreign)).status).toBe(200);
    await worked();
    expect(await desk.see(rep, id)).toMatchObject({ state: "ringing_lead", callSid: repSid });
    const { rows } = await desk.pool.query("select error from provider_events where error is not null");
    expect(rows.map(({ error }) => error)).toEqual(
      expect.arrayContaining(["no such call", "unknown type", "another leg than the call's own"]),
    );
  });

  it("set the sid of a call whose response was lost", async () => {
    await dialledCall();
    await desk.pool.query(
      "update calls set state = 'ended', result = 'failed', settled = true where state <> 'ended'",
    );
    const id = await desk.callRow(rep, await desk.leadOf(rep));
    const sid = newSid();
    await desk.webhook(`/api/twilio/voice/rep-status?call=${id}`, { CallSid: sid, CallStatus: "ringing" });
    await worked();
    expect(await desk.see(rep, id)).toMatchObject({ callSid: sid, state: "ringing_rep" });
  });
});

describe("processing after a crash", () => {
  it("processes stored events once, by two processes at once", async () => {
    const { id, repSid, leadSid } = await dialledCall();
    const params = { CallSid: leadSid, ParentCallSid: repSid, CallStatus: "busy", CallDuration: "0" };
    await desk.pool.query(
      "insert into provider_events (source, event_key, kind, payload) values ('twilio', $1, 'lead-status', $2)",
      [`left-behind-${id}`, JSON.stringify({ callId: id, params })],
    );
    const { calls } = desk.portal.deps;
    const work = () => callInbox(calls, requireTelephony(calls)).work();
    await Promise.all([work(), work()]);
    await worked();
    expect(await desk.see(rep, id)).toMatchObject({ state: "ended", result: "busy" });
    const { rows } = await desk.pool.query("select attempts from provider_events where event_key = $1", [
      `left-behind-${id}`,
    ]);
    expect(rows).toEqual([{ attempts: 1 }]);
  });

  it("keeps a failed event for later and continues with the next", async () => {
    const { id, leadStatus } = await dialledCall();
    await desk.pool.query(
      "insert into provider_events (source, event_key, kind, payload, received_at) values ('twilio', $1, 'rep-status', $2, now() - interval '1 s')",
      [
        `poison-${id}`,
        JSON.stringify({ callId: "no number", params: { CallSid: newSid(), CallStatus: "ringing" } }),
      ],
    );
    await leadStatus("busy", 3);
    await desk.untilState(rep, id, "ended");
    const { rows } = await desk.pool.query(
      "select attempts, error, processed_at from provider_events where event_key = $1",
      [`poison-${id}`],
    );
    expect(rows[0]).toMatchObject({ processed_at: null });
    expect(rows[0].attempts).toBeGreaterThan(0);
    expect(rows[0].error).toBeTruthy();
    await desk.pool.query("update provider_events set processed_at = now() where event_key = $1", [
      `poison-${id}`,
    ]);
  });
});

describe("TwiML requests", () => {
  it("are answered with a hang-up for a call that is unknown, over, or being ended", async () => {
    const { id, repSid } = await dialledCall();
    const ask = (call: number, CallSid: string) =>
      desk.webhook(`/api/twilio/voice/answered?call=${call}`, { CallSid, CallStatus: "in-progress" });
    const unknown = await ask(999_999, newSid());
    const foreign = await ask(id, newSid());
    await desk.pool.query("update calls set end_requested_at = now() where id = $1", [id]);
    const ending = await ask(id, repSid);
    for (const { status, body } of [unknown, foreign, ending]) {
      expect(status).toBe(200);
      expect(body).toMatch(/Goodbye.*<Hangup\/>/);
      expect(body).not.toMatch(/Dial|Gather/);
    }
  });

  it.each([
    ["opted out", "call_opt_out = 'dnd'"],
    ["turned out to have a wrong number", "number_fault = 'wrong_number'"],
    ["got another number", "phone_e164 = '+17865550151'"],
    ["was unassigned", "assigned_to = null"],
  ])("do not dial a lead who %s after the rep's phone rang", async (_what, change) => {
    const { id, lead, repSid } = await dialledCall();
    await desk.pool.query(`update leads set ${change} where id = $1`, [lead.id]);
    const { body } = await desk.webhook(`/api/twilio/voice/confirm?call=${id}`, {
      CallSid: repSid,
      Digits: "1",
    });
    expect(body).not.toContain("<Dial");
    expect(body).toContain("<Hangup/>");
  });

  it("contain the call's id in every URL, and ask the provider to retry", async () => {
    const { id, repSid, lead } = await dialledCall();
    await desk.pool.query("update calls set pressed = false, state = 'confirming' where id = $1", [id]);
    const asked = await desk.webhook(`/api/twilio/voice/answered?call=${id}`, { CallSid: repSid });
    expect(asked.body).toContain(
      `action="${desk.portal.url}/api/twilio/voice/confirm?call=${id}#rc=5&amp;rp=5xx,ct,rt"`,
    );
    const dial = await desk.webhook(`/api/twilio/voice/confirm?call=${id}`, { CallSid: repSid, Digits: "1" });
    expect(dial.body).toContain(`>${lead.phoneE164}</Number>`);
    expect(dial.body).toContain(`/api/twilio/voice/lead-status?call=${id}#`);
  });
});
