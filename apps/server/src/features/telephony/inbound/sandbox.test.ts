import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Telephony } from "../../../ports/telephony.ts";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";
import { createMissedCalls } from "./service.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
  await setNumber(`PN${"1".padStart(32, "0")}`);
});
afterAll(() => desk?.close());

/** Configures a number of the account to send its calls here, and unanswered ones to the office. */
async function setNumber(number: string): Promise<void> {
  const account = `AC${"1".padStart(32, "0")}`;
  const settings = {
    VoiceUrl: `${desk.portal.url}/api/twilio/voice/inbound`,
    StatusCallback: `${desk.portal.url}/api/twilio/voice/inbound-status`,
    VoiceFallbackUrl: `${desk.sandbox.url}/bins/number-fallback`,
  };
  const answer = await fetch(
    `${desk.sandbox.url}/twilio/2010-04-01/Accounts/${account}/IncomingPhoneNumbers/${number}.json`,
    {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${account}:sandbox-auth-token`).toString("base64")}` },
      body: new URLSearchParams(settings),
    },
  );
  if (!answer.ok) throw new Error(`the number was not set: ${answer.status}`);
}

const callIn = (from: string | null, { says, to }: { says?: string; to?: string } = {}) =>
  desk.sandbox.control("POST", "/inbound", { from, ...(says && { says }), ...(to && { to }) });
const inbound = (leadId: number, result: string) =>
  eventually(`an inbound call that is ${result}`, async () => {
    const { rows } = await desk.pool.query(
      "select * from inbound_calls where lead_id = $1 and stage = 'ended' and result = $2",
      [leadId, result],
    );
    return rows[0];
  });
/** The log of the call with its recording, which can be played through the portal. */
const heard = async (rep: Awaited<ReturnType<CallHarness["signInRep"]>>, leadId: number) => {
  const log = await eventually("the recording", async () => {
    const [found] = await desk.logs(rep, `?leadId=${leadId}`);
    return found?.recordingSid != null && found;
  });
  const sound = await fetch(`${desk.portal.url}/api/twilio/recording/${log.recordingSid}`, {
    headers: { cookie: rep.cookie, range: "bytes=0-3" },
  });
  expect([sound.status, sound.headers.get("content-type")]).toEqual([206, "audio/x-wav"]);
  expect(await sound.text()).toBe("RIFF");
  return log;
};

