import type { CheckName, DiagnosticCheck, TelephonyChange } from "@portal/contract/entities/diagnostics";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../testing/call-harness.ts";
import { startTestSandbox, type TestSandbox } from "../../testing/sandbox.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";

const numberSid = `PN${"1".padStart(32, "0")}`;
const serviceSid = `MG${"1".padStart(32, "0")}`;
const planPath = "/api/twilio/settings-plan";
const retries = "#rc=5&rp=5xx,ct,rt";

let sandbox: TestSandbox;
let app: TestApp;
let admin: Client;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await buildTestApp({
    env: { ...sandbox.env, TWILIO_MESSAGING_SERVICE_SID: serviceSid },
    listen: true,
  });
  admin = await app.signIn({ role: "admin" });
});
afterAll(async () => {
  await app.close();
  await sandbox.close();
});
beforeEach(async () => {
  await sandbox.control("POST", "/reset");
  await app.deps.database.pool.query("delete from audit_log where action like 'telephony-%'");
});

/** Changes a setting at Twilio, as in its console. */
async function atTwilio(path: string, form: Record<string, string>) {
  const login = btoa(`AC${"1".padStart(32, "0")}:sandbox-auth-token`);
  const answer = await fetch(`${sandbox.url}/twilio${path}`, {
    method: "POST",
    headers: { authorization: `Basic ${login}` },
    body: new URLSearchParams(form),
  });
  expect(answer.ok).toBe(true);
  return answer.json();
}
const ofAccount = (path: string) => `/2010-04-01/Accounts/AC${"1".padStart(32, "0")}/${path}`;
const setNumber = (form: Record<string, string>) =>
  atTwilio(ofAccount(`IncomingPhoneNumbers/${numberSid}.json`), form);
const setService = (form: Record<string, string>) => atTwilio(`/v1/Services/${serviceSid}`, form);

async function look(name: CheckName): Promise<DiagnosticCheck> {
  const { body } = await admin.get("/api/diagnostics/twilio");
  return body.checks.find((check: DiagnosticCheck) => check.name === name);
}
const right = (path: string) => `${app.url}/api/twilio${path}${retries}`;
/** The number as it should be. */
const setAllRight = () =>
  setNumber({
    VoiceUrl: right("/voice/inbound"),
    SmsUrl: right("/sms/inbound"),
    StatusCallback: right("/voice/inbound-status"),
    VoiceFallbackUrl: `${sandbox.url}/bins/number-fallback`,
  });

describe("the check of the system number", () => {
  it("passes when all settings point here", async () => {
    await setAllRight();
    expect(await look("numberWebhooks")).toMatchObject({ status: "ok", finding: "number_set" });
    expect(await look("numberFallback")).toMatchObject({ status: "ok", finding: "number_fallback_set" });
    expect(await look("callFallback")).toMatchObject({ status: "ok", finding: "call_fallback_set" });
    expect((await admin.get(planPath)).body.changes).toEqual([]);
  });

  it.each([
    ["by GET", { VoiceMethod: "GET" }, "voiceMethod: GET → POST"],
    ["SMS by GET", { SmsMethod: "GET" }, "smsMethod: GET → POST"],
    ["without a retry", { SmsUrl: "no-fragment" }, "smsUrl"],
    ["by an application", { VoiceApplicationSid: `AP${"2".repeat(32)}` }, "voiceApplicationSid"],
    ["by a trunk", { TrunkSid: `TK${"2".repeat(32)}` }, "trunkSid"],
  ])("warns when it requests %s", async (_case, form, detail) => {
    await setAllRight();
    const asked = Object.entries(form).map(([field, value]) => [
      field,
      value === "no-fragment" ? `${app.url}/api/twilio/sms/inbound` : value,
    ]);
    await setNumber(Object.fromEntries(asked));
    const check = await look("numberWebhooks");
    expect(check).toMatchObject({ status: "warn", finding: "number_elsewhere", values: { fixable: 1 } });
    expect(check.detail).toContain(detail);
  });

  it("accepts another retry count, and warns without retries after a timeout", async () => {
    await setAllRight();
    await setNumber({ VoiceUrl: `${app.url}/api/twilio/voice/inbound#rp=all&rc=2` });
    expect((await look("numberWebhooks")).status).toBe("ok");
    await setNumber({ VoiceUrl: `${app.url}/api/twilio/voice/inbound#rc=3&rp=ct` });
    expect((await look("numberWebhooks")).status).toBe("warn");
  });

  it.each([[""], ["own"]])("requires a fallback outside the portal (%j)", async (address) => {
    await setAllRight();
    await setNumber({ VoiceFallbackUrl: address === "own" ? right("/voice/inbound") : "" });
    expect(await look("numberFallback")).toMatchObject({
      status: "warn",
      finding: "number_fallback_missing",
    });
  });
});

