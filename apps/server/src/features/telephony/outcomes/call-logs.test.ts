import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallHarness, openCallHarness } from "../../../testing/call-harness.ts";
import type { Client } from "../../../testing/test-app.ts";

vi.setConfig({ testTimeout: 30_000 });

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
});
afterAll(() => desk.close());

const save = (rep: Client, body: object) =>
  rep.post("/api/call-logs", {
    duration: 30,
    outcome: "answered",
    notes: null,
    callType: "browser",
    ...body,
  });

/** An ended call with its unconfirmed log, as after the provider's callbacks. */
async function endedCall(rep: Client, lead: { id: number; phoneE164: string | null }, result = "answered") {
  const callSid = `CA${randomBytes(16).toString("hex")}`;
  const id = await desk.callRow(rep, lead, { call_sid: callSid, rep_leg: "in-progress", pressed: true });
  const dial = { answered: "completed", busy: "busy", unclear: "canceled" }[result] ?? "completed";
  const leadSid = `CA${randomBytes(16).toString("hex")}`;
  await desk.webhook(`/api/twilio/voice/lead-status?call=${id}`, {
    CallSid: leadSid,
    ParentCallSid: callSid,
    CallStatus: "ringing",
  });
  if (dial === "completed")
    await desk.webhook(`/api/twilio/voice/detection?call=${id}`, { CallSid: leadSid, AnsweredBy: "human" });
  await desk.webhook(`/api/twilio/voice/dial-done?call=${id}`, {
    CallSid: callSid,
    DialCallStatus: dial,
    ...(dial === "completed" && { DialCallDuration: "74", DialBridged: "true" }),
  });
  await desk.untilSettled(rep, id);
  return { callId: id, callSid };
}

/** Why the lead may not be called, and the fault of its number. */
const refusals = async (leadId: number) =>
  (await desk.pool.query("select call_opt_out, number_fault from leads where id = $1", [leadId])).rows[0];

describe("the outcome of an outbound call", () => {
  it("is entered by the rep; the talk time stays the provider's", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const { callSid } = await endedCall(rep, lead, "unclear");
    const [open] = await desk.logs(rep, "?needsOutcome=true");
    expect(open).toMatchObject({ outcome: null, confirmed: false, twilioCallSid: callSid });

    const answer = await save(rep, {
      leadId: lead.id,
      twilioCallSid: callSid,
      duration: "2:10",
      outcome: "no_answer",
      notes: " Try at noon ",
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { id: open?.id, outcome: "no_answer", confirmed: true, duration: 0, notes: "Try at noon" },
    });
    expect(await desk.logs(rep, "?needsOutcome=true")).toEqual([]);
    expect(await desk.timeline(lead.id)).toEqual(["call-ended", "outcome-confirmed"]);
  });

  it("may be repeated, and changed later with the previous one on the timeline", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const { callSid } = await endedCall(rep, lead);
    const body = { leadId: lead.id, twilioCallSid: callSid, outcome: "voicemail", notes: "Left a message" };
    const first = await save(rep, body);
    const again = await save(rep, body);
    expect(again.body).toEqual(first.body);
    expect((await desk.timeline(lead.id)).filter((kind) => kind === "outcome-confirmed")).toHaveLength(1);

    const changed = await save(rep, { ...body, outcome: "answered", notes: null });
    expect(changed.body).toMatchObject({ id: first.body.id, outcome: "answered", notes: "Left a message" });
    const { rows } = await desk.pool.query(
      "select data from lead_events where lead_id = $1 and kind = 'outcome-confirmed' order by id desc limit 1",
      [lead.id],
    );
    expect(rows[0].data).toMatchObject({ before: { outcome: "voicemail" }, after: { outcome: "answered" } });
    expect(await desk.logs(rep)).toHaveLength(1);
  });

  it("is saved once for a repeated request, and replaces only the outcome that the user saw", async () => {
    const rep = await desk.signInRep();
    const admin = await desk.portal.signIn({ role: "admin" });
    const lead = await desk.leadOf(rep);
    const { callSid } = await endedCall(rep, lead);
    const of = { leadId: lead.id, twilioCallSid: callSid };
    const first = { ...of, outcome: "voicemail", clientRef: randomUUID(), seen: null };
    expect((await save(rep, first)).body).toMatchObject({ outcome: "voicemail" });
    await save(admin, { ...of, outcome: "no_answer" });
    expect(await save(rep, first)).toMatchObject({ status: 200, body: { outcome: "no_answer" } });
    const correction = { ...of, outcome: "busy", clientRef: randomUUID(), seen: "voicemail" };
    expect(await save(rep, correction)).toMatchObject({
      status: 409,
      body: { code: "changed_meanwhile", now: { outcome: "no_answer" } },
    });
    expect((await desk.logs(rep))[0]).toMatchObject({ outcome: "no_answer" });
    const chosen = await save(rep, { ...correction, seen: "no_answer" });
    expect(chosen).toMatchObject({ status: 200, body: { outcome: "busy" } });
  });

  it("is saved when the dialog is closed during the call; the provider's talk time arrives later", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.byHand(lead.phoneE164);
    const { callId, callSid } = await desk.call(rep, lead);
    await desk.untilState(rep, callId, "ringing_lead");
    const saved = await save(rep, {
      leadId: lead.id,
      twilioCallSid: callSid,
      duration: "1:05",
      outcome: "no_answer",
      notes: "Ring again",
    });
    expect(saved.body).toMatchObject({ outcome: "no_answer", duration: 65, durationReported: true });
    expect((await desk.see(rep, callId)).callLogId).toBe(saved.body.id);
    await rep.post(`/api/calls/${callId}/end`);
    await desk.untilSettled(rep, callId);
    expect(await desk.logs(rep)).toMatchObject([
      { id: saved.body.id, outcome: "no_answer", notes: "Ring again", duration: 0, confirmed: true },
    ]);
  });

  it("can be entered by an administrator for the rep", async () => {
    const [rep, admin] = [await desk.signInRep(), await desk.signInRep(null, { role: "admin" })];
    const lead = await desk.leadOf(rep);
    const { callSid } = await endedCall(rep, lead, "unclear");
    const saved = await save(admin, { leadId: lead.id, twilioCallSid: callSid, outcome: "busy" });
    expect(saved.body).toMatchObject({ outcome: "busy", salesRepName: rep.user.name });
  });
});

