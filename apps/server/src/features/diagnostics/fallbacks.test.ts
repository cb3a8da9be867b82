import type { CheckName, DiagnosticCheck } from "@portal/contract/entities/diagnostics";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../testing/call-harness.ts";
import { startTestSandbox, type TestSandbox } from "../../testing/sandbox.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";

let sandbox: TestSandbox;
let app: TestApp;
let admin: Client;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await buildTestApp({ env: { ...sandbox.env, OFFICE_LINE: "+12125550199" }, listen: true });
  admin = await app.signIn({ role: "admin" });
  const account = `AC${"1".padStart(32, "0")}`;
  const number = `PN${"1".padStart(32, "0")}`;
  const set = await fetch(
    `${sandbox.url}/twilio/2010-04-01/Accounts/${account}/IncomingPhoneNumbers/${number}.json`,
    {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${account}:sandbox-auth-token`)}` },
      body: new URLSearchParams({ VoiceFallbackUrl: `${sandbox.url}/bins/number-fallback` }),
    },
  );
  expect(set.ok).toBe(true);
});
afterAll(async () => {
  await app.close();
  await sandbox.close();
});

/** The finding once both requests were answered; on a busy machine one check may time out. */
async function look(
  name: CheckName,
  bins: { number?: string; call?: string } = {},
): Promise<DiagnosticCheck> {
  await sandbox.control("POST", "/bins", bins);
  return eventually(`a look at ${name}`, async () => {
    const { body } = await admin.get("/api/diagnostics/twilio");
    const check = body.checks?.find((each: DiagnosticCheck) => each.name === name);
    const isLate =
      ["not_reported", "check_failed"].includes(check?.finding) || /no answer/.test(check?.detail);
    return isLate ? null : (check as DiagnosticCheck);
  });
}
const twiml = (...verbs: string[]) => `<?xml version="1.0"?>\n<Response>${verbs.join("\n")}</Response>`;
const again = (query: string) =>
  `<Redirect method="POST">${app.url}/api/twilio/voice/answered${query.replaceAll("&", "&amp;")}</Redirect>`;

describe("the fallback of the system number", () => {
  it.each([
    ["the TwiML of the guide", undefined],
    ["the office line as a Number", twiml("<Dial><Number>+1 (212) 555-0199</Number></Dial>")],
    ["a SIP address", twiml("<Dial><Sip>sip:desk@example.com</Sip></Dial>")],
  ])("passes with %s", async (_what, number) => {
    expect(await look("numberFallback", { ...(number && { number }) })).toMatchObject({
      status: "ok",
      finding: "number_fallback_set",
    });
  });

  it.each([
    ["only plays a message", twiml("<Say>Goodbye.</Say>"), "number_fallback_unfit"],
    ["rings somebody else", twiml("<Dial>+12125550177</Dial>"), "number_fallback_unfit"],
    ["rings itself", twiml("<Dial>+12125550100</Dial>"), "number_fallback_unfit"],
    ["is a page", "<!doctype html><html><body>Not found</body></html>", "fallback_unread"],
    ["is not a complete document", "<Response><Dial>+12125550199", "fallback_unread"],
  ])("warns when it %s", async (_what, number, finding) => {
    const check = await look("numberFallback", { number });
    expect(check).toMatchObject({ status: "warn", finding });
    expect(check.detail ?? "").not.toMatch(/\d{7}|AC0/);
  });
});

describe("the fallback of our calls", () => {
  it("passes when it waits, requests the portal for the same call again, and ends after the fifth time", async () => {
    expect(await look("callFallback")).toMatchObject({ status: "ok", finding: "call_fallback_set" });
    const { requests } = await sandbox.control("GET", "/requests?vendor=twilio&path=Calls.json");
    expect(requests).toEqual([]);
  });

  it.each([
    ["ends the call", () => twiml("<Hangup/>"), "call_fallback_unfit"],
    ["requests the portal at once", () => twiml(again("?call=0&try=1")), "call_fallback_unfit"],
    ["drops the call's id", () => twiml('<Pause length="10"/>', again("?try=1")), "call_fallback_unfit"],
    [
      "requests another portal",
      () => twiml('<Pause length="10"/>', "<Redirect>https://old.example.com/answered?call=0</Redirect>"),
      "call_fallback_unfit",
    ],
    ["never ends", () => twiml('<Pause length="10"/>', again("?call=0&try=1")), "call_fallback_endless"],
    ["is a page", () => "<html></html>", "fallback_unread"],
  ])("warns when it %s", async (_what, call, finding) => {
    expect(await look("callFallback", { call: call() })).toMatchObject({ status: "warn", finding });
  });

  it("is requested with the other auth token after a rejection, and warns when neither is accepted", async () => {
    await sandbox.control("POST", "/auth-tokens", { primary: "another-token" });
    expect(await look("callFallback")).toMatchObject({
      status: "warn",
      finding: "fallback_unread",
      detail: "127.0.0.1: HTTP 403",
    });
    await sandbox.control("POST", "/auth-tokens", { primary: "sandbox-auth-token" });
  });
});
