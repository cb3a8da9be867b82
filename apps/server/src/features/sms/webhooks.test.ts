import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually } from "../../testing/call-harness.ts";
import { buildLead } from "../../testing/factories.ts";
import { newSmsSid, openSmsHarness, type SmsHarness } from "../../testing/sms-harness.ts";
import type { Client } from "../../testing/test-app.ts";
import { createMissedMessages } from "./jobs.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: SmsHarness;
beforeAll(async () => {
  desk = await openSmsHarness();
});
afterAll(() => desk.close());

type LeadRow = Awaited<ReturnType<typeof buildLead>>;

/** Inserts an outbound SMS that was requested from the provider; nothing is published. */
async function sentText(rep: Client, lead: LeadRow): Promise<number> {
  const { rows } = await desk.pool.query(
    `insert into messages (lead_id, user_id, direction, body, status, from_number, to_number, asked_at)
     values ($1, $2, 'outbound', 'Hola', 'requested', '+15005550006', $3, now()) returning id`,
    [lead.id, rep.user.id, lead.phoneE164],
  );
  return rows[0].id;
}

const inDatabase = (overrides: Parameters<typeof buildLead>[1]) =>
  buildLead(desk.portal.deps.database, overrides);

describe("SMS that arrived while portal or database was down", () => {
  it("are fetched afterwards, each once, with their time; STOP opts out, and START does not opt in again", async () => {
    const { smsProvider } = desk.portal.deps.sms;
    if (!smsProvider) throw new Error("no provider");
    const rep = await desk.signInRep();
    const [lead, stopped, sorry] = [await desk.leadOf(rep), await desk.leadOf(rep), await desk.leadOf(rep)];
    await desk.receive(sorry.phoneE164, "STOP");
    const pull = createMissedMessages(desk.portal.deps.sms, smsProvider);
    // The portal gets no callbacks about these.
    for (const [from, body] of [
      [lead.phoneE164, "¿Siguen ahí?"],
      [stopped.phoneE164, "STOP"],
      [sorry.phoneE164, "START"],
    ])
      await desk.sandbox.control("POST", "/texts", { from, body });
    await Promise.all([pull(), createMissedMessages(desk.portal.deps.sms, smsProvider)()]);
    await pull();
    await desk.untilWorked();
    const [text, ...more] = await desk.thread(rep, lead);
    expect([text?.message, text?.direction, more]).toEqual(["¿Siguen ahí?", "inbound", []]);
    const { rows } = await desk.pool.query(
      "select extract(milliseconds from created_at)::int % 1000 as ms from messages where body = '¿Siguen ahí?'",
    );
    // The provider's time, in whole seconds.
    expect(rows).toEqual([{ ms: 0 }]);
    const optOuts = [stopped, sorry].map(({ id }) => desk.leadNow(id).then((row) => row.text_opt_out));
    expect(await Promise.all(optOuts)).toEqual(["stop", "stop"]);
  });
});

