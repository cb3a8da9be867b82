import { limits } from "@portal/contract/limits";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messages } from "../../platform/db/schema/messages.ts";
import { type CallHarness, openCallHarness } from "../../testing/call-harness.ts";
import { zoneAt } from "../../testing/zone-at.ts";
import { type ContactRequest, fillZones, mayContact } from "./service.ts";

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness({ env: { MARKET: "US" } });
});
afterAll(() => desk.close());

const awake = { timeZone: zoneAt(14) };
const asleep = { timeZone: zoneAt(3) };

function ask(request: Omit<ContactRequest, "rules" | "channel"> & Partial<ContactRequest>) {
  const { database, contactPolicy } = desk.portal.deps;
  return database.transaction((tx) => mayContact(tx, { channel: "call", rules: contactPolicy, ...request }));
}

async function sendTexts(input: { leadId: number; userId: number; count: number }) {
  const row = {
    leadId: input.leadId,
    userId: input.userId,
    direction: "outbound",
    body: "Hola",
    status: "delivered",
    fromNumber: "+12125550100",
    toNumber: "+12125550142",
  } as const;
  await desk.portal.deps.database.db.insert(messages).values(Array(input.count).fill(row));
}

/** Checks the contact policy and, if allowed, inserts the SMS in the same transaction. */
async function text(input: { leadId: number; userId: number }): Promise<boolean> {
  const { database, contactPolicy } = desk.portal.deps;
  return database.transaction(async (tx) => {
    const answer = await mayContact(tx, { ...input, channel: "text", rules: contactPolicy });
    if (answer.allowed) {
      await tx.insert(messages).values({
        ...input,
        direction: "outbound",
        body: "Hola",
        status: "requested",
        fromNumber: "+12125550100",
        toNumber: "+12125550142",
      });
    }
    return answer.allowed;
  });
}

async function attempts(lead: { id: number; phoneE164: string | null }, count: number) {
  const other = await desk.signInRep();
  for (let n = 0; n < count; n += 1) {
    const moment = new Date(Date.now() - n * 1000);
    await desk.callRow(other, lead, {
      state: "ended",
      settled: true,
      requested_at: moment,
      lead_ringing_at: moment,
    });
  }
}

describe("a lead outside contact hours", () => {
  it("is rejected with the next allowed time, and nothing is written", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", asleep);
    const before = await desk.count("calls");
    const answer = await rep.post("/api/make-call", { leadId: lead.id });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "contact_refused", reason: "outside_hours" },
    });
    expect(Date.parse(answer.body.nextAllowedAt)).toBeGreaterThan(Date.now());
    expect(await desk.count("calls")).toBe(before);
    expect(await desk.legsTo(lead.phoneE164)).toEqual([]);
  });

  it("has the same decision in the list before a call is requested", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", asleep);
    const refused = await rep.post("/api/make-call", { leadId: lead.id });
    const [listed] = (await rep.get("/api/leads?limit=5")).body;
    expect(listed).toMatchObject({
      callRefusal: "outside_hours",
      callAllowedAt: refused.body.nextAllowedAt,
      textRefusal: "outside_hours",
      textAllowedAt: refused.body.nextAllowedAt,
    });
  });

  it("can be called inside them", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", awake);
    expect((await rep.get(`/api/leads/${lead.id}`)).body).toMatchObject({
      callRefusal: null,
      callAllowedAt: null,
      textRefusal: null,
      textAllowedAt: null,
    });
    expect((await desk.untilSettled(rep, (await desk.call(rep, lead)).callId)).result).toBe("answered");
  });
});

