import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildLead } from "../../testing/factories.ts";
import { openSmsHarness, type SmsHarness } from "../../testing/sms-harness.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: SmsHarness;
beforeAll(async () => {
  desk = await openSmsHarness();
});
afterAll(() => desk.close());

/** Tells the sandbox how a simulated phone handles an SMS. */
const texts = (number: string | null, outcome: string | number) =>
  desk.sandbox.control("POST", "/phones", { number, texts: outcome });

describe("sending an SMS", () => {
  it("stores it and follows it until it is delivered", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const answer = await desk.send(rep, lead, "  Hola, ¿cómo está?  ");
    expect(answer).toMatchObject({
      status: 200,
      body: { direction: "outbound", message: "Hola, ¿cómo está?", failure: null, senderName: rep.user.name },
    });
    const delivered = await desk.untilStatus(rep, lead, "delivered");
    expect(delivered).toMatchObject({ id: answer.body.id, errorCode: null });
    expect(await desk.atProvider(lead.phoneE164)).toMatchObject([{ body: "Hola, ¿cómo está?" }]);
    const { rows } = await desk.pool.query("select segments, message_sid from messages where id = $1", [
      answer.body.id,
    ]);
    expect(rows[0]).toMatchObject({ message_sid: expect.stringMatching(/^SM/) });
  });

  it.each([
    ["", "message_empty"],
    [" \n\t ", "message_empty"],
    ["x".repeat(1601), "message_too_long"],
  ])("rejects %j", async (message, code) => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    expect(await desk.send(rep, lead, message)).toMatchObject({ status: 400, body: { code } });
    expect(await desk.thread(rep, lead)).toEqual([]);
  });

  it("accepts 1600 characters", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    expect((await desk.send(rep, lead, "y".repeat(1600))).status).toBe(200);
  });

  it("replies to the number that wrote, also a further number of a merged lead", async () => {
    const rep = await desk.signInRep();
    const [kept, other] = [await desk.leadOf(rep), await desk.leadOf(rep)];
    const merged = await rep.post(`/api/leads/${kept.id}/merge`, {
      otherId: other.id,
      clientRef: randomUUID(),
    });
    expect(merged.status).toBe(200);
    const own = (await desk.leadNow(kept.id)).phone_e164;
    const further = own === kept.phoneE164 ? other.phoneE164 : kept.phoneE164;
    const goesTo = async (words: string) => {
      expect((await desk.send(rep, kept, words)).status, words).toBe(200);
      return (await desk.thread(rep, kept)).find(({ message }) => message === words)?.number;
    };
    expect(await goesTo("Hello")).toBe(own);
    await desk.receive(further, "Write me here");
    expect(await goesTo("Here I am")).toBe(further);
    await desk.receive(own, "Back again");
    expect(await goesTo("Welcome back")).toBe(own);
    await desk.receive(further, "STOP");
    await desk.receive(further, "Only joking");
    expect((await desk.send(rep, kept, "More?")).body).toMatchObject({ reason: "opted_out" });
    expect(await desk.atProvider(further)).toMatchObject([{ body: "Here I am" }]);
  });

  it.each([30003, 30005, 30006, 30007, 30008, 30034])(
    "explains why an SMS failed with code %i",
    async (code) => {
      const rep = await desk.signInRep();
      const lead = await desk.leadOf(rep);
      await texts(lead.phoneE164, code);
      await desk.send(rep, lead, "Buenos días");
      const status = code === 30034 ? "failed" : "undelivered";
      const failed = await desk.untilStatus(rep, lead, status);
      expect(failed.errorCode).toBe(code);
      expect(failed.failure).toMatch(/\w{3}/);
      expect(failed.failure).not.toContain(String(code));
    },
  );

  it.each([
    [21211, "not a number"],
    [21408, "country"],
    [21612, "do not reach"],
    [21614, "not a mobile"],
  ])("stores an SMS that the provider rejects with %i as failed", async (code, words) => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await texts(lead.phoneE164, code);
    const answer = await desk.send(rep, lead, "Buenas tardes");
    expect(answer).toMatchObject({ status: 502, body: { code: "provider_refused" } });
    expect(answer.body.message).toContain(words);
    expect(await desk.thread(rep, lead)).toMatchObject([{ status: "failed", errorCode: code }]);
  });

  it("opts the lead out when the provider reports an opt-out", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await texts(lead.phoneE164, 21610);
    const answer = await desk.send(rep, lead, "Buenas noches");
    expect(answer).toMatchObject({ status: 409, body: { code: "contact_refused", reason: "opted_out" } });
    expect((await desk.leadNow(lead.id)).text_opt_out).toBe("stop");
    expect(await desk.timeline(lead.id)).toContain("opted-out");
    expect((await rep.get(`/api/leads/${lead.id}`)).body.textRefusal).toBe("opted_out");
    const again = await desk.send(rep, lead, "Otra vez");
    expect(again).toMatchObject({ status: 409, body: { reason: "opted_out" } });
    expect(await desk.thread(rep, lead)).toHaveLength(1);
  });
});

