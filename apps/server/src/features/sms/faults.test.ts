import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { openSmsHarness, type SmsHarness } from "../../testing/sms-harness.ts";
import { buildTestApp } from "../../testing/test-app.ts";
import { createTestDatabase } from "../../testing/test-database.ts";
import { reconcileMessages } from "./jobs.ts";
import { messageTimings, type SmsContext } from "./types.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Everything is due at once. */
const atOnce = { unansweredMs: 0, giveUpMs: 0, silenceMs: 0, againMs: 0 };
/** The app's own scheduled tasks do not process the SMS, so that the test can. */
const never = { unansweredMs: 1e9, giveUpMs: 1e9, silenceMs: 1e9, againMs: 1e9 };

let desk: SmsHarness;
let sms: SmsContext;
beforeAll(async () => {
  desk = await openSmsHarness();
  sms = desk.portal.deps.sms;
});
afterEach(async () => {
  sms.timings = messageTimings;
  await desk.sandbox.control("DELETE", "/fail");
  await desk.sandbox.control("POST", "/webhooks", {});
});
afterAll(() => desk.close());

const fail = (rule: object) =>
  desk.sandbox.control("POST", "/fail", {
    vendor: "twilio",
    match: "Messages.json",
    method: "POST",
    ...rule,
  });
const reconcile = (context: SmsContext = sms) => reconcileMessages({ ...context, timings: atOnce });

describe("an SMS request whose response is lost", () => {
  it.each([
    ["the response is lost", { reset: true }],
    ["the response is a 500", { status: 500 }],
    ["the response is an HTML page", { status: 200, html: true }],
  ])("sends once and finds the SMS again when %s", async (_case, rule) => {
    sms.timings = never;
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.sandbox.control("POST", "/webhooks", { drop: 1 });
    await fail({ ...rule, afterAct: true });
    const clientRef = randomUUID();
    const answer = await desk.send(rep, lead, "¿Llegó?", clientRef);
    expect(answer.status).toBe(200);
    expect((await desk.send(rep, lead, "¿Llegó?", clientRef)).body.id).toBe(answer.body.id);
    // The broken connection may cost one run.
    await vi.waitFor(async () => {
      await reconcile();
      const [text] = await desk.thread(rep, lead);
      expect(text).toMatchObject({ id: answer.body.id, failure: null });
      expect(text?.status).not.toBe("requested");
    }, 45_000);
    expect(await desk.atProvider(lead.phoneE164)).toHaveLength(1);
  });

  it("reports that an SMS was not sent when the provider never got it, and does not resend it", async () => {
    sms.timings = never;
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await fail({ status: 500 });
    expect(await desk.send(rep, lead, "Nunca")).toMatchObject({ status: 200, body: { status: "requested" } });
    await reconcile();
    const [text] = await desk.thread(rep, lead);
    expect(text).toMatchObject({ status: "failed", errorCode: null });
    expect(text?.failure).toContain("not delivered");
    await reconcile();
    expect(await desk.atProvider(lead.phoneE164)).toEqual([]);
  });

  describe("for two SMS with the same text to one phone", () => {
    /** The first never reached the provider, the second did; both responses were lost. */
    async function loseTwo() {
      sms.timings = never;
      const rep = await desk.signInRep();
      const lead = await desk.leadOf(rep);
      const partner = await desk.leadOf(rep);
      await desk.pool.query(
        "update leads set (phone, phone_e164) = (select phone, phone_e164 from leads where id = $1) where id = $2",
        [lead.id, partner.id],
      );
      await desk.sandbox.control("POST", "/webhooks", { drop: 1_000 });
      await fail({ status: 500 });
      const first = (await desk.send(rep, lead, "Hola a los dos")).body.id;
      await fail({ status: 500, afterAct: true });
      const second = (await desk.send(rep, partner, "Hola a los dos")).body.id;
      const statuses = async () => {
        const { rows } = await desk.pool.query("select status from messages where id = any($1) order by id", [
          [first, second],
        ]);
        return rows.map(({ status }) => status);
      };
      const asked = (id: number, ago: string) =>
        desk.pool.query("update messages set asked_at = asked_at - $2::interval where id = $1", [id, ago]);
      return { lead, first, second, statuses, asked };
    }

    it("assigns the provider's message to the request made at that time", async () => {
      const { first, statuses, asked } = await loseTwo();
      await asked(first, "5 s");
      await reconcile();
      await reconcile();
      expect(await statuses()).toEqual(["failed", expect.stringMatching(/sent|delivered|queued|sending/)]);
    });

    it("prefers the provider's own report over the earlier conclusion", async () => {
      const { lead, second, statuses, asked } = await loseTwo();
      await asked(second, "5 s");
      await reconcile();
      expect((await statuses())[0]).not.toMatch(/failed|requested/);
      const [text] = await desk.atProvider(lead.phoneE164);
      await desk.status(second, text?.sid ?? "", "delivered");
      await desk.untilWorked();
      await reconcile();
      expect(await statuses()).toEqual(["failed", "delivered"]);
    });
  });

  it("does not match another SMS with a different text", async () => {
    sms.timings = never;
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.send(rep, lead, "Primero");
    await fail({ status: 500 });
    await desk.send(rep, lead, "Segundo");
    await reconcile();
    const thread = await desk.thread(rep, lead);
    expect(thread.find(({ message }) => message === "Segundo")?.status).toBe("failed");
  });
});