describe("a wrong or disconnected number", () => {
  it.each(["wrong_number", "disconnected"])(
    "is not called again after %s, until the rep corrects it",
    async (outcome) => {
      const rep = await desk.signInRep();
      const lead = await desk.leadOf(rep);
      const { callSid } = await endedCall(rep, lead);
      await save(rep, { leadId: lead.id, twilioCallSid: callSid, outcome });
      expect((await refusals(lead.id)).number_fault).toBe(outcome);
      expect(await desk.timeline(lead.id)).toContain("opted-out");
      expect(await rep.post("/api/make-call", { leadId: lead.id })).toMatchObject({
        status: 409,
        body: { reason: "number_fault" },
      });
      await save(rep, { leadId: lead.id, twilioCallSid: callSid, outcome: "answered" });
      expect((await refusals(lead.id)).number_fault).toBeNull();
    },
  );

  it("does not change an opt-out of another source", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const { callSid } = await endedCall(rep, lead);
    await desk.pool.query("update leads set call_opt_out = 'dnd' where id = $1", [lead.id]);
    await save(rep, { leadId: lead.id, twilioCallSid: callSid, outcome: "wrong_number" });
    await save(rep, { leadId: lead.id, twilioCallSid: callSid, outcome: "busy" });
    expect(await refusals(lead.id)).toEqual({ call_opt_out: "dnd", number_fault: null });
  });

  it("does not hide a do-not-disturb of the CRM, and is cleared with a new number", async () => {
    const rep = await desk.signInRep();
    const admin = await desk.signInRep(null, { role: "admin" });
    const lead = await desk.leadOf(rep);
    const contact = await desk.sandbox.control("POST", "/ghl/contacts", {
      locationId: "loc0000000000000001",
      firstName: "Elena",
      email: lead.email,
      phone: lead.phone,
    });
    const sync = async (change: object) => {
      await desk.sandbox.control("PATCH", `/ghl/contacts/${contact.id}`, change);
      await admin.post("/api/ghl/sync");
    };
    const refusal = async () => (await rep.get(`/api/leads/${lead.id}`)).body.callRefusal;
    const { callSid } = await endedCall(rep, lead);
    const say = (outcome: string) => save(rep, { leadId: lead.id, twilioCallSid: callSid, outcome });

    await say("wrong_number");
    await sync({ dnd: true });
    await say("answered");
    expect(await refusal()).toBe("opted_out");
    await say("wrong_number");
    await sync({ dnd: false });
    expect(await refusal()).toBe("number_fault");
    await sync({ phone: "(786) 555-0152" });
    expect(await refusal()).toBeNull();
  });

  it.each([
    ["disconnected", "number_fault"],
    ["wrong_number", null],
  ])(
    "of one lead with the outcome %s sets %s for another lead with the same number; a reached lead clears it",
    async (outcome, theirs) => {
      const [rep, other] = [await desk.signInRep(), await desk.signInRep()];
      const lead = await desk.leadOf(rep);
      const mate = await desk.leadOf(other, "answers", { phone: lead.phone });
      const refusal = async ({ id }: { id: number }) => {
        const { callRefusal, textRefusal } = (await other.get(`/api/leads/${id}`)).body;
        expect(textRefusal).toBe(callRefusal);
        return callRefusal;
      };
      const { callSid } = await endedCall(rep, lead);
      await save(rep, { leadId: lead.id, twilioCallSid: callSid, outcome });
      expect([await refusal(lead), await refusal(mate)]).toEqual(["number_fault", theirs]);

      await save(other, { leadId: mate.id, duration: 60, outcome: "voicemail" });
      expect(await refusal(mate)).toBe(theirs);
      await save(other, { leadId: mate.id, duration: 61, outcome: "answered" });
      expect([await refusal(lead), await refusal(mate)]).toEqual([theirs ? null : "number_fault", null]);
      await save(rep, { leadId: lead.id, duration: 62, outcome: "answered" });
      expect(await refusal(lead)).toBeNull();
    },
  );

  it("does not block a number that the lead got since", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const { callSid } = await endedCall(rep, lead);
    await desk.pool.query("update leads set phone_e164 = '+17865550150' where id = $1", [lead.id]);
    await save(rep, { leadId: lead.id, twilioCallSid: callSid, outcome: "wrong_number" });
    expect((await refusals(lead.id)).number_fault).toBeNull();
  });

  it("is only suspected until the rep confirms it", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "invalid");
    const { callId } = await desk.call(rep, lead);
    expect((await desk.untilSettled(rep, callId)).result).toBe("disconnected");
    expect((await refusals(lead.id)).number_fault).toBeNull();
  });
});

