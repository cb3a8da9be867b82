import { setTimeout as sleep } from "node:timers/promises";
import type { DialerSession } from "@portal/contract/entities/dialer";
import type { Lead } from "@portal/contract/entities/lead";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../testing/call-harness.ts";
import type { Client } from "../../testing/test-app.ts";

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
});
afterAll(() => desk.close());

const minute = 60_000;
const everyone = { source: { kind: "filter", status: "all" } };
const ago = (minutes: number) => new Date(Date.now() - minutes * minute);

/** Inserts a reported call, `minutes` ago. */
const report = (by: Client, leadId: number, minutes: number, more: Record<string, unknown> = {}) => {
  const row = { outcome: "busy", direction: "outbound", ...more };
  return desk.pool.query(
    `insert into call_logs (lead_id, user_id, confirmed, call_type, duration_seconds, call_date, outcome, direction)
     values ($1, $2, true, 'manual', 5, $3, $4, $5)`,
    [leadId, by.user.id, ago(minutes), row.outcome, row.direction],
  );
};

async function start(rep: Client, body: object = everyone): Promise<DialerSession> {
  const answer = await rep.post("/api/dialer/start", { delaySeconds: 30, ...body });
  expect(answer.status).toBe(200);
  return answer.body;
}

const see = async (rep: Client): Promise<DialerSession> =>
  eventually("the session's answer", async () => {
    const { status, body } = await rep.get("/api/dialer");
    return status === 200 && body.session;
  });

const until = (rep: Client, what: Partial<DialerSession>) =>
  eventually(JSON.stringify(what), async () => {
    const session = await see(rep);
    return (
      Object.entries(what).every(([key, value]) => session[key as keyof DialerSession] === value) && session
    );
  });

const sendCommand = async (rep: Client, session: DialerSession, command: string): Promise<DialerSession> => {
  const { position } = session;
  return (await rep.post(`/api/dialer/${session.id}/command`, { command, position })).body;
};

const wrapUp = (rep: Client, { id, call }: DialerSession, outcome = "busy") =>
  rep.post(`/api/dialer/${id}/wrap-up`, { callId: call?.id, outcome });

