import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";

vi.setConfig({ testTimeout: 60_000 });

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
});
afterAll(() => desk.close());

describe("the account's call rate", () => {
  const paced = async (callsPerSecond: number, work: () => Promise<void>) => {
    const { calls } = desk.portal.deps;
    const fast = calls.telephony;
    if (!fast) throw new Error("telephony is off");
    calls.telephony = { ...fast, callsPerSecond };
    await desk.pool.query("delete from pacing");
    try {
      await work();
    } finally {
      calls.telephony = fast;
      await desk.pool.query("delete from pacing");
    }
  };

  it("delays calls of several reps, and shows the wait", () =>
    paced(1, async () => {
      const reps = [await desk.signInRep(), await desk.signInRep(), await desk.signInRep()];
      const leads = await Promise.all(reps.map((rep) => desk.leadOf(rep)));
      const answers = Promise.all(reps.map((rep, i) => rep.post("/api/make-call", { leadId: leads[i]?.id })));
      await eventually("a wait to be shown", async () => {
        const live = await Promise.all(reps.map((rep) => rep.get("/api/calls/live")));
        return live.some(({ body }) => body.call?.dialsAt);
      });
      expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200]);
      const { rows } = await desk.pool.query(
        "select dials_at, asked_at >= dials_at as on_time from calls where user_id = any($1) order by dials_at",
        [reps.map(({ user }) => user.id)],
      );
      expect(rows.map(({ on_time }) => on_time)).toEqual([true, true, true]);
      const gaps = rows.slice(1).map((row, i) => row.dials_at - rows[i].dials_at);
      for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(999);
    }));

  it("never dials a call that was ended, or whose lead opted out or was reassigned, while it waited", () =>
    paced(0.25, async () => {
      const [ahead, rep, other] = [await desk.signInRep(), await desk.signInRep(), await desk.signInRep()];
      const third = await desk.signInRep();
      await desk.call(ahead, await desk.leadOf(ahead));
      const [lead, next] = [await desk.leadOf(rep), await desk.leadOf(other)];
      const given = await desk.leadOf(third);
      const answers = Promise.all([
        rep.post("/api/make-call", { leadId: lead.id }),
        other.post("/api/make-call", { leadId: next.id }),
        third.post("/api/make-call", { leadId: given.id }),
      ]);
      const waiting = await eventually("all to wait", async () => {
        const live = await Promise.all([rep, other, third].map((one) => one.get("/api/calls/live")));
        return live.every(({ body }) => body.call) && live[0]?.body.call;
      });
      expect((await rep.post(`/api/calls/${waiting.id}/end`)).body).toMatchObject({
        state: "ended",
        result: "canceled",
      });
      await desk.pool.query("update leads set call_opt_out = 'stop' where id = $1", [next.id]);
      await desk.pool.query("update leads set assigned_to = $2 where id = $1", [given.id, ahead.user.id]);
      const [ended, optedOut, givenAway] = await answers;
      expect(ended).toMatchObject({ status: 409, body: { code: "call_not_live" } });
      expect(optedOut.body.message).toContain("may no longer be called");
      expect(givenAway?.body.message).toContain("may no longer be called");
      expect(await desk.legsTo(await desk.repNumber(rep))).toEqual([]);
      expect(await desk.legsTo(await desk.repNumber(other))).toEqual([]);
      expect(await desk.legsTo(await desk.repNumber(third))).toEqual([]);
    }));

  it("gives the turn of a call ended while waiting to the next", () =>
    paced(0.2, async () => {
      const [ahead, rep, other] = [await desk.signInRep(), await desk.signInRep(), await desk.signInRep()];
      await desk.call(ahead, await desk.leadOf(ahead));
      const waiting = async (one: typeof rep) => {
        const answer = one.post("/api/make-call", { leadId: (await desk.leadOf(one)).id });
        const call = await eventually("a wait", async () => (await one.get("/api/calls/live")).body.call);
        await one.post(`/api/calls/${call.id}/end`);
        return { answer, dialsAt: call.dialsAt };
      };
      const [first, second] = [await waiting(rep), await waiting(other)];
      expect(first.dialsAt).not.toBeNull();
      expect(second.dialsAt).toBe(first.dialsAt);
      await Promise.all([first.answer, second.answer]);
    }));

  it("rejects a call that would wait more than half a minute", () =>
    paced(1, async () => {
      await desk.pool.query(
        "insert into pacing (name, next_at) values ('twilio-calls', now() + interval '1 minute')",
      );
      const rep = await desk.signInRep();
      const answer = await rep.post("/api/make-call", { leadId: (await desk.leadOf(rep)).id });
      expect(answer).toMatchObject({ status: 429, body: { code: "rate_limited" } });
      expect((await rep.get("/api/calls/live")).body.call).toBeNull();
    }));
});
