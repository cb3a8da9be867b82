import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../../testing/call-harness.ts";
import type { Client } from "../../../testing/test-app.ts";

let desk: CallHarness;
beforeAll(async () => {
  desk = await openCallHarness({ speed: 20 });
});
afterAll(() => desk.close());

const path = "/api/voicemail-messages";
const record = (rep: Client, name = "By phone") => rep.post(`${path}/record`, { name, language: "es" });
const untilOver = (rep: Client) =>
  eventually("the end of the recording", async () => {
    const { body } = await rep.get(path);
    return ["saved", "failed"].includes(body.recording?.state) && body;
  });

describe("recording a message by phone", () => {
  it("records after 1 and a tone on the consultant's own phone, once, and stores it", async () => {
    const rep = await desk.signInRep();
    const [first, again] = [await record(rep), await record(rep, "Another")];
    expect(first).toMatchObject({ status: 200, body: { state: "calling", name: "By phone" } });
    expect(again.body.id).toBe(first.body.id);
    const { messages, recording } = await untilOver(rep);
    expect(recording).toMatchObject({ state: "saved", failure: null });
    expect(messages).toMatchObject([{ name: "By phone", language: "es", isDefault: true }]);
    expect(messages[0].seconds).toBeGreaterThan(0);
    const legs = await desk.legsTo(await desk.repNumber(rep));
    expect(legs).toHaveLength(1);
    // The portal has the only copy.
    await eventually("its deletion at the provider", async () => {
      const { requests } = await desk.sandbox.control("GET", "/requests?vendor=twilio&path=Recordings");
      return requests.some(
        ({ method, status }: { method: string; status: number }) => method === "DELETE" && status === 204,
      );
    });
    // It does not count as a recording of a lead's call.
    const { rows } = await desk.pool.query("select count(*)::int as n from recordings");
    expect(rows[0].n).toBe(0);
    const sound = await fetch(`${desk.portal.url}${path}/${messages[0].id}/sound`, {
      headers: { cookie: rep.cookie },
    });
    expect(sound.headers.get("content-type")).toBe("audio/wav");
  });

  it.each(["silent", "voicemail"] as const)("stores nothing when the phone is %s", async (phone) => {
    const rep = await desk.signInRep(phone);
    await record(rep);
    const { messages, recording } = await untilOver(rep);
    expect(recording).toMatchObject({ state: "failed", failure: "unanswered" });
    expect(messages).toEqual([]);
  });

  it("requires a personal phone and a name", async () => {
    expect(await record(await desk.signInRep(null))).toMatchObject({
      status: 400,
      body: { code: "rep_without_phone" },
    });
    expect((await record(await desk.signInRep(), " ")).status).toBe(400);
  });

  it("rejects callbacks without its key", async () => {
    const rep = await desk.signInRep();
    await desk.byHand(await desk.repNumber(rep));
    const { body } = await record(rep);
    const forged = await desk.webhook(`/api/twilio/voice/message-status?recording=${body.id}&key=guess`, {
      CallSid: `CA${"3".repeat(32)}`,
      CallStatus: "completed",
    });
    expect(forged.status).toBe(200);
    expect((await rep.get(path)).body.recording.state).toBe("calling");
  });
});