describe("sending an SMS once", () => {
  it("sends once for twenty identical concurrent requests", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const clientRef = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => desk.send(rep, lead, "Solo una vez", clientRef)),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await desk.atProvider(lead.phoneE164)).toHaveLength(1);
  });

  it.each([
    ["without a reference", () => null],
    ["from two tabs, each with its own reference", () => randomUUID()],
  ])("sends once %s", async (_case, ref) => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const answers = await Promise.all([
      desk.send(rep, lead, "Doble clic", ref()),
      desk.send(rep, lead, "Doble clic", ref()),
    ]);
    expect(answers[0].body.id).toBe(answers[1].body.id);
    expect(await desk.atProvider(lead.phoneE164)).toHaveLength(1);
  });

  it("returns the sent SMS for a retry after a lost response", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const clientRef = randomUUID();
    const first = await desk.send(rep, lead, "Perdida", clientRef);
    // Much later, so that only the reference identifies it.
    await desk.pool.query("update messages set created_at = now() - interval '1 hour' where id = $1", [
      first.body.id,
    ]);
    expect((await desk.send(rep, lead, "Perdida", clientRef)).body.id).toBe(first.body.id);
    expect(await desk.atProvider(lead.phoneE164)).toHaveLength(1);
  });

  it("rejects a different text with a used reference", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const clientRef = randomUUID();
    await desk.send(rep, lead, "Uno", clientRef);
    expect(await desk.send(rep, lead, "Dos", clientRef)).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
  });

  it("sends the same text again later, and at once after a failure", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.send(rep, lead, "Hola");
    await desk.pool.query("update messages set created_at = now() - interval '1 minute' where lead_id = $1", [
      lead.id,
    ]);
    await desk.send(rep, lead, "Hola");
    expect(await desk.atProvider(lead.phoneE164)).toHaveLength(2);
    const other = await desk.leadOf(rep);
    await texts(other.phoneE164, 21612);
    await desk.send(rep, other, "Hola");
    await texts(other.phoneE164, "delivered");
    expect((await desk.send(rep, other, "Hola")).status).toBe(200);
    expect(await desk.thread(rep, other)).toHaveLength(2);
  });
});

describe("access to SMS", () => {
  it("returns 401 without a session and 403 to other consultants, and writes nothing", async () => {
    const owner = await desk.signInRep();
    const other = await desk.signInRep();
    const admin = await desk.portal.signIn({ role: "admin" });
    const lead = await desk.leadOf(owner);
    await desk.send(owner, lead, "Para mi cliente");
    const path = `/api/leads/${lead.id}/sms`;
    for (const method of ["GET", "POST"] as const)
      expect((await desk.portal.request(method, path, { body: { message: "x" } })).status).toBe(401);
    expect(await other.get(path)).toMatchObject({ status: 403, body: { code: "not_your_lead" } });
    expect(await desk.send(other, lead, "Robo")).toMatchObject({ status: 403 });
    expect(await other.post(`${path}/read`)).toMatchObject({ status: 403 });
    expect(await desk.thread(admin, lead)).toHaveLength(1);
    expect((await desk.send(admin, lead, "Del administrador")).status).toBe(200);
    expect((await owner.get("/api/leads/999999/sms")).status).toBe(404);
  });

  it("excludes unassigned leads for consultants", async () => {
    const rep = await desk.signInRep();
    const lead = await buildLead(desk.portal.deps.database, { phone: "(305) 555-0177" });
    expect((await rep.get(`/api/leads/${lead.id}/sms`)).status).toBe(403);
    expect((await desk.send(rep, lead, "Hola")).status).toBe(403);
  });

  it("lets only the owner mark SMS as seen", async () => {
    const owner = await desk.signInRep();
    const admin = await desk.portal.signIn({ role: "admin" });
    const lead = await desk.leadOf(owner);
    await desk.receive(lead.phoneE164, "¿Hay alguien?");
    const unread = async () => (await owner.get(`/api/leads/${lead.id}`)).body.unreadTexts;
    expect(await unread()).toBe(1);
    expect((await owner.get("/api/sms/unread")).body.leads).toBe(1);
    expect((await admin.post(`/api/leads/${lead.id}/sms/read`)).body).toEqual({ marked: 0 });
    expect(await unread()).toBe(1);
    expect((await owner.post(`/api/leads/${lead.id}/sms/read`)).body).toEqual({ marked: 1 });
    expect(await unread()).toBe(0);
    expect((await owner.get("/api/sms/unread")).body.leads).toBe(0);
  });
});

describe("without an SMS provider", () => {
  it("sending is rejected with a message, and stored SMS can still be read", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.send(rep, lead, "Antes");
    const { smsProvider } = desk.portal.deps.sms;
    desk.portal.deps.sms.smsProvider = null;
    const answer = await desk.send(rep, lead, "Después");
    desk.portal.deps.sms.smsProvider = smsProvider;
    expect(answer).toMatchObject({ status: 503, body: { code: "provider_off" } });
    expect(await desk.thread(rep, lead)).toHaveLength(1);
  });
});