describe("an inbound call through the provider", () => {
  it("is forwarded to the office line while the portal does not answer", async () => {
    const caller = "+17865550130";
    await desk.sandbox.control("POST", "/outage", { match: "/voice/inbound", count: 1_000 });
    await callIn(caller);
    await eventually("the office line to be answered", async () =>
      (await desk.legsTo("+12125550199")).some(({ activity }) => activity === "bridged"),
    );
    await eventually("the caller to hang up", async () =>
      (await desk.legsTo(caller)).every(({ status }) => status === "completed"),
    );
    const outage = await desk.sandbox.control("POST", "/outage", { count: 0 });
    expect(outage).toMatchObject({ count: 0 });
  });

  it("is imported after an outage of the portal: answered at the office line, or pending", async () => {
    const rep = await desk.signInRep();
    const [talked, missed] = [await desk.leadOf(rep), await desk.leadOf(rep)];
    const numbers = [talked.phoneE164, missed.phoneE164].map(String) as [string, string];
    const stranger = "+17865550131";
    // Another number of the account that is also configured for this portal.
    const second = "+12125550170";
    await setNumber((await desk.sandbox.control("POST", "/numbers", { number: second })).sid);
    const { calls } = desk.portal.deps;
    if (!calls.telephony) throw new Error("no provider");
    const pulls = [1, 2].map(() => createMissedCalls(calls, calls.telephony as Telephony));
    await desk.sandbox.control("POST", "/outage", { match: "/voice/inbound", count: 1_000 });
    const isOver = (number: string) =>
      eventually("the caller to be gone", async () => {
        const legs = await desk.legsTo(number);
        return legs.length > 0 && legs.every(({ status }) => !["ringing", "in-progress"].includes(status));
      });
    await callIn(numbers[0]);
    await isOver(numbers[0]);
    await desk.sandbox.control("POST", "/phones", { number: "+12125550199", behaviour: "no-answer" });
    await callIn(numbers[1]);
    await isOver(numbers[1]);
    await callIn(stranger, { to: second });
    await isOver(stranger);
    await desk.sandbox.control("POST", "/outage", { count: 0 });
    await desk.sandbox.control("POST", "/phones", { number: "+12125550199", behaviour: "answers" });
    const rows = async () =>
      (
        await desk.pool.query(
          `select result, lead_id as "leadId", started_at <= ended_at and ended_at <= now() as "isTimed" from inbound_calls
           where from_number = any($1) order by result, lead_id`,
          [[...numbers, stranger]],
        )
      ).rows;
    expect(await rows()).toEqual([]);
    // Two processes at the same time, and then again: each call is stored once.
    await Promise.all(pulls.map((pull) => pull()));
    await pulls[0]?.();
    expect(await rows()).toEqual([
      { result: "answered", leadId: talked.id, isTimed: true },
      { result: "missed", leadId: missed.id, isTimed: true },
      { result: "missed", leadId: null, isTimed: true },
    ]);
    const [log] = await desk.logs(rep, `?leadId=${talked.id}`);
    expect(log).toMatchObject({ direction: "inbound", outcome: "answered" });
    expect(log?.duration).toBeGreaterThan(0);
    expect(await desk.logs(rep, `?leadId=${missed.id}`)).toMatchObject([
      { outcome: "no_answer", missed: true },
    ]);
  });

  it("is recorded after the notice, and the recording is played by range", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", { language: "es" });
    const { callId } = await desk.call(rep, lead);
    await desk.untilSettled(rep, callId);
    expect(await heard(rep, lead.id)).toMatchObject({ direction: "outbound", outcome: "answered" });
    const [leg] = await desk.legsTo(lead.phoneE164);
    expect(leg?.heard[0]).toMatch(/^Esta llamada puede ser grabada/);
  });

  it("connects a lead with their consultant, who presses 1", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await callIn(lead.phoneE164);
    expect((await inbound(lead.id, "answered")).taken_by).toBe(rep.user.id);
    const log = await heard(rep, lead.id);
    expect(log).toMatchObject({ direction: "inbound", outcome: "answered", confirmed: false });
    expect(log.duration).toBeGreaterThan(0);
  });

  it("is ended for both by the consultant who answered, and by nobody else", async () => {
    const [rep, other] = [await desk.signInRep(), await desk.signInRep()];
    const lead = await desk.leadOf(rep);
    const phone = await desk.repNumber(rep);
    await desk.byHand(phone);
    await desk.byHand(lead.phoneE164);
    await callIn(lead.phoneE164);
    const leg = () =>
      eventually("the phone", async () =>
        (await desk.legsTo(phone)).find(({ status }) => status === "ringing"),
      );
    const { sid } = await leg();
    const [rings] = (await rep.get("/api/calls/live")).body.inboundCalls;
    expect(rings).toMatchObject({ leadId: lead.id, mayEnd: false });
    const end = (by: typeof rep) => by.post(`/api/inbound-calls/${rings.id}/end`);
    expect((await end(rep)).status).toBe(403);
    await desk.phone(sid, "answer");
    await eventually("the question", async () =>
      (await desk.legsTo(phone)).some((each) => each.sid === sid && each.activity === "gathering"),
    );
    await desk.phone(sid, "press", { digits: "1" });
    await eventually(
      "the talk",
      async () => (await rep.get("/api/calls/live")).body.inboundCalls?.[0]?.mayEnd === true,
    );
    expect((await end(other)).status).toBe(403);
    expect((await end(rep)).body).toEqual({ ended: true });
    expect((await inbound(lead.id, "answered")).taken_by).toBe(rep.user.id);
    expect((await desk.legsTo(phone)).find((each) => each.sid === sid)?.status).toBe("completed");
    expect((await end(rep)).body).toMatchObject({ code: "call_not_live" });
  });

  it("rings the stand-in of a consultant who is away, never the consultant", async () => {
    const [rep, standIn] = [await desk.signInRep(), await desk.signInRep()];
    const lead = await desk.leadOf(rep);
    const ownPhone = await desk.repNumber(rep);
    await rep.patch("/api/availability", { away: true, standInId: standIn.user.id });
    await callIn(lead.phoneE164);
    expect(await inbound(lead.id, "answered")).toMatchObject({
      owner_id: rep.user.id,
      taken_by: standIn.user.id,
    });
    expect(await desk.legsTo(ownPhone)).toEqual([]);
    await desk.sandbox.control("POST", "/phones", { number: "+12125550199", behaviour: "no-answer" });
    await standIn.patch("/api/availability", { away: true });
    await callIn(lead.phoneE164, { says: "Please call me back." });
    await inbound(lead.id, "voicemail");
    expect(await desk.legsTo(ownPhone)).toEqual([]);
    await desk.sandbox.control("POST", "/phones", { number: "+12125550199", behaviour: "answers" });
  });

  it("records, transcribes and plays a voicemail when nobody answers", async () => {
    const rep = await desk.signInRep("voicemail");
    const lead = await desk.leadOf(rep);
    await desk.sandbox.control("POST", "/phones", { number: "+12125550199", behaviour: "no-answer" });
    await callIn(lead.phoneE164, { says: "Please call me back about the offer." });
    await inbound(lead.id, "voicemail");
    await heard(rep, lead.id);
    const log = await eventually("the words", async () => {
      const [found] = await desk.logs(rep, `?leadId=${lead.id}`);
      return found?.transcription != null && found;
    });
    expect(log).toMatchObject({ outcome: "voicemail", missed: true });
    expect(log.transcription).toContain("offer");
  });
});
