import { importResultSchema, importSchema } from "@portal/contract/entities/import";
import { limits } from "@portal/contract/limits";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { PublishedEvent } from "../../platform/realtime/publish.ts";
import { buildLead } from "../../testing/factories.ts";
import { type ImportHarness, openImportHarness, sendLeads } from "../../testing/import-harness.ts";
import type { Client, TestApp } from "../../testing/test-app.ts";
import { pruneImports } from "./repository.ts";
import { batchesOf, importLeads } from "./service.ts";

vi.setConfig({ testTimeout: 60_000 });

let portal: TestApp;
let leadsOf: ImportHarness["leadsOf"];
beforeAll(async () => {
  ({ portal, leadsOf } = await openImportHarness());
});
afterAll(() => portal.close());

describe("access to imports", () => {
  it("is for a signed-in user, or anybody while the demo has no key; a user sees their own imports only", async () => {
    const [rep, other, admin] = [
      await portal.signIn(),
      await portal.signIn(),
      await portal.signIn({ role: "admin" }),
    ];
    const record = { name: "Open Door", email: "open@example.com" };
    expect((await portal.request("POST", "/api/import/lead", { body: record })).status).toBe(200);
    const foreign = { origin: "https://elsewhere.example" };
    expect(
      await portal.request("POST", "/api/import/leads", { body: { leads: [record] }, headers: foreign }),
    ).toMatchObject({ status: 403, body: { code: "origin_refused" } });

    const { body } = await sendLeads(rep, [
      { Name: "Mia", Email: "mia@example.com" },
      { Name: "No address" },
    ]);
    const path = `/api/imports/${body.importId}`;
    expect((await portal.request("GET", "/api/imports")).status).toBe(401);
    for (const url of [path, `${path}/failed.csv`]) {
      expect((await portal.request("GET", url)).status).toBe(404);
      expect((await other.get(url)).status).toBe(404);
      expect((await admin.get(url)).status).toBe(200);
    }
    expect((await other.get("/api/imports")).body).toEqual([]);
    expect((await admin.get("/api/imports")).body[0]).toMatchObject({
      importId: body.importId,
      userName: rep.user.name,
    });
  });

  it("requires a session or the key, when the source has one", async () => {
    const admin = await portal.signIn({ role: "admin" });
    const { key } = (await admin.post("/api/webhook-sources/import/key")).body;
    const body = { leads: [{ name: "Keyed", email: "keyed@example.com" }] };
    const ask = (headers: Record<string, string>) =>
      portal.request("POST", "/api/import/leads", { body, headers });
    try {
      expect((await ask({})).status).toBe(401);
      expect((await ask({ "x-api-key": "wrong" })).status).toBe(401);
      const own = await ask({ "x-api-key": key });
      expect(own).toMatchObject({ status: 200, body: { imported: 1 } });
      // The key's holder follows a long import, its own and nobody else's.
      const follow = (id: number, headers = {}) => portal.request("GET", `/api/imports/${id}`, { headers });
      const { importId } = own.body;
      expect(await follow(importId, { "x-api-key": key })).toMatchObject({ body: { state: "done" } });
      const others = (await sendLeads(admin, [{ name: "Ana", email: "not.the.keys@example.com" }])).body;
      expect((await follow(others.importId, { "x-api-key": key })).status).toBe(404);
      for (const headers of [{}, { "x-api-key": "wrong" }])
        expect((await follow(importId, headers)).status).toBe(401);
      const csv = `/api/imports/${importId}/failed.csv`;
      expect((await portal.request("GET", csv)).status).toBe(401);
      expect(await leadsOf("email = 'keyed@example.com'")).toMatchObject([{ assigned_to: null }]);
    } finally {
      await portal.request("DELETE", "/api/webhook-sources/import/key", { cookie: admin.cookie });
    }
  });
});

