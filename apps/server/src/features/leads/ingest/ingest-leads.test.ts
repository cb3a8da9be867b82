import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { IncomingLead } from "../../../domain/read-lead-record.ts";
import { buildLead } from "../../../testing/factories.ts";
import { buildTestApp, type TestApp } from "../../../testing/test-app.ts";
import { type IngestOptions, ingestLeads } from "./ingest-leads.ts";
import { prepareLead, recordPolicy } from "./merge-record.ts";

vi.setConfig({ testTimeout: 30_000 });

let portal: TestApp;
beforeAll(async () => {
  portal = await buildTestApp();
});
afterAll(() => portal.close());

type Rules = Parameters<typeof recordPolicy>[0] & Pick<IngestOptions, "actor" | "jobs">;
const take = async (records: IncomingLead[], rules: Partial<Rules> = {}) => {
  const { actor, jobs, ...policy } = { ...defaults, jobs: portal.deps.jobs, ...rules };
  const options = { policy: recordPolicy(policy), jobs, actor };
  const prepared = records.map((record) => prepareLead(record, "US"));
  return (await portal.deps.database.transaction((tx) => ingestLeads(tx, prepared, options))).leads;
};
const defaults: Omit<Rules, "jobs"> = {
  from: { kind: "import" },
  assignTo: null,
  known: "skip",
  actor: null,
};
const outcomes = async (records: IncomingLead[], rules?: Partial<Rules>) =>
  (await take(records, rules)).map(({ outcome }) => outcome);
const row = async (leadId: number) =>
  (await portal.deps.database.pool.query("select * from leads where id = $1", [leadId])).rows[0];
const events = async (leadId: number) =>
  (
    await portal.deps.database.pool.query(
      "select kind, data from lead_events where lead_id = $1 order by id",
      [leadId],
    )
  ).rows;

describe("an ingested lead", () => {
  it("is created once, with a proper name and a timeline", async () => {
    const rep = await portal.signIn();
    const [taken] = await take(
      [
        {
          name: "maria garcia",
          email: "Maria.G@Example.com ",
          phone: "(305) 555-0111",
          extra: { Website: "https://example.com" },
        },
      ],
      { assignTo: rep.user.id, from: { kind: "webhook", data: { source: "hubspot" } } },
    );
    expect(taken?.outcome).toBe("created");
    expect(await row(taken?.leadId ?? 0)).toMatchObject({
      name: "María García",
      first_name: "María",
      last_name: "García",
      email: "maria.g@example.com",
      phone_e164: "+13055550111",
      time_zone: "America/New_York",
      status: "new",
      search: "maria garcia maria.g@example.com 13055550111",
      assigned_to: rep.user.id,
      extra: { imported: { Website: "https://example.com" } },
    });
    expect(await events(taken?.leadId ?? 0)).toEqual([
      { kind: "created", data: { from: "webhook", source: "hubspot" } },
    ]);
  });

  it("may have a name and a company of any length and script, and is found by their beginning and by its number", async () => {
    // Different characters, so that an index cannot compress them.
    const signs = (from: number) =>
      Array.from({ length: 8_000 }, (_value, n) => String.fromCodePoint(from + ((n * 7_919) % 20_000))).join(
        "",
      );
    const [name, company] = [`Largo ${signs(0x4e00)}`, `Ancho ${signs(0x20000)}`];
    const [taken] = await take([{ name, company, email: "largo@example.com", phone: "(305) 555-0199" }]);
    expect(taken?.outcome).toBe("created");
    const kept = await row(taken?.leadId ?? 0);
    expect(kept).toMatchObject({ name, company });
    expect(Buffer.byteLength(kept.search)).toBeLessThanOrEqual(2_400);
    for (const begin of [name.slice(0, 200), company.slice(0, 100), "largo@example.com", "13055550199"])
      expect(kept.search).toContain(begin.toLowerCase());
  });

  it("is matched by email, and by phone only without an email when one lead has the number", async () => {
    const phone = "(305) 555-0120";
    expect(
      await outcomes([
        { name: "Ana Uno", email: "ana@example.com", phone },
        { name: "Again", email: "ANA@example.com" },
        { name: "Ana Uno", phone },
        { name: "Beto Dos", email: "beto@example.com", phone },
        { name: "Carla Tres", phone },
      ]),
    ).toEqual(["created", "skipped", "skipped", "created", "created"]);
    expect(
      await outcomes([
        { name: "carla tres", phone },
        { name: "x", email: "beto@example.com" },
      ]),
    ).toEqual(["skipped", "skipped"]);
  });

  it("is stored the same alone and in a bulk copy of hundreds", async () => {
    const rep = await portal.signIn();
    const odd = (n: number): IncomingLead => ({
      name: "Back\\slash O\tTab",
      email: `odd-${n}@example.com`,
      company: "\\N",
      industry: "\\.",
      notes: "line\r\none\ttwo\\t 'three' \"four\" {5} é 😀",
      dealValue: 1250.5,
      ghlContactId: `odd${n}`,
      extra: { "\\Key\n": 'a\\"b\tc', nothing: null, deep: [{ x: "\\N" }] },
    });
    const rules = { assignTo: rep.user.id, known: "update" } as const;
    const later = { email: "odd-150@example.com", company: "Changed below, Inc.\\" };
    const [alone] = await take([odd(0)], rules);
    const many = await take([...Array.from({ length: 150 }, (_, n) => odd(n + 1)), later], rules);
    expect(many.at(-1)).toEqual({ outcome: "updated", leadId: many[149]?.leadId });
    const stored = async (taken?: { leadId: number }) => {
      const { id, email, ghl_contact_id, search, assigned_at, created_at, updated_at, ...rest } = await row(
        taken?.leadId ?? 0,
      );
      expect([assigned_at, updated_at]).toEqual([created_at, created_at]);
      return { ...rest, search: search.replace(email, "") };
    };
    const one = await stored(alone);
    expect(one).toMatchObject({
      company: "\\N",
      industry: "\\.",
      crm_sync: "synced",
      assigned_to: rep.user.id,
    });
    expect(await stored(many[0])).toEqual(one);
    expect(await stored(many[148])).toEqual(one);
    expect(await row(many[149]?.leadId ?? 0)).toMatchObject({
      company: "Changed below, Inc.\\",
      notes: one.notes,
    });
    expect(many.slice(0, 150).map(({ leadId }) => leadId)).toEqual(
      Array.from({ length: 150 }, (_, n) => (many[0]?.leadId ?? 0) + n),
    );
  });

  it("is created once for two concurrent records", async () => {
    const records = Array.from({ length: 50 }, (_, n) => ({
      name: `P ${n}`,
      email: `twice-${n}@example.com`,
    }));
    const taken = await Promise.all([take(records), take(records), take([...records].reverse())]);
    expect(taken.flat().filter(({ outcome }) => outcome === "created")).toHaveLength(50);
  });
});