describe("an override by an administrator", () => {
  const overrideReason = "They asked for a call at this hour";

  it("is rejected for a consultant", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", asleep);
    const answer = await rep.post("/api/make-call", { leadId: lead.id, overrideReason });
    expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it("allows the call, and is in the audit log and on the timeline", async () => {
    const admin = await desk.signInRep("answers", { role: "admin" });
    const lead = await desk.leadOf(await desk.signInRep(), "answers", { ...asleep, callOptOut: "dnd" });
    expect((await admin.post("/api/make-call", { leadId: lead.id })).body.reason).toBe("opted_out");
    const { status, body } = await admin.post("/api/make-call", { leadId: lead.id, overrideReason });
    expect(status).toBe(200);
    expect((await desk.untilSettled(admin, body.callId)).result).toBe("answered");
    const { rows } = await desk.pool.query(
      "select * from audit_log where action = 'contact-override' and subject = $1",
      [`lead:${lead.id}`],
    );
    expect(rows).toMatchObject([
      { user_id: admin.user.id, data: { channel: "call", refusal: "opted_out", reason: overrideReason } },
    ]);
    expect(await desk.timeline(lead.id)).toContain("contact-override");
  });

  it("is not recorded when it was not needed", async () => {
    const admin = await desk.signInRep("busy", { role: "admin" });
    const lead = await desk.leadOf(admin, "answers", awake);
    const { body } = await admin.post("/api/make-call", { leadId: lead.id, overrideReason });
    await desk.untilEnded(admin, body.callId);
    expect(await desk.timeline(lead.id)).not.toContain("contact-override");
  });

  it("does not apply while the lead is on another call", async () => {
    const [rep, admin] = [await desk.signInRep(), await desk.signInRep("answers", { role: "admin" })];
    const lead = await desk.leadOf(rep, "answers", awake);
    await desk.callRow(rep, lead, { state: "in_progress" });
    const answer = await admin.post("/api/make-call", { leadId: lead.id, overrideReason });
    expect(answer).toMatchObject({ status: 409, body: { code: "lead_on_call" } });
  });
});

describe("contact limits", () => {
  it("count calls that rang the lead, by any consultant", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", awake);
    await attempts(lead, limits.callAttemptsPerDay - 1);
    await desk.callRow(rep, lead, { state: "ended", settled: true });
    const request = { leadId: lead.id, userId: rep.user.id };
    expect(await ask(request)).toEqual({ allowed: true });
    await attempts(lead, 1);
    expect(await ask(request)).toMatchObject({ allowed: false, reason: "attempt_cap" });
    expect((await rep.get(`/api/leads/${lead.id}`)).body).toMatchObject({
      callRefusal: "attempt_cap",
      textRefusal: null,
    });
  });

  it("of a state apply by the number's area or the lead's address", async () => {
    const rep = await desk.signInRep();
    const byArea = { phone: "(305) 555-0160", timeZone: zoneAt(14) };
    const byAddress = { ...awake, extra: { imported: { City: "Miami", "State/Region": "FL" } } };
    for (const place of [byArea, byAddress]) {
      const lead = await desk.leadOf(rep, "answers", place);
      await attempts(lead, 2);
      const reason = async () => {
        const answer = await ask({ leadId: lead.id, userId: rep.user.id });
        return answer.allowed ? null : answer.reason;
      };
      expect(await reason()).not.toBe("attempt_cap");
      await attempts(lead, 1);
      expect(["attempt_cap", "outside_hours"]).toContain(await reason());
      const [listed] = (await rep.get("/api/leads?limit=1")).body;
      expect([listed.id, listed.callRefusal]).toEqual([lead.id, await reason()]);
    }
  });

  it("of a state count calls to the number across all of its leads", async () => {
    const rep = await desk.signInRep();
    const place = { phone: "(305) 555-0161", timeZone: zoneAt(14) };
    const [lead, twin] = [await desk.leadOf(rep, "answers", place), await desk.leadOf(rep, "answers", place)];
    const reason = async () => {
      const answer = await ask({ leadId: twin.id, userId: rep.user.id });
      return answer.allowed ? null : answer.reason;
    };
    await attempts(lead, 2);
    expect(await reason()).not.toBe("attempt_cap");
    await attempts(lead, 1);
    // Outside Miami's contact hours, that is the reason.
    expect(["attempt_cap", "outside_hours"]).toContain(await reason());
    const [listed] = (await rep.get("/api/leads?limit=1")).body;
    expect([listed.id, listed.callRefusal]).toEqual([twin.id, await reason()]);
  });

  it("delay a consultant who makes too many calls in a minute, with the next allowed time", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", awake);
    const requestedAt = new Date(Date.now() - 20_000);
    for (let n = 0; n < limits.repCallsPerMinute; n += 1)
      await desk.callRow(rep, lead, { state: "ended", settled: true, requested_at: requestedAt });
    const answer = await rep.post("/api/make-call", { leadId: lead.id });
    expect(answer).toMatchObject({
      status: 409,
      body: {
        reason: "rep_cap",
        nextAllowedAt: new Date(requestedAt.getTime() + 60_000).toISOString(),
      },
    });
  });

  it("allow one of two concurrent SMS when one is left", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", awake);
    await sendTexts({
      leadId: lead.id,
      userId: (await desk.signInRep()).user.id,
      count: limits.textsPerDay - 1,
    });
    const input = { leadId: lead.id, userId: rep.user.id };
    const sent = await Promise.all([text(input), text(input), text(input)]);
    expect(sent.filter(Boolean)).toHaveLength(1);
  });

  it("allow one of two concurrent SMS to different leads when the consultant has one left", async () => {
    const rep = await desk.signInRep();
    const full = await desk.leadOf(rep, "answers", awake);
    await sendTexts({ leadId: full.id, userId: rep.user.id, count: limits.repTextsPerMinute - 1 });
    const leads = await Promise.all([1, 2, 3].map(() => desk.leadOf(rep, "answers", awake)));
    const sent = await Promise.all(leads.map((lead) => text({ leadId: lead.id, userId: rep.user.id })));
    expect(sent.filter(Boolean)).toHaveLength(1);
  });
});