describe("events of an SMS", () => {
  const orders = (list: string[]): string[][] =>
    list.length < 2
      ? [list]
      : list.flatMap((first) =>
          orders(list.filter((other) => other !== first)).map((rest) => [first, ...rest]),
        );

  it("end in the same state in all 24 orders of four states, each sent twice", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const all = orders(["queued", "sending", "sent", "delivered"]);
    expect(all).toHaveLength(24);
    for (const order of all) {
      const [id, sid] = [await sentText(rep, lead), newSmsSid()];
      for (const status of [...order, ...order])
        expect((await desk.status(id, sid, status)).status).toBe(200);
      await desk.untilWorked();
      const { rows } = await desk.pool.query("select status, message_sid from messages where id = $1", [id]);
      expect(rows[0], order.join()).toEqual({ status: "delivered", message_sid: sid });
    }
  });

  it("keep the failure and its code", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const [id, sid] = [await sentText(rep, lead), newSmsSid()];
    await desk.status(id, sid, "undelivered", { ErrorCode: "30007" });
    await desk.status(id, sid, "sent");
    await desk.untilWorked();
    const [text] = await desk.thread(rep, lead);
    expect(text).toMatchObject({ status: "undelivered", errorCode: 30007 });
    expect(text?.failure).toContain("filtered");
  });

  it("match the SMS by its sid when the URL has none, and ignore others", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const [id, sid] = [await sentText(rep, lead), newSmsSid()];
    await desk.status(id, sid, "queued");
    await desk.webhook("/api/twilio/sms/status", { MessageSid: sid, MessageStatus: "sent" });
    await desk.status(id, newSmsSid(), "failed", { ErrorCode: "30008" });
    await desk.status(999_999, newSmsSid(), "delivered");
    await desk.untilWorked();
    expect(await desk.thread(rep, lead)).toMatchObject([{ status: "sent", errorCode: null }]);
  });

  it("with an unknown status are acknowledged and stored", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const id = await sentText(rep, lead);
    const answer = await desk.status(id, newSmsSid(), "teleported");
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining("<Response/>") });
    await desk.untilWorked();
    expect(await desk.thread(rep, lead)).toMatchObject([{ status: "requested" }]);
  });
});

describe("SMS webhook signatures", () => {
  it.each(["/api/twilio/sms/status", "/api/twilio/sms/inbound"])(
    "are required: forged requests to %s are rejected",
    async (path) => {
      const before = await desk.count("provider_events");
      const params = {
        MessageSid: newSmsSid(),
        From: "+17865550121",
        Body: "STOP",
        MessageStatus: "delivered",
      };
      expect(await desk.webhook(path, params, "another-token")).toMatchObject({ status: 403 });
      const unsigned = await fetch(`${desk.portal.url}${path}`, {
        method: "POST",
        body: new URLSearchParams(params),
      });
      expect(unsigned.status).toBe(403);
      expect(await desk.count("provider_events")).toBe(before);
    },
  );
});

describe("an inbound SMS", () => {
  it("is published to its lead and owner at once", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const heard: unknown[] = [];
    const stop = desk.portal.deps.events.onEvent((event) => heard.push(event));
    const answer = await desk.receive(lead.phoneE164, "¿Me llama mañana?");
    await eventually("the notice", () => heard.length > 0);
    stop();
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining("<Response/>") });
    expect(heard).toEqual([{ topic: "sms", id: lead.id, audience: [rep.user.id] }]);
    expect(await desk.thread(rep, lead)).toMatchObject([
      { direction: "inbound", status: "received", message: "¿Me llama mañana?", senderName: null },
    ]);
  });

  it("is stored once for repeated and concurrent deliveries", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const { params } = await desk.receive(lead.phoneE164, "Una vez");
    for (let round = 0; round < 10; round += 1) await desk.webhook("/api/twilio/sms/inbound", params);
    await Promise.all(Array.from({ length: 20 }, () => desk.webhook("/api/twilio/sms/inbound", params)));
    await desk.untilWorked();
    expect(await desk.thread(rep, lead)).toHaveLength(1);
  });

  it("stores the number of attached pictures, with and without text", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.receive(lead.phoneE164, "", { NumMedia: "2" });
    await desk.receive(lead.phoneE164, "", { NumMedia: "1" });
    await desk.receive(lead.phoneE164, "Mire", { NumMedia: "1" });
    const parts = (await desk.thread(rep, lead)).map(({ message, attachments }) => [message, attachments]);
    expect(parts).toEqual([
      ["", 2],
      ["", 1],
      ["Mire", 1],
    ]);
    const { body } = await rep.get(`/api/leads/${lead.id}/timeline?limit=1`);
    expect(body).toMatchObject([{ kind: "text", text: "Mire", attachments: 1 }]);
  });

  it("belongs to the lead of that number contacted last, else to the newest", async () => {
    const rep = await desk.signInRep();
    const phone = "(305) 555-0188";
    const made = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const mine = { phone, assignedTo: rep.user.id };
    const oldest = await inDatabase({ ...mine, createdAt: made(30) });
    const middle = await inDatabase({ ...mine, createdAt: made(20) });
    const newest = await inDatabase({ ...mine, createdAt: made(10) });
    await desk.receive(newest.phoneE164, "Primero");
    expect(await desk.thread(rep, newest)).toHaveLength(1);
    await sentText(rep, oldest);
    await desk.receive(newest.phoneE164, "Segundo");
    expect((await desk.thread(rep, oldest)).at(-1)).toMatchObject({ message: "Segundo" });
    await desk.callRow(rep, middle, { state: "ended", requested_at: new Date(Date.now() + 1_000) });
    await desk.receive(newest.phoneE164, "Tercero");
    expect((await desk.thread(rep, middle)).at(-1)).toMatchObject({ message: "Tercero" });
  });
});

