import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";
import type { Client } from "../../../testing/test-app.ts";

let desk: CallHarness;
let admin: Client;
let rep: Client;
beforeAll(async () => {
  desk = await openCallHarness();
  admin = await desk.signInRep("answers", { role: "admin" });
  rep = await desk.signInRep();
});
afterAll(() => desk.close());

const path = "/api/organisation-settings";
const setDetection = (machineDetection: boolean) => admin.patch(path, { machineDetection });

describe("the machine detection setting of the organization", () => {
  it("is on by default, and visible to and changed by administrators only", async () => {
    expect((await admin.get(path)).body).toMatchObject({
      machineDetection: true,
      voicemailDrop: false,
      firstCallMinutes: 5,
    });
    for (const refused of [await rep.get(path), await rep.patch(path, { machineDetection: false })])
      expect(refused.status).toBe(403);
    for (const bad of [{ machineDetection: "off" }, { machineDetection: null }, { other: true }])
      expect((await admin.patch(path, bad)).status).toBe(400);
    expect((await admin.get(path)).body).toMatchObject({
      machineDetection: true,
      voicemailDrop: false,
      firstCallMinutes: 5,
    });
  });

  it("is audited when it changes, with its previous value", async () => {
    const entries = async () => {
      const { rows } = await desk.pool.query(
        "select user_id, data from audit_log where action = 'organisation-changed' order by id",
      );
      return rows;
    };
    await setDetection(true);
    expect(await entries()).toEqual([]);
    expect((await setDetection(false)).body).toMatchObject({
      machineDetection: false,
      voicemailDrop: false,
      firstCallMinutes: 5,
    });
    expect(await entries()).toEqual([
      { user_id: admin.user.id, data: { changes: { machineDetection: { before: true, after: false } } } },
    ]);
    await setDetection(true);
    expect(await entries()).toHaveLength(2);
  });
});

describe("without machine detection", () => {
  beforeAll(() => setDetection(false));
  afterAll(() => setDetection(true));

  it.each(["answers", "voicemail"] as const)(
    "no outcome is suggested for a phone that %s, until the consultant enters it",
    async (phone) => {
      const lead = await desk.leadOf(rep, phone);
      const { callId } = await desk.call(rep, lead);
      const call = await desk.untilSettled(rep, callId);
      expect(call).toMatchObject({ state: "ended", result: "unclear", answeredBy: "not_asked" });
      expect(call.talkSeconds).toBeGreaterThan(0);
      const [leg] = await desk.legsTo(lead.phoneE164);
      expect(leg).toMatchObject({ status: "completed", answeredBy: null });

      const [log] = await desk.logs(rep, `?leadId=${lead.id}`);
      expect(log).toMatchObject({
        outcome: null,
        confirmed: false,
        checking: false,
        duration: call.talkSeconds,
      });
      expect((await rep.get(`/api/leads/${lead.id}`)).body.lastContactedAt).toBeNull();
      const { rows } = await desk.pool.query(
        "select 1 from provider_events where kind = 'detection' and (payload ->> 'callId')::int = $1",
        [callId],
      );
      expect(rows).toEqual([]);
      const report = { leadId: lead.id, callId, duration: 1, outcome: "voicemail" };
      expect((await rep.post("/api/call-logs", report)).body).toMatchObject({
        outcome: "voicemail",
        confirmed: true,
      });
    },
  );

  it("outcomes that the provider knows for sure are still suggested", async () => {
    const lead = await desk.leadOf(rep, "busy");
    const { callId } = await desk.call(rep, lead);
    expect((await desk.untilSettled(rep, callId)).result).toBe("busy");
    expect(await desk.logs(rep, `?leadId=${lead.id}`)).toMatchObject([{ outcome: "busy", confirmed: false }]);
  });

  it("the talk has a recording", async () => {
    const lead = await desk.leadOf(rep);
    await desk.call(rep, lead);
    const log = await eventually("the recording", async () => {
      const [found] = await desk.logs(rep, `?leadId=${lead.id}`);
      return found?.recordingSid != null && found;
    });
    expect(log.outcome).toBeNull();
  });

  it("a dialer session asks for the outcome of every answered call", async () => {
    const caller = await desk.signInRep();
    const lead = await desk.leadOf(caller);
    await caller.post("/api/dialer/start", { source: { kind: "selection", leadIds: [lead.id] } });
    const session = await eventually("the end of the call", async () => {
      const { body } = await caller.get("/api/dialer");
      return body.session?.step === "wrap_up" && body.session;
    });
    expect(session.call).toMatchObject({ result: "unclear", answeredBy: "not_asked" });
    const skipped = await caller.post(`/api/dialer/${session.id}/command`, { command: "skip" });
    expect(skipped.status).toBeGreaterThanOrEqual(400);
    await caller.post(`/api/dialer/${session.id}/command`, { command: "stop" });
  });
});

it("an answer is suggested again once machine detection is on", async () => {
  const lead = await desk.leadOf(rep, "voicemail");
  const { callId } = await desk.call(rep, lead);
  expect(await desk.untilSettled(rep, callId)).toMatchObject({ result: "voicemail", answeredBy: "machine" });
});
