import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";

vi.setConfig({ testTimeout: 30_000 });

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
});
afterAll(() => desk.close());

describe("permission to call", () => {
  it("requires a session", async () => {
    expect((await desk.portal.request("POST", "/api/make-call", { body: { leadId: 1 } })).status).toBe(401);
    expect((await desk.portal.request("GET", "/api/calls/live")).status).toBe(401);
  });

  it("is denied for another rep's lead, and nothing is written", async () => {
    const [rep, other] = [await desk.signInRep(), await desk.signInRep()];
    const lead = await desk.leadOf(other);
    const before = await desk.count("calls");
    const answer = await rep.post("/api/make-call", { leadId: lead.id });
    expect(answer).toMatchObject({ status: 403, body: { code: "not_your_lead" } });
    expect(await desk.count("calls")).toBe(before);
    expect(await desk.legsTo(await desk.repNumber(rep))).toEqual([]);
  });

  it("returns 404 for an unknown lead", async () => {
    const rep = await desk.signInRep();
    expect((await rep.post("/api/make-call", { leadId: 999_999 })).status).toBe(404);
  });

  it("is granted to an administrator for any lead", async () => {
    const [rep, admin] = [await desk.signInRep(), await desk.signInRep("answers", { role: "admin" })];
    const { callId } = await desk.call(admin, await desk.leadOf(rep));
    expect((await desk.untilSettled(admin, callId)).result).toBe("answered");
  });

  it("to read a call is granted to its caller and to administrators", async () => {
    const [rep, other] = [await desk.signInRep("busy"), await desk.signInRep()];
    const { callId } = await desk.call(rep, await desk.leadOf(rep));
    expect((await other.get(`/api/calls/${callId}`)).status).toBe(403);
    expect((await other.post(`/api/calls/${callId}/end`)).status).toBe(403);
    expect((await rep.get("/api/calls/999999")).status).toBe(404);
  });
});

describe("an outbound call", () => {
  it("rings the rep, asks for 1, rings the lead, and is logged with the provider's talk time", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", { firstName: "Lucía", name: "Lucía Prado" });
    const { callId, callSid } = await desk.call(rep, lead);
    expect(callSid).toMatch(/^CA[0-9a-f]{32}$/);
    expect((await rep.get("/api/calls/live")).body.call).toMatchObject({
      id: callId,
      callSid,
      leadId: lead.id,
    });

    const ended = await desk.untilSettled(rep, callId);
    expect(ended).toMatchObject({
      result: "answered",
      repLine: "personal",
      leadName: "Lucía Prado",
      failure: null,
    });
    expect(ended.talkSeconds).toBeGreaterThan(0);
    expect(ended.leadRingingAt && ended.answeredAt && ended.endedAt).toBeTruthy();
    expect((await rep.get("/api/calls/live")).body.call).toBeNull();

    const [log] = await desk.logs(rep);
    expect(log).toMatchObject({
      id: ended.callLogId,
      outcome: "answered",
      confirmed: false,
      duration: ended.talkSeconds,
      twilioCallSid: callSid,
      callType: "browser",
    });
    expect((await rep.get(`/api/leads/${lead.id}`)).body).toMatchObject({ status: "contacted" });
    expect((await rep.get(`/api/leads/${lead.id}`)).body.lastContactedAt).not.toBeNull();
    expect(await desk.timeline(lead.id)).toEqual(["call-ended", "changed"]);
    const [repLeg] = await desk.legsTo(await desk.repNumber(rep));
    expect(JSON.stringify(repLeg?.heard)).toContain("Press 1 to call Lucía.");
  });

  it.each([
    ["busy", "busy"],
    ["silent", "no_answer"],
    ["voicemail", "voicemail"],
    ["invalid", "disconnected"],
  ] as const)("suggests the outcome for a lead whose phone is %s", async (phone, result) => {
    const rep = await desk.signInRep();
    const { callId } = await desk.call(rep, await desk.leadOf(rep, phone));
    const ended = await desk.untilSettled(rep, callId);
    expect(ended.result).toBe(result);
    expect(await desk.logs(rep)).toMatchObject([{ outcome: result, confirmed: false }]);
    if (result !== "voicemail") expect(ended.talkSeconds).toBe(0);
  });

  it.each([
    ["busy", "rep_not_reached"],
    ["silent", "rep_not_reached"],
    ["voicemail", "not_confirmed"],
  ] as const)("is an attempt, not a log, when the rep's phone is %s", async (phone, result) => {
    const rep = await desk.signInRep(phone);
    const lead = await desk.leadOf(rep);
    const { callId } = await desk.call(rep, lead);
    expect(await desk.untilSettled(rep, callId)).toMatchObject({
      result,
      callLogId: null,
      leadRingingAt: null,
    });
    expect(await desk.logs(rep)).toEqual([]);
    expect(await desk.timeline(lead.id)).toEqual(["call-attempt"]);
    expect(await desk.legsTo(lead.phoneE164)).toEqual([]);
  });

  it("does not dial the lead after another key than 1", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const phone = await desk.repNumber(rep);
    await desk.byHand(phone);
    const { callId, callSid } = await desk.call(rep, lead);
    await eventually(
      "the rep's phone",
      async () => (await desk.phone(callSid, "answer")).status === "in-progress",
    );
    for (const digits of ["5", "7"]) {
      await eventually(
        "the question",
        async () => (await desk.sandbox.control("GET", `/calls/${callSid}`)).activity === "gathering",
      );
      await desk.phone(callSid, "press", { digits });
      await eventually("the key", async () =>
        (await desk.sandbox.control("GET", `/calls/${callSid}`)).pressed?.includes(digits),
      );
    }
    expect((await desk.untilSettled(rep, callId)).result).toBe("not_confirmed");
    expect(await desk.legsTo(lead.phoneE164)).toEqual([]);
  });

  it("dials the lead without a key, and records nothing, when the rep's settings say so", async () => {
    const rep = await desk.signInRep();
    await rep.patch("/api/call-settings", { pressOne: false, callRecording: false });
    const lead = await desk.leadOf(rep);
    const { callId } = await desk.call(rep, lead);
    expect((await desk.untilSettled(rep, callId)).result).toBe("answered");
    const [leg] = await desk.legsTo(await desk.repNumber(rep));
    expect(JSON.stringify(leg?.heard)).not.toContain("Press 1");
    const [leadLeg] = await desk.legsTo(lead.phoneE164);
    expect(JSON.stringify(leadLeg?.heard)).not.toContain("recorded");
    const { rows } = await desk.pool.query("select 1 from recordings where call_id = $1", [callId]);
    expect(rows).toEqual([]);
  });

  it("uses the rep's language", async () => {
    const rep = await desk.signInRep();
    await rep.patch("/api/interface-settings", { language: "es" });
    const { callId } = await desk.call(rep, await desk.leadOf(rep, "busy", { name: "Marta Ruiz" }));
    await desk.untilSettled(rep, callId);
    const [leg] = await desk.legsTo(await desk.repNumber(rep));
    expect(JSON.stringify(leg?.heard)).toContain("Pulsa 1 para llamar a Marta.");
  });

  it("waits for the rep's outcome when the rep hangs up while the lead's phone rings", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.byHand(lead.phoneE164);
    const { callId, callSid } = await desk.call(rep, lead);
    await eventually("the lead's phone", async () => (await desk.see(rep, callId)).leadRingingAt);
    await desk.phone(callSid, "hangup");
    expect(await desk.untilSettled(rep, callId)).toMatchObject({ result: "unclear", talkSeconds: 0 });
    expect(await desk.logs(rep, "?needsOutcome=true")).toMatchObject([{ outcome: null, confirmed: false }]);
  });
});