describe("a call made outside the portal", () => {
  it.each([
    [65, 65],
    ["65", 65],
    ["1:05", 65],
    ["12:00", 720],
  ])("is recorded with the duration %o", async (duration, seconds) => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const saved = await save(rep, { leadId: lead.id, duration, twilioCallSid: null });
    expect(saved.body).toMatchObject({
      duration: seconds,
      durationReported: true,
      confirmed: true,
      twilioCallSid: null,
      leadId: lead.id,
    });
    expect((await rep.get(`/api/leads/${lead.id}`)).body.status).toBe("contacted");
    expect(await desk.timeline(lead.id)).toContain("call-logged");
  });

  it.each([0, "0", "0:00", "1:75", "-5", "soon", 90_000, null])(
    "is rejected with the duration %o",
    async (duration) => {
      const rep = await desk.signInRep();
      const lead = await desk.leadOf(rep);
      expect(await save(rep, { leadId: lead.id, duration })).toMatchObject({
        status: 400,
        body: { code: "invalid" },
      });
      expect(await desk.logs(rep)).toEqual([]);
    },
  );

  it("accepts only the outcomes of the contract", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    expect((await save(rep, { leadId: lead.id, outcome: "shouted" })).status).toBe(400);
    expect((await save(rep, { leadId: lead.id, outcome: "completed" })).status).toBe(200);
  });

  it("is recorded once for repeated requests", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const body = { leadId: lead.id, clientRef: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => save(rep, body)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await desk.logs(rep)).toHaveLength(1);
  });

  it("is saved concurrently with others, and waits only for its own lead", async () => {
    const rep = await desk.signInRep();
    const leads = await Promise.all(Array.from({ length: 9 }, () => desk.leadOf(rep)));
    const [held, ...others] = leads.map(({ id }) => id);
    const report = (leadId: number | undefined) =>
      save(rep, { leadId, outcome: "no_answer", notes: `of ${leadId}` });
    const client = await desk.portal.deps.database.pool.connect();
    try {
      await client.query("begin");
      await client.query("update leads set priority = 'high' where id = $1", [held]);
      const waiting = report(held);
      const answers = await Promise.all([...others, 999_999].map(report));
      expect(answers.map(({ status }) => status)).toEqual([...others.map(() => 200), 404]);
      expect(answers.slice(0, -1).map(({ body }) => body.leadId)).toEqual(others);
      await client.query("commit");
      expect((await waiting).body).toMatchObject({ leadId: held, notes: `of ${held}` });
    } finally {
      client.release(true);
    }
    expect(await desk.logs(rep)).toHaveLength(leads.length);
  });

  it("is rejected when its reference belongs to another user", async () => {
    const [rep, other] = [await desk.signInRep(), await desk.signInRep()];
    const clientRef = randomUUID();
    await save(rep, { leadId: (await desk.leadOf(rep)).id, clientRef });
    const lead = await desk.leadOf(other);
    expect((await save(other, { leadId: lead.id, clientRef })).status).toBe(409);
    expect(await desk.logs(other)).toEqual([]);
  });

  it("is rejected for another rep's lead, and nothing is written", async () => {
    const [rep, other] = [await desk.signInRep(), await desk.signInRep()];
    const lead = await desk.leadOf(other);
    expect(await save(rep, { leadId: lead.id })).toMatchObject({
      status: 403,
      body: { code: "not_your_lead" },
    });
    expect((await save(rep, { leadId: 999_999 })).status).toBe(404);
    expect(await desk.timeline(lead.id)).toEqual([]);
    expect((await desk.portal.request("POST", "/api/call-logs", { body: { leadId: lead.id } })).status).toBe(
      401,
    );
  });
});

