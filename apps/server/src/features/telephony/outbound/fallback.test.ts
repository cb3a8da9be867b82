import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Twilio tries our URL six times (`rc=5`), then the fallback. */
const triesOfOne = 6;

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
});
afterEach(async () => {
  await desk.sandbox.control("POST", "/outage", { count: 0 });
  await desk.sandbox.control("DELETE", "/fail");
});
afterAll(() => desk.close());

const lose = (rule: object) => desk.sandbox.control("POST", "/outage", rule);
const wait = "Un momento, por favor.";

async function placed() {
  const rep = await desk.signInRep();
  const lead = await desk.leadOf(rep);
  const { callId } = await desk.call(rep, lead);
  const heard = async () => (await desk.legsTo(await desk.repNumber(rep)))[0]?.heard ?? [];
  return { rep, lead, callId, heard, rung: async () => (await desk.legsTo(lead.phoneE164)).length };
}

describe("a portal that does not answer during a call", () => {
  it("is requested again, and the call continues", async () => {
    await lose({ match: "/voice/answered", count: triesOfOne + 1 });
    const { rep, callId, heard, rung } = await placed();
    expect(await desk.untilSettled(rep, callId)).toMatchObject({ result: "answered" });
    expect((await heard()).filter((words) => words === wait)).toHaveLength(1);
    expect(await rung()).toBe(1);
    const { requests } = await desk.sandbox.control("GET", "/requests?vendor=twilio&path=Calls.json");
    const body = requests.findLast(({ method }: { method: string }) => method === "POST").body;
    expect(body).toMatchObject({ FallbackMethod: "POST" });
    expect(body.FallbackUrl).toMatch(new RegExp(`/bins/call-fallback\\?call=${callId}$`));
  });

  it("is requested five times, then the call ends and nobody else is dialed", async () => {
    await lose({ match: "/voice/answered", count: 1_000, status: 502 });
    const { rep, callId, heard, rung } = await placed();
    expect(await desk.untilEnded(rep, callId)).toMatchObject({ result: "not_confirmed" });
    expect((await heard()).filter((words) => words === wait)).toHaveLength(5);
    expect(await rung()).toBe(0);
  });

  it.each([
    ["was never received", {}],
    ["was received and the response was lost", { afterAct: true }],
  ])("dials the lead once when the pressed key %s", async (_case, more) => {
    await lose({ match: "/voice/confirm", count: triesOfOne, status: 504, ...more });
    const { rep, callId, rung } = await placed();
    expect(await desk.untilSettled(rep, callId)).toMatchObject({ result: "answered" });
    expect(await rung()).toBe(1);
  });

  it("does not dial the lead again after the talk", async () => {
    await lose({ match: "/voice/dial-done", count: triesOfOne, status: 503 });
    const { rep, callId, heard, rung } = await placed();
    expect(await desk.untilSettled(rep, callId)).toMatchObject({ result: "answered" });
    await eventually("the consultant's leg to end", async () =>
      (await desk.legsTo(await desk.repNumber(rep))).every(({ status }) => status === "completed"),
    );
    expect(await heard()).toContain(wait);
    expect(await rung()).toBe(1);
  });

  it("dials nobody when Twilio cannot tell whether the lead was dialed", async () => {
    await lose({ match: "/voice/confirm", count: triesOfOne, status: 504, afterAct: true });
    await desk.sandbox.control("POST", "/fail", {
      vendor: "twilio",
      match: "ParentCallSid",
      status: 503,
      count: 1_000,
    });
    const { rep, callId, heard, rung } = await placed();
    await desk.untilEnded(rep, callId);
    expect((await heard()).some((words) => /cannot go on|no puede continuar/.test(words))).toBe(true);
    expect(await rung()).toBe(0);
  });

  it("finds the call by its leg when the URL has no id", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const callSid = `CA${"7".repeat(32)}`;
    await desk.callRow(rep, lead, { call_sid: callSid, rep_leg: "in-progress", state: "confirming" });
    const answer = await desk.webhook("/api/twilio/voice/answered?call=&try=1", {
      CallSid: callSid,
      CallStatus: "in-progress",
    });
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining("<Gather") });
  });
});
