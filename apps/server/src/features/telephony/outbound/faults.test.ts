import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";
import { buildTestApp } from "../../../testing/test-app.ts";
import { createTestDatabase } from "../../../testing/test-database.ts";
import { type CallsContext, callTimings } from "../types.ts";
import { reconcileCalls } from "./jobs.ts";
import { callbackUrls } from "./service.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Everything is due at once. */
const atOnce = {
  silenceMs: 0,
  unansweredMs: 0,
  giveUpMs: 0,
  abandonedMs: 0,
  unsettledMs: 0,
  detectionMs: 0,
  messageMs: 0,
  againMs: 0,
};

let desk: CallHarness;
let calls: CallsContext;
beforeAll(async () => {
  desk = await openCallHarness();
  calls = desk.portal.deps.calls;
});
afterEach(async () => {
  calls.timings = callTimings;
  await desk.sandbox.control("DELETE", "/fail");
  await desk.sandbox.control("DELETE", "/latency");
  await desk.sandbox.control("POST", "/webhooks", {});
});
afterAll(() => desk.close());

const fail = (rule: object) =>
  desk.sandbox.control("POST", "/fail", { vendor: "twilio", match: "Calls.json", method: "POST", ...rule });
/** A call that was just checked with the provider, so that the next check is the test's, for which everything is due at once. */
const justChecked = () => ({ checked_at: new Date() });
const reconcile = (context: CallsContext = calls) => reconcileCalls({ ...context, timings: atOnce });
const telephony = () => {
  if (!calls.telephony) throw new Error("telephony is off");
  return calls.telephony;
};

describe("a provider that rejects a call", () => {
  it("ends the call with the reason, and the rep can call again", async () => {
    const rep = await desk.signInRep("invalid");
    const lead = await desk.leadOf(rep);
    const answer = await rep.post("/api/make-call", { leadId: lead.id });
    expect(answer).toMatchObject({ status: 502, body: { code: "provider_refused" } });
    expect(answer.body.message).toContain("Check it in Settings");
    const { rows } = await desk.pool.query("select id from calls where user_id = $1", [rep.user.id]);
    const call = await desk.see(rep, rows[0].id);
    expect(call).toMatchObject({
      state: "ended",
      result: "failed",
      failure: answer.body.message,
      callSid: null,
    });
    expect((await rep.get(`/api/leads/${lead.id}/timeline`)).body).toEqual([
      expect.objectContaining({ kind: "call-attempt", outcome: "failed", text: answer.body.message }),
    ]);
    expect(await desk.logs(rep)).toEqual([]);
    expect((await rep.post("/api/make-call", { leadId: lead.id })).body.code).toBe("provider_refused");
  });

  it.each([
    [429, 4, "provider_unavailable"],
    [401, 1, "provider_refused"],
  ])("reports at status %i that nothing was dialed", async (status, count, code) => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await fail({ status, count });
    expect(await rep.post("/api/make-call", { leadId: lead.id })).toMatchObject({
      status: 502,
      body: { code },
    });
    expect(await desk.legsTo(await desk.repNumber(rep))).toEqual([]);
    expect((await rep.get("/api/calls/live")).body.call).toBeNull();
    const { callId } = await desk.call(rep, lead);
    expect((await desk.untilSettled(rep, callId)).result).toBe("answered");
  });
});