describe("the last attempt", () => {
  const attempts = ({ attempts: count, lastAttemptOutcome, lastAttemptAt }: Lead) => ({
    count,
    lastAttemptOutcome,
    lastAttemptAt,
  });

  it("is shown on the lead in every list, whoever made it and however", async () => {
    const rep = await desk.signInRep("answers", { role: "admin" });
    const lead = await desk.leadOf(rep, "busy");
    const own = async () => attempts((await rep.get(`/api/leads/${lead.id}`)).body);
    expect(await own()).toEqual({ count: 0, lastAttemptOutcome: null, lastAttemptAt: null });

    const reported = { leadId: lead.id, outcome: "no_answer", duration: 3, callType: "manual" };
    expect((await rep.post("/api/call-logs", reported)).status).toBe(200);
    expect(await own()).toMatchObject({ count: 1, lastAttemptOutcome: "no_answer" });
    await report(rep, lead.id, 0, { direction: "inbound", outcome: "answered" });
    expect(await own()).toMatchObject({ count: 1, lastAttemptOutcome: "no_answer" });

    const { callId, callSid } = await desk.call(rep, lead);
    await desk.untilSettled(rep, callId);
    const [log] = await desk.logs(rep, `?leadId=${lead.id}`);
    const called = { count: 2, lastAttemptOutcome: "busy", lastAttemptAt: log?.callDate };
    expect(await own()).toEqual(called);
    const listed: Lead[] = (await rep.get("/api/leads?limit=50")).body;
    const all: Lead[] = (await rep.get("/api/leads/all?limit=50")).body;
    for (const list of [listed, all]) {
      const found = list.find(({ id }) => id === lead.id);
      expect(found && attempts(found)).toEqual(called);
    }
    const said = { ...reported, outcome: "disconnected", twilioCallSid: callSid };
    expect((await rep.post("/api/call-logs", said)).status).toBe(200);
    expect(await own()).toMatchObject({ count: 2, lastAttemptOutcome: "disconnected" });

    await desk.pool.query("delete from call_logs where call_id = $1", [callId]);
    expect(await own()).toMatchObject({ count: 1, lastAttemptOutcome: "no_answer" });
  });

  it("is the newest of calls logged at the same time, and counts all of them", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const other = await desk.leadOf(rep);
    await Promise.all(Array.from({ length: 12 }, (_, n) => report(rep, lead.id, n)));
    // Moved to another lead, as in a merge.
    await desk.pool.query("update call_logs set lead_id = $2 where lead_id = $1 and call_date < $3", [
      lead.id,
      other.id,
      ago(8.5),
    ]);
    const { rows } = await desk.pool.query(
      `select l.attempts, l.last_attempt_at = (select max(call_date) from call_logs c where c.lead_id = l.id) as newest
       from leads l where id = any($1) order by id`,
      [[lead.id, other.id]],
    );
    expect(rows).toEqual([
      { attempts: 9, newest: true },
      { attempts: 3, newest: true },
    ]);
  });

  it("orders the leads to call, and skips those with a later next try unless requested", async () => {
    const [rep, colleague] = [await desk.signInRep(), await desk.signInRep()];
    const aged = (days: number) => ({ createdAt: new Date(Date.now() - days * 1_440 * minute) });
    const triedTwoHours = await desk.leadOf(rep, "answers", aged(1));
    const tried20 = await desk.leadOf(rep, "answers", aged(2));
    const untriedNew = await desk.leadOf(rep, "answers", aged(3));
    const untriedOld = await desk.leadOf(rep, "answers", aged(4));
    const triedThreeHours = await desk.leadOf(rep, "answers", aged(5));
    const triedByColleague = await desk.leadOf(rep, "answers", aged(6));
    await report(rep, triedTwoHours.id, 120);
    await report(rep, tried20.id, 200, { outcome: "no_answer" });
    await report(rep, tried20.id, 20);
    await report(rep, triedThreeHours.id, 180);
    await report(colleague, triedByColleague.id, 59, { outcome: "no_answer" });

    const ids = (leads: { leadId: number }[]) => leads.map(({ leadId }) => leadId);
    const preview = async (body: object = everyone) => (await rep.post("/api/dialer/preview", body)).body;
    const plain = await preview();
    const order = [untriedNew.id, untriedOld.id, triedThreeHours.id, triedTwoHours.id];
    expect(ids(plain.nowLeads)).toEqual(order);
    expect(plain.groups).toMatchObject([
      {
        reason: "retry_waiting",
        leads: [
          { leadId: tried20.id, attempts: 2, lastAttemptOutcome: "busy" },
          { leadId: triedByColleague.id, attempts: 1, lastAttemptOutcome: "no_answer" },
        ],
      },
    ]);
    const waits = (index: number) => Date.parse(plain.groups[0].leads[index].allowedAt) - Date.now();
    // Half an hour after the busy line, in another hour of the day; four hours after the unanswered call.
    expect(waits(0)).toBeGreaterThan(9 * minute);
    expect(waits(0)).toBeLessThanOrEqual(70 * minute);
    expect(waits(1)).toBeGreaterThan(180 * minute);
    expect(plain.groups[0].allowedAt).toBe(plain.groups[0].leads[0].allowedAt);
    const asked = await preview({ ...everyone, includeTried: true });
    expect(ids(asked.nowLeads)).toEqual([...order, tried20.id, triedByColleague.id]);
    const byHand = { source: { kind: "selection", leadIds: [tried20.id] } };
    expect(await preview(byHand)).toMatchObject({ total: 1, now: 1, groups: [] });

    // The start's choice does not cover an attempt made afterwards.
    const chosen = [untriedNew.id, untriedOld.id, tried20.id];
    await start(rep, { source: { kind: "selection", leadIds: chosen } });
    const session = await until(rep, { step: "wrap_up" });
    expect(session.lead?.id).toBe(untriedNew.id);
    await report(colleague, untriedOld.id, 0);
    const next: DialerSession = (await wrapUp(rep, session)).body;
    expect(next).toMatchObject({
      phase: "countdown",
      lead: { id: tried20.id },
      passedOver: [{ reason: "retry_waiting", count: 1, leads: [{ leadId: untriedOld.id, attempts: 1 }] }],
    });
    await sendCommand(rep, next, "stop");
  });

  // Regression: the default order dialed the lead again four minutes after the third busy line.
  it("prevents a session from dialing a lead that the session before it dialed", async () => {
    const rep = await desk.signInRep();
    const busy = await desk.leadOf(rep, "busy");
    await start(rep);
    const first = await until(rep, { step: "wrap_up" });
    await sendCommand(rep, first, "stop");
    const fresh = await desk.leadOf(rep, "answers", { createdAt: new Date(0) });
    const again = await start(rep);
    expect(again.lead?.id).toBe(fresh.id);
    const second = await until(rep, { step: "wrap_up" });
    expect((await wrapUp(rep, second)).body).toMatchObject({
      status: "completed",
      counts: { dialled: 1, skipped: 1 },
    });
    const { rows } = await desk.pool.query("select 1 from calls where lead_id = $1", [busy.id]);
    expect(rows).toHaveLength(1);
  });
});

