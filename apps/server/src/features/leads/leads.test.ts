import { randomUUID } from "node:crypto";
import { pageHeaders } from "@portal/contract/entities/fields";
import { leadSchema } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";

let app: TestApp;
let ana: Client;
let luis: Client;
let admin: Client;
beforeAll(async () => {
  app = await buildTestApp();
  [ana, luis, admin] = await Promise.all([app.signIn(), app.signIn(), app.signIn({ role: "admin" })]);
});
afterAll(() => app.close());

const lead = (overrides: Parameters<typeof buildLead>[1] = {}) =>
  buildLead(app.deps.database, { assignedTo: ana.user.id, ...overrides });

async function timeline(leadId: number) {
  const { rows } = await app.deps.database.pool.query(
    "select kind, user_id, data from lead_events where lead_id = $1 order by id",
    [leadId],
  );
  return rows;
}

describe("GET /api/leads", () => {
  it("requires a session", async () => {
    expect((await app.request("GET", "/api/leads")).status).toBe(401);
  });

  it("returns a consultant's own leads only, newest first, by the contract; all to an administrator", async () => {
    const older = await lead({ createdAt: new Date("2026-01-01T00:00:00Z") });
    const newer = await lead({ createdAt: new Date("2026-02-01T00:00:00Z") });
    const other = await lead({ assignedTo: luis.user.id });
    const { status, body } = await ana.get("/api/leads");
    expect(status).toBe(200);
    const ids = z
      .array(leadSchema)
      .parse(body)
      .map(({ id }) => id);
    expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id));
    expect(ids).not.toContain(other.id);
    expect((await admin.get("/api/leads")).body.map((row: { id: number }) => row.id)).toContain(other.id);
  });

  it("searches name, email and company without accents and phone in any format, with filters", async () => {
    const maria = await lead({
      name: "María Peña",
      email: "mp@solar.example.com",
      company: "Núñez & Cía",
      phone: "(646) 555-0177",
      status: "interested",
      priority: "high",
    });
    const found = async (query: string) =>
      (await ana.get(`/api/leads?${query}`)).body.map((row: { id: number }) => row.id);
    for (const search of ["maria pena", "PEÑA", "solar.example", "nunez", "646-555 0177", "+1 646 555"]) {
      expect(await found(new URLSearchParams({ search }).toString())).toContain(maria.id);
    }
    expect(await found("search=maria&status=interested&priority=high")).toEqual([maria.id]);
    expect(await found("search=maria&status=new")).toEqual([]);
    expect(await found("search=maria&status=all&priority=")).toEqual([maria.id]);
    expect(await found("search=%25%25%25zzz")).toEqual([]);
  });

  it("pages by keyset without gaps or repeats, with total and cursor in the headers", async () => {
    const at = new Date("2026-03-01T00:00:00.123Z");
    const made = await Promise.all(
      Array.from({ length: 7 }, () => lead({ createdAt: at, company: "Keyset Corp" })),
    );
    const seen: number[] = [];
    let cursor = "";
    do {
      const page = await ana.get(`/api/leads?search=keyset&limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.body.map((row: { id: number }) => row.id));
      if (!cursor) expect(page.headers[pageHeaders.total]).toBe("7");
      cursor = String(page.headers[pageHeaders.cursor] ?? "");
    } while (cursor);
    expect(seen).toEqual(made.map(({ id }) => id).sort((a, b) => b - a));
    const forged = [
      { at: "-- :", id: 1 },
      { at: "2026-02-30 10:00:00", id: 1 },
      { at: "2026-01-01T00:00:00Z", id: 99_999_999_999 },
    ].map((keyset) => Buffer.from(JSON.stringify(keyset)).toString("base64url"));
    for (const bad of ["nonsense", ...forged]) {
      const refused = await ana.get(`/api/leads?limit=3&cursor=${bad}`);
      expect(refused).toMatchObject({ status: 400, body: { code: "invalid" } });
    }
  });

  it.each(["limit=0", "limit=x", "status=closed", "priority=urgent", "search=%00", "limit=1&limit=2"])(
    "rejects %s with a message",
    async (query) => {
      const answer = await ana.get(`/api/leads?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBeTypeOf("string");
    },
  );

  it("returns unusual texts and times as stored, for one lead and in the list", async () => {
    const odd = {
      name: 'A "quoted" \\ | name \u2028 😀',
      notes: "line\nbreak\ttab | {}",
      company: "\u0001|",
    };
    const phone = "| ext | (212) 555-0143";
    const createdAt = new Date("2026-03-04T05:06:07.890Z");
    const { id } = await lead({ ...odd, phone, createdAt, dealValue: 1234.5 });
    const { body } = await ana.get(`/api/leads/${id}`);
    expect(leadSchema.strict().parse(body)).toMatchObject({ ...odd, phone, dealValue: 1234.5 });
    expect(body).toMatchObject({
      createdAt: "2026-03-04T05:06:07.890Z",
      lastContactDate: null,
      unreadTexts: 0,
    });
    const listed = (await ana.get("/api/leads")).body.find((row: { id: number }) => row.id === id);
    expect(listed).toEqual(body);
    const system = (await ana.get("/api/leads/all?limit=500")).body.find(
      (row: { id: number }) => row.id === id,
    );
    expect(body).toMatchObject(system);
  });

  it("returns the same values for a lead in a list and alone: stops, number faults, calls, SMS", async () => {
    const { pool } = app.deps.database;
    const rep = await app.signIn();
    const own = (digits: string) => lead({ assignedTo: rep.user.id, phone: `(415) 555-01${digits}` });
    const [stopped, dead, onCall, rung, texted, unread, free, calling] = await Promise.all(
      ["01", "02", "03", "04", "05", "06", "07", "08"].map(own),
    );
    const twin = await own("02");
    // The same person as two leads, called through the other one.
    const onCallToo = await own("03");
    await pool.query("insert into stopped_numbers (number, stopped) values ($1, true)", [stopped?.phoneE164]);
    await pool.query("update leads set number_fault = 'disconnected' where id = $1", [twin.id]);
    const call = `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, state, requested_at, lead_ringing_at)
      select $1, $2, '+13055550101', 'personal', $3, true, $4, now() - n * interval '1 second', now() from generate_series(1, $5::int) n`;
    await pool.query(call, [onCall?.id, luis.user.id, onCall?.phoneE164, "requested", 1]);
    await pool.query(call, [rung?.id, luis.user.id, rung?.phoneE164, "ended", limits.callAttemptsPerDay]);
    const text = `insert into messages (lead_id, user_id, direction, body, status, from_number, to_number)
      select $1, $2, $3, 'Hi', 'delivered', '+12125550100', '+14155550105' from generate_series(1, $4::int)`;
    await pool.query(text, [texted?.id, rep.user.id, "outbound", limits.textsPerDay]);
    await pool.query(text, [unread?.id, null, "inbound", 4]);
    const one = (which: "min" | "max") => `(select ${which}(id) from messages where lead_id = $1)`;
    await pool.query(`update messages set read_at = now() where id = ${one("min")}`, [unread?.id]);
    await pool.query(`delete from messages where id = ${one("max")}`, [unread?.id]);
    // One of them was moved to another lead.
    await pool.query(`update messages set lead_id = $2 where id = ${one("max")}`, [unread?.id, calling?.id]);
    await pool.query(
      `insert into inbound_calls (call_sid, lead_id, from_number, owner_id, stage) values ($1, $2, '+14155550108', $3, 'ringing_rep')`,
      [`CA${"7".repeat(32)}`, calling?.id, luis.user.id],
    );
    const { body } = await rep.get("/api/leads");
    expect(body).toHaveLength(10);
    for (const row of body) expect(row).toEqual((await rep.get(`/api/leads/${row.id}`)).body);
    const refusals = (id = 0) => {
      const { callRefusal, textRefusal, unreadTexts } = body.find((row: { id: number }) => row.id === id);
      return { callRefusal, textRefusal, unreadTexts };
    };
    const none = refusals(free?.id);
    expect(refusals(stopped?.id)).toEqual({ ...none, textRefusal: "opted_out" });
    expect(refusals(dead?.id)).toEqual({ ...none, callRefusal: "number_fault", textRefusal: "number_fault" });
    for (const { id } of [onCall, onCallToo, calling].filter((row) => row !== undefined))
      expect(refusals(id).callRefusal).toBe(none.callRefusal ?? "lead_on_call");
    expect(refusals(rung?.id).callRefusal).toBe(none.callRefusal ?? "attempt_cap");
    expect(refusals(texted?.id).textRefusal).toBe(none.textRefusal ?? "attempt_cap");
    expect(refusals(unread?.id).unreadTexts).toBe(1);
    expect(refusals(calling?.id).unreadTexts).toBe(1);
  });

  it("returns why a lead may not be called", async () => {
    const silent = await lead({ phone: null, company: "Gate Corp" });
    const stopped = await lead({ callOptOut: "stop", company: "Gate Corp" });
    const garbled = await lead({ phone: "ask for Bob", company: "Gate Corp" });
    const { body } = await ana.get("/api/leads?search=gate%20corp");
    const refusal = (id: number) => body.find((row: { id: number }) => row.id === id).callRefusal;
    expect(refusal(silent.id)).toBe("no_phone");
    expect(refusal(stopped.id)).toBe("opted_out");
    expect(refusal(garbled.id)).toBe("invalid_phone");
  });
});

