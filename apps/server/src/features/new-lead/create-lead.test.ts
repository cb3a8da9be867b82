import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildLead, buildUser } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";

let portal: TestApp;
let ana: Client;
let luis: Client;
let admin: Client;
beforeAll(async () => {
  portal = await buildTestApp();
  [ana, luis, admin] = await Promise.all([
    portal.signIn(),
    portal.signIn({ name: "Luis Mora" }),
    portal.signIn({ role: "admin" }),
  ]);
});
afterAll(() => portal.close());

const rowsOf = async (statement: string, ...values: unknown[]) =>
  (await portal.deps.database.pool.query(statement, values)).rows;
const countOf = async () => (await rowsOf("select count(*)::int n from leads"))[0].n;
const make = (by: Client, body: object) => by.post("/api/leads", body);
const known = (by: Client, typed: Record<string, string>) =>
  by.get(`/api/leads/known?${new URLSearchParams(typed)}`);

describe("adding a lead by hand", () => {
  it("assigns it to the consultant, stored like an imported lead, with timeline and audit and no invented values", async () => {
    expect((await portal.request("POST", "/api/leads", { body: { phone: "(646) 555-0101" } })).status).toBe(
      401,
    );
    const { status, body } = await make(ana, {
      firstName: " maria ",
      lastName: "GARCIA LOPEZ",
      phone: "646.555.0101",
      email: " Maria@Example.COM ",
      company: "Solar del Este",
      leadSource: "Referral",
      priority: "high",
      notes: "Met at the fair",
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      name: "María García López",
      firstName: "María",
      phone: "646.555.0101",
      email: "maria@example.com",
      status: "new",
      priority: "high",
      assignedTo: ana.user.id,
      consentAt: null,
      attempts: 0,
      crmSync: "none",
    });
    const [row] = await rowsOf("select phone_e164, time_zone, assigned_at from leads where id = $1", body.id);
    expect(row).toMatchObject({ phone_e164: "+16465550101", time_zone: "America/New_York" });
    expect(row.assigned_at).not.toBeNull();
    expect(
      (await ana.get("/api/leads?search=garcia lopez")).body.map(({ id }: { id: number }) => id),
    ).toContain(body.id);
    expect(await rowsOf("select kind, user_id, data from lead_events where lead_id = $1", body.id)).toEqual([
      { kind: "created", user_id: ana.user.id, data: { from: "hand" } },
    ]);
    expect(
      await rowsOf(
        "select user_id, data from audit_log where action = 'lead-created' and subject = $1",
        `lead:${body.id}`,
      ),
    ).toEqual([
      { user_id: ana.user.id, data: { assignedTo: ana.user.id, sharesNumber: false, calls: 0, texts: 0 } },
    ]);
  });

  it("assigns it to a chosen consultant or nobody for an administrator only", async () => {
    const of = (by: Client, phone: string, salesRepId?: number | null) => make(by, { phone, salesRepId });
    expect((await of(admin, "(646) 555-0102", luis.user.id)).body).toMatchObject({
      assignedTo: luis.user.id,
      name: "(646) 555-0102",
    });
    expect((await of(admin, "(646) 555-0103")).body.assignedTo).toBeNull();
    expect((await of(ana, "(646) 555-0104", ana.user.id)).body.assignedTo).toBe(ana.user.id);
    const before = await countOf();
    expect(await of(ana, "(646) 555-0105", luis.user.id)).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
    const left = await buildUser(portal.deps.database);
    await rowsOf("update users set disabled_at = now() where id = $1", left.id);
    for (const id of [left.id, admin.user.id, 2_147_483_647])
      expect(await of(admin, "(646) 555-0105", id)).toMatchObject({ status: 400, body: { code: "invalid" } });
    expect(await countOf()).toBe(before);
  });

  it("rejects invalid input with a message, and nothing is written", async () => {
    const before = await countOf();
    const refused = [
      [{ firstName: "Nobody" }, "invalid", /phone number or an email/],
      [{ phone: "  ", email: "" }, "invalid", /phone number or an email/],
      [{ phone: "12345" }, "phone_invalid", /not valid/],
      [{ phone: "+1 900 555 0199" }, "phone_invalid", /not valid/],
      [{ email: "not an address" }, "invalid", /email/],
      [{ email: "x@example.com", firstName: "a\u0000b" }, "invalid", /firstName/],
      [{ email: "x@example.com", firstName: "\ud800" }, "invalid", /firstName/],
      [{ email: "x@example.com", notes: "n".repeat(10_001) }, "invalid", /notes/],
      [{ email: "x@example.com", status: "converted" }, "invalid", /status/],
      [{ email: "x@example.com", consentAt: new Date().toISOString() }, "invalid", /consentAt/],
      [{ email: "x@example.com", clientRef: "' or 1=1" }, "invalid", /clientRef/],
      [{ email: ["x@example.com"] }, "invalid", /email/],
    ] as const;
    for (const [body, code, words] of refused) {
      const answer = await make(ana, body);
      expect(answer, JSON.stringify(body)).toMatchObject({ status: 400, body: { code } });
      expect(answer.body.message).toMatch(words);
    }
    expect(await countOf()).toBe(before);
    // A name that looks like SQL or markup is stored like any other.
    const name = `Robert'); drop table leads;-- <b>`;
    expect((await make(ana, { firstName: name, email: "bobby@example.com" })).body.name).toContain(
      "leads;-- <b>",
    );
  });

  it("for an unknown number adds its earlier calls, voicemails and SMS; metrics do not change", async () => {
    const number = "+16465550140";
    const [call] = await rowsOf(
      `insert into inbound_calls (call_sid, from_number, stage, result, ended_at) values ('CA-before', $1, 'ended', 'missed', now()) returning id`,
      number,
    );
    await rowsOf(
      `insert into call_logs (confirmed, direction, call_type, duration_seconds, inbound_call_id) values (true, 'inbound', 'inbound', 0, $1)`,
      call.id,
    );
    await rowsOf(
      `insert into recordings (recording_sid, call_sid, inbound_call_id, status, kind) values ('RE-before', 'CA-before', $1, 'completed', 'voicemail')`,
      call.id,
    );
    const text = (from: string) =>
      rowsOf(
        `insert into messages (direction, body, status, from_number, to_number) values ('inbound', 'Hola', 'received', $1, '+12125550100')`,
        from,
      );
    await text(number);
    await text("+16465550149");
    const counts = async () => (await admin.get("/api/call-logs/summary")).body;
    const before = await counts();

    const { body } = await make(ana, { phone: "(646) 555-0140" });
    expect(body).toMatchObject({ unreadTexts: 1, attempts: 0 });
    const kinds = (await ana.get(`/api/leads/${body.id}/timeline`)).body.map(
      ({ kind }: { kind: string }) => kind,
    );
    expect(kinds.sort()).toEqual(["call", "created", "text"]);
    for (const table of ["inbound_calls", "call_logs", "recordings"])
      expect(await rowsOf(`select 1 from ${table} where lead_id = $1`, body.id)).toHaveLength(1);
    expect(await rowsOf("select 1 from messages where lead_id is null")).toHaveLength(1);
    expect(await counts()).toEqual(before);
  });

  it("twice or after a lost response creates one lead", async () => {
    const body = { phone: "(646) 555-0110", clientRef: randomUUID() };
    const answers = await Promise.all([make(ana, body), make(ana, body), make(ana, body)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const ids = new Set(answers.map((answer) => answer.body.id));
    expect(ids.size).toBe(1);
    expect(await rowsOf("select 1 from lead_events where lead_id = any($1)", [...ids])).toHaveLength(1);
    // Another user's reference does not return the lead.
    expect((await make(luis, body)).body.code).toBe("lead_exists");
  });
});

describe("a person who is already a lead", () => {
  it("is found while typing, by number in any format and by address, in the form of All Leads", async () => {
    const lead = await buildLead(portal.deps.database, {
      name: "Inés Duarte",
      phone: "(787) 555-0120",
      email: "Ines@Example.com",
      assignedTo: luis.user.id,
      notes: "Luis's own words",
    });
    const path = "/api/leads/known";
    expect((await portal.request("GET", path)).status).toBe(401);
    expect((await known(ana, { phone: "+1 787-555-0120" })).body).toEqual([
      {
        id: lead.id,
        name: "Inés Duarte",
        company: null,
        phone: "(787) 555-0120",
        email: "Ines@Example.com",
        status: "new",
        assignedTo: luis.user.id,
        salesRepName: "Luis Mora",
        by: ["phone"],
      },
    ]);
    expect((await known(ana, { phone: "7875550120", email: " INES@example.com" })).body[0].by).toEqual([
      "phone",
      "email",
    ]);
    for (const typed of [{}, { phone: "787555" }, { phone: "", email: "ines@" }, { email: "%@example.com" }])
      expect((await known(ana, typed as Record<string, string>)).body).toEqual([]);
    expect((await known(ana, { phone: "x".repeat(41) })).status).toBe(400);
  });

  it("is neither created again nor overwritten; a number may be shared, an address belongs to one lead", async () => {
    const lead = await buildLead(portal.deps.database, {
      phone: "(787) 555-0130",
      email: "one@example.com",
      assignedTo: luis.user.id,
      callOptOut: "stop",
    });
    await rowsOf("insert into stopped_numbers (number, stopped) values ($1, true)", lead.phoneE164);
    const stored = () => rowsOf("select l::text from leads l order by id");
    const before = await stored();
    const typed = { firstName: "Second", phone: "787-555-0130" };
    expect(await make(ana, typed)).toMatchObject({
      status: 409,
      body: { code: "lead_exists", message: "A lead with this phone number exists already." },
    });
    const sameAddress = { email: "ONE@example.com", phone: "(646) 555-0131", isKnownPhoneFine: true };
    expect(await make(ana, sameAddress)).toMatchObject({ status: 409, body: { code: "lead_exists" } });
    expect(await stored()).toEqual(before);

    // Another person of the household, created once with explicit confirmation; the number's opt-outs apply to them.
    const shared = { ...typed, isKnownPhoneFine: true, clientRef: randomUUID() };
    const { body } = await make(ana, shared);
    expect((await make(ana, shared)).body.id).toBe(body.id);
    expect(body).toMatchObject({
      name: "Second",
      assignedTo: ana.user.id,
      callRefusal: "opted_out",
      textRefusal: "opted_out",
    });
    expect(await stored()).toHaveLength(before.length + 1);
    expect((await known(ana, { phone: "7875550130" })).body).toHaveLength(2);
  });

  it("is found by address among many leads with one number, whose opt-outs apply to a new lead", async () => {
    const { database } = portal.deps;
    const phoneE164 = "+16465550177";
    for (let each = 0; each < 5; each += 1) await buildLead(database, { phoneE164 });
    const last = await buildLead(database, { phoneE164, email: "sixth@example.com" });
    await rowsOf(
      "update leads set call_opt_out = 'do_not_call', text_opt_out = 'stop' where id = $1",
      last.id,
    );
    const shared = { phone: "(646) 555-0177", isKnownPhoneFine: true };
    expect(await make(ana, { ...shared, email: "sixth@example.com" })).toMatchObject({
      status: 409,
      body: { code: "lead_exists" },
    });
    const { body } = await make(ana, shared);
    expect(await rowsOf("select call_opt_out, text_opt_out from leads where id = $1", body.id)).toEqual([
      { call_opt_out: "do_not_call", text_opt_out: "stop" },
    ]);
  });
});