describe("the check of the Messaging Service", () => {
  it("warns when the service is configured and cannot be read", async () => {
    await sandbox.control("POST", "/fail", { vendor: "twilio", match: "/v1/Services", status: 403 });
    expect(await look("messagingService")).toMatchObject({ status: "warn", finding: "not_reported" });
  });

  it("accepts that inbound messages are left to the system number, and to no other", async () => {
    expect(await look("messagingService")).toMatchObject({ status: "ok", finding: "service_set" });
    const { sid: PhoneNumberSid } = await sandbox.control("POST", "/numbers", { number: "+12025550102" });
    await atTwilio(`/v1/Services/${serviceSid}/PhoneNumbers`, { PhoneNumberSid });
    expect(await look("messagingService")).toMatchObject({ status: "warn", finding: "service_elsewhere" });
  });

  it("accepts other numbers in its pool if their calls come here too", async () => {
    expect(await look("poolNumbers")).toMatchObject({
      status: "ok",
      finding: "pool_set",
      values: { count: 0 },
    });
    const { sid } = await sandbox.control("POST", "/numbers", { number: "+12025550102" });
    await sandbox.control("POST", "/numbers", { number: "+12025550103" });
    await atTwilio(`/v1/Services/${serviceSid}/PhoneNumbers`, { PhoneNumberSid: sid });
    const check = await look("poolNumbers");
    expect(check).toMatchObject({ status: "warn", finding: "pool_elsewhere", values: { count: 1, of: 1 } });
    expect(check.detail).toContain(`${sid} voiceUrl: – → ${right("/voice/inbound")}`);
    expect(check.detail).not.toContain("sms");
    await atTwilio(ofAccount(`IncomingPhoneNumbers/${sid}.json`), {
      VoiceUrl: right("/voice/inbound"),
      StatusCallback: right("/voice/inbound-status"),
    });
    expect(await look("poolNumbers")).toMatchObject({ status: "ok", values: { count: 1 } });
  });

  it("uses the service's own webhook before the number's", async () => {
    await setAllRight();
    await setService({ UseInboundWebhookOnNumber: "false", InboundRequestUrl: "https://elsewhere.test/sms" });
    const check = await look("messagingService");
    expect(check).toMatchObject({ status: "warn", finding: "service_elsewhere" });
    expect(check.detail).toContain("https://elsewhere.test/sms");
    await setService({ InboundRequestUrl: right("/sms/inbound"), InboundMethod: "POST" });
    expect((await look("messagingService")).status).toBe("ok");
  });
});