describe("opting out by SMS", () => {
  it.each(["STOP", "alto"])(
    "opts out every lead of the number at %j, and START opts in again",
    async (word) => {
      const rep = await desk.signInRep();
      const lead = await desk.leadOf(rep, "answers", { ghlContactId: `contact-${word}` });
      const housemate = await inDatabase({ phone: lead.phone, assignedTo: rep.user.id });
      await desk.receive(lead.phoneE164, word);
      for (const { id } of [lead, housemate]) {
        expect((await desk.leadNow(id)).text_opt_out).toBe("stop");
        expect(await desk.timeline(id)).toContain("opted-out");
        const { rows } = await desk.pool.query("select action from audit_log where subject = $1", [
          `lead:${id}`,
        ]);
        expect(rows).toContainEqual({ action: "text-opted-out" });
      }
      const { rows } = await desk.pool.query("select field, value from crm_outbox where lead_id = $1", [
        lead.id,
      ]);
      expect(rows).toEqual([{ field: "textsBlocked", value: true }]);
      const late = await inDatabase({ phone: lead.phone, assignedTo: rep.user.id });
      for (const one of [lead, housemate, late])
        expect(await desk.send(rep, one, "¿Seguro?")).toMatchObject({
          status: 409,
          body: { reason: "opted_out" },
        });
      await desk.receive(lead.phoneE164, "Start");
      expect((await desk.leadNow(lead.id)).text_opt_out).toBeNull();
      expect((await desk.leadNow(housemate.id)).text_opt_out).toBeNull();
      expect((await rep.get(`/api/leads/${late.id}`)).body.textRefusal).toBeNull();
      expect(await desk.timeline(lead.id)).toContain("opted-in");
    },
  );

  it("is recorded once for a repeated STOP", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.receive(lead.phoneE164, "STOP");
    await desk.receive(lead.phoneE164, "Baja");
    expect((await desk.timeline(lead.id)).filter((kind) => kind === "opted-out")).toHaveLength(1);
  });

  it("applies to a number without a lead, and to the lead that gets it later", async () => {
    const rep = await desk.signInRep();
    const number = "+15055550166";
    await desk.receive(number, "PARAR");
    const lead = await inDatabase({ phone: number, assignedTo: rep.user.id });
    expect((await rep.get(`/api/leads/${lead.id}`)).body.textRefusal).toBe("opted_out");
    await desk.receive(number, "START");
    expect((await rep.get(`/api/leads/${lead.id}`)).body.textRefusal).toBeNull();
  });

  it("follows the later SMS, also when an older START is processed after a STOP", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.receive(lead.phoneE164, "STOP");
    await desk.pool.query("update stopped_numbers set event_id = event_id + 1000 where number = $1", [
      lead.phoneE164,
    ]);
    await desk.receive(lead.phoneE164, "START");
    expect((await desk.leadNow(lead.id)).text_opt_out).toBe("stop");
    expect((await rep.get(`/api/leads/${lead.id}`)).body.textRefusal).toBe("opted_out");
  });

  it("follows the provider's OptOutType, whatever the text", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const to = "+12025550177";
    const optOut = async () => (await desk.leadNow(lead.id)).text_opt_out;
    await desk.receive(lead.phoneE164, "Ya no me escriban", { OptOutType: "STOP", To: to });
    expect(await optOut()).toBe("stop");
    await desk.receive(lead.phoneE164, "START", { OptOutType: "HELP", To: to });
    expect(await optOut()).toBe("stop");
    await desk.receive(lead.phoneE164, "Adelante", { OptOutType: "START", To: to });
    expect(await optOut()).toBeNull();
    await desk.receive(lead.phoneE164, "STOP", { OptOutType: "HELP" });
    expect(await optOut()).toBeNull();
  });

  it("by START lifts only an opt-out by STOP", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", { textOptOut: "dnd" });
    await desk.receive(lead.phoneE164, "YES");
    expect((await desk.leadNow(lead.id)).text_opt_out).toBe("dnd");
    const open = await desk.leadOf(rep);
    await desk.receive(open.phoneE164, "Sí");
    expect(await desk.timeline(open.id)).toEqual([]);
  });

  it("ignores a keyword inside a sentence", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.receive(lead.phoneE164, "Stop by my office tomorrow");
    expect((await desk.leadNow(lead.id)).text_opt_out).toBeNull();
  });

  it("is also applied from a delivery report", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.status(await sentText(rep, lead), newSmsSid(), "failed", { ErrorCode: "21610" });
    await desk.untilWorked();
    expect((await desk.leadNow(lead.id)).text_opt_out).toBe("stop");
  });
});

