import { randomUUID } from "node:crypto";
import type { FurtherNumber } from "@portal/contract/routes/leads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallHarness, openCallHarness } from "../../../testing/call-harness.ts";
import type { Client } from "../../../testing/test-app.ts";

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
});
afterAll(() => desk.close());

/** A lead of the consultant's into which another one was merged: its main number, and the further one. */
async function mergedLead(rep: Client, further: Parameters<CallHarness["leadOf"]>[1] = "answers") {
  const [kept, other] = [await desk.leadOf(rep, "busy"), await desk.leadOf(rep, further)];
  const asked = { otherId: other.id, clientRef: randomUUID(), choices: { phone: "kept" } };
  const { status, body } = await rep.post(`/api/leads/${kept.id}/merge`, asked);
  expect(status, JSON.stringify(body)).toBe(200);
  return { id: kept.id, main: kept.phoneE164 as string, further: other.phoneE164 as string };
}
type Merged = Awaited<ReturnType<typeof mergedLead>>;

const callAt = (rep: Client, lead: Merged, to: string) => rep.post("/api/make-call", { leadId: lead.id, to });
const numbersOf = async (rep: Client, lead: Merged): Promise<FurtherNumber[]> =>
  (await rep.get(`/api/leads/${lead.id}/further-numbers`)).body;

/** Calls the further number and says how it went. */
async function callAndSay(rep: Client, lead: Merged, outcome: string) {
  const { status, body } = await callAt(rep, lead, lead.further);
  expect(status, JSON.stringify(body)).toBe(200);
  const call = await desk.untilSettled(rep, body.callId);
  const log = { leadId: lead.id, duration: 1, outcome, callType: "browser", twilioCallSid: call.callSid };
  expect((await rep.post("/api/call-logs", log)).status).toBe(200);
  return call;
}

describe("a further number of a merged lead", () => {
  it("is listed, and is called on request; without a number the main one is called", async () => {
    const rep = await desk.signInRep();
    const lead = await mergedLead(rep);
    expect(await numbersOf(rep, lead)).toEqual([
      { phone: lead.further, callRefusal: null, callAllowedAt: null },
    ]);
    expect((await rep.get(`/api/leads/${lead.id}`)).body.isMerged).toBe(true);
    const call = await callAndSay(rep, lead, "answered");
    expect(call).toMatchObject({ leadId: lead.id, leadPhone: lead.further, result: "answered" });
    expect(await desk.legsTo(lead.main)).toEqual([]);
    const { callId } = await desk.call(rep, lead);
    expect(await desk.untilSettled(rep, callId)).toMatchObject({ leadPhone: lead.main, result: "busy" });
  });

  it("is rejected as changed when the lead no longer has it, or never had it", async () => {
    const rep = await desk.signInRep();
    const lead = await mergedLead(rep);
    const { body: merges } = await rep.get(`/api/leads/${lead.id}/merges`);
    expect((await rep.post(`/api/lead-merges/${merges[0].id}/undo`)).status).toBe(200);
    for (const to of [lead.further, "(212) 555-0199"])
      expect((await callAt(rep, lead, to)).body.code).toBe("number_changed");
    expect(await numbersOf(rep, lead)).toEqual([]);
    expect((await rep.get(`/api/leads/${lead.id}`)).body.isMerged).toBe(false);
  });

  it("has its own outcomes: a wrong number is not called again, the main one is", async () => {
    const rep = await desk.signInRep();
    const lead = await mergedLead(rep);
    await callAndSay(rep, lead, "wrong_number");
    expect((await callAt(rep, lead, lead.further)).body).toMatchObject({
      code: "contact_refused",
      reason: "number_fault",
    });
    expect(await numbersOf(rep, lead)).toMatchObject([{ callRefusal: "number_fault" }]);
    expect((await rep.get(`/api/leads/${lead.id}`)).body.callRefusal).toBeNull();
    await desk.untilSettled(rep, (await desk.call(rep, lead)).callId);
  });

  it("can be called although the main one is wrong, and an outcome there does not change that", async () => {
    const rep = await desk.signInRep();
    const lead = await mergedLead(rep);
    await desk.pool.query("update leads set number_fault = 'wrong_number' where id = $1", [lead.id]);
    expect((await callAt(rep, lead, lead.main)).body.reason).toBe("number_fault");
    await callAndSay(rep, lead, "wrong_number");
    // The outcome is corrected: the further number is right, the main one still is not.
    const [log] = await desk.logs(rep);
    const corrected = {
      ...{ leadId: lead.id, duration: 1, outcome: "answered" },
      twilioCallSid: log?.twilioCallSid,
    };
    expect((await rep.post("/api/call-logs", corrected)).status).toBe(200);
    expect(await numbersOf(rep, lead)).toMatchObject([{ callRefusal: null }]);
    expect((await rep.get(`/api/leads/${lead.id}`)).body.callRefusal).toBe("number_fault");
  });

  it.each([
    ["an opt-out of the further number", "call_opt_out = 'dnd'", "opted_out"],
    ["a country that is not called", "phone_e164 = '+442079460958'", "country_not_allowed"],
  ])("cannot be called: %s", async (_what, change, reason) => {
    const rep = await desk.signInRep();
    const lead = await mergedLead(rep);
    await desk.pool.query(`update lead_aliases set ${change} where lead_id = $1`, [lead.id]);
    const [{ phone } = { phone: "" }] = await numbersOf(rep, lead);
    expect((await callAt(rep, lead, phone)).body.reason).toBe(reason);
    expect(await numbersOf(rep, lead)).toMatchObject([{ callRefusal: reason }]);
  });

  it("is not called during a call to it as another lead's number", async () => {
    const [rep, colleague] = [await desk.signInRep(), await desk.signInRep()];
    const lead = await mergedLead(rep);
    const household = await desk.leadOf(colleague, "answers", { phone: lead.further });
    await desk.callRow(colleague, household, { state: "in_progress" });
    expect((await callAt(rep, lead, lead.further)).body.code).toBe("lead_on_call");
  });
});
