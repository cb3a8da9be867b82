import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../testing/call-harness.ts";
import { buildLead } from "../../testing/factories.ts";
import { mailboxLogin, openMailbox } from "../../testing/mailbox.ts";
import { buildTestApp, type Client } from "../../testing/test-app.ts";
import { checkTestCalls } from "./make-test-call.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

let desk: CallHarness;

beforeAll(async () => {
  desk = await openCallHarness();
});
afterAll(() => desk?.close());

const admin = (phone: "answers" | "silent" | "voicemail" | "invalid" | null = "answers") =>
  desk.signInRep(phone, { role: "admin" });
const checklist = async (as: Client) => (await as.get("/api/go-live")).body;
const lastCall = async (as: Client) => (await checklist(as)).testCall;
const untilOver = (as: Client) =>
  eventually("the end of the test call", async () => {
    const call = await lastCall(as);
    return call && !call.isLive && call;
  });
const audited = async (action: string) => {
  const { rows } = await desk.pool.query(
    "select user_id, subject from audit_log where action = $1 order by id",
    [action],
  );
  return rows;
};
const oneOf = (as: Client, step: string) =>
  checklist(as).then(({ steps }) => steps.find((each: { step: string }) => each.step === step));

describe("manual steps", () => {
  it("are shared by the organization: who marked them and when, due again after 90 days, can be unmarked, all audited", async () => {
    const [eva, max] = [await admin(), await admin()];
    expect(await oneOf(eva, "caller_name")).toEqual({ step: "caller_name", done: null, isOpen: true });
    const { status, body } = await eva.post("/api/go-live/steps/caller_name");
    expect([status, body.done.by, body.isOpen]).toEqual([200, eva.user.name, false]);
    expect(await oneOf(max, "caller_name")).toEqual(body);

    await desk.pool.query("update go_live_marks set marked_at = now() - interval '91 days'");
    expect(await oneOf(max, "caller_name")).toMatchObject({ done: { by: eva.user.name }, isOpen: true });
    await max.post("/api/go-live/steps/caller_name");
    expect(await oneOf(eva, "caller_name")).toMatchObject({ done: { by: max.user.name }, isOpen: false });

    await eva.delete("/api/go-live/steps/caller_name");
    // There is no mark left to remove.
    await eva.delete("/api/go-live/steps/caller_name");
    expect(await oneOf(max, "caller_name")).toMatchObject({ done: null, isOpen: true });
    const subject = "go-live:caller_name";
    expect(await audited("go-live-marked")).toEqual([
      { user_id: eva.user.id, subject },
      { user_id: max.user.id, subject },
    ]);
    expect(await audited("go-live-unmarked")).toEqual([{ user_id: eva.user.id, subject }]);
    expect((await eva.post("/api/go-live/steps/make_coffee")).body.code).toBe("invalid");
  });

  it("list the countries of the leads' numbers", async () => {
    for (const phone of ["+17875550142", "+12125550142", "+13055550142", "+34612345678"])
      await buildLead(desk.portal.deps.database, { phone });
    const { countries } = await checklist(await admin());
    expect(countries).toEqual(
      expect.arrayContaining([
        { country: "US", leads: 2 },
        { country: "PR", leads: 1 },
        { country: "ES", leads: 1 },
      ]),
    );
  });
});

