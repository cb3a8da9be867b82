import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { LeadMerge, MergePreview } from "@portal/contract/entities/lead-merge";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { IncomingLead } from "../../domain/read-lead-record.ts";
import { recountMetrics, storeMetrics } from "../../platform/db/metrics.ts";
import type { leads } from "../../platform/db/schema/leads.ts";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { findContactFacts } from "../contact-policy/repository.ts";
import { ingestLeads } from "../leads/ingest/ingest-leads.ts";
import { prepareLead, recordPolicy } from "../leads/ingest/merge-record.ts";
import { findLeadOfNumber } from "../sms/number-repository.ts";
import { optIn, optOut } from "../sms/update-message.ts";
import { findCaller } from "../telephony/inbound/repository.ts";
import { movedTables, notedTables } from "./moved-rows-repository.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let portal: TestApp;
let ana: Client;
let bea: Client;
let admin: Client;
beforeAll(async () => {
  portal = await buildTestApp();
  [ana, bea, admin] = [
    await portal.signIn({ name: "Ana Ríos" }),
    await portal.signIn({ name: "Bea Osorio" }),
    await portal.signIn({ role: "admin" }),
  ];
});
afterAll(() => portal?.close());

type Lead = typeof leads.$inferSelect;
let numbers = 0;
/** A number that no other lead has. */
const newNumber = () => {
  numbers += 1;
  return `+1646555${String(numbers).padStart(4, "0")}`;
};
const rowsOf = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await portal.deps.database.pool.query(text, values)).rows;
const rowOf = async (id: number) => (await rowsOf("select * from leads where id = $1", [id]))[0];
const leadOf = (rep: Client | null, rest: Partial<typeof leads.$inferInsert> = {}) =>
  buildLead(portal.deps.database, { assignedTo: rep?.user.id ?? null, phone: newNumber(), ...rest });
const merge = (by: Client, kept: { id: number }, other: { id: number }, more: object = {}) =>
  by.post(`/api/leads/${kept.id}/merge`, { otherId: other.id, clientRef: randomUUID(), ...more });
const preview = (by: Client, kept: { id: number }, other: { id: number }, choices: object = {}) =>
  by.post(`/api/leads/${kept.id}/merge/preview`, { otherId: other.id, choices });
