import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSmsHarness, type SmsHarness } from "../../testing/sms-harness.ts";
import { reconcileMessages } from "./jobs.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** The sandbox's service, whose pool has the system number and a second one. */
const service = `MG${"1".padStart(32, "0")}`;
const second = "+12025550102";

let desk: SmsHarness;
beforeAll(async () => {
  desk = await openSmsHarness({ env: { TWILIO_MESSAGING_SERVICE_SID: service } });
  const { sid } = await desk.sandbox.control("POST", "/numbers", { number: second });
  await atTwilio("POST", `/v1/Services/${service}/PhoneNumbers`, { PhoneNumberSid: sid });
  await atTwilio("POST", `/v1/Services/${service}`, {
    UseInboundWebhookOnNumber: "false",
    InboundRequestUrl: `${desk.portal.url}/api/twilio/sms/inbound#rc=5&rp=5xx,ct,rt`,
  });
});
afterAll(() => desk.close());

async function atTwilio(method: string, path: string, form: Record<string, string>) {
  const login = btoa(`AC${"1".padStart(32, "0")}:sandbox-auth-token`);
  const answer = await fetch(`${desk.sandbox.url}/twilio${path}`, {
    method,
    headers: { authorization: `Basic ${login}` },
    body: new URLSearchParams(form),
  });
  expect(answer.ok).toBe(true);
}

const requests = async () =>
  (await desk.sandbox.control("GET", "/requests?vendor=twilio&path=Messages.json")).requests.filter(
    ({ method }: { method: string }) => method === "POST",
  );

describe("SMS through a Messaging Service", () => {
  it("use the service without a sender, and store the sender that the provider chose", async () => {
    const rep = await desk.signInRep();
    const senders = new Set<string>();
    for (const message of ["Uno", "Dos"]) {
      const lead = await desk.leadOf(rep);
      expect(await desk.send(rep, lead, message)).toMatchObject({ status: 200, body: { status: "queued" } });
      await desk.untilStatus(rep, lead, "delivered");
      const { rows } = await desk.pool.query("select from_number from messages where lead_id = $1", [
        lead.id,
      ]);
      senders.add(rows[0].from_number);
    }
    expect([...senders].sort()).toEqual([second, "+12125550100"].sort());
    expect((await rep.get("/api/phone-numbers")).body).toMatchObject({ textsByService: true });
    const [{ body }] = await requests();
    expect(body).toMatchObject({ MessagingServiceSid: service, Body: "Uno" });
    expect(body).not.toHaveProperty("From");
  });

  it("are found again when the response was lost, and sent once", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.sandbox.control("POST", "/webhooks", { drop: 1_000, match: "/sms/status" });
    const rule = { vendor: "twilio", match: "Messages.json", method: "POST", status: 500, afterAct: true };
    await desk.sandbox.control("POST", "/fail", rule);
    expect(await desk.send(rep, lead, "¿Llegó?")).toMatchObject({ body: { status: "requested" } });
    const { sms } = desk.portal.deps;
    const timings = { unansweredMs: 0, giveUpMs: 60_000, silenceMs: 0, againMs: 0 };
    await vi.waitFor(async () => {
      await reconcileMessages({ ...sms, timings });
      expect((await desk.thread(rep, lead))[0]?.status).not.toBe("requested");
    }, 45_000);
    expect(await desk.atProvider(lead.phoneE164)).toHaveLength(1);
    await desk.sandbox.control("POST", "/webhooks", {});
  });

  it("to a number that sent STOP to any of our numbers are rejected, also by custom keywords of the account", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.sandbox.control("POST", "/opt-out", { advanced: true, words: { "YA NO": "stop" } });
    await desk.sandbox.control("POST", "/texts", { from: lead.phoneE164, to: second, body: "ya no" });
    await vi.waitFor(async () => expect((await desk.leadNow(lead.id)).text_opt_out).toBe("stop"), 45_000);
    expect(await desk.send(rep, lead, "¿Seguro?")).toMatchObject({
      status: 409,
      body: { reason: "opted_out" },
    });
  });
});