describe("PATCH /api/leads/:id", () => {
  it("changes nothing on another consultant's lead", async () => {
    const { id } = await lead();
    const answer = await luis.patch(`/api/leads/${id}`, { notes: "mine now" });
    expect(answer).toMatchObject({ status: 403, body: { code: "not_your_lead" } });
    expect((await ana.get(`/api/leads/${id}`)).body.notes).toBeNull();
    expect(await timeline(id)).toEqual([]);
  });

  it("records each change on the timeline with before and after", async () => {
    const { id } = await lead();
    const nextFollowUpDate = new Date(Date.now() + 86_400_000).toISOString();
    const { status, body } = await ana.patch(`/api/leads/${id}`, {
      status: "interested",
      priority: "high",
      notes: "call after six <script>",
      nextFollowUpDate,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "interested",
      leadStatus: "interested",
      priority: "high",
      nextFollowUpDate,
    });
    expect(body.notes).toBe("call after six <script>");
    expect(body.lastContactedAt).not.toBeNull();
    const events = await timeline(id);
    expect(events.map((event) => event.data.field).sort()).toEqual(
      ["lastContactedAt", "nextFollowUpDate", "notes", "priority", "status"].sort(),
    );
    expect(events.find((event) => event.data.field === "status").data).toMatchObject({
      before: "new",
      after: "interested",
    });
  });

  it("saves all concurrent changes, each with the value it replaced, and publishes events", async () => {
    const { id } = await lead();
    const received: number[] = [];
    const stop = app.deps.events.onEvent((event) => event.topic === "lead" && received.push(event.id));
    const notes = Array.from({ length: 6 }, (_value, index) => `note ${index}`);
    const answers = await Promise.all(notes.map((note) => ana.patch(`/api/leads/${id}`, { notes: note })));
    expect(answers.map(({ body }) => body.notes)).toEqual(notes);
    const events = (await timeline(id)).map(({ data }) => data);
    expect(events.map(({ after }) => after).sort()).toEqual(notes);
    expect(events.slice(1).map(({ before }) => before)).toEqual(
      events.slice(0, -1).map(({ after }) => after),
    );
    await expect.poll(() => received).toContain(id);
    stop();
  });

  it("does not wait for a lead that another transaction is writing", async () => {
    const held = await lead({ notes: "old" });
    const others = await Promise.all(Array.from({ length: 12 }, () => lead({ notes: "old" })));
    const client = await app.deps.database.pool.connect();
    try {
      await client.query("begin");
      await client.query("update leads set priority = 'high' where id = $1", [held.id]);
      // A write about a lead in another table does not block it.
      await client.query("insert into lead_events (lead_id, kind) values ($1, 'changed')", [others[0]?.id]);
      const waiting = ana.patch(`/api/leads/${held.id}`, { notes: "waited" });
      const answers = await Promise.all(
        others.map(({ id }) => ana.patch(`/api/leads/${id}`, { notes: `of ${id}` })),
      );
      expect(answers.map(({ body }) => body.notes)).toEqual(others.map(({ id }) => `of ${id}`));
      await client.query("commit");
      expect((await waiting).body).toMatchObject({ notes: "waited", priority: "high" });
    } finally {
      client.release(true);
    }
  });

  it("stores empty notes as null, clears the follow-up date, and writes nothing when nothing changes", async () => {
    const { id } = await lead({ notes: "old", nextFollowUpDate: new Date() });
    const cleared = await ana.patch(`/api/leads/${id}`, { notes: "  ", nextFollowUpDate: null });
    expect(cleared.body).toMatchObject({ notes: null, nextFollowUpDate: null });
    const before = await timeline(id);
    await ana.patch(`/api/leads/${id}`, { notes: null, status: "new" });
    expect(await timeline(id)).toEqual(before);
  });

  it("saves a time with the follow-up's date, moves it with the date, and clears it with the date", async () => {
    const { id } = await lead();
    const [monday, tuesday] = ["2031-03-03T16:00:00.000Z", "2031-03-04T16:00:00.000Z"];
    const patch = (body: object) => ana.patch(`/api/leads/${id}`, body);
    for (const refused of [
      { nextFollowUpTime: "10:00", nextFollowUpZone: "America/New_York" },
      { nextFollowUpDate: monday, nextFollowUpTime: "10:00" },
      { nextFollowUpDate: monday, nextFollowUpTime: "24:00", nextFollowUpZone: "America/New_York" },
      { nextFollowUpDate: monday, nextFollowUpTime: "10:00", nextFollowUpZone: "-05" },
    ])
      expect((await patch(refused)).body).toMatchObject({ code: "invalid", message: expect.any(String) });
    expect(await timeline(id)).toEqual([]);

    const time = { nextFollowUpTime: "10:00", nextFollowUpZone: "America/New_York" };
    const set = await patch({ nextFollowUpDate: monday, ...time });
    expect(set.body).toMatchObject({
      nextFollowUpDate: monday,
      ...time,
      nextFollowUpAt: "2031-03-03T15:00:00.000Z",
    });
    const moved = await patch({ nextFollowUpDate: tuesday });
    expect(moved.body).toMatchObject({ ...time, nextFollowUpAt: "2031-03-04T15:00:00.000Z" });
    expect((await patch({ notes: "at ten" })).body).toMatchObject(time);
    const cleared = await patch({ nextFollowUpDate: null });
    expect(cleared.body).toMatchObject({
      nextFollowUpDate: null,
      nextFollowUpTime: null,
      nextFollowUpZone: null,
      nextFollowUpAt: null,
    });
    const changes = (await timeline(id)).map(({ data }) => [data.field, data.before, data.after]);
    expect(changes.filter(([field]) => field === "nextFollowUpTime")).toEqual([
      ["nextFollowUpTime", null, "10:00 America/New_York"],
      ["nextFollowUpTime", "10:00 America/New_York", null],
    ]);
    expect((await patch({ nextFollowUpDate: monday, ...time })).body.nextFollowUpTime).toBe("10:00");
    expect((await patch({ nextFollowUpTime: null })).body).toMatchObject({
      nextFollowUpDate: monday,
      nextFollowUpZone: null,
      nextFollowUpAt: null,
    });
  });

  it("applies a repeated request once, and not again after another user's change", async () => {
    const { id } = await lead({ status: "new" });
    const path = `/api/leads/${id}`;
    const first = { status: "interested", clientRef: randomUUID() };
    await Promise.all(Array.from({ length: 5 }, () => ana.patch(path, first)));
    await admin.patch(path, { status: "not_interested", clientRef: randomUUID() });
    // The first response was lost, so the request is repeated.
    const again = await ana.patch(path, { ...first, seen: { status: "new" } });
    expect(again).toMatchObject({ status: 200, body: { status: "not_interested" } });
    const changes = (await timeline(id)).filter(({ data }) => data.field === "status");
    expect(changes.map(({ data }) => data.after)).toEqual(["interested", "not_interested"]);
    expect((await ana.patch(path, { status: "new", clientRef: "7" })).status).toBe(400);
  });

  it("rejects a change based on an outdated value with the current one, and keeps other fields", async () => {
    const { id } = await lead({ status: "new", priority: "low", notes: "Old roof" });
    const path = `/api/leads/${id}`;
    await admin.patch(path, { status: "interested", priority: "high" });
    const wanted = { status: "not_interested", notes: "New roof" };
    const refused = await ana.patch(path, { ...wanted, seen: { status: "new", notes: "Old roof" } });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: "changed_meanwhile", now: { status: "interested" } },
    });
    expect((await ana.get(path)).body).toMatchObject({ status: "interested", notes: "Old roof" });
    // The user chose their own values after seeing the current ones; the priority was changed by somebody else and stays.
    const chosen = await ana.patch(path, { ...wanted, seen: { status: "interested", notes: "Old roof" } });
    expect(chosen).toMatchObject({ status: 200, body: { ...wanted, priority: "high" } });
    // A value that is already stored is no conflict.
    expect((await ana.patch(path, { status: "not_interested", seen: { status: "new" } })).status).toBe(200);
  });

  it("treats a follow-up and its time as one value when it checks for an outdated one", async () => {
    const { id } = await lead();
    const path = `/api/leads/${id}`;
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const plan = { nextFollowUpTime: "10:00", nextFollowUpZone: "America/New_York" };
    const seen = { nextFollowUpDate: null, nextFollowUpTime: null, nextFollowUpZone: null };
    const there = { nextFollowUpDate: day(2), ...plan };
    expect((await ana.patch(path, { ...there, seen })).status).toBe(200);
    const refused = await ana.patch(path, { nextFollowUpDate: day(9), seen });
    expect(refused).toMatchObject({ status: 409, body: { code: "changed_meanwhile", now: there } });
    const later = { ...plan, nextFollowUpTime: "11:30" };
    expect((await ana.patch(path, { ...later, seen: there })).body).toMatchObject(later);
  });

  it("rejects a contact time in the future or before the last one", async () => {
    const { id } = await lead({ lastContactedAt: new Date(Date.now() - 3_600_000) });
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect((await ana.patch(`/api/leads/${id}`, { lastContactedAt: tomorrow })).status).toBe(400);
    const now = new Date().toISOString();
    expect((await ana.patch(`/api/leads/${id}`, { lastContactedAt: now })).body.lastContactedAt).toBe(now);
    const before = await ana.patch(`/api/leads/${id}`, { lastContactedAt: "2026-01-01T00:00:00.000Z" });
    expect(before.body.lastContactedAt).toBe(now);
  });

  it.each([
    { status: "converted" },
    { status: "closed" },
    { assignedTo: 1 },
    { nextFollowUpDate: "tomorrow" },
    { nextFollowUpDate: "2020-01-01T00:00:00.000Z" },
    { notes: "x".repeat(10_001) },
    { notes: "a\u0000" },
  ])("rejects %j with a message and changes nothing", async (body) => {
    const { id } = await lead();
    const answer = await ana.patch(`/api/leads/${id}`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBeTypeOf("string");
    expect(await timeline(id)).toEqual([]);
  });

  it("accepts an id in digits only", async () => {
    const { id } = await lead();
    for (const odd of [`0x${id.toString(16)}`, `%20${id}`, `+${id}`, `${id}.0`, `${id}e0`, "true"]) {
      expect((await ana.patch(`/api/leads/${odd}`, { notes: "odd" })).status).toBe(400);
    }
    expect((await ana.patch(`/api/leads/${id}`, { notes: "plain" })).status).toBe(200);
  });

  it("returns 404 for an unknown lead and 400 for an invalid id", async () => {
    expect((await ana.patch("/api/leads/2147483647", { notes: "x" })).status).toBe(404);
    expect((await ana.patch("/api/leads/abc", { notes: "x" })).status).toBe(400);
    expect((await ana.patch("/api/leads/99999999999", { notes: "x" })).status).toBe(400);
  });
});