describe("SMS from unknown numbers", () => {
  it("are stored until they are assigned to a lead, and later ones follow", async () => {
    const rep = await desk.signInRep();
    const other = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const stranger = "+13475550191";
    await desk.receive(stranger, "¿Quién es?");
    await desk.receive(stranger, "¿Hola?");
    const inbox = (await rep.get("/api/sms/inbox?limit=50")).body.filter(
      ({ from }: { from: string }) => from === stranger,
    );
    expect(inbox.map(({ message }: { message: string }) => message)).toEqual(["¿Hola?", "¿Quién es?"]);
    const path = `/api/sms/inbox/${inbox[0].id}/attach`;
    expect((await other.post(path, { leadId: lead.id })).status).toBe(403);
    expect((await rep.post(path, { leadId: lead.id })).body).toEqual({ attached: 2 });
    expect((await rep.post(path, { leadId: lead.id })).status).toBe(404);
    expect(await desk.thread(rep, lead)).toHaveLength(2);
    await desk.receive(stranger, "Soy yo otra vez");
    expect(await desk.thread(rep, lead)).toHaveLength(3);
  });

  it("can be dismissed, and are kept", async () => {
    const rep = await desk.signInRep();
    await desk.receive("+13475550192", "Gane dinero ya");
    const before = (await rep.get("/api/sms/unread")).body.inbox;
    const [text] = (await rep.get("/api/sms/inbox?limit=1")).body;
    expect((await rep.post(`/api/sms/inbox/${text.id}/dismiss`)).body).toEqual({ dismissed: 1 });
    expect((await rep.get("/api/sms/unread")).body.inbox).toBe(before - 1);
    expect((await rep.post(`/api/sms/inbox/${text.id}/dismiss`)).status).toBe(404);
    const { rows } = await desk.pool.query("select body from messages where id = $1", [text.id]);
    expect(rows).toEqual([{ body: "Gane dinero ya" }]);
  });

  it("require a session", async () => {
    expect((await desk.portal.request("GET", "/api/sms/inbox")).status).toBe(401);
    expect((await desk.portal.request("GET", "/api/sms/unread")).status).toBe(401);
  });
});