describe("a test call", () => {
  it("rings the phone of the person who started it, once for repeated requests, and proves that the portal is reachable", async () => {
    const eva = await admin();
    const phone = await desk.repNumber(eva);
    await desk.byHand(phone);
    const [first, second] = await Promise.all([
      eva.post("/api/go-live/test-call"),
      eva.post("/api/go-live/test-call"),
    ]);
    expect([first.status, second.status, second.body.id]).toEqual([200, 200, first.body.id]);
    await eventually("the phone to ring", async () => (await lastCall(eva)).state === "ringing");
    expect((await lastCall(eva)).reachedAt).not.toBeNull();
    expect((await eva.post("/api/go-live/test-call")).body.id).toBe(first.body.id);
    const [leg, ...others] = await desk.legsTo(phone);
    expect(others).toEqual([]);
    await desk.phone(leg?.sid ?? "", "answer");
    expect(await untilOver(eva)).toMatchObject({
      state: "passed",
      askedBy: eva.user.name,
      failure: null,
      isOpen: false,
    });
    const [after] = await desk.legsTo(phone);
    expect(after?.heard).toEqual([expect.stringContaining("test call of your lead desk")]);
    expect(await audited("test-call")).toEqual([
      { user_id: eva.user.id, subject: `test-call:${first.body.id}` },
    ]);
    // No lead was dialed and nothing is logged.
    expect([await desk.count("calls"), await desk.count("call_logs")]).toEqual([0, 0]);
  });

  it("is valid for 90 days and for the portal address it was made with", async () => {
    const eva = await admin();
    await eva.post("/api/go-live/test-call");
    expect(await untilOver(eva)).toMatchObject({ state: "passed", isOpen: false });
    const { calls } = desk.portal.deps;
    const { publicUrl } = calls;
    calls.publicUrl = "https://moved.test";
    const moved = await lastCall(eva);
    calls.publicUrl = publicUrl;
    expect(moved).toMatchObject({ state: "passed", isOpen: true });
    await desk.pool.query("update test_calls set asked_at = now() - interval '91 days'");
    expect(await lastCall(eva)).toMatchObject({ state: "passed", isOpen: true });
  });

  it("distinguishes no answer, an unreachable portal, and a provider that refuses the call", async () => {
    const silent = await admin("silent");
    await silent.post("/api/go-live/test-call");
    expect(await untilOver(silent)).toMatchObject({ state: "unanswered", reachedAt: expect.any(String) });

    const invalid = await admin("invalid");
    expect((await invalid.post("/api/go-live/test-call")).body).toMatchObject({
      state: "refused",
      isLive: false,
      failure: { kind: "invalid", code: 21211 },
    });

    // PUBLIC_URL points to an unreachable address.
    const lost = await admin();
    const phone = await desk.repNumber(lost);
    await desk.byHand(phone);
    const { calls } = desk.portal.deps;
    const { publicUrl } = calls;
    calls.publicUrl = "http://127.0.0.1:9";
    await lost.post("/api/go-live/test-call");
    calls.publicUrl = publicUrl;
    // Only the portal's own request shows that it rings.
    const [leg] = await desk.legsTo(phone);
    await eventually("the question to tell that it rings", async () => {
      await checkTestCalls(calls, { silenceMs: 0, giveUpMs: 180_000 });
      return (await desk.pool.query("select 1 from test_calls where leg = 'ringing' and ended_at is null"))
        .rowCount;
    });
    expect(await lastCall(lost)).toMatchObject({ state: "calling", reachedAt: null });
    await desk.phone(leg?.sid ?? "", "answer");
    await eventually("the leg to end", async () => {
      const [{ status } = { status: "" }] = await desk.legsTo(phone);
      return status === "completed" || status === "failed";
    });
    expect((await lastCall(lost)).isLive).toBe(true);
    await checkTestCalls(calls, { silenceMs: 0, giveUpMs: 180_000 });
    expect(await lastCall(lost)).toMatchObject({ state: "not_reached", reachedAt: null });
  });

  it("made before reasons had kinds shows its reason, and has to be repeated", async () => {
    const eva = await admin();
    const folder = new URL("../../platform/db/migrations/", import.meta.url);
    const script = await readFile(new URL("0034_test_call_facts.sql", folder), "utf8");
    const old = {
      "The telephony provider did not accept the portal's keys. Tell an administrator.": "auth",
      "The telephony provider cannot be reached. Nothing was dialled: please try again in a moment.":
        "unavailable",
      "Calls to the country of your phone number are not enabled. Tell an administrator.": "invalid",
    };
    for (const [sentence, kind] of Object.entries(old)) {
      await desk.pool.query(
        "insert into test_calls (user_id, key_hash, failure, ended_at) values ($1, 'x', $2, now())",
        [eva.user.id, sentence],
      );
      await desk.pool.query(script.slice(script.indexOf("UPDATE")));
      expect(await lastCall(eva)).toMatchObject({
        state: "refused",
        failure: { kind, code: null },
        isOpen: true,
      });
    }
  });

  it("rejects callbacks without the call's own key, or of another call", async () => {
    const eva = await admin();
    const phone = await desk.repNumber(eva);
    await desk.byHand(phone);
    const { body } = await eva.post("/api/go-live/test-call");
    const { requests } = await desk.sandbox.control("GET", "/requests?vendor=twilio&path=/Calls.json");
    const asked = new URL(requests.at(-1).body.Url);
    await eventually("the phone to ring", async () => (await lastCall(eva)).state === "ringing");
    const foreign = { CallSid: `CA${"9".repeat(32)}`, CallStatus: "completed" };
    const path = "/api/twilio/voice/test-call";
    const wrongKey = await desk.webhook(`${path}?test=${body.id}&key=guessed`, foreign);
    const otherCall = await desk.webhook(`${path}${asked.search}`, foreign);
    const unsigned = await desk.webhook(`${path}${asked.search}`, foreign, "another-token");
    expect([wrongKey.body, otherCall.body].map((twiml) => twiml.includes("Say"))).toEqual([false, false]);
    expect(unsigned.status).toBe(403);
    await desk.webhook(`${path}-status?test=${body.id}&key=guessed`, foreign);
    expect(await lastCall(eva)).toMatchObject({ id: body.id, state: "ringing" });
    const { rows } = await desk.pool.query("select key_hash from test_calls where id = $1", [body.id]);
    expect(asked.search).not.toContain(rows[0].key_hash);
    await desk.phone((await desk.legsTo(phone))[0]?.sid ?? "", "hangup");
    expect((await untilOver(eva)).state).toBe("unanswered");
  });

  it("is not repeated when the provider's response is lost, and ends by itself without events", async () => {
    const eva = await admin();
    const phone = await desk.repNumber(eva);
    await desk.sandbox.control("POST", "/fail", {
      vendor: "twilio",
      method: "POST",
      match: "Calls.json",
      reset: true,
    });
    const { body } = await eva.post("/api/go-live/test-call");
    expect(body).toMatchObject({ state: "calling", isLive: true });
    expect((await eva.post("/api/go-live/test-call")).body.id).toBe(body.id);
    await checkTestCalls(desk.portal.deps.calls, { silenceMs: 0, giveUpMs: 180_000 });
    expect((await lastCall(eva)).isLive).toBe(true);
    await checkTestCalls(desk.portal.deps.calls, { silenceMs: 0, giveUpMs: 0 });
    expect(await lastCall(eva)).toMatchObject({ state: "not_reached", isLive: false });
    expect(await desk.legsTo(phone)).toEqual([]);
  });

  it("is rejected for a user without a phone, during a call, or without the administrator role", async () => {
    const bare = await admin(null);
    expect((await bare.post("/api/go-live/test-call")).body.code).toBe("rep_without_phone");
    expect(await checklist(bare)).toMatchObject({ ownPhone: null, canCall: true });
    const busy = await admin();
    const lead = await desk.leadOf(busy);
    await desk.callRow(busy, lead);
    expect((await busy.post("/api/go-live/test-call")).body.code).toBe("rep_on_call");
    const rep = await desk.signInRep();
    expect((await rep.post("/api/go-live/test-call")).status).toBe(403);
    await desk.pool.query("delete from calls");
  });
});