describe("a call is rejected", () => {
  it("for a lead without a phone, with the specified message", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", { phone: null });
    expect(await rep.post("/api/make-call", { leadId: lead.id, to: "" })).toMatchObject({
      status: 400,
      body: { code: "lead_without_phone", message: "El lead no tiene número de teléfono" },
    });
  });

  it("for a number that cannot be dialed", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", { phone: "extension 12" });
    expect(await rep.post("/api/make-call", { leadId: lead.id, to: lead.phone ?? "" })).toMatchObject({
      status: 409,
      body: { code: "contact_refused", reason: "invalid_phone" },
    });
  });

  it("for a number that is no longer the lead's, in any format", async () => {
    const rep = await desk.signInRep("busy");
    const lead = await desk.leadOf(rep);
    const refused = await rep.post("/api/make-call", { leadId: lead.id, to: "(212) 555-0199" });
    expect(refused).toMatchObject({ status: 409, body: { code: "number_changed" } });
    const same = await rep.post("/api/make-call", { leadId: lead.id, to: lead.phoneE164?.slice(2) });
    expect(same.status).toBe(200);
  });

  it("for a lead who opted out", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", { callOptOut: "dnd" });
    expect(await rep.post("/api/make-call", { leadId: lead.id })).toMatchObject({
      status: 409,
      body: { code: "contact_refused", reason: "opted_out" },
    });
    expect(await desk.legsTo(await desk.repNumber(rep))).toEqual([]);
  });

  it("not for a rep without a number: the office line rings instead", async () => {
    const rep = await desk.signInRep(null);
    const { callId } = await desk.call(rep, await desk.leadOf(rep));
    expect(await desk.untilSettled(rep, callId)).toMatchObject({ repLine: "office", result: "answered" });
  });

  it("for a rep without a number when the office line is the caller id itself", async () => {
    const { calls } = desk.portal.deps;
    const { officeLine } = calls;
    calls.officeLine = calls.telephony?.callerId ?? null;
    const rep = await desk.signInRep(null);
    const lead = await desk.leadOf(rep);
    const answer = await rep.post("/api/make-call", { leadId: lead.id });
    calls.officeLine = officeLine;
    expect(answer).toMatchObject({ status: 400, body: { code: "rep_without_phone" } });
    expect(answer.body.message).toContain("Settings");
  });

  it("with a message when no provider is configured", async () => {
    const { calls } = desk.portal.deps;
    const { telephony } = calls;
    calls.telephony = null;
    const rep = await desk.signInRep();
    const answer = await rep.post("/api/make-call", { leadId: (await desk.leadOf(rep)).id });
    calls.telephony = telephony;
    expect(answer).toMatchObject({ status: 503, body: { code: "provider_off" } });
  });
});

