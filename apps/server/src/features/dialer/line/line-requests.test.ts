import { randomBytes } from "node:crypto";
import type { DialerSession } from "@portal/contract/entities/dialer";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { eventually } from "../../../testing/call-harness.ts";
import { buildLead } from "../../../testing/factories.ts";
import { openProviderDouble, type ProviderDouble } from "../../../testing/provider-double.ts";
import type { Client } from "../../../testing/test-app.ts";
import { ingestRecording } from "../../telephony/recordings/webhook-routes.ts";
import { findAbandonedSessions } from "../session-repository.ts";
import { moveLine } from "./move-line.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const office = "+12125550199";
let desk: ProviderDouble;
let rep: Client;
beforeAll(async () => {
  desk = await openProviderDouble({ OFFICE_LINE: office });
});
afterAll(() => desk?.close());
beforeEach(async () => {
  rep = await desk.portal.signIn();
});

const newSid = () => `CA${randomBytes(16).toString("hex")}`;
let leads = 0;
/** The consultant's leads; the first one comes first in the session. */
const leadOf = (name: string) => {
  leads += 1;
  const createdAt = new Date(Date.now() - leads * 60_000);
  return buildLead(desk.portal.deps.database, { name, assignedTo: rep.user.id, createdAt });
};

const see = async (): Promise<DialerSession> => (await rep.get("/api/dialer")).body.session;
const sendCommand = async (command: string): Promise<DialerSession> => {
  const { id, position } = await see();
  return (await rep.post(`/api/dialer/${id}/command`, { command, position })).body;
};

