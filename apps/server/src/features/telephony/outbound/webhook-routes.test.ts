import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness();
});
afterAll(() => desk.close());

it("acknowledges characters that the database cannot store, and uses the rest", async () => {
  const rep = await desk.signInRep();
  const repSid = `CA${randomBytes(16).toString("hex")}`;
  const row = { call_sid: repSid, rep_leg: "in-progress", pressed: true, state: "ringing_lead" };
  const id = await desk.callRow(rep, await desk.leadOf(rep), row);
  const response = await desk.webhook(`/api/twilio/voice/lead-status?call=${id}`, {
    CallSid: `CA${randomBytes(16).toString("hex")}`,
    ParentCallSid: repSid,
    CallStatus: "in-progress",
    CallerName: "a\u0000b",
  });
  expect(response.status).toBe(200);
  await eventually("the event to be worked", async () => (await desk.see(rep, id)).state === "in_progress");
});

it("blocks an address that forges many requests for a while, and loses no signed one", async () => {
  const rep = await desk.signInRep();
  const id = await desk.callRow(rep, await desk.leadOf(rep));
  const path = `/api/twilio/voice/rep-status?call=${id}`;
  const params = { CallSid: `CA${randomBytes(16).toString("hex")}`, CallStatus: "ringing" };
  const forge = async (token?: string) => {
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": token ?? "",
    };
    const answer = await fetch(`${desk.portal.url}${path}`, {
      method: "POST",
      body: "CallStatus=completed",
      headers,
    });
    return { status: answer.status, wait: answer.headers.get("retry-after") };
  };
  for (let n = 0; n < 100; n += 1) expect((await forge(n % 2 ? "forged" : undefined)).status).toBe(403);
  for (const token of ["forged", undefined]) {
    const { status, wait } = await forge(token);
    expect(status).toBe(429);
    expect(Number(wait)).toBeGreaterThan(0);
  }
  expect((await desk.webhook(path, params)).status).toBe(200);
  await eventually("the event to be worked", async () => (await desk.see(rep, id)).state === "ringing_rep");
});
