import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallHarness, openCallHarness } from "../../testing/call-harness.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness({ env: { TWILIO_AUTH_TOKEN_NEXT: "token-to-come" } });
});
afterAll(() => desk.close());

describe("during an auth token rotation", () => {
  it("webhooks signed with either token are accepted, and others are rejected", async () => {
    const ask = async (token: string) =>
      (await desk.webhook("/api/twilio/sms/inbound", { MessageSid: "x" }, token)).status;
    expect(await ask("sandbox-auth-token")).toBe(200);
    expect(await ask("token-to-come")).toBe(200);
    expect(await ask("another-token")).toBe(403);
    const call = await desk.webhook("/api/twilio/voice/inbound-status", { CallSid: "x" }, "token-to-come");
    expect(call.status).toBe(200);
  });

  it("calls continue with the next token once Twilio rejects the old one, each placed once", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.sandbox.control("POST", "/auth-tokens", { primary: "token-to-come" });
    const { callId } = await desk.call(rep, lead);
    expect(await desk.untilSettled(rep, callId)).toMatchObject({ result: "answered" });
    expect(await desk.legsTo(await desk.repNumber(rep))).toHaveLength(1);
    const again = await desk.leadOf(rep);
    await desk.sandbox.control("DELETE", "/requests");
    await desk.untilEnded(rep, (await desk.call(rep, again)).callId);
    const { requests } = await desk.sandbox.control("GET", "/requests?vendor=twilio&path=Calls.json");
    expect(requests.filter(({ status }: { status: number }) => status === 401)).toEqual([]);
  });
});
