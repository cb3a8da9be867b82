import type { DialerSession } from "@portal/contract/entities/dialer";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../testing/call-harness.ts";
import type { Client } from "../../testing/test-app.ts";
import { zoneAt } from "../../testing/zone-at.ts";

let desk: CallHarness;
let rep: Client;
beforeAll(async () => {
  // A zone where it is noon, so that the day does not end during the test.
  desk = await openCallHarness({ env: { ORG_TIME_ZONE: zoneAt(12) } });
  rep = await desk.signInRep();
});
afterAll(() => desk.close());

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const leadOf = (more: object) => desk.leadOf(rep, "answers", { status: "contacted", ...more });
const see = async (): Promise<DialerSession> => (await rep.get("/api/dialer")).body.session;
const missed = (leadId: number) =>
  desk.pool.query(
    `insert into inbound_calls (call_sid, from_number, lead_id, owner_id, stage, result, started_at, ended_at)
     values ($1, '+12125550111', $2, $3, 'ended', 'missed', now(), now())`,
    [`CA${String(leadId).padStart(32, "0")}`, leadId, rep.user.id],
  );
const texted = (leadId: number) =>
  desk.pool.query(
    `insert into messages (lead_id, direction, body, status, from_number, to_number)
     values ($1, 'inbound', 'Call me again', 'received', '+12125550111', '+12125550100')`,
    [leadId],
  );

/** Calls the current lead and completes it; returns the continued session. */
async function work(meanwhile?: () => Promise<unknown>): Promise<DialerSession> {
  const session = await see();
  if (session.phase === "countdown")
    await rep.post(`/api/dialer/${session.id}/command`, { command: "call_now", position: session.position });
  const ended = await eventually("the wrap-up", async () => {
    const now = await see();
    return now.step === "wrap_up" && now.call && now;
  });
  const callId = ended.call?.id ?? 0;
  await desk.untilSettled(rep, callId);
  await meanwhile?.();
  const answer = await rep.post(`/api/dialer/${ended.id}/wrap-up`, { callId, outcome: "answered" });
  expect(answer.status).toBe(200);
  return answer.body;
}

it("calls Today in its order, adds leads that become due, and repeats a lead only for new reasons", async () => {
  const promised = await leadOf({
    nextFollowUpDate: ago(30),
    nextFollowUpTime: "11:30",
    nextFollowUpZone: zoneAt(12),
    nextFollowUpAt: ago(30),
  });
  const followUp = await leadOf({ nextFollowUpDate: ago(10) });
  const newLead = await leadOf({ status: "new" });
  const caller = await leadOf({});
  await leadOf({ nextFollowUpDate: ago(10), callOptOut: "stop" });

  const preview = await rep.post("/api/dialer/preview", { source: { kind: "today" } });
  expect(preview.body).toMatchObject({ total: 3, now: 3 });
  const { body: started } = await rep.post("/api/dialer/start", { source: { kind: "today" } });
  expect(started).toMatchObject({ status: "active", total: 3, lead: { id: promised.id } });

  const second = await work(() => missed(caller.id));
  expect(second).toMatchObject({ total: 4, position: 1, lead: { id: caller.id } });
  // The later SMS of the first lead brings that lead back.
  const third = await work(() => texted(promised.id));
  expect(third).toMatchObject({ total: 5, position: 2, lead: { id: promised.id } });
  const fourth = await work();
  expect(fourth).toMatchObject({ total: 5, position: 3, lead: { id: newLead.id } });
  const last = await work();
  expect(last).toMatchObject({ total: 5, position: 4, lead: { id: followUp.id } });
  expect(await work()).toMatchObject({ status: "completed", total: 5, counts: { dialled: 5 } });
});
