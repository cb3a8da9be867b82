import { randomUUID } from "node:crypto";
import type { BulkChange } from "@portal/contract/entities/bulk-change";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { leads } from "../../platform/db/schema/leads.ts";
import type { PublishedEvent } from "../../platform/realtime/publish.ts";
import { eventually } from "../../testing/call-harness.ts";
import { type CrmHarness, openCrmHarness } from "../../testing/crm-harness.ts";
import { buildLead } from "../../testing/factories.ts";
import type { Client, Reply } from "../../testing/test-app.ts";
import { resumeStranded } from "../crm/jobs.ts";
import { pushLead } from "../crm/push-changes.ts";
import { bulkTimings } from "./change-leads.ts";
import { workChanges } from "./jobs.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let desk: CrmHarness;
let ana: Client;
let bea: Client;
let admin: Client;
beforeAll(async () => {
  desk = await openCrmHarness();
  ({ ana, admin } = desk);
  bea = await desk.app.signIn({ name: "Bea Osorio" });
  await admin.post("/api/ghl/sync");
});
beforeEach(() => {
  // No effect starts before a test ends the wait.
  desk.app.deps.bulk.timings = { waitMs: 3_600_000, textEveryMs: 0, againMs: 0 };
});
afterAll(() => desk?.close());

const sql = async (text: string, values: unknown[] = []) =>
  (await desk.app.deps.database.pool.query(text, values)).rows;
const leadOf = (rep: Client | null, rest: Partial<typeof leads.$inferInsert> = {}) =>
  buildLead(desk.app.deps.database, { assignedTo: rep?.user.id ?? null, ...rest });
const rowOf = async (leadId: number) => (await sql("select * from leads where id = $1", [leadId]))[0];
const act = (by: Client, what: object, leadIds: number[], clientRef: string = randomUUID()) =>
  by.post("/api/bulk-changes", { clientRef, edit: what, leadIds });
const preview = (by: Client, what: object, leadIds: number[]) =>
  by.post("/api/bulk-changes/preview", { edit: what, leadIds });
const undo = (by: Client, { body }: Reply) => by.post(`/api/bulk-changes/${body.id}/undo`);
const now = async (by: Client, { body }: Reply): Promise<BulkChange> =>
  (await by.get(`/api/bulk-changes/${body.id}`)).body;
const count = (change: BulkChange, state: string, reason: string | null = null) =>
  change.groups.find((group) => group.state === state && group.reason === reason)?.count ?? 0;
/** Ends the wait of a bulk change. */
async function turnTime({ body }: Reply): Promise<void> {
  await sql(
    "update bulk_changes set waits_until = now(), next_at = case when next_at is not null then now() end where id = $1",
    [body.id],
  );
  await sql(
    "update crm_outbox set held_until = now() - interval '1 minute', created_at = now() - interval '1 minute' where held_until is not null",
  );
}
const crm = () => ({ ...desk.app.deps, defaultCountry: "US" as const });
const putsTo = async (contactId: string | null): Promise<{ body: Record<string, unknown> }[]> =>
  (await desk.sandbox.control("GET", `/requests?vendor=ghl&path=/contacts/${contactId}`)).requests.filter(
    ({ method }: { method: string }) => method === "PUT",
  );
/** Ana's leads that the CRM knows, each with a different status. */
const inCrm = (count: number) =>
  sql(
    `update leads set assigned_to = $1, status = 'new', last_contacted_at = null where id in (select id from leads
       where ghl_contact_id is not null and status <> 'converted' and crm_sync = 'synced' order by random() limit $2) returning *`,
    [ana.user.id, count],
  );