describe("the list of call logs", () => {
  it("returns one's own calls and those to one's own leads, each once; all to administrators", async () => {
    const [rep, other, admin] = [
      await desk.signInRep(),
      await desk.signInRep(),
      await desk.signInRep(null, { role: "admin" }),
    ];
    const lead = await desk.leadOf(rep);
    await save(rep, { leadId: lead.id });
    await save(admin, { leadId: lead.id, outcome: "busy" });
    const given = await desk.leadOf(rep);
    await save(rep, { leadId: given.id, outcome: "voicemail" });
    await desk.pool.query("update leads set assigned_to = $1 where id = $2", [other.user.id, given.id]);

    expect((await desk.logs(rep)).map(({ outcome }) => outcome)).toEqual(["voicemail", "busy", "answered"]);
    expect((await desk.logs(other)).map(({ outcome }) => outcome)).toEqual(["voicemail"]);
    expect((await desk.logs(admin)).length).toBeGreaterThanOrEqual(3);
    expect(await desk.logs(rep, `?leadId=${given.id}`)).toMatchObject([{ outcome: "voicemail" }]);
    expect((await desk.portal.request("GET", "/api/call-logs")).status).toBe(401);
  });

  it("asks only the caller for an outcome", async () => {
    const [rep, owner] = [await desk.signInRep(), await desk.signInRep()];
    const lead = await desk.leadOf(rep);
    await endedCall(rep, lead);
    await desk.pool.query("update leads set assigned_to = $1 where id = $2", [owner.user.id, lead.id]);
    expect(await desk.logs(owner)).toHaveLength(1);
    expect(await desk.logs(owner, "?needsOutcome=true")).toEqual([]);
    expect(await desk.logs(rep, "?needsOutcome=true")).toHaveLength(1);
    expect(await desk.logs(rep, "?needsOutcome=false")).toEqual([]);
  });

  it("is paged without gaps or repeats, with the total and the next cursor", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    for (let i = 1; i <= 7; i += 1) await save(rep, { leadId: lead.id, duration: i });
    // With equal times the id decides.
    await desk.pool.query(
      "update call_logs set call_date = '2026-01-05T10:00:00.123456Z' where lead_id = $1",
      [lead.id],
    );
    const whole = (await desk.logs(rep)).map(({ id }) => id);
    expect(whole).toHaveLength(7);

    const seen: number[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page += 1) {
      const { body, headers } = await rep.get(`/api/call-logs?limit=3${cursor && `&cursor=${cursor}`}`);
      if (page === 0) expect(headers["x-total-count"]).toBe("7");
      seen.push(...body.map(({ id }: { id: number }) => id));
      cursor = String(headers["x-next-cursor"] ?? "");
    }
    expect(seen).toEqual(whole);
    expect(cursor).toBe("");
    expect((await rep.get("/api/call-logs?limit=3&cursor=nonsense")).status).toBe(400);
    expect((await rep.get("/api/call-logs?limit=0")).status).toBe(400);
  });
});