describe("Fix", () => {
  const audited = async () => {
    const { rows } = await app.deps.database.pool.query(
      "select user_id, data from audit_log where action = 'telephony-setting-changed' order by id",
    );
    return rows;
  };

  it("shows old and new values of each field, applies them in one request, and is audited", async () => {
    await setNumber({ VoiceUrl: "https://elsewhere.test/voice", SmsMethod: "GET", FriendlyName: "Ours" });
    await setService({ UseInboundWebhookOnNumber: "false" });
    const { body: plan } = await admin.get(planPath);
    const changes: TelephonyChange[] = plan.changes;
    expect(changes).toContainEqual({
      target: "number",
      field: "voiceUrl",
      before: "https://elsewhere.test/voice",
      after: right("/voice/inbound"),
    });
    expect(changes).toContainEqual({
      target: "service",
      field: "inboundRequestUrl",
      before: "",
      after: right("/sms/inbound"),
    });
    expect((await admin.post(planPath, { seen: plan.seen })).body).toEqual({ changed: changes.length });
    for (const name of ["numberWebhooks", "numberFallback", "messagingService"] as const)
      expect((await look(name)).status).toBe("ok");
    const rows = await audited();
    expect(rows).toHaveLength(changes.length);
    expect(rows[0]).toMatchObject({ user_id: admin.user.id });
    expect(rows.map(({ data }) => data)).toContainEqual({
      field: "number.voiceUrl",
      before: "https://elsewhere.test/voice",
      after: right("/voice/inbound"),
    });
  });

  it("is audited before the request to Twilio, so that a crash in between leaves a record", async () => {
    const begun = async () => {
      const { rows } = await app.deps.database.pool.query(
        "select user_id, data from audit_log where action = 'telephony-fix-begun' order by id desc",
      );
      return rows;
    };
    await setNumber({ SmsMethod: "GET" });
    const { body: plan } = await admin.get(planPath);
    await sandbox.control("POST", "/latency", { vendor: "twilio", method: "POST", ms: 60_000 });
    const answer = admin.post(planPath, { seen: plan.seen });
    await eventually("the beginning to be written down", async () => (await begun()).length > 0);
    const [first] = await begun();
    expect(first).toMatchObject({
      user_id: admin.user.id,
      data: { changes: { "number.smsMethod": { before: "GET", after: "POST" } } },
    });
    expect(Object.keys(first.data.changes)).toHaveLength(plan.changes.length);
    expect(await audited()).toEqual([]);
    await sandbox.control("DELETE", "/latency");
    expect((await answer).body).toEqual({ changed: plan.changes.length });
  });

  it("changes only what is configured", async () => {
    const other = await sandbox.control("POST", "/numbers", { number: "+12025550102" });
    await atTwilio(ofAccount(`IncomingPhoneNumbers/${other.sid}.json`), { VoiceUrl: "https://theirs.test/" });
    await sandbox.control("DELETE", "/requests");
    await admin.post(planPath, { seen: (await admin.get(planPath)).body.seen });
    const { requests } = await sandbox.control("GET", "/requests?vendor=twilio");
    const written = requests
      .filter(({ method }: { method: string }) => method === "POST")
      .map(({ path }: { path: string }) => path);
    expect(written).toEqual([`/twilio${ofAccount(`IncomingPhoneNumbers/${numberSid}.json`)}`]);
  });

  it("changes nothing when the settings differ from those that were shown", async () => {
    const { seen } = (await admin.get(planPath)).body;
    await setNumber({ VoiceUrl: "https://meanwhile.test/" });
    expect(await admin.post(planPath, { seen })).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect((await admin.get(planPath)).body.changes).toContainEqual(
      expect.objectContaining({ field: "voiceUrl", before: "https://meanwhile.test/" }),
    );
    expect(await audited()).toEqual([]);
  });

  it("requires an administrator, and reports when Twilio rejects or is unavailable", async () => {
    const rep = await app.signIn();
    expect((await rep.get(planPath)).status).toBe(403);
    expect((await rep.post(planPath, { seen: "0".repeat(64) })).status).toBe(403);
    expect((await admin.post(planPath, { seen: "all" })).status).toBe(400);
    await sandbox.control("POST", "/fail", { vendor: "twilio", status: 401 });
    expect((await admin.get(planPath)).body.code).toBe("provider_refused");
    const { seen } = (await admin.get(planPath)).body;
    await sandbox.control("POST", "/fail", { vendor: "twilio", method: "POST", status: 503 });
    expect((await admin.post(planPath, { seen })).body.code).toBe("provider_unavailable");
    expect(await audited()).toEqual([]);
  });

  it("audits what took effect although Twilio's response was lost, and the unknown as not confirmed", async () => {
    const lost = { vendor: "twilio", method: "POST", reset: true, afterAct: true };
    const { seen, changes } = (await admin.get(planPath)).body;
    await sandbox.control("POST", "/fail", lost);
    expect((await admin.post(planPath, { seen })).body).toEqual({ changed: changes.length });
    expect((await admin.get(planPath)).body.changes).toEqual([]);
    const facts = ({ target, field, before, after }: TelephonyChange) => ({
      field: `${target}.${field}`,
      before,
      after,
    });
    expect((await audited()).map(({ data }) => data)).toEqual(changes.map(facts));

    await setService({ UseInboundWebhookOnNumber: "false" });
    const { body: next } = await admin.get(planPath);
    // The change is delayed until reading it back fails as well.
    await sandbox.control("DELETE", "/requests");
    await sandbox.control("POST", "/latency", { vendor: "twilio", method: "POST", ms: 60_000 });
    await sandbox.control("POST", "/fail", lost);
    const answer = admin.post(planPath, { seen: next.seen });
    await eventually("the change to be asked for", async () => {
      const { requests } = await sandbox.control("GET", "/requests?vendor=twilio");
      return requests.some(({ method }: { method: string }) => method === "POST");
    });
    await sandbox.control("POST", "/fail", { vendor: "twilio", method: "GET" });
    await sandbox.control("DELETE", "/latency");
    expect((await answer).body.code).toBe("provider_unavailable");
    expect((await audited()).slice(changes.length).map(({ data }) => data)).toEqual(
      next.changes.map((one: TelephonyChange) => ({ ...facts(one), confirmed: false })),
    );
  });

  it("does not report a change of a number that the account does not have", async () => {
    const body = { incoming_phone_numbers: [] };
    await sandbox.control("POST", "/fail", { vendor: "twilio", method: "GET", status: 200, body });
    await expect(app.deps.probes.telephony?.changeNumber({ voiceMethod: "POST" })).rejects.toMatchObject({
      kind: "not-found",
    });
  });
});
