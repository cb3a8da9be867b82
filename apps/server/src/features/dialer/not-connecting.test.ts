import type { DialerSession } from "@portal/contract/entities/dialer";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../testing/call-harness.ts";
import type { Client } from "../../testing/test-app.ts";
import { watchConnections } from "./jobs.ts";

vi.setConfig({ testTimeout: 90_000 });

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
});
afterAll(() => desk.close());

const see = async (rep: Client): Promise<DialerSession> => (await rep.get("/api/dialer")).body.session;
const sendCommand = (rep: Client, { id, position }: DialerSession, command: string) =>
  rep.post(`/api/dialer/${id}/command`, { command, position });
const alerts = async (client: Client) =>
  (await client.get("/api/notices")).body.filter(
    ({ kind }: { kind: string }) => kind === "calls_not_connected",
  );

/**
 * Dials five leads of the session, skipping their wrap-ups, until it pauses; calls that could not be connected need no outcome to continue.
 */
function untilPaused(rep: Client): Promise<DialerSession> {
  return eventually("the pause", async () => {
    const session = await see(rep);
    if (session.status === "paused") return session;
    if (session.phase === "wrap_up" && session.position < 4) await sendCommand(rep, session, "skip");
    if (session.phase === "countdown") await sendCommand(rep, session, "call_now");
    return null;
  });
}

describe("repeated calls that cannot be connected", () => {
  it("pause running sessions and notify administrators once; one request resumes", async () => {
    const [rep, idle, boss] = [
      await desk.signInRep(),
      await desk.signInRep(),
      await desk.signInRep("answers", { role: "admin" }),
    ];
    const leads = [];
    for (let n = 0; n < 7; n += 1) leads.push(await desk.leadOf(rep));
    // A colleague's session, which waits for its consultant's phone, uses the same number.
    await desk.byHand(await desk.repNumber(idle));
    await desk.leadOf(idle);
    await desk.sandbox.control("POST", "/account", { callerIdVerified: false });

    const source = { source: { kind: "filter", status: "all" } };
    await idle.post("/api/dialer/start", source);
    await rep.post("/api/dialer/start", source);
    const paused = await untilPaused(rep);
    expect(paused.pauseReason).toBe("not_connecting");
    expect(await see(idle)).toMatchObject({ status: "paused", pauseReason: "not_connecting" });
    const failed = await desk.pool.query(
      "select count(*)::int as n from calls where result = 'not_connected' and user_id = $1",
      [rep.user.id],
    );
    expect(failed.rows[0].n).toBe(5);
    expect(await alerts(boss)).toHaveLength(1);
    expect(await alerts(rep)).toEqual([]);

    // Two processes that check again find nothing new.
    await Promise.all([watchConnections(desk.portal.deps.dialer), watchConnections(desk.portal.deps.dialer)]);
    const steps = await desk.pool.query(
      "select count(*)::int as n from dialer_steps where session_id = $1 and kind = 'pause'",
      [paused.id],
    );
    expect(steps.rows[0].n).toBe(1);

    // The problem is fixed: one click continues, and the first connected call ends the alert.
    await desk.sandbox.control("POST", "/account", {});
    await sendCommand(rep, paused, "resume");
    await eventually("a call that gets through", async () => {
      const session = await see(rep);
      if (session.phase === "wrap_up" && session.suggestedOutcome) return true;
      if (session.phase === "wrap_up" && session.call?.result === "not_connected")
        await sendCommand(rep, session, "skip");
      if (session.phase === "countdown") await sendCommand(rep, session, "call_now");
      return false;
    });
    await eventually("the end of the notice", async () => (await alerts(boss)).length === 0);
    expect((await see(rep)).status).toBe("active");
  });
});