describe("POST /api/leads/:id/notes", () => {
  it("adds a note once, although others were added before the repeated request", async () => {
    const { id } = await lead({ notes: null });
    const note = { text: "Calls at noon", clientRef: randomUUID() };
    await ana.post(`/api/leads/${id}/notes`, note);
    await admin.post(`/api/leads/${id}/notes`, { text: "Wants an offer" });
    const again = await ana.post(`/api/leads/${id}/notes`, note);
    expect(again).toMatchObject({ status: 200, body: { notes: "Wants an offer\n\nCalls at noon" } });
  });

  it("adds a note above the existing ones, once, and loses no concurrent change", async () => {
    const { id } = await lead({ notes: "Old" });
    const path = `/api/leads/${id}/notes`;
    expect(await ana.post(path, { text: "  New roof " })).toMatchObject({
      status: 200,
      body: { notes: "New roof\n\nOld" },
    });
    expect((await ana.post(path, { text: "New roof" })).body.notes).toBe("New roof\n\nOld");
    expect(await timeline(id)).toMatchObject([{ kind: "note-added", data: { text: "New roof" } }]);
    const many = ["one", "two", "three", "four"];
    await Promise.all(many.map((text) => ana.post(path, { text })));
    const { notes } = (await ana.get(`/api/leads/${id}`)).body;
    expect(notes.split("\n\n").toSorted()).toEqual(["New roof", "Old", ...many].toSorted());
    expect((await ana.post(path, { text: " " })).status).toBe(400);
    expect((await ana.post(path, { text: "x".repeat(9_990) })).body.message).toMatch(/too long/);
    expect((await luis.post(path, { text: "Not mine" })).status).toBe(403);
  });
});

