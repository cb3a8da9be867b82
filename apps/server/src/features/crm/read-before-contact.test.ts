import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSmsHarness } from "../../testing/sms-harness.ts";
import type { Client } from "../../testing/test-app.ts";

type Desk = Awaited<ReturnType<typeof openSmsHarness>>;
let desk: Desk;
let rep: Client;
beforeAll(async () => {
  desk = await openSmsHarness();
  rep = await desk.signInRep("busy");
});
afterAll(() => desk.close());

let made = 0;
/** A contact in the CRM and its lead; no webhook is sent about its changes. */
async function contactAndLead() {
  made += 1;
  const contact = await desk.sandbox.control("POST", "/ghl/contacts", {
    firstName: "Ana",
    lastName: `Nr${made}`,
  });
  const lead = await desk.leadOf(rep, "answers", { ghlContactId: contact.id });
  await desk.sandbox.control("PATCH", `/ghl/contacts/${contact.id}`, { phone: lead.phoneE164 });
  return { contact, lead };
}
const reads = async (contactId: string) =>
  (await desk.sandbox.control("GET", `/requests?vendor=ghl&path=/contacts/${contactId}`)).requests;
const call = (lead: { id: number }, by = rep) => by.post("/api/make-call", { leadId: lead.id });
const wholeRead = (hours: number) =>
  desk.pool.query(
    `insert into crm_sync_runs (kind, state, started_at, finished_at)
     values ('all', 'done', now() - $1 * interval '1 hour', now() - $1 * interval '1 hour')`,
    [hours],
  );