describe("a bulk status change", () => {
  it("changes one's own leads, reports skipped ones with reasons, runs once per reference, and can be undone before the CRM receives it", async () => {
    const [one, two] = await inCrm(2);
    const same = await leadOf(ana, { status: "interested" });
    const client = await leadOf(ana, { status: "converted" });
    const theirs = await leadOf(bea);
    const ids = [one.id, two.id, same.id, client.id, theirs.id, 2_147_483_000];
    const status = { kind: "status", status: "interested" };

    expect(
      await preview(
        ana,
        status,
        Array.from({ length: 1_001 }, (_, index) => index + 1),
      ),
    ).toMatchObject({
      status: 400,
      body: { code: "invalid", message: expect.stringContaining("At most 1000 leads at a time") },
    });
    expect(
      (
        await act(
          ana,
          status,
          Array.from({ length: 1_001 }, (_, index) => index + 1),
        )
      ).status,
    ).toBe(400);
    expect((await act(ana, { kind: "status", status: "converted" }, ids)).status).toBe(400);
    expect(await rowOf(one.id)).toMatchObject({ status: "new" });

    const leftOut = (await preview(ana, status, ids)).body;
    expect(leftOut).toMatchObject({ changed: 2, segments: null });
    expect(
      leftOut.leftOut.map(({ reason, count }: { reason: string; count: number }) => [reason, count]).sort(),
    ).toEqual([
      ["already", 1],
      ["client", 1],
      ["not_found", 1],
      ["not_yours", 1],
    ]);
    expect(leftOut.leftOut.find(({ reason }: { reason: string }) => reason === "not_yours").leads).toEqual([
      { id: theirs.id, name: theirs.name },
    ]);

    const heard: PublishedEvent[] = [];
    const stop = desk.app.deps.events.onEvent((event) => void (event.topic === "lead" && heard.push(event)));
    const ref = randomUUID();
    const [made, twin] = await Promise.all([act(ana, status, ids, ref), act(ana, status, ids, ref)]);
    expect(made).toMatchObject({ status: 200, body: { state: "done", value: "interested", mayUndo: true } });
    expect(twin.body.id).toBe(made.body.id);
    expect(made.body.waitsMs).toBeGreaterThan(3_000_000);
    expect((await act(ana, { kind: "status", status: "contacted" }, ids, ref)).status).toBe(409);
    expect(await rowOf(one.id)).toMatchObject({ status: "interested", crm_sync: "pending" });
    expect((await rowOf(one.id)).last_contacted_at).not.toBeNull();
    expect(await rowOf(theirs.id)).toMatchObject({ status: "new" });
    await eventually("the event", () => heard.length > 0);
    stop();
    // One event for all leads.
    expect(heard).toMatchObject([{ topic: "lead", id: 0, audience: [ana.user.id] }]);

    // The bulk change waits even if the outbox is processed; a manual change of another field is sent at once.
    await resumeStranded(crm());
    await pushLead(crm(), one.id);
    expect(await putsTo(one.ghl_contact_id)).toEqual([]);
    await ana.patch(`/api/leads/${two.id}`, { priority: two.priority === "low" ? "high" : "low" });
    await eventually("the priority in the CRM", async () => (await putsTo(two.ghl_contact_id)).length === 1);
    expect(JSON.stringify(await putsTo(two.ghl_contact_id))).not.toMatch(/interested/i);

    expect((await undo(bea, made)).status).toBe(404);
    const undone = await undo(ana, made);
    expect(undone.body).toMatchObject({ state: "undone", mayUndo: false, waitsMs: 0 });
    expect(undone.body.groups).toContainEqual({
      state: "undone",
      reason: null,
      count: 1,
      leads: [{ id: one.id, name: one.name }],
    });
    expect(undone.body.groups).toContainEqual({
      state: "spared",
      reason: "touched",
      count: 1,
      leads: [{ id: two.id, name: two.name }],
    });
    expect(await rowOf(one.id)).toMatchObject({ status: "new", last_contacted_at: null, crm_sync: "synced" });
    expect(await rowOf(two.id)).toMatchObject({ status: "interested" });
    expect((await undo(ana, made)).body).toEqual(undone.body);

    await turnTime(made);
    await resumeStranded(crm());
    // The CRM never gets the undone change; the kept status is sent when its wait is over.
    await eventually(
      "the spared status in the CRM",
      async () => (await putsTo(two.ghl_contact_id)).length === 2,
    );
    await pushLead(crm(), one.id);
    expect(await putsTo(one.ghl_contact_id)).toEqual([]);
    const audited = await sql("select action, data from audit_log where subject = $1 order by id", [
      `bulk-change:${made.body.id}`,
    ]);
    expect(audited).toMatchObject([
      { action: "leads-changed-together", data: { kind: "status", asked: 6, changed: 2 } },
      { action: "leads-changed-back", data: { undone: 1, spared: 1 } },
    ]);
    const listed = (by: Client) =>
      by.get("/api/bulk-changes").then(({ body }) => body.map(({ id }: BulkChange) => id));
    expect([await listed(ana), await listed(bea), await listed(admin)]).toEqual([
      [made.body.id],
      [],
      [made.body.id],
    ]);
  });

  it("is undone one change after the other, also in the CRM when it was sent; not after a day", async () => {
    const [one] = await inCrm(1);
    const first = await act(ana, { kind: "status", status: "contacted" }, [one.id]);
    const second = await act(ana, { kind: "priority", priority: one.priority === "low" ? "high" : "low" }, [
      one.id,
    ]);
    // The CRM's echo of the change does not count as a change by a person.
    await turnTime(first);
    await resumeStranded(crm());
    await eventually("the CRM to have it", async () => (await rowOf(one.id)).crm_sync === "synced");
    const sent = (await putsTo(one.ghl_contact_id)).length;
    expect(count((await undo(ana, second)).body, "undone")).toBe(1);
    expect(count((await undo(ana, first)).body, "undone")).toBe(1);
    expect(await rowOf(one.id)).toMatchObject({
      status: "new",
      priority: one.priority,
      last_contacted_at: null,
    });
    await resumeStranded(crm());
    await eventually("the CRM to have it back", async () => (await putsTo(one.ghl_contact_id)).length > sent);

    const old = await act(ana, { kind: "status", status: "qualified" }, [one.id]);
    await sql("update bulk_changes set at = now() - interval '25 hours' where id = $1", [old.body.id]);
    expect(await undo(ana, old)).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(await now(ana, old)).toMatchObject({ mayUndo: false });
  });
});