describe("a provider whose response is ambiguous", () => {
  it("keeps the call live, is polled, and the call is given up when it was never placed", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await fail({ status: 500 });
    const answer = await rep.post("/api/make-call", { leadId: lead.id });
    expect(answer).toMatchObject({ status: 502, body: { code: "provider_unavailable" } });
    expect(answer.body.message).toContain("do not call again");
    const { id } = (await rep.get("/api/calls/live")).body.call;
    await reconcile();
    expect(await desk.see(rep, id)).toMatchObject({ state: "ended", result: "failed" });
    expect((await desk.see(rep, id)).failure).toContain("was not placed");
    expect(await desk.legsTo(await desk.repNumber(rep))).toEqual([]);
  });

  it.each([
    ["loses its response", { reset: true }],
    ["answers with an error", { status: 503 }],
    ["answers with an HTML page", { status: 200, html: true }],
  ])(
    "finds the call of a provider that acted and %s: one call, with its true result",
    async (_what, rule) => {
      const rep = await desk.signInRep();
      const lead = await desk.leadOf(rep);
      await fail({ ...rule, afterAct: true });
      const answer = await rep.post("/api/make-call", { leadId: lead.id });
      expect(answer).toMatchObject({ status: 502, body: { code: "provider_unavailable" } });
      const { rows } = await desk.pool.query("select id from calls where user_id = $1", [rep.user.id]);
      expect((await desk.untilSettled(rep, rows[0].id)).result).toBe("answered");
      expect(await desk.legsTo(await desk.repNumber(rep))).toHaveLength(1);
      expect(await desk.legsTo(lead.phoneE164)).toHaveLength(1);
      expect(await desk.logs(rep)).toMatchObject([{ outcome: "answered" }]);
    },
  );

  it("finds a call by number and time without any callback", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    // The server died between the provider's response and the commit, and nothing listens at the old URL.
    const id = await desk.callRow(rep, lead, justChecked());
    const to = await desk.repNumber(rep);
    const leg = await telephony().placeCall({ to, urls: callbackUrls("http://127.0.0.1:9", id) });
    await reconcile();
    expect((await desk.see(rep, id)).callSid).toBe(leg.sid);
    await eventually("the truth", async () => {
      await reconcile();
      return (await desk.see(rep, id)).state === "ended";
    });
    expect((await desk.see(rep, id)).result).toBe("not_confirmed");
    expect(await desk.legsTo(lead.phoneE164)).toEqual([]);
  });

  it("does not match another call's leg", async () => {
    const [rep, other] = [await desk.signInRep(null), await desk.signInRep(null)];
    await desk.pool.query("update users set personal_phone_e164 = $1 where id = any($2)", [
      "+17865550199",
      [rep.user.id, other.user.id],
    ]);
    const sid = (
      await telephony().placeCall({ to: "+17865550199", urls: callbackUrls("http://127.0.0.1:9", 1) })
    ).sid;
    await desk.callRow(other, await desk.leadOf(other), { ...justChecked(), call_sid: sid });
    const id = await desk.callRow(rep, await desk.leadOf(rep), justChecked());
    await reconcile();
    expect(await desk.see(rep, id)).toMatchObject({ callSid: null, state: "ended", result: "failed" });
    await eventually("the other's end", async () => {
      await reconcile();
      return (await other.get("/api/calls/live")).body.call === null;
    });
  });
});