/** Finds a URL in a response by the end of its path. */
function address(twiml: string, end: string): string {
  const found = twiml.match(new RegExp(`[">](https?:[^"<]*${end}[^"<]*)["<]`))?.[1];
  if (!found) throw new Error(`no ${end} in ${twiml}`);
  return found.replaceAll("&amp;", "&");
}
const calledIn = (twiml: string) => Number(/done\?[^"]*call=(\d+)/.exec(twiml)?.[1]);

/** A session on an open line, and the requests of the consultant's leg like the provider's. */
async function startLine(more: object = {}) {
  const everyone = { source: { kind: "filter", status: "all" }, lineMode: "open_line" };
  const started = await rep.post("/api/dialer/start", {
    ...everyone,
    brief: "off",
    delaySeconds: 3,
    ...more,
  });
  expect(started.status).toBe(200);
  const lineId: number = started.body.line.id;
  const sid = newSid();
  const ask = async (url: string, params: Record<string, string> = {}) => {
    const base = { CallSid: sid, AccountSid: "AC0", Direction: "outbound-api", CallStatus: "in-progress" };
    const { status, body } = await desk.webhook(url, { ...base, ...params });
    expect(status).toBe(200);
    return body;
  };
  const url = (path: string) => `/api/twilio/line/${path}?line=${lineId}`;
  const line = {
    sid,
    lineId,
    ask,
    rings: () => ask(url("answered")),
    next: () => ask(url("next")),
    press: (twiml: string, Digits: string) => ask(address(twiml, "/line/(?:key|confirm)"), { Digits }),
    /** Follows redirects, and presses no key in a countdown, until there is another instruction. */
    async on(twiml: string): Promise<string> {
      let answer = twiml;
      for (;;) {
        if (answer.includes("<Redirect")) answer = await ask(address(answer, "/line/next"));
        else if (/about=(?:brief|count)-/.test(answer)) answer = await line.press(answer, "");
        else return answer;
      }
    },
    /** Answers the phone and presses 1; returns the instructions after the announcement. */
    opens: async () => line.on(await line.press(await line.rings(), "1")),
    /** The lead of a Dial talked and hung up. */
    leadEnds: (twiml: string, status = "completed") =>
      ask(address(twiml, "/line/done"), {
        DialCallStatus: status,
        DialCallSid: newSid(),
        ...(status === "completed" && { DialBridged: "true", DialCallDuration: "20" }),
      }),
    hangsUp: () => ask(url("status"), { CallStatus: "completed", CallDuration: "60" }),
    set: (patch: string) => desk.pool.query(`update lines set ${patch} where id = $1`, [lineId]),
  };
  return line;
}

/** A lead who calls and follows our responses to the office line, then to the voicemail. */
async function calls(from: string | null) {
  const base = {
    CallSid: newSid(),
    From: from ?? "",
    To: "+12125550100",
    Direction: "inbound",
    AccountSid: "AC0",
  };
  const ask = async (url: string, params: Record<string, string>) =>
    (await desk.webhook(url, { ...base, CallStatus: "in-progress", ...params })).body;
  const ringing = await ask("/api/twilio/voice/inbound", { CallStatus: "ringing" });
  return {
    ringing,
    notTaken: () => ask(address(ringing, "inbound-done"), { DialCallStatus: "no-answer" }),
    hangsUp: () => desk.webhook("/api/twilio/voice/inbound-status", { ...base, CallStatus: "completed" }),
  };
}
const untilCaller = (state: string) =>
  eventually(`a caller who is ${state}`, async () => {
    const session = await see();
    return session.callers.some((caller) => caller.state === state) && session;
  });
const takeNext = async (leadId: number) => rep.post(`/api/dialer/${(await see()).id}/next`, { leadId });

describe("speech on an open line", () => {
  it("is entirely in Spanish for a consultant who chose it", async () => {
    await rep.patch("/api/interface-settings", { language: "es" });
    await leadOf("Laura Gómez");
    const line = await startLine();
    const asked = await line.rings();
    expect(asked).toContain('<Say language="es-MX">Pulsa 1 para abrir tu línea.</Say>');
    const again = await line.press(asked, "");
    expect(again).toContain("Pulsa 1 para abrir tu línea.");
    const bye = await line.press(again, "");
    expect(bye).toContain('<Say language="es-MX">No se pulsó ninguna tecla. Adiós.</Say><Hangup/>');
    await line.hangsUp();
    await eventually("the end of the line", async () => (await see()).line?.state === "ended");
    expect(await line.next()).toContain('<Say language="es-MX">Adiós.</Say><Hangup/>');
    expect((await see()).line).toMatchObject({ endReason: "not_confirmed" });
  });

  it("announces the end of a line idle for ten minutes, and of one after four hours", async () => {
    await leadOf("Laura Gómez");
    const line = await startLine();
    const asked = await line.on(await line.leadEnds(await line.opens()));
    expect(asked).toContain("After a call: 1 answered");
    await line.set("last_work_at = now() - interval '500 s'");
    expect(await line.press(asked, "")).toContain("<Gather");
    await line.set("last_work_at = now() - interval '600 s'");
    expect(await line.press(asked, "")).toMatch(/<Say[^>]*>Nothing was done for ten minutes.*<Hangup\/>/);
    await line.hangsUp();
    const paused = await eventually("the pause", async () => {
      const session = await see();
      return session.status === "paused" && session;
    });
    expect(paused).toMatchObject({
      pauseReason: "line_ended",
      phase: "wrap_up",
      line: { endReason: "idle" },
    });
    await sendCommand("stop");

    rep = await desk.portal.signIn();
    await leadOf("Ana Ruiz");
    const long = await startLine();
    const next = await long.leadEnds(await long.opens());
    await long.set("connected_at = now() - interval '231 min'");
    expect(await long.press(next, "")).toMatch(
      /<Say[^>]*>The line has been open for almost four hours.*<Hangup\/>/,
    );
    await long.hangsUp();
    await eventually("the end", async () => (await see()).line?.endReason === "time_limit");
  });

  it("continues where it stopped after a fallback request", async () => {
    await leadOf("Laura Gómez");
    const line = await startLine();
    const asked = await line.on(await line.leadEnds(await line.opens()));
    const led = await line.ask("/api/twilio/voice/answered");
    expect(led).toMatch(/^(?:(?!<Say|<Hangup).)*<Redirect[^>]*>[^<]*\/line\/answered/s);
    const back = await line.ask(address(led, "/line/answered"));
    expect(address(back, "/line/key")).toBe(address(asked, "/line/key"));
  });
});

describe("an open line that remains when another session starts", () => {
  const startAgain = async () => {
    const everyone = { source: { kind: "filter", status: "all" }, lineMode: "open_line" };
    return (await rep.post("/api/dialer/start", { ...everyone, brief: "off", delaySeconds: 3 })).body;
  };

  it("is used by the new session: its talk goes on, and no lead is dialed before a key", async () => {
    await leadOf("Uno Talks");
    const second = await leadOf("Dos Waits");
    const line = await startLine();
    const dialled = await line.opens();
    expect(dialled).toContain("<Dial");
    await sendCommand("stop");
    const session = await startAgain();
    expect(session).toMatchObject({ status: "active", phase: "waiting", line: { id: line.lineId } });
    const asked = await line.on(await line.leadEnds(dialled));
    expect(asked).toMatch(/about=waiting.*Press 1 to call the next lead\./);
    expect(await line.on(await line.press(asked, "1"))).toContain(`>${second.phoneE164}</Number>`);
    expect(await see()).toMatchObject({ id: session.id, phase: "calling" });
  });

  it("dials the first lead at once when no talk is in progress", async () => {
    await leadOf("Uno Waits");
    const line = await startLine({ delaySeconds: 30 });
    await line.press(await line.rings(), "1");
    await sendCommand("stop");
    expect(await startAgain()).toMatchObject({ phase: "checking", line: { id: line.lineId } });
    expect(await line.next()).toContain("<Dial");
  });

  it("is hung up when it is saying goodbye, before the phone is rung for a new line", async () => {
    await leadOf("Uno Waits");
    const line = await startLine({ delaySeconds: 30 });
    await line.press(await line.rings(), "1");
    await sendCommand("stop");
    expect(await line.next()).toMatch(/The session is over\. Goodbye\..*<Hangup\/>/);
    desk.answers((request, response) => {
      const leg = { sid: newSid(), status: "queued", to: "+17185550100", from: "+12125550100" };
      response.writeHead(request.method === "POST" ? 201 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(leg));
    });
    const session = await startAgain();
    expect(session.line.id).not.toBe(line.lineId);
    await moveLine(desk.portal.deps.dialer, session.id);
    const paths = desk.asked.map(({ path }) => path.split("/").at(-1));
    expect(paths).toEqual([`${line.sid}.json`, "Calls.json"]);
  });
});

describe("a session whose lead is due on an open line", () => {
  it("waits for the end of a long brief while the consultant is on the line", async () => {
    await leadOf("Uno Waits");
    const line = await startLine({ brief: "short" });
    expect(await line.press(await line.rings(), "1")).toMatch(/Uno Waits, first try/);
    const { id } = await see();
    await desk.pool.query("update dialer_sessions set checking_at = now() - interval '20 s' where id = $1", [
      id,
    ]);
    const db = desk.portal.deps.database.db;
    expect(await findAbandonedSessions(db)).not.toContain(id);
    await line.set("state = 'ended', ended_at = now()");
    expect(await findAbandonedSessions(db)).toContain(id);
  });
});

describe("a lead who answers after the consultant hung up", () => {
  it("hears only a hang-up, does not count as reached, and the session pauses", async () => {
    const lead = await leadOf("Laura Gómez");
    const line = await startLine();
    const dialled = await line.opens();
    expect(dialled).toContain(`>${lead.phoneE164}</Number>`);
    const callId = calledIn(dialled);
    await line.hangsUp();
    const paused = await eventually("the pause", async () => {
      const session = await see();
      return session.status === "paused" && session;
    });
    expect(paused).toMatchObject({ pauseReason: "line_ended", line: { endReason: "hung_up" } });
    const leg = { CallSid: newSid(), ParentCallSid: line.sid, CallStatus: "in-progress" };
    const heard = await desk.webhook(address(dialled, "voice/notice"), leg);
    expect(heard.body).toMatch(/<Response><Hangup\/><\/Response>/);
    await desk.webhook(address(dialled, "voice/lead-status"), {
      ...{ ...leg, CallStatus: "completed", CallDuration: "2" },
    });
    const call = await eventually("the call to settle", async () => {
      const { rows } = await desk.pool.query("select * from calls where id = $1 and settled", [callId]);
      return rows[0];
    });
    expect(call).toMatchObject({ lead_alone: true, state: "ended", result: "unclear", duration_seconds: 0 });
    const session = await see();
    expect(session.counts).toMatchObject({ reached: 0 });
    expect(session).toMatchObject({ phase: "wrap_up", suggestedOutcome: null });
    const logs = await desk.pool.query("select outcome, confirmed from call_logs where call_id = $1", [
      callId,
    ]);
    expect(logs.rows).toEqual([{ outcome: null, confirmed: false }]);
    const contacted = await desk.pool.query("select last_contacted_at from leads where id = $1", [lead.id]);
    expect(contacted.rows[0].last_contacted_at).toBeNull();
  });
});

it("a lead who talked does not count as abandoned when the provider requests the notice again after the end", async () => {
  await leadOf("Uno Talked");
  const line = await startLine();
  const dialled = await line.opens();
  const callId = calledIn(dialled);
  const leg = { CallSid: newSid(), ParentCallSid: line.sid, CallStatus: "in-progress" };
  await desk.webhook(address(dialled, "voice/notice"), leg);
  await line.leadEnds(dialled);
  expect((await desk.webhook(address(dialled, "voice/notice"), leg)).body).toContain("<Hangup/>");
  const { rows } = await desk.pool.query("select lead_alone, result from calls where id = $1", [callId]);
  expect(rows).toEqual([{ lead_alone: false, result: "answered" }]);
});

describe("a recording that only the provider's list reports", () => {
  it("belongs to the lead who was on the line when it started, in the provider's whole seconds", async () => {
    await leadOf("Uno Talks");
    const line = await startLine();
    const dialled = await line.opens();
    await line.leadEnds(dialled);
    const callId = calledIn(dialled);
    await desk.pool.query(
      "update calls set asked_at = date_trunc('second', asked_at) + interval '0.1 s' where id = $1",
      [callId],
    );
    const { rows } = await desk.pool.query(
      "select date_trunc('second', asked_at) as began from calls where id = $1",
      [callId],
    );
    const sid = `RE${randomBytes(16).toString("hex")}`;
    await desk.portal.deps.database.transaction((tx) =>
      ingestRecording(
        tx,
        {
          ...{ sid, callSid: line.sid, status: "completed", durationSeconds: 12, voicemail: false },
          startedAt: rows[0].began,
        },
        null,
      ),
    );
    const kept = await desk.pool.query("select call_id from recordings where recording_sid = $1", [sid]);
    expect(kept.rows).toEqual([{ call_id: callId }]);
  });
});

describe("a lead who calls while their consultant is on an open line", () => {
  it("rings the office line instead of the consultant; appears in the session, and is called next on request", async () => {
    const first = await leadOf("Uno Talks");
    const second = await leadOf("Dos Waits");
    const caller = await leadOf("Tres Calls");
    const line = await startLine({ brief: "short" });
    const dialled = await line.opens();
    expect(dialled).toContain(`>${first.phoneE164}</Number>`);

    const call = await calls(caller.phoneE164);
    expect(call.ringing).toContain(`>${office}</Number>`);
    const shown = await see();
    expect(shown.callers).toMatchObject([
      { leadId: caller.id, name: "Tres Calls", state: "ringing", isNext: false },
    ]);
    expect((await takeNext(first.id)).body).toMatchObject({ code: "not_found" });
    const taken = await takeNext(caller.id);
    expect(taken.body).toMatchObject({ total: 3, position: 0, callers: [{ isNext: true }] });
    expect((await takeNext(caller.id)).body).toMatchObject({ total: 3 });
    await call.notTaken();
    await untilCaller("at_voicemail");
    await call.hangsUp();
    await untilCaller("missed");

    const asked = await line.on(await line.leadEnds(dialled));
    const brief = await line.press(asked, "1");
    expect(brief).toMatch(/Tres Calls, first try/);
    const joined = await line.on(brief);
    expect(joined).toContain(`>${caller.phoneE164}</Number>`);
    // Their phone rings, so their missed call is settled.
    await desk.webhook(address(joined, "voice/lead-status"), {
      ...{ CallSid: newSid(), ParentCallSid: line.sid, CallStatus: "ringing" },
    });
    await eventually("no caller", async () => (await see()).callers.length === 0);
    const { rows } = await desk.pool.query(
      "select lead_id from dialer_items where session_id = $1 order by position",
      [shown.id],
    );
    expect(rows.map(({ lead_id: id }) => id)).toEqual([first.id, caller.id, second.id]);
  });

  it("who was called a moment ago is dialed regardless of retry rules, before the next in order", async () => {
    await leadOf("Uno Busy");
    await leadOf("Dos Waits");
    const line = await startLine({ brief: "short", delaySeconds: 30 });
    const dialled = await line.opens();
    const [item] = (
      await desk.pool.query("select * from leads where name = 'Uno Busy' and assigned_to = $1", [rep.user.id])
    ).rows;
    const counting = await line.press(await line.on(await line.leadEnds(dialled, "busy")), "#");
    expect(counting).toContain("Dos Waits");
    await (await calls(item.phone_e164)).hangsUp();
    const { body } = await takeNext(item.id);
    expect(body).toMatchObject({ position: 1, total: 3, lead: { id: item.id }, phase: "countdown" });
    await sendCommand("call_now");
    const brief = await line.next();
    expect(brief).toMatch(/Uno Busy, second try/);
    expect(await line.on(brief)).toContain(`>${item.phone_e164}</Number>`);
  });

  it("is checked by the contact policy: one who may not be called is skipped with the reason", async () => {
    await leadOf("Uno Talks");
    await leadOf("Dos Waits");
    const line = await startLine({ delaySeconds: 30 });
    const { rows } = await desk.pool.query("select * from leads where assigned_to = $1 order by id", [
      rep.user.id,
    ]);
    await line.press(await line.on(await line.leadEnds(await line.opens())), "1");
    await (await calls(rows[0].phone_e164)).hangsUp();
    await desk.pool.query("update leads set call_opt_out = 'dnd' where id = $1", [rows[0].id]);
    const { body } = await takeNext(rows[0].id);
    expect(body).toMatchObject({ lead: { id: rows[1].id }, passedOver: [{ reason: "opted_out", count: 1 }] });
  });
});

describe("keys on an open line", () => {
  it("work during a brief and before the next call: who is next, the last outcome, pause; an invalid one changes nothing", async () => {
    await leadOf("Uno Busy");
    const second = await leadOf("Dos Waits");
    const line = await startLine({ brief: "short", delaySeconds: 30 });
    const dialled = await line.opens();
    const asked = await line.on(await line.leadEnds(dialled, "busy"));
    const brief = await line.press(asked, "#");
    expect(brief).toMatch(
      /<Gather[^>]*about=brief-1[^>]*><Say[^>]*>Busy\.<\/Say><Say[^>]*>Dos Waits, first try/,
    );
    // The provider asks once more where the answer was lost.
    expect(await line.press(asked, "#")).toMatch(/about=brief-1.*Busy\..*Dos Waits, first try/);

    const wrong = await line.press(brief, "5");
    expect(wrong).toMatch(/about=brief-1.*That key does nothing here.*Dos Waits, first try/);
    const counting = await line.press(wrong, "");
    expect(counting).toMatch(/<Gather[^>]*timeout="2\d"[^>]*about=count-1[^>]*\/>/);
    expect(await line.press(counting, "8")).toMatch(/about=count-1.*Dos Waits, first try/);

    const correcting = await line.press(counting, "*");
    expect(correcting).toContain("Uno Busy: Busy. Press 1 to 6 for the right outcome.");
    // Nobody is dialed during that question.
    const held = await see();
    expect(Date.parse(held.typingUntil ?? "") - Date.parse(held.dueAt ?? "")).toBeGreaterThan(20_000);
    expect(await line.press(correcting, "3")).toMatch(/about=count-1.*No answer\./);
    expect((await see()).typingUntil).toBeNull();
    const { rows } = await desk.pool.query("select outcome, confirmed from call_logs where call_id = $1", [
      calledIn(dialled),
    ]);
    expect(rows).toEqual([{ outcome: "no_answer", confirmed: true }]);
    expect(await see()).toMatchObject({ status: "active", phase: "countdown", position: 1 });

    const paused = await line.press(counting, "0");
    expect(paused).toMatch(/about=waiting.*Paused\. Press 1 to go on\./);
    expect(await see()).toMatchObject({ status: "paused", pauseReason: "consultant" });
    expect(await line.on(await line.press(paused, "1"))).toContain(`>${second.phoneE164}</Number>`);
  });

  it("enter the outcome of a manual call like the screen: the first one wins, and both show it", async () => {
    await leadOf("Uno Talks");
    await leadOf("Dos Waits");
    const byHand = await leadOf("Tres Asked");
    const line = await startLine({ delaySeconds: 30 });
    await line.press(await line.on(await line.leadEnds(await line.opens())), "1");

    /** Call Now for a lead; the lead's phone rings. */
    const callNow = async (lead: { id: number }, status: string) => {
      const made = rep.post("/api/make-call", { leadId: lead.id });
      const dialled = await eventually("the Dial", async () => {
        const answer = await line.on(await line.next());
        return answer.includes("<Dial") && answer;
      });
      const leg = { CallSid: newSid(), ParentCallSid: line.sid, CallStatus: "ringing" };
      await desk.webhook(address(dialled, "voice/lead-status"), leg);
      expect((await made).body).toMatchObject({ callId: calledIn(dialled) });
      const asked = await line.on(await line.leadEnds(dialled, status));
      return { asked, callId: calledIn(dialled), sid: leg.CallSid };
    };
    const given = async (callId: number) => (await rep.get(`/api/calls/${callId}`)).body.givenOutcome;

    await sendCommand("pause");
    const first = await callNow(byHand, "busy");
    expect(first.asked).toContain(`about=call-${first.callId}`);
    expect(await line.press(first.asked, "9")).toMatch(/That key does nothing here/);
    expect(await given(first.callId)).toBeNull();
    const done = await line.press(first.asked, "#");
    expect(done).toMatch(/about=waiting.*Busy\..*Paused\. Press 1 to go on\./);
    expect(await given(first.callId)).toBe("busy");
    const correcting = await line.press(done, "*");
    expect(correcting).toContain("Tres Asked: Busy.");
    expect(await line.press(correcting, "3")).toContain("No answer.");
    expect(await given(first.callId)).toBe("no_answer");

    const other = await leadOf("Cuatro Screen");
    const second = await callNow(other, "no-answer");
    const report = {
      leadId: other.id,
      outcome: "wrong_number",
      callType: "browser",
      twilioCallSid: second.sid,
    };
    expect((await rep.post("/api/call-logs", { ...report, duration: "0:10" })).status).toBe(200);
    expect(await line.press(second.asked, "2")).toMatch(/about=waiting/);
    expect(await given(second.callId)).toBe("wrong_number");
    expect(await see()).toMatchObject({ status: "paused", position: 1 });
  });

  it("enter the outcome of a manual call during a countdown: it replaces the countdown, and the session shows why it waits", async () => {
    await leadOf("Uno Talks");
    await leadOf("Dos Waits");
    const byHand = await leadOf("Tres Asked");
    const line = await startLine({ delaySeconds: 30 });
    await line.press(await line.on(await line.leadEnds(await line.opens())), "1");
    void rep.post("/api/make-call", { leadId: byHand.id });
    await eventually("the call", async () => (await rep.get("/api/calls/live")).body.call);
    expect(await line.next()).toContain(`>${byHand.phoneE164}</Number>`);
    expect(await see()).toMatchObject({ status: "paused", pauseReason: "rep_on_call", position: 1 });
  });
});
