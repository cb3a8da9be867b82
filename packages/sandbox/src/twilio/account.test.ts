import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { SYSTEM_NUMBER, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } from "../defaults.ts";
import { clickToCall, startReceiver } from "../testing/receiver.ts";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { twilioClient } from "../testing/vendor-clients.ts";
import { waitFor } from "../testing/wait-for.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const REP = "+13055550101";
const LEAD = "+17865550121";

let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
let receiver: Awaited<ReturnType<typeof startReceiver>> | undefined;

beforeAll(async () => {
  sandbox = await temporarySandbox();
});
afterAll(() => sandbox.close());
afterEach(async () => {
  await sandbox.control("POST", "/reset");
  await receiver?.close();
});

/** Calls the rep, then the lead, and returns the result of the Dial. */
async function dialled() {
  const made = await startReceiver(
    clickToCall(LEAD, {
      attributes: 'machineDetection="Enable" amdStatusCallback="BASE/amd" url="BASE/notice"',
    }),
  );
  receiver = made;
  await twilioClient(sandbox.url).calls.create({ to: REP, from: SYSTEM_NUMBER, url: `${made.url}/answer` });
  return { made, done: (await waitFor("the action", () => made.at("/done")[0])).params };
}

const create = (to: string) =>
  twilioClient(sandbox.url).calls.create({ to, from: SYSTEM_NUMBER, twiml: "<Response/>" });

describe("a failed Dial", () => {
  test.each([404, 410, 484, 604, 503])("reports the SIP code %i on the lead's leg only", async (sip) => {
    await sandbox.control("POST", "/phones", { number: LEAD, sip });
    const { made, done } = await dialled();
    expect(done).toMatchObject({ DialCallStatus: "failed", DialBridged: "false" });
    expect(done).not.toHaveProperty("SipResponseCode");
    const last = await waitFor("the leg's end", () =>
      made.at("/leg").find(({ params }) => params.CallStatus === "failed"),
    );
    expect(last.params.SipResponseCode).toBe(String(sip));
  });

  test.each([
    [{ callerIdVerified: false }, "13214"],
    [{ blockedPrefixes: ["+1786"] }, "13227"],
    [{ trialNumbers: [REP] }, "21219"],
  ])("has no leg and no code where the account is restricted: %j", async (settings, warning) => {
    await sandbox.control("POST", "/account", settings);
    const { made, done } = await dialled();
    expect(done).toMatchObject({ DialCallStatus: "failed" });
    expect(done).not.toHaveProperty("DialCallSid");
    expect(made.at("/leg")).toEqual([]);
    const { calls } = await sandbox.control("GET", "/calls");
    expect(calls[0].warnings[0]).toMatch(new RegExp(`^${warning}`));
  });
});

describe("the account", () => {
  test("rejects calls to numbers that it may not call", async () => {
    await sandbox.control("POST", "/account", { blockedPrefixes: ["+1786"] });
    await expect(create(LEAD)).rejects.toMatchObject({ code: 21215 });
    await sandbox.control("POST", "/account", { trialNumbers: [REP] });
    await expect(create(LEAD)).rejects.toMatchObject({ code: 21219 });
    expect((await create(REP)).status).toBe("queued");
  });

  test("omits the parent in callbacks on request", async () => {
    await sandbox.control("POST", "/account", { parentCallSid: false });
    const { made } = await dialled();
    await waitFor("the end", () => made.at("/leg").find(({ params }) => params.CallStatus === "completed"));
    const ofLead = [...made.at("/leg"), ...made.at("/notice"), ...made.at("/amd")];
    expect(ofLead.length).toBeGreaterThan(4);
    for (const { params } of ofLead) expect(params).not.toHaveProperty("ParentCallSid");
  });

  test("processes no more than 100 requests at once", async () => {
    await sandbox.control("POST", "/latency", { vendor: "twilio", ms: 25_000 });
    const ask = async () => {
      const answer = await fetch(`${sandbox.url}/twilio/2010-04-01/Accounts/${TWILIO_ACCOUNT_SID}.json`, {
        headers: {
          authorization: `Basic ${Buffer.from(`${TWILIO_ACCOUNT_SID}:${TWILIO_AUTH_TOKEN}`).toString("base64")}`,
        },
      });
      return { status: answer.status, body: (await answer.json()) as { code?: number } };
    };
    const answered: Awaited<ReturnType<typeof ask>>[] = [];
    const asked = Array.from({ length: 130 }, async () => answered.push(await ask()));
    await waitFor("those that are too many", () => answered.length === 30);
    expect(answered.every(({ status, body }) => status === 429 && body.code === 20429)).toBe(true);
    await sandbox.control("DELETE", "/latency");
    await Promise.all(asked);
    expect(answered.filter(({ status }) => status === 200)).toHaveLength(100);
    expect((await ask()).status).toBe(200);
  });
});