it("an earlier change can be undone after later ones, except for leads whose same field they changed", async () => {
  const rest = { status: "new", priority: "low" } as const;
  const [one, two, three, four] = [
    await leadOf(ana, rest),
    await leadOf(ana, rest),
    await leadOf(ana, rest),
    await leadOf(ana, rest),
  ];
  const ids = [one.id, two.id, three.id, four.id];
  const first = await act(ana, { kind: "status", status: "contacted" }, ids);
  const second = await act(ana, { kind: "priority", priority: "high" }, ids);
  await act(ana, { kind: "status", status: "qualified" }, [two.id]);
  await act(admin, { kind: "priority", priority: "medium" }, [three.id]);
  await act(ana, { kind: "assign", salesRepId: bea.user.id }, [four.id]);
  const undone = (await undo(ana, first)).body;
  expect([count(undone, "undone"), count(undone, "spared", "touched")]).toEqual([1, 3]);
  const both = async () =>
    (await sql("select status, priority from leads where id = any($1) order by id", [ids])).map(
      ({ status, priority }) => `${status} ${priority}`,
    );
  expect(await both()).toEqual(["new high", "qualified high", "contacted medium", "contacted high"]);
  // Changes made by the first undo do not block the second one.
  expect(count((await undo(ana, second)).body, "undone")).toBe(2);
  expect(await both()).toEqual(["new low", "qualified low", "contacted medium", "contacted high"]);
});

describe("a bulk assignment", () => {
  it("moves meetings when its delay is over, restores them on undo, and skips leads assigned to somebody else meanwhile", async () => {
    const due = new Date(Date.now() + 86_400_000);
    const [one, two, free] = [
      await leadOf(ana, { nextFollowUpDate: due }),
      await leadOf(ana),
      await leadOf(null),
    ];
    const theirs = await leadOf(bea);
    const [meeting] = await sql(
      `insert into meetings (user_id, lead_id, title, starts_at, ends_at, time_zone, calendar_type)
       values ($1, $2, 'Visit', now() + interval '1 day', now() + interval '25 hours', 'America/New_York', 'local') returning id`,
      [ana.user.id, one.id],
    );
    const holder = async () =>
      (await sql("select user_id from meetings where id = $1", [meeting.id]))[0].user_id;
    const give = { kind: "assign", salesRepId: bea.user.id };
    expect((await act(ana, { ...give, salesRepId: admin.user.id }, [one.id])).body).toMatchObject({
      code: "invalid",
    });
    const made = await act(ana, give, [one.id, two.id, free.id, theirs.id]);
    expect(made.body).toMatchObject({ state: "open", value: "Bea Osorio" });
    expect([count(made.body, "changed"), count(made.body, "left_out", "not_yours")]).toEqual([3, 1]);
    await workChanges(desk.app.deps.bulk);
    expect([(await rowOf(one.id)).assigned_to, await holder()]).toEqual([bea.user.id, ana.user.id]);
    await turnTime(made);
    await eventually("the meeting to follow", async () => (await holder()) === bea.user.id);
    expect(await eventually("the end", async () => (await now(ana, made)).state === "done")).toBe(true);
    const perLead = await sql(
      "select 1 from audit_log where action = 'lead-assigned' and subject = any($1)",
      [[one.id, two.id, free.id].map((id) => `lead:${id}`)],
    );
    expect(perLead).toHaveLength(3);

    // Bea has changed one of them since.
    await bea.post(`/api/leads/${two.id}/notes`, { text: "Called them" });
    const undone = (await undo(ana, made)).body;
    expect([count(undone, "undone"), count(undone, "spared", "touched")]).toEqual([2, 1]);
    expect([
      (await rowOf(one.id)).assigned_to,
      (await rowOf(two.id)).assigned_to,
      (await rowOf(free.id)).assigned_to,
    ]).toEqual([ana.user.id, bea.user.id, null]);
    expect(await holder()).toBe(ana.user.id);

    const alone = await act(admin, { ...give, takeAlong: false }, [one.id]);
    expect(await rowOf(one.id)).toMatchObject({ next_follow_up_date: null });
    expect(count((await undo(admin, alone)).body, "undone")).toBe(1);
    expect(await rowOf(one.id)).toMatchObject({ assigned_to: ana.user.id, next_follow_up_date: due });
  });
});