describe("a known lead", () => {
  it("is updated with the record's fields and keeps others, with the previous values on its timeline", async () => {
    const rep = await portal.signIn();
    const lead = await buildLead(portal.deps.database, {
      assignedTo: rep.user.id,
      name: "Olga Paz",
      email: "olga@example.com",
      notes: "Call in May",
      company: "Paz",
    });
    const record = { email: "olga@example.com", notes: "Asked on the web", status: "interested" as const };
    expect(await outcomes([record], { known: "update" })).toEqual(["updated"]);
    expect(await row(lead.id)).toMatchObject({
      name: "Olga Paz",
      company: "Paz",
      status: "interested",
      notes: "Call in May\n\nAsked on the web",
    });
    expect(await events(lead.id)).toEqual([
      { kind: "changed", data: { field: "status", before: "new", after: "interested" } },
      {
        kind: "changed",
        data: { field: "notes", before: "Call in May", after: "Call in May\n\nAsked on the web" },
      },
    ]);
    expect(await outcomes([record], { known: "update" })).toEqual(["unchanged"]);
  });

  it("pushes changes to the CRM when it has a contact there", async () => {
    const lead = await buildLead(portal.deps.database, {
      email: "pushed@example.com",
      ghlContactId: "take-pushed",
      status: "new",
      notes: null,
    });
    const record = { email: "pushed@example.com", status: "qualified" as const, company: "Own", notes: "Hi" };
    const jobs = { enqueue: vi.fn() };
    expect(await outcomes([record], { known: "update", jobs })).toEqual(["updated"]);
    expect(jobs.enqueue).toHaveBeenCalledOnce();
    const { rows } = await portal.deps.database.pool.query(
      "select field, value, state from crm_outbox where lead_id = $1 order by id",
      [lead.id],
    );
    expect(rows).toEqual([
      { field: "status", value: "qualified", state: "pending" },
      { field: "notes", value: "Hi", state: "pending" },
    ]);
    expect(await row(lead.id)).toMatchObject({ crm_sync: "pending", company: "Own" });
  });

  it("is not updated by a consultant who does not own it", async () => {
    const [owner, other] = [await portal.signIn(), await portal.signIn()];
    await buildLead(portal.deps.database, { assignedTo: owner.user.id, email: "mine@example.com" });
    const actor = { userId: other.user.id, role: "consultant" as const };
    expect(
      await outcomes([{ name: "Other", email: "mine@example.com" }], { known: "update", actor }),
    ).toEqual(["forbidden"]);
  });

  it("gets a missing contact id; another contact with its email is a separate lead", async () => {
    const lead = await buildLead(portal.deps.database, { email: "crm@example.com" });
    const [taken, other] = await take(
      [
        { ghlContactId: "take-1", email: "crm@example.com" },
        { ghlContactId: "take-2", email: "crm@example.com" },
      ],
      { known: "update" },
    );
    expect(taken).toEqual({ outcome: "updated", leadId: lead.id });
    expect(other?.outcome).toBe("created");
    expect(await outcomes([{ ghlContactId: "take-2", phone: "x" }])).toEqual(["skipped"]);
  });

  it("is matched by a value from an earlier record of the same batch", async () => {
    const lead = await buildLead(portal.deps.database, { email: null, ghlContactId: "batch-1" });
    const records = [
      { ghlContactId: "batch-1", email: "batch@example.com", phone: "(305) 555-0177" },
      { email: "batch@example.com", company: "By email" },
      { phone: "(305) 555-0177", industry: "By phone" },
    ];
    const ingested = await take(records, { known: "update" });
    expect(ingested).toEqual(records.map(() => ({ outcome: "updated", leadId: lead.id })));
    expect(await row(lead.id)).toMatchObject({ company: "By email", industry: "By phone" });
  });
});