describe("the decision at the time of the call", () => {
  it.each([
    ["contact hours end", false, "<Hangup"],
    ["an override by an administrator still applies", true, "<Dial"],
  ])("considers the time: %s", async (_what, overridden, verb) => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", asleep);
    const callSid = `CA${String(lead.id).padStart(32, "0")}`;
    const asked = { call_sid: callSid, state: "confirming", rep_leg: "in-progress", overridden };
    const callId = await desk.callRow(rep, lead, asked);
    const pressed = { CallSid: callSid, CallStatus: "in-progress", Digits: "1" };
    const { body } = await desk.webhook(`/api/twilio/voice/confirm?call=${callId}`, pressed);
    expect(body).toContain(verb);
    const over = { CallSid: callSid, CallStatus: "completed" };
    await desk.webhook(`/api/twilio/voice/rep-status?call=${callId}`, over);
    const ended = await desk.untilEnded(rep, callId);
    expect(ended.failure).toBe(overridden ? null : "It is outside the lead's hours by now.");
    if (!overridden) expect(ended.result).toBe("not_confirmed");
  });

  it("considers an opt-out", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", awake);
    expect((await rep.get(`/api/leads/${lead.id}`)).body.callRefusal).toBeNull();
    await desk.pool.query("update leads set call_opt_out = 'dnd' where id = $1", [lead.id]);
    expect((await rep.post("/api/make-call", { leadId: lead.id })).body.reason).toBe("opted_out");
    expect(await desk.legsTo(await desk.repNumber(rep))).toEqual([]);
  });

  it("waits for an opt-out whose transaction is not yet committed", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", awake);
    const client = await desk.pool.connect();
    await client.query("begin");
    await client.query("update leads set call_opt_out = 'dnd' where id = $1", [lead.id]);
    const asked = ask({ leadId: lead.id, userId: rep.user.id });
    const first = await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 100, "waits"))]);
    await client.query("commit");
    client.release();
    expect(first).toBe("waits");
    expect(await asked).toEqual({ allowed: false, reason: "opted_out" });
  });

  it("treats a lead who is calling as busy", async () => {
    const [rep, admin] = [await desk.signInRep(), await desk.signInRep("answers", { role: "admin" })];
    const [lead, other] = [
      await desk.leadOf(rep, "answers", awake),
      await desk.leadOf(rep, "answers", awake),
    ];
    await desk.pool.query(
      "insert into inbound_calls (call_sid, from_number, lead_id, owner_id, stage) values ($1, $2, $3, $4, 'ringing_rep')",
      [`CA${lead.id}`, lead.phoneE164, lead.id, rep.user.id],
    );
    expect(await ask({ leadId: lead.id, userId: admin.user.id })).toMatchObject({ reason: "lead_on_call" });
    expect(await ask({ leadId: other.id, userId: rep.user.id })).toMatchObject({ reason: "rep_on_call" });
    await desk.pool.query("update inbound_calls set stage = 'ended' where lead_id = $1", [lead.id]);
    expect(await ask({ leadId: lead.id, userId: rep.user.id })).toEqual({ allowed: true });
  });
});

describe("leads from before zones were stored", () => {
  it("get a zone in batches; numbers without one are skipped", async () => {
    const rep = await desk.signInRep();
    const place = { timeZone: null, phone: "(323) 555-0142" };
    const [west, free, kept] = [
      await desk.leadOf(rep, "answers", place),
      await desk.leadOf(rep, "answers", { timeZone: null, phone: "(800) 555-0142" }),
      await desk.leadOf(rep, "answers", { ...place, ...awake }),
    ];
    expect(await fillZones(desk.portal.deps.database.db, 0)).toBeNull();
    const { rows } = await desk.pool.query("select time_zone from leads where id = any($1) order by id", [
      [west.id, free.id, kept.id],
    ]);
    expect(rows.map((row) => row.time_zone)).toEqual(["America/Los_Angeles", null, awake.timeZone]);
  });
});
