import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";
import { wavOf } from "../../../testing/sounds.ts";
import type { Client } from "../../../testing/test-app.ts";
import { checkMessages } from "./leave-message.ts";

let desk: CallHarness;
let admin: Client;
let rep: Client;
beforeAll(async () => {
  desk = await openCallHarness({ speed: 20 });
  admin = await desk.signInRep("answers", { role: "admin" });
  await admin.patch("/api/organisation-settings", { voicemailDrop: true });
});
afterAll(() => desk.close());
beforeEach(async () => {
  await setSpeed(20);
  rep = await desk.signInRep();
});

/** Slow enough that a message never ends before it was checked, even on the slowest machine. */
const setSpeed = (speed: number) => desk.sandbox.control("POST", "/speed", { speed });

async function upload(client: Client, seconds: number, language = "en"): Promise<number> {
  const query = new URLSearchParams({ name: "Call me back", language });
  const answer = await fetch(`${desk.portal.url}/api/voicemail-messages?${query}`, {
    method: "POST",
    headers: { cookie: client.cookie, "content-type": "audio/wav" },
    body: new Uint8Array(wavOf(seconds)),
  });
  return ((await answer.json()) as { id: number }).id;
}

const agreed = { consentAt: new Date() };

/** A lead whose voicemail records until the call ends, even on a slow machine. */
async function patientLead(more: Parameters<CallHarness["leadOf"]>[2]) {
  const lead = await desk.leadOf(rep, "voicemail", more);
  const script = { hangUpAfter: 60_000 };
  await desk.sandbox.control("POST", "/phones", { number: lead.phoneE164, mode: "auto", script });
  return lead;
}

/** A call at the end of the voicemail's greeting. */
async function atTheBeep(more: Parameters<CallHarness["leadOf"]>[2] = agreed) {
  const lead = await patientLead(more);
  const { callId } = await desk.call(rep, lead);
  await eventually("the tone", async () => (await desk.see(rep, callId)).answeredBy === "machine");
  return { lead, callId };
}

const leave = (callId: number) => rep.post(`/api/calls/${callId}/message`);

async function messageEvents(leadId: number) {
  const { rows } = await desk.pool.query(
    "select kind, data ->> 'name' as name from lead_events where lead_id = $1 and kind like 'message-%' order by id",
    [leadId],
  );
  return rows;
}

const untilMessage = (callId: number, state: string) =>
  eventually(`a message that is ${state}`, async () => {
    const call = await desk.see(rep, callId);
    return call.message?.state === state && call;
  });