describe("a bulk SMS", () => {
  const to = async (phone: string | null): Promise<number> =>
    (await desk.sandbox.control("GET", `/texts?number=${encodeURIComponent(phone ?? "")}`)).texts.length;

  it("skips leads that may not get one, waits, and is sent once to each, also when a worker dies", async () => {
    const phones = ["(718) 555-0140", "(718) 555-0141", "(718) 555-0142", "(718) 555-0143"];
    const [one, two, three, stopped] = [
      await leadOf(ana, { phone: phones[0] }),
      await leadOf(ana, { phone: phones[1] }),
      await leadOf(ana, { phone: phones[2] }),
      await leadOf(ana, { phone: phones[3], textOptOut: "stop" }),
    ];
    const mute = await leadOf(ana, { phone: null });
    const ids = [one.id, two.id, three.id, stopped.id, mute.id];
    const text = { kind: "text", message: "  ¿Hablamos mañana? " };
    expect((await act(ana, { kind: "text", message: " " }, ids)).body).toMatchObject({
      code: "message_empty",
    });
    expect(
      (
        await act(
          ana,
          text,
          Array.from({ length: 201 }, (_, index) => index + 1),
        )
      ).body,
    ).toMatchObject({
      code: "invalid",
      message: "At most 200 leads get a text at once.",
    });
    expect((await preview(ana, text, ids)).body).toMatchObject({ changed: 3, segments: 1 });

    const taken = await act(ana, text, ids);
    expect(taken.body).toMatchObject({ state: "open", value: "¿Hablamos mañana?" });
    expect(count(taken.body, "left_out", "opted_out")).toBe(1);
    await workChanges(desk.app.deps.bulk);
    expect(count((await undo(ana, taken)).body, "undone")).toBe(3);
    await turnTime(taken);
    await workChanges(desk.app.deps.bulk);
    expect([await to(one.phoneE164), await to(two.phoneE164), await to(three.phoneE164)]).toEqual([0, 0, 0]);

    // The worker dies after the provider has accepted the first SMS and before it stores that.
    const { bulk } = desk.app.deps;
    const { smsProvider } = bulk.sms;
    if (!smsProvider) throw new Error("texts are off");
    let deaths = 0;
    const mortal = {
      ...smsProvider,
      sendSms: async (sms: Parameters<typeof smsProvider.sendSms>[0]) => {
        await smsProvider.sendSms(sms);
        deaths += 1;
        throw new Error("killed");
      },
    };
    const made = await act(ana, text, ids);
    await sql("update leads set text_opt_out = 'stop' where id = $1", [three.id]);
    bulk.sms = { ...bulk.sms, smsProvider: mortal };
    await turnTime(made);
    await eventually("the worker to die", () => deaths === 1);
    bulk.sms = { ...bulk.sms, smsProvider };
    expect((await now(ana, made)).state).toBe("open");
    // Excludes the check for identical texts within 15 s as the reason that it is not sent twice.
    await sql("update messages set created_at = now() - interval '1 minute' where lead_id = $1", [one.id]);
    await turnTime(made);
    const done = await eventually("all texts", async () => {
      const change = await now(ana, made);
      return change.state === "done" && change;
    });
    // A lead that opted out since is skipped.
    expect([count(done, "sent"), count(done, "left_out", "opted_out")]).toEqual([2, 2]);
    expect([await to(one.phoneE164), await to(two.phoneE164), await to(three.phoneE164)]).toEqual([1, 1, 0]);
    // SMS handed to the provider cannot be undone.
    expect(done.mayUndo).toBe(false);
  });

  it("retries when the provider was certainly not reached, and stops for a sender who may no longer send", async () => {
    const one = await leadOf(ana, { phone: "(718) 555-0144" });
    await desk.sandbox.control("POST", "/fail", {
      vendor: "twilio",
      match: "Messages.json",
      method: "POST",
      status: 429,
      count: 1,
    });
    const made = await act(ana, { kind: "text", message: "Hello" }, [one.id]);
    await turnTime(made);
    await eventually("the text", async () => count(await now(ana, made), "sent") === 1);
    expect(await to(one.phoneE164)).toBe(1);

    const luis = await desk.app.signIn({ name: "Luis Baja" });
    const two = await leadOf(luis, { phone: "(718) 555-0145" });
    const late = await act(luis, { kind: "text", message: "Hello" }, [two.id]);
    await sql("update users set disabled_at = now() where id = $1", [luis.user.id]);
    await turnTime(late);
    await eventually(
      "the end",
      async () => count(await now(admin, late), "left_out", "account_closed") === 1,
    );
    expect(await to(two.phoneE164)).toBe(0);
  });
});

it("the delays have the specified values", () => {
  expect(bulkTimings).toEqual({ waitMs: 10_000, textEveryMs: 4_000, againMs: 30_000 });
});