describe("PATCH /api/leads/:id/name", () => {
  it("saves a proper name, finds it by search, and marks it as pending for the CRM", async () => {
    const { id } = await lead();
    const { status, body } = await ana.patch(`/api/leads/${id}/name`, { name: "  jose de la o " });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ghlSynced: false,
      lead: { name: "José de la O", firstName: "José", lastName: "de la O" },
    });
    expect((await ana.get("/api/leads?search=jose%20de%20la")).body).toHaveLength(1);
    expect(await timeline(id)).toMatchObject([{ kind: "renamed", data: { after: "José de la O" } }]);
  });

  it("keeps typed capitals, also when they only correct the current name", async () => {
    const { id } = await lead();
    for (const name of ['José "Pepe" Garcia', "DeShawn LaPorte", "deshawn laporte", "MARÍA Dos"]) {
      const { body } = await ana.patch(`/api/leads/${id}/name`, { name });
      expect(body.lead.name).toBe(name);
    }
  });

  it("rejects an empty name with the specified message, and another consultant's lead", async () => {
    const { id } = await lead();
    const empty = await ana.patch(`/api/leads/${id}/name`, { name: "   " });
    expect(empty).toMatchObject({ status: 400, body: { message: "Por favor ingrese un nombre válido" } });
    expect((await luis.patch(`/api/leads/${id}/name`, { name: "Stolen" })).status).toBe(403);
    expect(await timeline(id)).toEqual([]);
  });
});