describe("a single live call", () => {
  it("is made for five concurrent clicks", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.byHand(await desk.repNumber(rep));
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => rep.post("/api/make-call", { leadId: lead.id })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.callSid)).size).toBe(1);
    expect(await desk.legsTo(await desk.repNumber(rep))).toHaveLength(1);
    await rep.post(`/api/calls/${answers[0]?.body.callId}/end`);
  });

  it("blocks further calls of the rep and to the lead", async () => {
    const [rep, admin] = [await desk.signInRep(), await desk.signInRep("answers", { role: "admin" })];
    const [lead, next] = [await desk.leadOf(rep), await desk.leadOf(rep)];
    await desk.byHand(await desk.repNumber(rep));
    const { callId } = await desk.call(rep, lead);
    expect(await rep.post("/api/make-call", { leadId: next.id })).toMatchObject({
      status: 409,
      body: { code: "rep_on_call" },
    });
    expect(await admin.post("/api/make-call", { leadId: lead.id })).toMatchObject({
      status: 409,
      body: { code: "lead_on_call" },
    });
    expect((await admin.get(`/api/leads/${lead.id}`)).body.callRefusal).toBe("lead_on_call");
    expect((await rep.get(`/api/leads/${lead.id}`)).body.callRefusal).toBeNull();
    await rep.post(`/api/calls/${callId}/end`);
    await desk.untilEnded(rep, callId);
  });
});

describe("two leads with one number", () => {
  it("are never dialed by two reps at once", async () => {
    const [rep, other] = [await desk.signInRep(), await desk.signInRep()];
    const lead = await desk.leadOf(rep);
    const sameHouse = await desk.leadOf(other, "answers", { phone: lead.phone });
    await desk.byHand(await desk.repNumber(rep));
    await desk.byHand(await desk.repNumber(other));
    const answers = await Promise.all([
      rep.post("/api/make-call", { leadId: lead.id }),
      other.post("/api/make-call", { leadId: sameHouse.id }),
    ]);
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, "lead_on_call"]);
    const [waits, waiting] = answers[0]?.status === 200 ? [other, sameHouse] : [rep, lead];
    expect((await waits.get(`/api/leads/${waiting.id}`)).body.callRefusal).toBe("lead_on_call");
    for (const [index, caller] of [rep, other].entries()) {
      const { callId } = answers[index]?.body ?? {};
      if (callId) await caller.post(`/api/calls/${callId}/end`);
    }
  });
});

describe("ending a call", () => {
  it("cancels it at the provider while the rep's phone rings, once", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.byHand(await desk.repNumber(rep));
    const { callId, callSid } = await desk.call(rep, lead);
    await desk.untilState(rep, callId, "ringing_rep");
    expect((await rep.post(`/api/calls/${callId}/end`)).status).toBe(200);
    expect(await desk.untilSettled(rep, callId)).toMatchObject({ result: "canceled", callLogId: null });
    expect((await desk.sandbox.control("GET", `/calls/${callSid}`)).status).toBe("canceled");
    expect(await rep.post(`/api/calls/${callId}/end`)).toMatchObject({
      status: 200,
      body: { state: "ended" },
    });
  });

  it("ends a talk, and keeps its log", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.byHand(lead.phoneE164);
    const { callId } = await desk.call(rep, lead);
    await desk.untilState(rep, callId, "ringing_lead");
    await eventually("the lead's phone", async () => (await desk.see(rep, callId)).leadRingingAt);
    await desk.phone(lead.phoneE164 ?? "", "answer");
    await eventually("the talk after the notice", async () =>
      (await desk.legsTo(lead.phoneE164)).find(({ activity }) => activity === "bridged"),
    );
    await rep.post(`/api/calls/${callId}/end`);
    expect(await desk.untilSettled(rep, callId)).toMatchObject({ result: "answered" });
    expect(await desk.logs(rep)).toHaveLength(1);
  });

  it("returns call_not_live for a call that ended by itself", async () => {
    const rep = await desk.signInRep("busy");
    const { callId } = await desk.call(rep, await desk.leadOf(rep));
    await desk.untilSettled(rep, callId);
    expect(await rep.post(`/api/calls/${callId}/end`)).toMatchObject({
      status: 409,
      body: { code: "call_not_live" },
    });
  });
});