describe("a recorded message at a voicemail", () => {
  it("is left by one request, which releases the consultant; its confirmation is on the timeline, and it is one attempt", async () => {
    await upload(rep, 20);
    const { lead, callId } = await atTheBeep();
    expect((await desk.see(rep, callId)).message).toEqual({ name: "Call me back", state: "ready" });

    await setSpeed(0.5);
    expect((await leave(callId)).body).toMatchObject({ message: { name: "Call me back", state: "leaving" } });
    const call = await desk.untilEnded(rep, callId);
    expect(call).toMatchObject({ result: "voicemail", answeredBy: "machine", message: { state: "leaving" } });
    const [leg] = await desk.legsTo(lead.phoneE164);
    expect(leg).toMatchObject({ status: "in-progress" });
    // A repeated request does not play it twice.
    expect((await leave(callId)).status).toBe(200);
    // The lead's phone is not dialed meanwhile either.
    const again = await rep.post("/api/make-call", { leadId: lead.id, to: lead.phoneE164 });
    expect(again.body).toMatchObject({ code: "lead_on_call" });

    await setSpeed(60);
    await untilMessage(callId, "left");
    expect(await messageEvents(lead.id)).toEqual([{ kind: "message-left", name: "Call me back" }]);
    await eventually(
      "the lead's leg to end",
      async () => (await desk.legsTo(lead.phoneE164))[0]?.status === "completed",
    );
    expect(await desk.legsTo(lead.phoneE164)).toHaveLength(1);
    expect(await desk.logs(rep)).toMatchObject([{ leadId: lead.id, outcome: "voicemail", confirmed: false }]);
    const { rows } = await desk.pool.query("select count(*)::int as n from calls where lead_id = $1", [
      lead.id,
    ]);
    expect(rows[0].n).toBe(1);
    expect(await messageEvents(lead.id)).toHaveLength(1);
  });

  it("that is cut short is reported as not left completely", async () => {
    await upload(rep, 50);
    const { lead, callId } = await atTheBeep();
    await setSpeed(0.5);
    await leave(callId);
    await desk.untilEnded(rep, callId);
    const [leg] = await desk.legsTo(lead.phoneE164);
    await eventually(
      "the sound",
      async () => (await desk.legsTo(lead.phoneE164))[0]?.activity === "speaking",
    );
    await desk.phone(leg?.sid ?? "", "hangup");
    await untilMessage(callId, "not_whole");
    expect(await messageEvents(lead.id)).toEqual([{ kind: "message-cut", name: "Call me back" }]);

    // A late proof replaces that entry.
    await desk.webhook(`/api/twilio/voice/message-left?call=${callId}`, { CallSid: leg?.sid ?? "" });
    expect(await messageEvents(lead.id)).toEqual([{ kind: "message-left", name: "Call me back" }]);
  });

  it("whose end was not reported is requested from the provider", async () => {
    await upload(rep, 2);
    const { lead, callId } = await atTheBeep();
    await leave(callId);
    await untilMessage(callId, "left");
    await desk.pool.query(
      "update calls set message_played_at = null, message_ended_at = null, message_asked_at = now() - interval '5 minutes' where id = $1",
      [callId],
    );
    await eventually(
      "the lead's leg to end",
      async () => (await desk.legsTo(lead.phoneE164))[0]?.status === "completed",
    );
    await checkMessages(desk.portal.deps.calls);
    expect((await desk.see(rep, callId)).message?.state).toBe("not_whole");
  });

  it("is not confirmed by a request of another leg", async () => {
    await upload(rep, 50);
    const { lead, callId } = await atTheBeep();
    await setSpeed(0.5);
    await leave(callId);
    await desk.webhook(`/api/twilio/voice/message-left?call=${callId}`, { CallSid: `CA${"7".repeat(32)}` });
    expect(await messageEvents(lead.id)).toEqual([]);
  });
});

describe("a recorded message is not left", () => {
  it("after a person answered", async () => {
    await upload(rep, 2);
    const lead = await desk.leadOf(rep, "answers", agreed);
    await desk.byHand(lead.phoneE164);
    const { callId } = await desk.call(rep, lead);
    const leg = await eventually("the lead's phone to ring", async () =>
      (await desk.legsTo(lead.phoneE164)).find(({ status }) => status === "ringing"),
    );
    await desk.phone(leg.sid, "answer");
    await eventually("a person", async () => (await desk.see(rep, callId)).answeredBy === "person");
    expect((await desk.see(rep, callId)).message).toBeNull();
    expect(await leave(callId)).toMatchObject({ status: 409, body: { code: "message_refused" } });
    await desk.phone(leg.sid, "hangup");
    await desk.untilEnded(rep, callId);
    expect(await leave(callId)).toMatchObject({ status: 409, body: { code: "message_refused" } });
    expect(await messageEvents(lead.id)).toEqual([]);
  });

  it("without the lead's consent, not even by an administrator, and the rejection is recorded", async () => {
    await upload(rep, 2);
    const { lead, callId } = await atTheBeep({});
    expect(await leave(callId)).toMatchObject({
      status: 409,
      body: { code: "contact_refused", reason: "no_consent" },
    });
    expect(await admin.post(`/api/calls/${callId}/message`)).toMatchObject({ status: 409 });
    const { rows } = await desk.pool.query(
      "select channel, by, reason from contact_refusals where lead_id = $1",
      [lead.id],
    );
    expect(rows).toContainEqual({ channel: "voicemail_drop", by: "person", reason: "no_consent" });
    await rep.post(`/api/calls/${callId}/end`);
    expect((await desk.untilEnded(rep, callId)).message).toBeNull();
  });

  it("in another language than the lead's, by another user, or when it is disabled", async () => {
    await upload(rep, 2, "en");
    const { callId } = await atTheBeep({ ...agreed, language: "es" });
    expect((await desk.see(rep, callId)).message).toBeNull();
    expect(await leave(callId)).toMatchObject({ status: 409, body: { code: "message_refused" } });
    const other = await desk.signInRep();
    expect((await other.post(`/api/calls/${callId}/message`)).status).toBe(403);
    await upload(rep, 2, "es");
    await admin.patch("/api/organisation-settings", { voicemailDrop: false });
    expect(await leave(callId)).toMatchObject({ status: 409, body: { code: "message_refused" } });
    await admin.patch("/api/organisation-settings", { voicemailDrop: true });
    await rep.post(`/api/calls/${callId}/end`);
    await desk.untilEnded(rep, callId);
  });
});