const undo = (by: Client, { id }: { id: number }) => by.post(`/api/lead-merges/${id}/undo`);
async function merged(by: Client, kept: Lead, other: Lead, more: object = {}): Promise<LeadMerge> {
  const { status, body } = await merge(by, kept, other, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Ingests records like a file or a webhook. */
const take = (records: IncomingLead[]) =>
  inTx((tx) =>
    ingestLeads(
      tx,
      records.map((record) => prepareLead(record, "US")),
      {
        policy: recordPolicy({ from: { kind: "import" }, assignTo: null, known: "update" }),
        jobs: portal.deps.jobs,
        actor: null,
      },
    ),
  );
const inTx = <T>(work: Parameters<typeof portal.deps.database.transaction<T>>[0]) =>
  portal.deps.database.transaction(work);
const factsOf = async (leadId: number) =>
  findContactFacts(portal.deps.database.db, { leadId, userId: ana.user.id, channel: "call" });

let sids = 0;
const newSid = (kind: string) => {
  sids += 1;
  return `${kind}${String(sids).padStart(32, "0")}`;
};

/** An answered call with its log, recording and timeline entry, an SMS in each direction, and a meeting. */
async function work(lead: Pick<Lead, "id" | "phoneE164">, rep: Client, at: Date = new Date()) {
  const userId = rep.user.id;
  const [call] = await rowsOf<{ id: number }>(
    `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one, state, settled, requested_at, lead_ringing_at, ended_at)
     values ($1, $2, '+13055550101', 'personal', $3, true, 'ended', true, $4, $4, $4) returning id`,
    [lead.id, userId, lead.phoneE164, at],
  );
  const [log] = await rowsOf<{ id: number }>(
    `insert into call_logs (lead_id, user_id, call_id, outcome, confirmed, call_type, call_date, duration_seconds)
     values ($1, $2, $3, 'answered', true, 'outbound', $4, 60) returning id`,
    [lead.id, userId, call?.id, at],
  );
  await rowsOf(
    `insert into recordings (recording_sid, call_sid, call_id, lead_id, user_id, status) values ($1, 'CA1', $2, $3, $4, 'completed')`,
    [newSid("RE"), call?.id, lead.id, userId],
  );
  await rowsOf(
    "insert into lead_events (lead_id, user_id, kind, data, at) values ($1, $2, 'call-ended', $3, $4)",
    [lead.id, userId, { callId: call?.id, callLogId: log?.id }, at],
  );
  for (const direction of ["inbound", "outbound"])
    await rowsOf(
      `insert into messages (lead_id, user_id, direction, body, status, from_number, to_number, created_at)
       values ($1, $2, $3, 'Hola', $4, $5, $6, $7)`,
      [
        lead.id,
        direction === "outbound" ? userId : null,
        direction,
        direction === "outbound" ? "delivered" : "received",
        direction === "inbound" ? lead.phoneE164 : "+15005550006",
        direction === "outbound" ? lead.phoneE164 : "+15005550006",
        at,
      ],
    );
  await rowsOf(
    `insert into meetings (user_id, lead_id, title, starts_at, ends_at, time_zone, calendar_type)
     values ($1, $2, 'Visit', now() + interval '1 day', now() + interval '25 hours', 'America/New_York', 'local')`,
    [userId, lead.id],
  );
}

/** Number of a lead's rows in each table. */
async function historyOf(leadId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ["calls", "call_logs", "recordings", "messages", "meetings"]) {
    const [row] = await rowsOf<{ n: number }>(`select count(*)::int as n from ${table} where lead_id = $1`, [
      leadId,
    ]);
    counts[table] = row?.n ?? 0;
  }
  return counts;
}

const metrics = () =>
  rowsOf("select kind, day::text, user_id, label, n, amount from metrics order by 1, 2, 3, 4");
const totals = () =>
  rowsOf(
    `select kind, user_id, label, sum(n)::int as n from metrics where kind not in ('lead', 'lead_source', 'lead_owner', 'lead_calls')
     group by 1, 2, 3 order by 1, 2, 3`,
  );
/** The stored metrics equal a recount of all rows. */
async function expectTrueMetrics() {
  const { database } = portal.deps;
  await storeMetrics(database);
  const attempts = () =>
    rowsOf("select id, attempts, first_attempt_at, last_attempt_at from leads order by id");
  const [stored, attempted] = [await metrics(), await attempts()];
  const [state] = await rowsOf<{ time_zone: string }>("select time_zone from metric_state");
  await database.transaction((tx) => recountMetrics(tx, state?.time_zone ?? "UTC"));
  expect(await metrics()).toEqual(stored);
  await rowsOf("select recount_attempts(array(select id from leads))");
  expect(await attempts()).toEqual(attempted);
}

describe("the data of a merge", () => {
  it("covers every table that refers to leads: a new one is either moved or listed", async () => {
    const tables = await rowsOf<{ table: string }>(
      `select distinct conrelid::regclass::text as table from pg_constraint where contype = 'f' and confrelid = 'leads'::regclass`,
    );
    const known = [...Object.keys(movedTables), ...notedTables];
    expect(tables.map(({ table }) => table).sort()).toEqual(known.sort());
    const named = await rowsOf<{ table: string }>(
      `select table_name as table from information_schema.columns where column_name = 'lead_id' and table_schema = 'public'`,
    );
    expect(named.map(({ table }) => table).sort()).toEqual(known.sort());
  });

  it("includes all history; the other's URL leads to the remaining lead; undo restores both", async () => {
    const kept = await leadOf(ana, { notes: "Likes tea", status: "contacted", company: "Acme" });
    const other = await leadOf(ana, { name: "Zoraida Peña", notes: "Asked for a quote", industry: "Solar" });
    await work(kept, ana, new Date(Date.now() - 86_400_000));
    await work(other, ana);
    await storeMetrics(portal.deps.database);
    const [before, both] = [await totals(), [await rowOf(kept.id), await rowOf(other.id)]];
    const made = await merged(ana, kept, other);
    expect(made).toMatchObject({
      leadId: kept.id,
      otherId: other.id,
      otherName: "Zoraida Peña",
      mayUndo: true,
    });
    expect(made.further).toMatchObject({ phone: kept.phone });
    expect(await historyOf(kept.id)).toEqual({
      ...{ calls: 2, call_logs: 2, recordings: 2, messages: 4, meetings: 2 },
    });
    expect(await rowOf(other.id)).toBeUndefined();
    // The lead contacted last provides values that both have.
    expect(await rowOf(kept.id)).toMatchObject({
      ...{ name: "Zoraida Peña", company: "Acme", industry: "Solar", status: "contacted" },
      ...{ phone_e164: other.phoneE164, notes: "Likes tea\n\nAsked for a quote" },
      ...{ attempts: 2, unread_messages: 2, created_at: kept.createdAt },
    });
    const { body: lead } = await ana.get(`/api/leads/${other.id}`);
    expect(lead.id).toBe(kept.id);
    expect((await ana.post(`/api/leads/${other.id}/notes`, { text: "From another tab" })).body.id).toBe(
      kept.id,
    );
    const { body: timeline } = await ana.get(`/api/leads/${kept.id}/timeline`);
    expect(timeline.filter(({ kind }: { kind: string }) => kind === "call")).toHaveLength(2);
    expect(timeline).toContainEqual(expect.objectContaining({ kind: "merged", text: "Zoraida Peña" }));
    await expectTrueMetrics();
    expect(await totals()).toEqual(before);

    expect((await undo(ana, made)).body).toMatchObject({ mayUndo: false, undoneAt: expect.any(String) });
    const changing = { updated_at: expect.anything(), crm_hash: null };
    expect(await rowOf(other.id)).toEqual({ ...both[1], ...changing });
    expect(await rowOf(kept.id)).toEqual({ ...both[0], ...changing, notes: "From another tab\n\nLikes tea" });
    const once = { calls: 1, call_logs: 1, recordings: 1, messages: 2, meetings: 1 };
    expect(await historyOf(kept.id)).toEqual(once);
    expect(await historyOf(other.id)).toEqual(once);
    await expectTrueMetrics();
    expect(await totals()).toEqual(before);
    expect((await undo(ana, made)).status).toBe(200);
    const { body: audit } = await admin.get("/api/admin/audit?limit=50");
    expect(JSON.stringify(audit)).toContain("leads-merged");
  });

  it("includes two places in one session or bulk change, and nested merges are undone in their order", async () => {
    const [a, b, c] = [await leadOf(ana), await leadOf(ana), await leadOf(ana)];
    const [session] = await rowsOf<{ id: number }>(
      `insert into dialer_sessions (user_id, status, phase, total, delay_seconds, "order", source)
       values ($1, 'completed', 'waiting', 2, 5, 'createdAt', '{"filter":{}}') returning id`,
      [ana.user.id],
    );
    for (const [position, lead] of [a, b].entries())
      await rowsOf(
        "insert into dialer_items (session_id, position, lead_id, state) values ($1, $2, $3, 'done')",
        [session?.id, position, lead.id],
      );
    await ana.post("/api/bulk-changes", {
      clientRef: randomUUID(),
      edit: { kind: "priority", priority: "high" },
      leadIds: [a.id, b.id],
    });
    const first = await merged(ana, a, b);
    const second = await merged(ana, c, a);
    const items = () =>
      rowsOf("select position, lead_id from dialer_items where session_id = $1 order by 1", [session?.id]);
    expect(await items()).toEqual([
      { position: 0, lead_id: c.id },
      { position: 1, lead_id: c.id },
    ]);
    expect((await ana.get(`/api/leads/${b.id}`)).body.id).toBe(c.id);
    expect(await undo(ana, first)).toMatchObject({ status: 409, body: { mergeRefusal: "later_merge" } });
    expect((await undo(ana, second)).status).toBe(200);
    expect((await ana.get(`/api/leads/${b.id}`)).body.id).toBe(a.id);
    expect((await undo(ana, first)).status).toBe(200);
    expect(await items()).toEqual([
      { position: 0, lead_id: a.id },
      { position: 1, lead_id: b.id },
    ]);
  });
});

describe("the number and address of a merged lead", () => {
  it("lead every source to the remaining lead, and new data of the other number is restored by undo", async () => {
    const kept = await leadOf(ana, { email: "uno@example.com", lastActivityAt: new Date() });
    const other = await leadOf(ana, {
      email: "dos@example.com",
      name: "Second Name",
      createdAt: new Date(0),
    });
    const made = await merged(ana, kept, other);
    const number = other.phoneE164 ?? "";
    expect(await rowOf(kept.id)).toMatchObject({ phone_e164: kept.phoneE164, email: "uno@example.com" });
    expect(await inTx((tx) => findCaller(tx, number))).toEqual({ leadId: kept.id, ownerId: ana.user.id });
    expect(await inTx((tx) => findLeadOfNumber(tx, number))).toMatchObject({ id: kept.id });
    const known = await ana.get(`/api/leads/known?phone=${encodeURIComponent(number)}&email=dos@example.com`);
    expect(known.body).toMatchObject([{ id: kept.id, by: ["phone", "email"] }]);
    expect((await ana.post("/api/leads", { firstName: "Again", email: "dos@example.com" })).body.code).toBe(
      "lead_exists",
    );
    await take([
      { email: "DOS@example.com", industry: "Farming" },
      { phone: number, company: "By phone" },
    ]);
    expect(await rowOf(kept.id)).toMatchObject({
      ...{ industry: "Farming", company: "By phone", phone_e164: kept.phoneE164, email: "uno@example.com" },
    });
    for (const words of ["dos@example.com", number.slice(-7), "second name"]) {
      const { body } = await ana.get(`/api/search?q=${encodeURIComponent(words)}`);
      expect(body.leads.items?.[0]?.id ?? body.leads[0]?.id, words).toBe(kept.id);
    }
    await work({ id: kept.id, phoneE164: number }, ana);
    await undo(ana, made);
    expect(await historyOf(other.id)).toMatchObject({ calls: 1, call_logs: 1, recordings: 1, messages: 2 });
    // A meeting has no number, so it stays.
    expect(await historyOf(kept.id)).toMatchObject({ calls: 0, messages: 0, meetings: 1 });
    expect(await inTx((tx) => findCaller(tx, number))).toMatchObject({ leadId: other.id });
    expect((await rowOf(kept.id))?.search).not.toContain("second name");
  });

  it("keep opt-outs with their number, and the stricter one applies to the lead", async () => {
    const kept = await leadOf(ana, { lastActivityAt: new Date() });
    const other = await leadOf(ana, { callOptOut: "dnd", phone: "(405) 555-0144", createdAt: new Date(0) });
    const made = await merged(ana, kept, other);
    expect(await rowOf(kept.id)).toMatchObject({ call_opt_out: null, phone_e164: kept.phoneE164 });
    // The rules of Oklahoma and New York both apply.
    expect(await factsOf(kept.id)).toMatchObject({
      callOptOut: "dnd",
      timeZone: "America/New_York&America/Chicago",
      addressState: "OK",
    });
    expect((await ana.post("/api/make-call", { leadId: kept.id })).body).toMatchObject({
      reason: "opted_out",
    });

    const context = { jobs: portal.deps.jobs };
    const number = other.phoneE164 ?? "";
    await inTx((tx) => optOut(context, tx, { number, by: "keyword", eventId: 1 }));
    expect(await factsOf(kept.id)).toMatchObject({ textOptOut: "stop" });
    expect(await rowOf(kept.id)).toMatchObject({ text_opt_out: null });
    await inTx((tx) => optIn(context, tx, { number, eventId: 2 }));
    expect(await factsOf(kept.id)).toMatchObject({ textOptOut: null });
    await inTx((tx) => optOut(context, tx, { number, by: "keyword", eventId: 3 }));
    await undo(ana, made);
    expect(await rowOf(other.id)).toMatchObject({ call_opt_out: "dnd", text_opt_out: "stop" });
    expect(await factsOf(kept.id)).toMatchObject({
      callOptOut: null,
      textOptOut: null,
      timeZone: "America/New_York",
    });
  });

  it("share the limit of calls per day", async () => {
    const [kept, other] = [await leadOf(ana), await leadOf(ana)];
    await work(kept, ana);
    await work(other, ana);
    await merged(ana, kept, other);
    expect((await factsOf(kept.id))?.lastCalls).toHaveLength(2);
  });
});

describe("merging two leads", () => {
  it("requires one's own leads, or an administrator; nothing is written otherwise", async () => {
    const [mine, theirs] = [await leadOf(ana), await leadOf(bea)];
    for (const [kept, other] of [
      [mine, theirs],
      [theirs, mine],
    ] as const) {
      expect(await merge(ana, kept, other)).toMatchObject({ status: 403, body: { code: "not_your_lead" } });
      expect((await preview(ana, kept, other)).status).toBe(403);
    }
    expect((await merge(ana, mine, mine)).status).toBe(400);
    expect((await merge(ana, mine, { id: 2_000_000_000 })).status).toBe(404);
    for (const more of [
      { choices: { name: "both" } },
      { choices: { id: "other" } },
      { clientRef: "x" },
      { otherId: "1 or 1" },
    ])
      expect((await merge(ana, mine, mine, more)).status, JSON.stringify(more)).toBe(400);
    const made = await merged(admin, mine, theirs);
    // The undo would give Bea a lead that Ana may not change.
    expect((await undo(ana, made)).status).toBe(403);
    expect((await undo(bea, made)).status).toBe(403);
    expect((await bea.get(`/api/leads/${mine.id}/merges`)).status).toBe(403);
    expect((await admin.get("/api/lead-merges")).body[0]).toMatchObject({ id: made.id });
    expect((await bea.get("/api/lead-merges")).body).toEqual([]);
    expect((await ana.get(`/api/leads/${mine.id}/merges`)).body).toMatchObject([
      { id: made.id, mayUndo: false },
    ]);
    expect((await undo(admin, made)).status).toBe(200);
    expect(await rowOf(theirs.id)).toMatchObject({ assigned_to: bea.user.id });
  });

  it("is denied while a call, an SMS, a session or a push uses either lead", async () => {
    const [kept, other] = [await leadOf(ana), await leadOf(ana)];
    const refused = async (reason: string) => {
      expect((await preview(ana, kept, other)).body.refusal).toBe(reason);
      expect(await merge(ana, kept, other)).toMatchObject({ status: 409, body: { mergeRefusal: reason } });
    };
    const [call] = await rowsOf<{ id: number }>(
      `insert into calls (lead_id, user_id, rep_number, rep_line, lead_number, press_one)
       values ($1, $2, '+13055550101', 'personal', $3, true) returning id`,
      [other.id, ana.user.id, other.phoneE164],
    );
    await refused("call");
    await rowsOf("update calls set state = 'ended' where id = $1", [call?.id]);
    await rowsOf(
      `insert into messages (lead_id, direction, body, status, from_number, to_number) values ($1, 'outbound', 'x', 'queued', '', '')`,
      [kept.id],
    );
    await refused("text");
    await rowsOf("update messages set status = 'delivered' where lead_id = $1", [kept.id]);
    const [session] = await rowsOf<{ id: number }>(
      `insert into dialer_sessions (user_id, status, phase, total, delay_seconds, "order", source)
       values ($1, 'paused', 'waiting', 1, 5, 'createdAt', '{"filter":{}}') returning id`,
      [ana.user.id],
    );
    await rowsOf("insert into dialer_items (session_id, position, lead_id) values ($1, 0, $2)", [
      session?.id,
      other.id,
    ]);
    await refused("session");
    await rowsOf("update dialer_sessions set status = 'completed' where id = $1", [session?.id]);
    await rowsOf(
      "insert into crm_outbox (lead_id, field, user_id, state, claimed_at) values ($1, 'notes', $2, 'pending', now())",
      [kept.id, ana.user.id],
    );
    await refused("crm");
    await rowsOf("update crm_outbox set claimed_at = null where lead_id = $1", [kept.id]);
    const made = await merged(ana, kept, other);
    await rowsOf("update calls set state = 'requested' where id = $1", [call?.id]);
    expect(await undo(ana, made)).toMatchObject({ status: 409, body: { mergeRefusal: "call" } });
    await rowsOf("update calls set state = 'ended' where id = $1", [call?.id]);
    await rowsOf("update lead_merges set merged_at = now() - interval '8 days' where id = $1", [made.id]);
    expect(await undo(ana, made)).toMatchObject({ status: 409, body: { mergeRefusal: "too_old" } });
    expect((await ana.get("/api/lead-merges")).body.map(({ id }: LeadMerge) => id)).not.toContain(made.id);
  });

  it("is denied for two clients; a client's conversion is kept with a lead", async () => {
    const [lead, client, second] = [await leadOf(ana), await leadOf(ana), await leadOf(ana)];
    for (const { id } of [client, second])
      await ana.post(`/api/leads/${id}/convert`, { conversionValue: 500 });
    expect((await merge(ana, client, second)).body).toMatchObject({ mergeRefusal: "both_clients" });
    const made = await merged(ana, lead, client, { choices: { status: "kept" } });
    expect(await rowOf(lead.id)).toMatchObject({ status: "converted" });
    await expectTrueMetrics();
    await undo(ana, made);
    expect(await rowOf(lead.id)).toMatchObject({ status: "new", converted_at: null });
    expect(
      await rowsOf("select lead_id from clients where lead_id in ($1, $2)", [lead.id, client.id]),
    ).toEqual([{ lead_id: client.id }]);
    await expectTrueMetrics();
  });

  it("happens once for repeated and concurrent requests from both sides", async () => {
    const [a, b] = [await leadOf(ana), await leadOf(ana)];
    const clientRef = randomUUID();
    const answers = await Promise.all([
      merge(ana, a, b, { clientRef }),
      merge(ana, a, b, { clientRef }),
      merge(ana, b, a),
    ]);
    const good = answers.filter(({ status }) => status === 200);
    expect(new Set(good.map(({ body }) => body.id)).size).toBe(1);
    expect(await rowsOf("select 1 from leads where id in ($1, $2)", [a.id, b.id])).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });
});

describe("the preview of a merge", () => {
  it("prefers values that are set, then the recently contacted lead, the earlier follow-up; a choice overrides", async () => {
    const soon = new Date(Date.now() + 86_400_000);
    const kept = await leadOf(ana, {
      ...{ name: "Kept", company: null, priority: "low", lastActivityAt: new Date(0) },
      nextFollowUpDate: new Date(Date.now() + 9 * 86_400_000),
    });
    const other = await leadOf(ana, {
      name: "Other",
      company: "Sol",
      nextFollowUpDate: soon,
      lastActivityAt: new Date(),
    });
    await work(other, ana);
    const { body }: { body: MergePreview } = await preview(ana, kept, other, { priority: "kept" });
    const sides = Object.fromEntries(body.fields.map(({ field, side }) => [field, side]));
    expect(sides).toMatchObject({
      ...{
        name: "other",
        company: "other",
        priority: "kept",
        followUp: "other",
        assignedTo: "kept",
        status: "kept",
      },
    });
    expect(body.other.counts).toEqual({ calls: 1, texts: 2, meetings: 1, events: 1 });
    expect(body.refusal).toBeNull();
    await merged(ana, kept, other, { choices: { name: "kept", priority: "kept" } });
    expect(await rowOf(kept.id)).toMatchObject({
      name: "Kept",
      priority: "low",
      company: "Sol",
      next_follow_up_date: soon,
    });
  });
});

// Drops the tables of all merges, so it must be the last test.
it("leads of sessions and bulk changes from before merges existed can be merged and undone", async () => {
  const [kept, other] = [await leadOf(ana), await leadOf(ana)];
  const [session] = await rowsOf<{ id: number }>(
    `insert into dialer_sessions (user_id, status, phase, total, delay_seconds, "order", source)
     values ($1, 'completed', 'waiting', 2, 5, 'createdAt', '{"filter":{}}') returning id`,
    [ana.user.id],
  );
  const { body: change } = await ana.post("/api/bulk-changes", {
    clientRef: randomUUID(),
    edit: { kind: "status", status: "interested" },
    leadIds: [kept.id, other.id],
  });
  await rowsOf(`
    drop table lead_aliases, lead_merges;
    drop function add_alias_words cascade;
    drop index bulk_change_items_lead_key, bulk_change_items_change_idx, dialer_items_lead_key;
    alter table bulk_change_items drop column id, drop column merged, add primary key (change_id, lead_id);
    alter table bulk_change_items rename constraint bulk_change_items_pkey to bulk_change_items_change_id_lead_id_pk;
    alter table dialer_items drop column merged;
    create unique index dialer_items_lead_key on dialer_items (session_id, lead_id)`);
  for (const [position, { id }] of [kept, other].entries())
    await rowsOf("insert into dialer_items (session_id, position, lead_id) values ($1, $2, $3)", [
      session?.id,
      position,
      id,
    ]);
  const held = () =>
    rowsOf(
      `select (select json_agg(lead_id order by position) from dialer_items where session_id = $1) as items,
         (select json_agg(lead_id order by lead_id) from bulk_change_items where change_id = $2) as changes`,
      [session?.id, change.id],
    );
  const before = await held();
  const file = new URL("../../platform/db/migrations/0052_lead_merges.sql", import.meta.url);
  await rowsOf(await readFile(file, "utf8"));
  expect(await held()).toEqual(before);
  const made = await merged(ana, kept, other);
  expect(await held()).toEqual([{ items: [kept.id, kept.id], changes: [kept.id, kept.id] }]);
  expect((await undo(ana, made)).status).toBe(200);
  expect(await held()).toEqual(before);
});