describe("a server that is killed", () => {
  it("never dials later what was waiting before", async () => {
    const rep = await desk.signInRep();
    const id = await desk.callRow(rep, await desk.leadOf(rep), {
      ...justChecked(),
      asked_at: null,
      dials_at: new Date(),
    });
    await reconcile();
    expect(await desk.see(rep, id)).toMatchObject({ state: "ended", result: "failed" });
    expect(await desk.legsTo(await desk.repNumber(rep))).toEqual([]);
  });

  it("has its live call completed by another on the same database", async () => {
    const database = await createTestDatabase();
    const first = await openCallHarness({ databaseUrl: database.url });
    const second = await buildTestApp({ env: first.env, databaseUrl: database.url });
    try {
      const rep = await first.signInRep();
      const lead = await first.leadOf(rep);
      await first.byHand(lead.phoneE164);
      const { callId } = await first.call(rep, lead);
      await eventually("the lead's phone", async () => (await first.see(rep, callId)).leadRingingAt);
      await first.phone(lead.phoneE164 ?? "", "answer");
      await first.untilState(rep, callId, "in_progress");
      await first.portal.close();
      await first.phone(lead.phoneE164 ?? "", "hangup");

      const see = () => second.request("GET", `/api/calls/${callId}`, { cookie: rep.cookie });
      const ended = await eventually("the other's word", async () => {
        await reconcile(second.deps.calls);
        const { body } = await see();
        return body.state === "ended" && body.talkSeconds !== null && body;
      });
      expect(ended).toMatchObject({ result: "answered" });
      const logs = await second.request("GET", "/api/call-logs", { cookie: rep.cookie });
      expect(logs.body).toMatchObject([
        { outcome: "answered", confirmed: false, duration: ended.talkSeconds },
      ]);
    } finally {
      await second.close();
      await first.sandbox.close();
      await database.drop();
    }
  });

  it("makes one call for clicks on two servers", async () => {
    const second = await buildTestApp({ env: desk.env, databaseUrl: desk.portal.deps.env.databaseUrl });
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.byHand(await desk.repNumber(rep));
    const clicks = Array.from({ length: 6 }, (_, index) =>
      (index % 2 ? second : desk.portal).request("POST", "/api/make-call", {
        cookie: rep.cookie,
        body: { leadId: lead.id },
      }),
    );
    const answers = await Promise.all(clicks);
    await second.close();
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.callSid}`)).size).toBe(1);
    expect(await desk.legsTo(await desk.repNumber(rep))).toHaveLength(1);
    await rep.post(`/api/calls/${answers[0]?.body.callId}/end`);
  });
});

describe("lost and unordered webhooks", () => {
  it("are replaced by the provider's report when every status is lost", async () => {
    await desk.sandbox.control("POST", "/webhooks", { drop: 1_000 });
    const rep = await desk.signInRep();
    const { callId } = await desk.call(rep, await desk.leadOf(rep));
    const ended = await desk.untilEnded(rep, callId);
    expect(ended.result).toBe("answered");
    expect(ended.talkSeconds).toBeGreaterThan(0);
  });

  it("are replaced by a request for machine detection when its result is lost", async () => {
    await desk.sandbox.control("POST", "/webhooks", { drop: 1_000 });
    const rep = await desk.signInRep();
    const { callId } = await desk.call(rep, await desk.leadOf(rep, "voicemail"));
    await desk.untilEnded(rep, callId);
    await eventually("the provider's word", async () => {
      await reconcile();
      return (await desk.see(rep, callId)).result === "voicemail";
    });
    expect(await desk.logs(rep)).toMatchObject([{ outcome: "voicemail" }]);
  });

  it("are replaced by a request for a late machine detection during the call", async () => {
    await desk.sandbox.control("POST", "/webhooks", { drop: 1_000, match: "/detection" });
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.byHand(lead.phoneE164);
    const { callId } = await desk.call(rep, lead);
    const leg = await eventually("the lead's phone", async () =>
      (await desk.legsTo(lead.phoneE164)).find(({ status }) => status === "ringing"),
    );
    await desk.phone(leg.sid, "answer");
    expect(await desk.untilState(rep, callId, "in_progress")).toMatchObject({ answeredBy: null });
    await eventually("the detection", async () => {
      const { answeredBy } = await desk.sandbox.control("GET", `/calls/${leg.sid}`);
      return answeredBy === "human";
    });
    // A callback being processed locks the call; then the next check finds it.
    const call = await eventually("who answered", async () => {
      await reconcile();
      const seen = await desk.see(rep, callId);
      return seen.answeredBy !== null && seen;
    });
    expect(call).toMatchObject({ state: "in_progress", answeredBy: "person" });
    await rep.post(`/api/calls/${callId}/end`);
    await desk.untilSettled(rep, callId);
  });

  it("of machine detection give the result unknown when the provider cannot be reached", async () => {
    await fail({ match: "/Calls/", method: "GET", count: 1_000 });
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const answeredAt = new Date(Date.now() - 40_000);
    const callId = await desk.callRow(rep, lead, {
      ...justChecked(),
      call_sid: `CA${"9".repeat(32)}`,
      state: "in_progress",
      lead_leg: "in-progress",
      pressed: true,
      answered_at: answeredAt,
      lead_ringing_at: answeredAt,
    });
    await reconcileCalls({ ...calls, timings: { ...calls.timings, againMs: 0 } });
    expect(await desk.see(rep, callId)).toMatchObject({ state: "in_progress", answeredBy: "unknown" });
    await desk.pool.query("update calls set state = 'ended', settled = true where id = $1", [callId]);
  });

  it("are replaced by a request for the end of a call whose rep's phone sent no further event", async () => {
    await desk.sandbox.control("POST", "/webhooks", { drop: 1_000 });
    const rep = await desk.signInRep("busy");
    const { callId } = await desk.call(rep, await desk.leadOf(rep));
    await eventually("the provider's word", async () => {
      await reconcile();
      return (await desk.see(rep, callId)).state === "ended";
    });
    expect((await desk.see(rep, callId)).result).toBe("rep_not_reached");
  });

  it("do not change the result when repeated and reordered", async () => {
    await desk.sandbox.control("POST", "/webhooks", { repeat: 0.9, shuffle: 0.9 });
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "voicemail");
    const { callId } = await desk.call(rep, lead);
    const ended = await eventually("voicemail", async () => {
      const call = await desk.see(rep, callId);
      return call.state === "ended" && call.result === "voicemail" && call;
    });
    expect(await desk.logs(rep)).toMatchObject([{ outcome: "voicemail", duration: ended.talkSeconds }]);
    expect((await desk.timeline(lead.id)).filter((kind) => kind === "call-ended")).toHaveLength(1);
  });
});

describe("polling calls without events", () => {
  it("continues with the next when the provider fails for one", async () => {
    const [rep, other] = [await desk.signInRep(), await desk.signInRep("busy")];
    await desk.byHand(await desk.repNumber(rep));
    const stuck = await desk.call(rep, await desk.leadOf(rep));
    await fail({ match: `Calls/${stuck.callSid}`, method: "GET", status: 500, count: 1_000 });
    await desk.sandbox.control("POST", "/webhooks", { drop: 1_000 });
    const { callId } = await desk.call(other, await desk.leadOf(other));
    await eventually("the other's end", async () => {
      await reconcile();
      return (await desk.see(other, callId)).state === "ended";
    });
    expect((await desk.see(rep, stuck.callId)).state).not.toBe("ended");
    await rep.post(`/api/calls/${stuck.callId}/end`);
  });

  it("leaves a leg on the shared office line to the call that was requested when it started", async () => {
    const [rep, other] = [await desk.signInRep(null), await desk.signInRep(null)];
    await desk.pool.query("update users set personal_phone_e164 = $1 where id = any($2)", [
      "+17865550194",
      [rep.user.id, other.user.id],
    ]);
    // The first was never placed; the second was, and its response is pending.
    const lost = await desk.callRow(rep, await desk.leadOf(rep), {
      ...justChecked(),
      asked_at: new Date(Date.now() - 9_000),
    });
    const placed = await desk.callRow(other, await desk.leadOf(other), justChecked());
    const urls = callbackUrls("http://127.0.0.1:9", placed);
    const { sid } = await telephony().placeCall({ to: "+17865550194", urls });
    await reconcileCalls({ ...calls, timings: { ...atOnce, unansweredMs: 5_000 } });
    expect((await desk.see(rep, lost)).callSid).toBeNull();
    await reconcile();
    expect((await desk.see(other, placed)).callSid).toBe(sid);
  });
});

describe("a request to end a call before the provider responded", () => {
  it("ends the call as soon as its sid is known", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.byHand(await desk.repNumber(rep));
    await desk.sandbox.control("POST", "/latency", { vendor: "twilio", method: "POST", ms: 60_000 });
    const request = rep.post("/api/make-call", { leadId: lead.id });
    const { id } = await eventually("the asked call", async () => {
      const { call } = (await rep.get("/api/calls/live")).body;
      const { rows } = await desk.pool.query("select asked_at from calls where id = $1", [call?.id ?? 0]);
      return rows[0]?.asked_at && call;
    });
    expect((await rep.post(`/api/calls/${id}/end`)).status).toBe(200);
    await desk.sandbox.control("DELETE", "/latency");
    await request;
    expect(await desk.untilSettled(rep, id)).toMatchObject({ result: "canceled" });
    expect((await desk.legsTo(await desk.repNumber(rep)))[0]?.status).toBe("canceled");
  });

  it("is retried when the provider failed to end it", async () => {
    const rep = await desk.signInRep();
    await desk.byHand(await desk.repNumber(rep));
    const { callId, callSid } = await desk.call(rep, await desk.leadOf(rep));
    await fail({ match: `Calls/${callSid}`, status: 500 });
    expect(await rep.post(`/api/calls/${callId}/end`)).toMatchObject({ status: 502 });
    await eventually("the second try", async () => {
      await reconcile();
      return (await desk.see(rep, callId)).state === "ended";
    });
    expect((await desk.legsTo(await desk.repNumber(rep)))[0]?.status).toBe("canceled");
  });
});