describe("a dialer session that leaves messages", () => {
  const start = (leadId: number, leaveMessage?: boolean) =>
    rep.post("/api/dialer/start", {
      source: { kind: "selection", leadIds: [leadId] },
      delaySeconds: 3,
      ...(leaveMessage !== undefined && { leaveMessage }),
    });

  it("leaves the message automatically at the tone, and remembers the choice", async () => {
    await upload(rep, 5);
    const lead = await patientLead(agreed);
    const started = await start(lead.id, true);
    expect(started).toMatchObject({ status: 200, body: { leaveMessage: true } });
    await eventually("the message", async () => (await messageEvents(lead.id)).length > 0);
    expect(await messageEvents(lead.id)).toEqual([{ kind: "message-left", name: "Call me back" }]);
    expect((await rep.get("/api/dialer")).body.lastStart).toMatchObject({ leaveMessage: true });
  });

  it("leaves it on an open line too, while the consultant continues with the next lead", async () => {
    await upload(rep, 60);
    const lead = await patientLead(agreed);
    const next = await desk.leadOf(rep, "answers", { createdAt: new Date(Date.now() - 86_400_000) });
    const source = { kind: "selection", leadIds: [lead.id, next.id] };
    const how = { lineMode: "open_line", brief: "off", delaySeconds: 3, leaveMessage: true };
    await rep.post("/api/dialer/start", { source, ...how });
    const session = async () => (await rep.get("/api/dialer")).body.session;
    const { call } = await eventually("the message", async () => {
      const seen = await session();
      return seen.call?.message?.state === "leaving" && seen;
    });
    await setSpeed(0.5);
    const { id } = await eventually("the wrap-up", async () => {
      const seen = await session();
      return seen.step === "wrap_up" && seen;
    });
    await rep.post(`/api/dialer/${id}/wrap-up`, { callId: call.id, outcome: "voicemail" });
    await eventually("the next lead's phone", async () => (await desk.legsTo(next.phoneE164)).length > 0);
    expect(await desk.legsTo(lead.phoneE164)).toMatchObject([{ status: "in-progress" }]);
    expect(await messageEvents(lead.id)).toEqual([]);
    await setSpeed(60);
    await untilMessage(call.id, "left");
    expect(await messageEvents(lead.id)).toEqual([{ kind: "message-left", name: "Call me back" }]);
    expect(await desk.legsTo(await desk.repNumber(rep))).toHaveLength(1);
    const { body } = await rep.post(`/api/dialer/${id}/command`, { command: "stop", position: 1 });
    expect(body).toMatchObject({ status: "stopped" });
  });

  it("leaves none for a lead without consent", async () => {
    await upload(rep, 5);
    const lead = await patientLead({});
    await start(lead.id, true);
    const { rows } = await eventually("the refusal", async () => {
      const found = await desk.pool.query(
        "select channel, by, reason from contact_refusals where lead_id = $1",
        [lead.id],
      );
      return found.rows.length > 0 && found;
    });
    expect(rows).toEqual([{ channel: "voicemail_drop", by: "dialer", reason: "no_consent" }]);
    expect(await messageEvents(lead.id)).toEqual([]);
  });
});