describe("an import", () => {
  it("creates leads of valid rows, skips known people and reports why others failed", async () => {
    const rep = await portal.signIn();
    await buildLead(portal.deps.database, { email: "Known@Example.com", name: "Known One" });
    const { status, body } = await sendLeads(rep, [
      { "Full Name": "jose nuñez", EMAIL: "jose@example.com", "Deal Value": "1.250,00 €", Web: "x.example" },
      { name: "Known Again", email: "known@example.com" },
      { name: "Twice", email: "JOSE@example.com" },
      { name: "=cmd|' /C calc'!A0", phone: "(305) 555-0133", notes: "=1+1" },
      { name: "Bad", email: "nobody" },
      "text",
    ]);
    expect(status).toBe(200);
    importResultSchema.parse(body);
    expect(body).toMatchObject({
      imported: 2,
      skipped: 2,
      updated: 0,
      errors: 2,
      total: 6,
      running: false,
      message: "2 imported, 2 skipped, 2 failed.",
      details: { failed: ["Row 5: Invalid email address: nobody", "Row 6: Is not a record"] },
    });
    expect(await leadsOf("assigned_to = $1", rep.user.id)).toMatchObject([
      {
        name: "José Núñez",
        deal_value: "1250.00",
        lead_source: "CSV Import",
        status: "new",
        extra: { imported: { Web: "x.example" } },
      },
      { name: "=cmd|' /C calc'!A0", phone_e164: "+13055550133", notes: "=1+1" },
    ]);
    const [first] = await leadsOf("email = 'jose@example.com'");
    const timeline = await rep.get(`/api/leads/${first.id}/timeline`);
    expect(timeline.body).toMatchObject([{ kind: "created", after: "import", actorName: rep.user.name }]);
    const [logged] = (await rep.get("/api/imports")).body;
    expect(importSchema.parse(logged)).toMatchObject({
      importId: body.importId,
      state: "done",
      processed: 6,
    });
  });

  it("updates known leads on request, but not other consultants' leads", async () => {
    const [rep, other] = [await portal.signIn(), await portal.signIn()];
    const mine = await buildLead(portal.deps.database, { assignedTo: rep.user.id, email: "up@example.com" });
    await buildLead(portal.deps.database, { assignedTo: other.user.id, email: "theirs@example.com" });
    const rows = [
      { email: "up@example.com", company: "Nueva" },
      { email: "theirs@example.com", company: "Nueva" },
    ];
    const { body } = await sendLeads(rep, rows, { duplicates: "update" });
    expect(body).toMatchObject({
      updated: 1,
      errors: 1,
      details: { failed: ["Row 2: This lead is another consultant's"] },
    });
    expect(await leadsOf("id = $1", mine.id)).toMatchObject([{ company: "Nueva", name: mine.name }]);
  });

  it("counts phones that cannot be called, and stores each as it was sent", async () => {
    const rep = await portal.signIn();
    const email = (n: number) => `phones-${n}@example.com`;
    await buildLead(portal.deps.database, {
      assignedTo: rep.user.id,
      email: email(9),
      phone: "+1 305 555 0188",
    });
    const rows = [
      { email: email(0), phone: "p:+13055550181" },
      { email: email(1), phone: "+52 1 55 1234 5678" },
      { email: email(2), phone: "\u202d+1\u200b3055550182\u202c" },
      { email: email(3), phone: "+1 900 555 0100" },
      { email: email(4), phone: "ask Ana" },
      { email: email(5), phone: "n/a" },
      { email: email(6), phone: "\u200b" },
      { email: email(7), phone: "0".repeat(60) },
      { email: email(9), phone: "ask Bea" },
      { phone: "ask nobody" },
    ];
    const skipping = (await sendLeads(rep, rows)).body;
    importResultSchema.parse(skipping);
    expect(skipping).toMatchObject({
      imported: 8,
      skipped: 1,
      errors: 1,
      unreadablePhones: 3,
      message:
        "8 imported, 1 skipped, 1 failed. 3 phone numbers cannot be called and were kept as they came.",
    });
    const updating = (await sendLeads(rep, [rows[8]], { duplicates: "update" })).body;
    expect(updating).toMatchObject({
      updated: 1,
      unreadablePhones: 1,
      message: "0 imported, 1 updated. 1 phone number cannot be called and was kept as it came.",
    });
    const stored = await leadsOf("email like 'phones-%'");
    expect(stored.map(({ phone, phone_e164, extra }) => [phone, phone_e164, extra?.imported])).toEqual([
      ["+1 305 555 0188", "+13055550188", { Phone: "ask Bea" }],
      ["+13055550181", "+13055550181", undefined],
      ["+52 1 55 1234 5678", "+525512345678", undefined],
      ["+13055550182", "+13055550182", undefined],
      ["+1 900 555 0100", null, undefined],
      ["ask Ana", null, undefined],
      [null, null, undefined],
      [null, null, undefined],
      [null, null, { phone: "0".repeat(60) }],
    ]);
    const alone = await rep.post("/api/import/lead", { email: email(10), phone: "ask Eva" });
    expect(alone.body).toMatchObject({ imported: 1, unreadablePhones: 1 });
  });

  it("creates each lead once for concurrent imports of the same file", async () => {
    const rep = await portal.signIn();
    const rows = Array.from({ length: 2_500 }, (_, n) => ({
      name: `Same ${n}`,
      email: `same-${n}@example.com`,
    }));
    const answers = await Promise.all(Array.from({ length: 4 }, () => sendLeads(rep, rows)));
    const sum = (key: string) => answers.reduce((total, { body }) => total + body[key], 0);
    expect([sum("imported"), sum("skipped"), sum("errors")]).toEqual([2_500, 7_500, 0]);
    expect(await leadsOf("assigned_to = $1", rep.user.id)).toHaveLength(2_500);
  });

  it("continues when the database ends the transaction of a batch, while other requests are answered", async () => {
    const rep = await portal.signIn();
    const { pool } = portal.deps.database;
    const rows = Array.from({ length: 400 }, (_, n) => ({
      email: `ended-${n}@example.com`,
      notes: `${n} `.repeat(2_000),
    }));
    const holder = await pool.connect();
    // Leads can be read meanwhile, but not written.
    await holder.query("begin; lock table leads in share mode");
    const sent = sendLeads(rep, rows);
    await vi.waitFor(
      async () => {
        const { rowCount } = await pool.query(
          `select pg_cancel_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like 'copy "leads"%'`,
        );
        expect(rowCount).toBe(1);
      },
      { timeout: 45_000, interval: 20 },
    );
    await holder.query("rollback");
    holder.release();
    expect((await rep.get("/api/leads")).status).toBe(200);
    expect((await sent).body).toMatchObject({ imported: 400, skipped: 0, errors: 0, running: false });
    expect(await leadsOf("email like 'ended-%'")).toHaveLength(400);
  });

  it("continues after its sender's account was closed, and assigns it no leads", async () => {
    const { database, jobs, events, log } = portal.deps;
    const rep = await portal.signIn();
    await database.pool.query("update users set disabled_at = now() where id = $1", [rep.user.id]);
    const context = { database, jobs, events, log, defaultCountry: "US" as const };
    const rows = [{ name: "Late Comer", email: "late-comer@example.com" }];
    const sender = { ...rep.user, userId: rep.user.id, sessionId: 0 };
    const rest = { sourceSystem: "CSV Import", columns: null, mapping: null, fileName: null };
    const input = { ...rest, duplicates: "skip" as const, batches: batchesOf(rows), total: 1, sender };
    expect(await importLeads(context, input)).toMatchObject({ imported: 1 });
    expect(await leadsOf("email = 'late-comer@example.com'")).toMatchObject([{ assigned_to: null }]);
  });

  it("notifies those whose leads it changed of their leads, and everybody else only of the team's", async () => {
    const [rep, owner] = [await portal.signIn(), await portal.signIn()];
    const admin = await portal.signIn({ role: "admin" });
    const lead = await buildLead(portal.deps.database, {
      email: "heard@example.com",
      assignedTo: owner.user.id,
    });
    const heard: PublishedEvent[] = [];
    const stop = portal.deps.events.onEvent((event) => heard.push(event));
    const heardBy = ({ user }: Client) =>
      heard
        .filter(({ audience }) => audience === "all" || audience.includes(user.id))
        .map(({ topic, id }) => `${topic} ${id}`);
    try {
      const rows = [{ name: "Heard", email: "heard@example.com", city: "Lugo" }];
      await sendLeads(admin, rows, { duplicates: "update" });
      await vi.waitFor(() => expect(heardBy(rep)).toContain("all-leads 0"));
    } finally {
      stop();
    }
    expect(heardBy(owner)).toContain(`lead ${lead.id}`);
    expect(heardBy(rep).filter((event) => event.startsWith("lead "))).toEqual([]);
  });

  it("is deleted in time: its rows after a week, failed ones after 90 days", async () => {
    const rep = await portal.signIn();
    const { pool } = portal.deps.database;
    const made: number[] = [];
    for (const days of [0, 8, 91]) {
      const { body } = await sendLeads(rep, [
        { name: "Ana", email: `kept-${days}@example.com` },
        { name: "Nobody" },
      ]);
      made.push(body.importId);
      await pool.query("update imports set finished_at = now() - make_interval(days => $2) where id = $1", [
        body.importId,
        days,
      ]);
    }
    await pruneImports(portal.deps.database.db);
    const left = async (table: string) => {
      const { rows } = await pool.query(
        `select distinct import_id from ${table} where import_id = any($1) order by import_id`,
        [made],
      );
      return rows.map(({ import_id }) => made.indexOf(import_id));
    };
    expect([await left("import_batches"), await left("import_failures")]).toEqual([[0], [0, 1]]);
    const { body } = await rep.get(`/api/imports/${made[2]}`);
    expect(body).toMatchObject({ imported: 1, errors: 1, state: "done", failures: [] });
  });

  it("accepts CSV too, in a smaller body", async () => {
    const rep = await portal.signIn();
    const sendCsv = (payload: string, query = {}) =>
      portal.app.inject({
        method: "POST",
        url: "/api/import/leads",
        query,
        headers: { cookie: rep.cookie, "content-type": "text/csv; charset=utf-8" },
        payload,
      });
    const csv = 'Nombre,Mail,Ref\n"Ruiz, Eva",eva.csv@example.com,"5"" pipe"\nBeto,nobody,8\n';
    const answer = await sendCsv(csv, {
      sourceSystem: "CSV Import",
      fileName: "june.csv",
      mapping: '{"Ref":"notes"}',
    });
    expect(answer.json()).toMatchObject({ imported: 1, errors: 1, failures: [{ row: 3 }] });
    expect(await leadsOf("email = 'eva.csv@example.com'")).toMatchObject([
      { name: "Ruiz, Eva", notes: '5" pipe', lead_source: "CSV Import", assigned_to: rep.user.id },
    ]);
    expect((await sendCsv(csv, { duplicates: "update" })).json()).toMatchObject({ imported: 0, updated: 1 });
    const refused = [
      await sendCsv("Name,Email\n"),
      await sendCsv("Name,Name\nAna,x"),
      await sendCsv(csv, { mapping: "{" }),
      await sendCsv(csv, { mapping: '{"Ref":"id"}' }),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400]);
    expect((await sendCsv("x".repeat(limits.importCsvMaxBytes + 1))).statusCode).toBe(413);
  });

  it("rejects an invalid body", async () => {
    const rep = await portal.signIn();
    for (const body of [
      {},
      { leads: [] },
      { leads: {} },
      { leads: [{}], columns: ["a", "a"] },
      { leads: [{}], mapping: { a: "id" } },
      { leads: [{}], duplicates: "merge" },
    ])
      expect(await rep.post("/api/import/leads", body)).toMatchObject({
        status: 400,
        body: { code: "invalid" },
      });
    const leads = [{ name: "x".repeat(limits.importBodyMaxBytes) }];
    expect(await rep.post("/api/import/leads", { leads })).toMatchObject({
      status: 413,
      body: { code: "too_large" },
    });
  });
});

describe("a single lead", () => {
  it("is created, matched, or rejected with the reason", async () => {
    const rep = await portal.signIn();
    const record = { firstName: "Eva", lastName: "Mar", email: "eva@example.com", utm_campaign: "may" };
    const made = await rep.post("/api/import/lead", record);
    expect(made).toMatchObject({ status: 200, body: { imported: 1, outcome: "created" } });
    expect(await rep.post("/api/import/lead", record)).toMatchObject({
      body: { imported: 0, outcome: "skipped", leadId: made.body.leadId },
    });
    expect(await leadsOf("id = $1", made.body.leadId)).toMatchObject([
      { name: "Eva Mar", assigned_to: rep.user.id, extra: { imported: { utm_campaign: "may" } } },
    ]);
    expect(await rep.post("/api/import/lead", { name: "Eva" })).toMatchObject({
      status: 400,
      body: { message: "Has neither an email nor a phone number." },
    });
  });
});