describe("the next lead", () => {
  it("is the one that will be dialed, with the leads that were skipped before it", async () => {
    const rep = await desk.signInRep();
    const leadIds: number[] = [];
    const make = async (more: Record<string, unknown> = {}) => {
      const createdAt = new Date(Date.now() - leadIds.length * minute);
      leadIds.push((await desk.leadOf(rep, "answers", { createdAt, ...more })).id);
    };
    await make();
    await make({ callOptOut: "stop" });
    await make({ phone: null });
    await make({ callOptOut: "stop" });
    await make();
    await make({ phone: null });
    await start(rep);
    const counting: DialerSession = (await wrapUp(rep, await until(rep, { step: "wrap_up" }))).body;
    expect(counting).toMatchObject({
      phase: "countdown",
      position: 4,
      lead: { id: leadIds[4] },
      counts: { skipped: 3 },
      passedOver: [
        { reason: "opted_out", count: 2, leads: [{ leadId: leadIds[1] }, { leadId: leadIds[3] }] },
        { reason: "no_phone", count: 1, leads: [{ leadId: leadIds[2] }] },
      ],
    });
    await sendCommand(rep, counting, "call_now");
    const last = await until(rep, { step: "wrap_up", position: 4 });
    // No lead is left for a countdown.
    expect((await wrapUp(rep, last)).body).toMatchObject({ status: "completed", position: 6 });
    const { rows } = await desk.pool.query("select lead_id from calls where user_id = $1 order by id", [
      rep.user.id,
    ]);
    expect(rows.map((row) => row.lead_id)).toEqual([leadIds[0], leadIds[4]]);
  });
});

describe("a skipped lead never rings", () => {
  /** A session whose consultant does not answer for the first of two leads. */
  async function session() {
    const rep = await desk.signInRep();
    const phone = await desk.repNumber(rep);
    await desk.byHand(phone);
    const lead = await desk.leadOf(rep);
    await desk.leadOf(rep, "answers", { createdAt: new Date(0) });
    const started = await start(rep);
    const neverRang = async () => {
      const after = await until(rep, { position: 1 });
      const answers = await desk.legsTo(phone);
      for (const { sid } of answers) {
        await desk.phone(sid, "answer").catch(() => undefined);
        await desk.phone(sid, "press", { digits: "1" }).catch(() => undefined);
      }
      await eventually("the end of its call", async () => {
        const { rows } = await desk.pool.query(
          "select 1 from calls where lead_id = $1 and state <> 'ended'",
          [lead.id],
        );
        return rows.length === 0;
      });
      expect(await desk.legsTo(lead.phoneE164)).toEqual([]);
      await sendCommand(rep, after, "stop");
    };
    return { rep, lead, started, neverRang };
  }

  // Regression: the command was accepted but had no effect, because the state machine ignored it while the call was being requested.
  it("while it is checked", async () => {
    const { rep, started, neverRang } = await session();
    const ringing = await until(rep, { step: "ringing_you" });
    await rep.post(`/api/calls/${ringing.call?.id}/end`);
    await until(rep, { status: "paused" });
    await desk.pool.query(
      "update dialer_sessions set status = 'active', phase = 'checking', checking_at = now() where id = $1",
      [started.id],
    );
    expect(await sendCommand(rep, started, "skip")).toMatchObject({ phase: "countdown", position: 1 });
    await neverRang();
  });

  it("while its call is written", async () => {
    const { rep, lead, started, neverRang } = await session();
    const ringing = await until(rep, { step: "ringing_you" });
    await rep.post(`/api/calls/${ringing.call?.id}/end`);
    await until(rep, { status: "paused" });
    const held = await desk.pool.connect();
    await held.query("begin");
    await held.query("select 1 from leads where id = $1 for update", [lead.id]);
    await sendCommand(rep, started, "resume");
    const skipped = sendCommand(rep, started, "skip");
    await sleep(50);
    await held.query("commit");
    held.release();
    await skipped;
    await neverRang();
  });

  it("when the phone is answered at the same moment", async () => {
    const { rep, started, neverRang } = await session();
    await until(rep, { step: "ringing_you" });
    const phone = await desk.repNumber(rep);
    const [leg] = await desk.legsTo(phone);
    const answer = async () => {
      await desk.phone(leg?.sid ?? "", "answer").catch(() => undefined);
      await desk.phone(leg?.sid ?? "", "press", { digits: "1" }).catch(() => undefined);
    };
    await Promise.all([sendCommand(rep, started, "skip"), answer()]);
    await neverRang();
  });

  it.each([0, 3, 15, 60, 200])("with %i ms between Pause, Resume and Skip, sent twice", async (gap) => {
    const { rep, started, neverRang } = await session();
    for (const command of ["pause", "resume"]) {
      await sendCommand(rep, started, command);
      await sleep(gap);
    }
    // Two clicks and a lost response only apply to the lead that was shown.
    await Promise.all([sendCommand(rep, started, "skip"), sendCommand(rep, started, "skip")]);
    await sendCommand(rep, started, "skip");
    await neverRang();
  });

  it("and no other one after a Resume in a tab that still shows it", async () => {
    const { rep, started, neverRang } = await session();
    await until(rep, { step: "ringing_you" });
    await sendCommand(rep, started, "pause");
    await sendCommand(rep, started, "skip");
    await until(rep, { position: 1, status: "paused" });
    expect(await sendCommand(rep, started, "resume")).toMatchObject({ status: "paused", position: 1 });
    await neverRang();
  });
});
