import type { DialerSession } from "@portal/contract/entities/dialer";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";
import type { Client } from "../../../testing/test-app.ts";
import { reconcileCalls } from "../../telephony/outbound/jobs.ts";
import { callTimings } from "../../telephony/types.ts";

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
});
afterEach(async () => {
  desk.portal.deps.calls.timings = callTimings;
  await desk.sandbox.control("DELETE", "/fail");
  await desk.sandbox.control("DELETE", "/latency");
  await desk.sandbox.control("POST", "/webhooks", {});
});
afterAll(() => desk.close());

const everyone = { source: { kind: "filter", status: "all" }, lineMode: "open_line", delaySeconds: 3 };

interface Leg {
  sid: string;
  status: string;
  activity: string;
  heard: string[];
  asked: number;
  warnings: string[];
}

async function start(rep: Client, more: object = {}): Promise<DialerSession> {
  const answer = await rep.post("/api/dialer/start", { ...everyone, ...more });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function see(rep: Client): Promise<DialerSession> {
  const { session } = await eventually("the session's answer", async () => {
    const { status, body } = await rep.get("/api/dialer");
    return status === 200 && body;
  });
  return session;
}

const until = (rep: Client, what: string, check: (session: DialerSession) => unknown) =>
  eventually(what, async () => {
    const session = await see(rep);
    return check(session) ? session : null;
  });

async function sendCommand(rep: Client, session: DialerSession, command: string): Promise<DialerSession> {
  const { position } = session;
  const answer = await rep.post(`/api/dialer/${session.id}/command`, { command, position });
  expect(answer.status).toBe(200);
  return answer.body;
}

const wrapUp = (rep: Client, session: DialerSession, more: object = {}) =>
  rep.post(`/api/dialer/${session.id}/wrap-up`, {
    callId: session.call?.id,
    outcome: session.suggestedOutcome ?? "answered",
    ...more,
  });

/** The legs to the consultant's phone. */
const linesOf = async (rep: Client): Promise<Leg[]> =>
  desk.legsTo(await desk.repNumber(rep)) as Promise<Leg[]>;

async function workThrough(rep: Client): Promise<DialerSession> {
  return eventually("the session's end", async () => {
    const session = await see(rep);
    if (session.status !== "active") return session;
    if (session.step === "wrap_up" && session.call) {
      await desk.untilSettled(rep, session.call.id);
      await wrapUp(rep, await see(rep));
    }
    return null;
  });
}

describe("an open line", () => {
  it("rings the consultant once, and connects lead after lead until the last", async () => {
    const rep = await desk.signInRep();
    const old = (days: number) => ({ createdAt: new Date(Date.now() - days * 86_400_000) });
    const leads = [
      await desk.leadOf(rep, "answers", old(1)),
      await desk.leadOf(rep, "busy", old(2)),
      await desk.leadOf(rep, "silent", old(3)),
      await desk.leadOf(rep, "voicemail", old(4)),
      await desk.leadOf(rep, "invalid", old(5)),
    ];
    const started = await start(rep);
    expect(started).toMatchObject({ lineMode: "open_line", status: "active", line: { endReason: null } });
    const ended = await workThrough(rep);
    expect(ended).toMatchObject({ status: "completed", position: 5, counts: { dialled: 5 } });

    const legs = await linesOf(rep);
    expect(legs).toHaveLength(1);
    expect(legs[0]?.warnings).toEqual([]);
    expect(legs[0]?.heard.slice(0, 3)).toEqual([
      "Press 1 to open your line.",
      "5 leads wait.",
      `${leads[0]?.name}, first try.`,
    ]);
    for (const lead of leads) expect(await desk.legsTo(lead.phoneE164)).toHaveLength(1);
    const { rows } = await desk.pool.query(
      "select c.*, l.outcome from calls c left join call_logs l on l.call_id = c.id where c.user_id = $1 order by c.id",
      [rep.user.id],
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual([
      "answered",
      "busy",
      "no_answer",
      "voicemail",
      "disconnected",
    ]);
    expect(rows.every(({ line_id: lineId, settled }) => lineId !== null && settled)).toBe(true);
    expect(rows[0].duration_seconds).toBeGreaterThan(0);
    expect(rows[0].call_sid).toBe(rows[0].lead_call_sid);
    const line = await until(rep, "the end of the line", ({ line }) => line?.state === "ended");
    expect(line.line).toMatchObject({ endReason: "session_over" });
  });

  it("ends the lead's leg with the consultant's, pauses, and resumes by a new call to the consultant", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.leadOf(rep, "answers", { createdAt: new Date(Date.now() - 86_400_000) });
    await desk.byHand(lead.phoneE164);
    await start(rep, { brief: "off" });
    const [ringing] = await eventually("the lead's ringing", async () => {
      const legs = await desk.legsTo(lead.phoneE164);
      return legs.some(({ status }) => status === "ringing") && legs;
    });
    await desk.phone(ringing?.sid ?? "", "answer");
    const talking = await until(rep, "the talk", ({ step }) => step === "talking");
    const [line] = await linesOf(rep);
    await desk.phone(line?.sid ?? "", "hangup");
    const paused = await until(
      rep,
      "the pause",
      ({ status, line }) => status === "paused" && line?.state === "ended",
    );
    expect(paused).toMatchObject({
      pauseReason: "line_ended",
      phase: "wrap_up",
      line: { endReason: "hung_up" },
    });
    expect((await desk.legsTo(lead.phoneE164))[0]?.status).toBe("completed");
    expect(paused.position).toBe(talking.position);
    const call = await desk.untilSettled(rep, talking.call?.id ?? 0);
    expect(call).toMatchObject({ state: "ended", onLine: true });

    await sendCommand(rep, paused, "resume");
    const again = await until(rep, "the new line", ({ line }) => line?.state === "open");
    expect(again).toMatchObject({ status: "active", phase: "wrap_up", position: paused.position });
    expect(again.line?.id).not.toBe(paused.line?.id);
    await wrapUp(rep, again);
    await until(rep, "the second lead", ({ position, phase }) => position === 1 && phase === "calling");
    expect(await linesOf(rep)).toHaveLength(2);
    await sendCommand(rep, await see(rep), "stop");
    await until(rep, "the end of the line", ({ line }) => line?.state === "ended");
    // The conversation continued without the session, and the line ended after it.
    expect((await desk.logs(rep)).length).toBe(2);
  });

  it("waits while it is paused on screen, skips only the lead, and dials the lead that the screen requests", async () => {
    const rep = await desk.signInRep();
    const first = await desk.leadOf(rep, "answers", { createdAt: new Date() });
    await desk.leadOf(rep, "answers", { createdAt: new Date(Date.now() - 86_400_000) });
    const other = await desk.leadOf(rep, "busy", { createdAt: new Date(Date.now() - 2 * 86_400_000) });
    await desk.byHand(first.phoneE164);
    await start(rep, { brief: "off", delaySeconds: 30 });
    const ringing = await until(rep, "the first lead", ({ step }) => step === "ringing_lead");
    await eventually("the lead's leg", async () => (await see(rep)).call?.callSid);
    await sendCommand(rep, ringing, "skip");
    const next = await until(rep, "the second lead", ({ position, phase, step }) =>
      position === 1 ? phase === "countdown" : step === "wrap_up",
    );
    if (next.step === "wrap_up") await wrapUp(rep, next, { outcome: "no_answer" });
    const counting = await until(rep, "the countdown", ({ phase }) => phase === "countdown");
    await sendCommand(rep, counting, "pause");
    const [line] = await linesOf(rep);
    await eventually("the words", async () =>
      (await linesOf(rep))[0]?.heard.includes("Paused. Press 1 to go on."),
    );
    expect((await linesOf(rep))[0]?.status).toBe("in-progress");

    const { callId } = await desk.call(rep, other);
    await desk.untilSettled(rep, callId);
    expect(await desk.see(rep, callId)).toMatchObject({ result: "busy", onLine: true });
    await sendCommand(rep, await see(rep), "resume");
    await until(rep, "the second lead", ({ step }) => step === "talking");
    expect((await linesOf(rep)).map(({ sid }) => sid)).toEqual([line?.sid]);
  });

  it("works by keys alone, with the screen off", async () => {
    const rep = await desk.signInRep();
    const old = (days: number) => ({ createdAt: new Date(Date.now() - days * 86_400_000) });
    const [, , third] = [
      await desk.leadOf(rep, "answers", old(1)),
      await desk.leadOf(rep, "busy", old(2)),
      await desk.leadOf(rep, "silent", old(3)),
      await desk.leadOf(rep, "voicemail", old(4)),
    ];
    const { id } = await start(rep, { brief: "off" });
    // No key is detected between two requests of the leg, so fewer requests make a key more reliable.
    await desk.sandbox.control("POST", "/speed", { speed: 10 });
    const line = async () => (await linesOf(rep))[0];
    const place = async () => {
      const { rows } = await desk.pool.query(
        "select position, phase, status from dialer_sessions where id = $1",
        [id],
      );
      return rows[0];
    };
    const asked = (position: number) =>
      eventually(`the question about lead ${position}`, async () => {
        const at = await place();
        return at.position === position && at.phase === "wrap_up" && (await line())?.activity === "gathering";
      });
    /** Presses a key and waits for the expected announcement. */
    const press = async (digits: string, words?: string) => {
      const before = (await line())?.heard.length ?? 0;
      await desk.phone((await line())?.sid ?? "", "press", { digits });
      if (!words) return;
      await eventually(words, async () =>
        (await line())?.heard.slice(before).some((heard) => heard.includes(words)),
      );
      await eventually("the next question", async () => (await line())?.activity === "gathering");
    };

    await asked(0);
    expect((await line())?.heard.some((heard) => heard.startsWith("After a call: 1 answered"))).toBe(true);
    await press("9", "That key does nothing here.");
    expect(await place()).toMatchObject({ position: 0, phase: "wrap_up" });
    await press("1");
    await asked(1);
    await press("#");
    await asked(2);
    await press("*", "Busy. Press 1 to 6");
    await press("3", "No answer.");
    await press("7", "Call back: 1 in an hour");
    await press("1");
    await asked(3);
    await press("0", "Paused.");
    expect(await place()).toMatchObject({ position: 3, status: "paused" });
    await press("2");
    await eventually("the end", async () => (await place()).status === "completed");

    const logs = await desk.logs(rep);
    expect(logs.map(({ outcome, confirmed }) => [outcome, confirmed])).toEqual([
      ["voicemail", true],
      ["no_answer", true],
      ["no_answer", true],
      ["answered", true],
    ]);
    const { rows } = await desk.pool.query("select next_follow_up_at from leads where id = $1", [third?.id]);
    expect(Math.abs(rows[0].next_follow_up_at.getTime() - Date.now() - 3_600_000)).toBeLessThan(120_000);
    const ended = await until(rep, "the end of the line", ({ line }) => line?.state === "ended");
    expect(ended.line).toMatchObject({ endReason: "session_over" });
    expect(await linesOf(rep)).toHaveLength(1);
    await desk.sandbox.control("POST", "/speed", { speed: 60 });
  });
});

describe("a line whose creation response was lost", () => {
  const longMs = 600_000;
  const office = "+17865550194";
  const atOffice = async () => {
    const rep = await desk.signInRep(null);
    await desk.pool.query("update users set personal_phone_e164 = $1 where id = $2", [office, rep.user.id]);
    const lead = await desk.leadOf(rep);
    return { rep, lead };
  };
  const lineOf = async ({ user }: Client) => {
    const { rows } = await desk.pool.query("select * from lines where user_id = $1 order by id desc", [
      user.id,
    ]);
    return rows[0];
  };
  /** Starts a session whose line request fails at the provider in this way. */
  const startLost = async (rep: Client, rule: object) => {
    await desk.sandbox.control("POST", "/fail", {
      vendor: "twilio",
      match: "Calls.json",
      method: "POST",
      ...rule,
    });
    await desk.sandbox.control("DELETE", "/requests");
    await start(rep);
    await eventually("the request", async () => {
      const { requests } = await desk.sandbox.control("GET", "/requests?vendor=twilio&path=Calls.json");
      return requests.some(({ method }: { method: string }) => method === "POST");
    });
  };
  const asked9sAgo = (rep: Client) =>
    desk.pool.query("update lines set asked_at = asked_at - interval '9 s' where user_id = $1", [
      rep.user.id,
    ]);

  it("leaves a leg on the shared office line to the line that was requested when it started", async () => {
    desk.portal.deps.calls.timings = { ...callTimings, giveUpMs: longMs, unansweredMs: longMs };
    await desk.byHand(office);
    await desk.sandbox.control("POST", "/webhooks", { drop: 1_000 });
    const [first, second] = [await atOffice(), await atOffice()];
    await startLost(first.rep, { status: 500 });
    await asked9sAgo(first.rep);
    await startLost(second.rep, { reset: true, afterAct: true });
    const [leg] = await desk.legsTo(office);
    desk.portal.deps.calls.timings = { ...callTimings, giveUpMs: longMs, againMs: 0 };
    const sids = async () => [(await lineOf(first.rep)).call_sid, (await lineOf(second.rep)).call_sid];
    await eventually("whose it is", async () => (await sids()).some(Boolean));
    expect(await sids()).toEqual([null, leg?.sid]);
    for (const { rep } of [first, second]) await sendCommand(rep, await see(rep), "stop");
    await eventually("the end", async () => (await lineOf(second.rep)).state === "ended");
  });

  it("gets its own leg although a call that was never placed could match it", async () => {
    desk.portal.deps.calls.timings = { ...callTimings, giveUpMs: longMs, unansweredMs: longMs };
    await desk.byHand(office);
    await desk.sandbox.control("POST", "/webhooks", { drop: 1_000 });
    const [lost, { rep }] = [await atOffice(), await atOffice()];
    const asked_at = new Date(Date.now() - 9_000);
    const callId = await desk.callRow(lost.rep, lost.lead, { asked_at, checked_at: new Date() });
    await startLost(rep, { reset: true, afterAct: true });
    const { calls } = desk.portal.deps;
    await reconcileCalls({ ...calls, timings: { ...calls.timings, unansweredMs: 0, againMs: 0 } });
    expect((await desk.see(lost.rep, callId)).callSid).toBeNull();
    calls.timings = { ...callTimings, againMs: 0 };
    await eventually("the line's own", async () => (await lineOf(rep)).call_sid);
    await sendCommand(rep, await see(rep), "stop");
    await eventually("the end", async () => (await lineOf(rep)).state === "ended");
    await desk.untilEnded(lost.rep, callId);
  });
});

describe("a repeated request of an open line", () => {
  it("does not dial a lead twice whose leg becomes known during a request to the provider", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.byHand(lead.phoneE164);
    await desk.sandbox.control("POST", "/webhooks", { drop: 1_000, match: "/voice/" });
    await start(rep, { brief: "off" });
    const [leg] = await eventually("the lead's phone", async () => {
      const legs = await desk.legsTo(lead.phoneE164);
      return legs.some(({ status }) => status === "ringing") && legs;
    });
    const { rows } = await desk.pool.query(
      "select c.id, l.id as line, l.call_sid as sid from calls c join lines l on l.id = c.line_id where c.user_id = $1",
      [rep.user.id],
    );
    const [{ id, line, sid }] = rows;
    const known = async () =>
      (await desk.pool.query("select call_sid from calls where id = $1", [id])).rows[0].call_sid;
    expect(await known()).toBeNull();

    await desk.sandbox.control("DELETE", "/requests");
    await desk.sandbox.control("POST", "/latency", {
      vendor: "twilio",
      match: "Calls.json",
      method: "GET",
      ms: 120_000,
    });
    const answer = desk.webhook(`/api/twilio/line/next?line=${line}`, {
      CallSid: sid,
      CallStatus: "in-progress",
    });
    await eventually("the provider to be asked", async () => {
      const { requests } = await desk.sandbox.control("GET", "/requests?vendor=twilio&path=Calls.json");
      return requests.length > 0;
    });
    await desk.webhook(`/api/twilio/voice/lead-status?call=${id}`, {
      ...{ CallSid: leg?.sid ?? "", ParentCallSid: sid, CallStatus: "ringing", SequenceNumber: "1" },
    });
    await eventually("the leg's id", known);
    await desk.sandbox.control("DELETE", "/latency");
    const { body } = await answer;
    expect(body).not.toContain("<Dial");
    expect(body).toContain("<Redirect");
    await desk.phone(lead.phoneE164 ?? "", "hangup");
    await sendCommand(rep, await see(rep), "stop");
  });

  it("applies the end of a call together with concurrent writes of another process", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.byHand(lead.phoneE164);
    await start(rep, { brief: "off" });
    const [leg] = await eventually("the lead's phone", async () => {
      const legs = await desk.legsTo(lead.phoneE164);
      return legs.some(({ status }) => status === "ringing") && legs;
    });
    await desk.phone(leg?.sid ?? "", "answer");
    const row = async () =>
      (
        await desk.pool.query(
          "select c.*, l.call_sid as line_sid from calls c join lines l on l.id = c.line_id where c.user_id = $1",
          [rep.user.id],
        )
      ).rows[0];
    const call = await eventually("who answered", async () => (await row()).answered_by && (await row()));
    await desk.sandbox.control("POST", "/webhooks", { drop: 1_000 });
    const other = await desk.pool.connect();
    await other.query("begin");
    await other.query("update calls set answered_by = 'machine' where id = $1", [call.id]);
    await desk.webhook(`/api/twilio/line/status?line=${call.line_id}`, {
      ...{ CallSid: call.line_sid, CallStatus: "completed", SequenceNumber: "9" },
    });
    await eventually("the end to wait for the other", async () => {
      const { rows } = await desk.pool.query("select 1 from pg_locks where not granted");
      return rows.length > 0;
    });
    await other.query("commit");
    other.release();
    await eventually("the end", async () => (await row()).state === "ended");
    expect(await row()).toMatchObject({ answered_by: "machine", result: "voicemail" });
    await desk.phone(call.line_sid, "hangup");
    await sendCommand(rep, await see(rep), "stop");
  });
});