describe("POST /api/leads/:id/convert", () => {
  it("creates one client for repeated requests", async () => {
    const { id } = await lead({ status: "interested" });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        ana.post(`/api/leads/${id}/convert`, { conversionValue: 1250.5, notes: "signed" }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const { rows } = await app.deps.database.pool.query(
      "select conversion_value::float8 as value, notes from clients where lead_id = $1",
      [id],
    );
    expect(rows).toEqual([{ value: 1250.5, notes: "signed" }]);
    expect((await ana.get(`/api/leads/${id}`)).body).toMatchObject({
      status: "converted",
      leadStatus: "converted",
    });
    expect((await ana.patch(`/api/leads/${id}`, { status: "new" })).status).toBe(409);
  });

  it("uses 0 for a missing body, and rejects an invalid value", async () => {
    const { id } = await lead();
    for (const conversionValue of [true, "", [5], null, "1e3", "Infinity"]) {
      expect((await ana.post(`/api/leads/${id}/convert`, { conversionValue })).status).toBe(400);
    }
    expect((await ana.post(`/api/leads/${id}/convert`)).status).toBe(200);
  });

  it("uses 0 by default, and rejects negative values and other people's leads", async () => {
    const { id } = await lead();
    expect((await ana.post(`/api/leads/${id}/convert`, { conversionValue: -1 })).status).toBe(400);
    expect((await luis.post(`/api/leads/${id}/convert`, {})).status).toBe(403);
    expect((await ana.post(`/api/leads/${id}/convert`, {})).status).toBe(200);
  });
});

describe("tiles and test leads", () => {
  it("returns counts that match the rows", async () => {
    const rep = await app.signIn();
    const mine = (overrides: Parameters<typeof buildLead>[1]) =>
      lead({ assignedTo: rep.user.id, ...overrides });
    await mine({ status: "new" });
    await mine({ status: "contacted", lastContactedAt: new Date() });
    await mine({
      status: "interested",
      lastContactedAt: new Date("2026-01-01"),
      nextFollowUpDate: new Date(),
    });
    await mine({ status: "converted", nextFollowUpDate: new Date() });
    expect((await rep.get("/api/dashboard-stats")).body).toEqual({
      totalLeads: 4,
      contactedToday: 1,
      pendingFollowUp: 1,
      newLeads: 1,
      contactedLeads: 1,
      interestedLeads: 1,
      notInterestedLeads: 0,
      needsOutcome: 0,
    });
  });

  it("creates new test leads for the user in demo mode with each request", async () => {
    const rep = await app.signIn();
    const first = await rep.post("/api/sample-data");
    await rep.post("/api/sample-data");
    expect(first).toMatchObject({ status: 200, body: { created: 5 } });
    expect((await rep.get("/api/leads")).body).toHaveLength(10);
  });
});