describe("a provider that rejects an SMS", () => {
  it.each([
    [429, "provider_unavailable"],
    [401, "provider_refused"],
  ])(
    "reports at status %i that nothing was sent, and allows sending the same text again",
    async (status, code) => {
      const rep = await desk.signInRep();
      const lead = await desk.leadOf(rep);
      // A response with a retry delay is retried automatically, three times.
      await fail({ status, count: status === 429 ? 4 : 1 });
      expect(await desk.send(rep, lead, "Otra vez")).toMatchObject({ body: { code } });
      expect((await desk.send(rep, lead, "Otra vez")).status).toBe(200);
      expect(await desk.atProvider(lead.phoneE164)).toHaveLength(1);
    },
  );
});

describe("missing SMS status callbacks", () => {
  it("are replaced by a request to the provider", async () => {
    sms.timings = never;
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.sandbox.control("POST", "/phones", { number: lead.phoneE164, texts: 30005 });
    await desk.sandbox.control("POST", "/webhooks", { drop: 1 });
    await desk.send(rep, lead, "Silencio");
    await vi.waitFor(
      async () => {
        await desk.pool.query("update messages set checked_at = null where lead_id = $1", [lead.id]);
        await reconcile();
        expect(await desk.thread(rep, lead)).toMatchObject([{ status: "undelivered", errorCode: 30005 }]);
      },
      { timeout: 45_000 },
    );
  });
});

describe("two processes on one database", () => {
  it("send one SMS for two requests and share the events", async () => {
    const database = await createTestDatabase();
    const first = await openSmsHarness({ databaseUrl: database.url });
    // Behind the same URL, where the provider's callbacks arrive regardless of the sender.
    const env = { ...first.env, PUBLIC_URL: first.portal.url };
    const second = await buildTestApp({ env, databaseUrl: database.url });
    const rep = await first.signInRep();
    const lead = await first.leadOf(rep);
    const body = { message: "A la vez" };
    const path = `/api/leads/${lead.id}/sms`;
    const answers = await Promise.all([
      rep.post(path, body),
      second.request("POST", path, { body, cookie: rep.cookie }),
      rep.post(path, body),
      second.request("POST", path, { body, cookie: rep.cookie }),
    ]);
    expect(new Set(answers.map(({ status, body: text }) => `${status} ${text.id}`)).size).toBe(1);
    expect(await first.atProvider(lead.phoneE164)).toHaveLength(1);
    await first.untilStatus(rep, lead, "delivered");
    await second.close();
    await first.close();
    await database.drop();
  });
});
