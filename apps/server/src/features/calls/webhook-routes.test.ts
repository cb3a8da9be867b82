import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CallDesk, eventually, openCallDesk } from "../../testing/call-desk.ts";

let desk: CallDesk;
beforeAll(async () => {
  desk = await openCallDesk();
});
afterAll(() => desk.close());

it("acknowledges characters that the database cannot hold, and uses the rest", async () => {
  const rep = await desk.signInRep();
  const repSid = `CA${randomBytes(16).toString("hex")}`;
  const row = { call_sid: repSid, rep_leg: "in-progress", pressed: true, state: "ringing_lead" };
  const id = await desk.callRow(rep, await desk.leadOf(rep), row);
  const told = await desk.webhook(`/api/twilio/voice/lead-status?call=${id}`, {
    CallSid: `CA${randomBytes(16).toString("hex")}`,
    ParentCallSid: repSid,
    CallStatus: "in-progress",
    CallerName: "a\u0000b",
  });
  expect(told.status).toBe(200);
  await eventually("the event to be worked", async () => (await desk.see(rep, id)).state === "in_progress");
});