it("without a provider there is no test call; the mail server's error is in the diagnostics", async () => {
  const mailbox = await openMailbox();
  const server = (password: string) => `smtp://${mailboxLogin.user}:${password}@127.0.0.1:${mailbox.port}`;
  const mailOf = async (password: string) => {
    const app = await buildTestApp({
      env: {
        NODE_ENV: "production",
        PUBLIC_URL: "http://127.0.0.1:5998",
        SESSION_SECRET: "s".repeat(32),
        ENCRYPTION_KEY: "e".repeat(32),
        ADMIN_EMAIL: "boss@example.com",
        SMTP_URL: server(password),
        MAIL_FROM: "Lead Desk <desk@example.com>",
      },
    });
    const boss = await app.signIn({ role: "admin" });
    expect((await boss.get("/api/go-live")).body).toMatchObject({ canCall: false, testCall: null });
    expect((await boss.post("/api/go-live/test-call")).body.code).toBe("provider_off");
    const { checks } = (await boss.get("/api/diagnostics/email")).body;
    await app.close();
    return [checks[0].status, checks[0].finding];
  };
  expect(await mailOf(mailboxLogin.password)).toEqual(["ok", "accepted"]);
  expect(await mailOf("wrong")).toEqual(["fail", "refused"]);
  expect(mailbox.emails).toEqual([]);
  await mailbox.close();
});