describe("a lead last read more than 24 hours ago", () => {
  beforeAll(() => wholeRead(25));

  it("is rejected with the reason when its contact was deleted, and nobody is called", async () => {
    await contactAndLead();
    const { contact, lead } = await contactAndLead();
    expect((await rep.get(`/api/leads/${lead.id}`)).body.callRefusal).toBeNull();
    await desk.sandbox.control("DELETE", `/ghl/contacts/${contact.id}`);
    expect(await call(lead)).toMatchObject({
      status: 409,
      body: {
        code: "contact_refused",
        reason: "deleted",
        message: "This lead was deleted in GoHighLevel and is not called.",
      },
    });
    expect((await desk.send(rep, lead, "Hola")).body).toMatchObject({ reason: "deleted" });
    expect(await desk.legsTo(await desk.repNumber(rep))).toEqual([]);
    expect(await desk.timeline(lead.id)).toEqual(["crm-deleted"]);
    const { rows } = await desk.pool.query(
      "select reason from contact_refusals where lead_id = $1 order by id",
      [lead.id],
    );
    expect(rows).toEqual([{ reason: "deleted" }, { reason: "deleted" }]);
  });

  it("is rejected for calls and SMS when it opted out in the CRM", async () => {
    const { contact, lead } = await contactAndLead();
    const { dateUpdated } = contact;
    await desk.sandbox.control("PATCH", `/ghl/contacts/${contact.id}`, { dnd: true, dateUpdated });
    expect((await desk.send(rep, lead, "Hola")).body).toMatchObject({ reason: "opted_out" });
    expect((await call(lead)).body).toMatchObject({ reason: "opted_out" });
    expect(await desk.atProvider(lead.phoneE164)).toEqual([]);
  });

  it("is skipped by the auto-dialer", async () => {
    const { contact, lead } = await contactAndLead();
    await desk.sandbox.control("DELETE", `/ghl/contacts/${contact.id}`);
    const { body } = await rep.post("/api/dialer/start", {
      source: { kind: "selection", leadIds: [lead.id] },
      order: "createdAt",
    });
    await expect
      .poll(
        async () => {
          const { rows } = await desk.pool.query(
            "select state, reason from dialer_items where session_id = $1",
            [body.id],
          );
          return rows;
        },
        { timeout: 45_000 },
      )
      .toEqual([{ state: "skipped", reason: "deleted" }]);
  });

  it("is read before its turn on an open line: the next three, while the consultant's phone still rings", async () => {
    const waits = await desk.signInRep("answers");
    await desk.byHand(await desk.repNumber(waits));
    const ahead: { contactId: string; leadId: number }[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { contact, lead } = await contactAndLead();
      await desk.pool.query("update leads set assigned_to = $1 where id = $2", [waits.user.id, lead.id]);
      ahead.push({ contactId: contact.id, leadId: lead.id });
    }
    const source = { kind: "selection", leadIds: ahead.map(({ leadId }) => leadId) };
    const { body } = await waits.post("/api/dialer/start", { source, lineMode: "open_line" });
    const { rows } = await desk.pool.query(
      "select lead_id as id from dialer_items where session_id = $1 order by position",
      [body.id],
    );
    const read = async () => {
      const counts = await Promise.all(
        rows.map(
          async ({ id }) =>
            (await reads(ahead.find(({ leadId }) => leadId === id)?.contactId ?? "")).length > 0,
        ),
      );
      return counts;
    };
    await expect.poll(read, { timeout: 45_000 }).toEqual([true, true, true, false]);
    expect(await desk.legsTo(await desk.repNumber(waits))).toMatchObject([{ status: "ringing" }]);
    await waits.post(`/api/dialer/${body.id}/command`, { command: "stop", position: 0 });
  });

  it("is called when allowed, read once for a double click, and has no timeline entry for it", async () => {
    const { contact, lead } = await contactAndLead();
    const [one, other] = await Promise.all([call(lead), call(lead)]);
    expect([one.status, one.body.callId]).toEqual([200, other.body.callId]);
    expect(await reads(contact.id)).not.toHaveLength(0);
    await desk.untilEnded(rep, one.body.callId);
    expect(await desk.timeline(lead.id)).not.toContain("crm-unanswered");
  });

  it.each([{ hang: true }, { status: 500 }, { status: 401 }])(
    "is called and texted when the CRM does not answer (%o), with a timeline entry",
    async (failure) => {
      const { contact, lead } = await contactAndLead();
      const fail = () =>
        desk.sandbox.control("POST", "/fail", {
          vendor: "ghl",
          match: `/contacts/${contact.id}`,
          ...failure,
        });
      await fail();
      const answer = await call(lead);
      expect(answer.status).toBe(200);
      await desk.untilEnded(rep, answer.body.callId);
      await fail();
      expect((await desk.send(rep, lead, "Hola")).status).toBe(200);
      const { rows } = await desk.pool.query(
        "select user_id, data from lead_events where lead_id = $1 and kind = 'crm-unanswered' order by id",
        [lead.id],
      );
      expect(rows).toEqual([
        { user_id: rep.user.id, data: { field: "call" } },
        { user_id: rep.user.id, data: { field: "text" } },
      ]);
    },
  );

  it("is not read for other people's leads, or when the contact policy rejects it anyway", async () => {
    const { contact, lead } = await contactAndLead();
    expect((await call(lead, await desk.signInRep())).body.code).toBe("not_your_lead");
    await desk.pool.query("update leads set call_opt_out = 'dnd' where id = $1", [lead.id]);
    expect((await call(lead)).body.reason).toBe("opted_out");
    expect(await reads(contact.id)).toEqual([]);
  });

  it("is not read when it has no contact in the CRM", async () => {
    const lead = await desk.leadOf(rep);
    await desk.sandbox.control("DELETE", "/requests");
    const { body } = await call(lead);
    await desk.untilEnded(rep, body.callId);
    expect((await desk.sandbox.control("GET", "/requests?vendor=ghl&path=/contacts/")).requests).toEqual([]);
  });
});

it("is not read again after a full sync within 24 hours", async () => {
  await wholeRead(23);
  const { contact, lead } = await contactAndLead();
  const { body } = await call(lead);
  await desk.untilEnded(rep, body.callId);
  expect(await reads(contact.id)).toEqual([]);
});
