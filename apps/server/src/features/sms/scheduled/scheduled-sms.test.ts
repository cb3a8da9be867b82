import { randomUUID } from "node:crypto";
import { DateTime } from "luxon";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { eventually } from "../../../testing/call-harness.ts";
import { buildLead } from "../../../testing/factories.ts";
import { openSmsHarness, type SmsHarness } from "../../../testing/sms-harness.ts";
import { buildTestApp, type Client } from "../../../testing/test-app.ts";
import { createTestDatabase } from "../../../testing/test-database.ts";
import { decideTime, sendDueSms } from "./service.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const zone = "America/New_York";
const inDays = (days: number) => DateTime.now().setZone(zone).plus({ days }).toISODate() ?? "";

let desk: SmsHarness;
beforeAll(async () => {
  desk = await openSmsHarness();
});
afterAll(() => desk.close());

interface Wish {
  message?: string;
  day?: string;
  time?: string;
  clientRef?: string;
}

const schedule = (rep: Client, lead: { id: number }, wish: Wish = {}) =>
  rep.post(`/api/leads/${lead.id}/scheduled-sms`, {
    message: "Nos vemos mañana",
    day: inDays(3),
    time: "10:00",
    clientRef: randomUUID(),
    ...wish,
  });
const waiting = async (rep: Client, lead: { id: number }) =>
  (await rep.get(`/api/leads/${lead.id}/scheduled-sms`)).body.texts;
/** Moves the SMS's time to a minute ago. */
const turnTime = (id: number, after = "1 minute", at = desk) =>
  at.pool.query(
    "update scheduled_sms set send_at = now() - $2::interval, next_at = case when next_at is not null then now() end where id = $1",
    [id, after],
  );
const stateOf = async (id: number, at = desk) => {
  const { rows } = await at.pool.query("select state, reason from scheduled_sms where id = $1", [id]);
  return rows[0];
};
const untilSettled = (id: number) =>
  eventually("the text to be settled", async () => {
    const row = await stateOf(id);
    return !["waiting", "sending"].includes(row.state) && row;
  });

describe("the time of a scheduled SMS", () => {
  const at = (day: string, time: string, now: string) => decideTime({ day, time }, zone, new Date(now));

  it.each([
    ["2026-03-07", "10:00", "2026-03-07T15:00:00.000Z"],
    ["2026-03-08", "10:00", "2026-03-08T14:00:00.000Z"],
    ["2026-03-08", "02:30", "2026-03-08T07:30:00.000Z"],
    ["2026-11-01", "01:30", "2026-11-01T05:30:00.000Z"],
    ["2026-11-02", "10:00", "2026-11-02T15:00:00.000Z"],
  ])("on %s at %s is %s", (day, time, instant) => {
    expect(at(day, time, `${day}T00:00:00-05:00`).toISOString()).toBe(instant);
  });

  it("must be in the future and within the limit", () => {
    expect(() => at("2026-03-07", "09:58", "2026-03-07T15:00:00Z")).toThrow("This time is over");
    expect(at("2026-03-07", "10:00", "2026-03-07T15:00:30Z").toISOString()).toBe("2026-03-07T15:00:00.000Z");
    expect(() => at("2026-07-01", "10:00", "2026-03-07T15:00:00Z")).toThrow("90 days ahead at most");
  });
});

describe("a scheduled SMS", () => {
  it("is stored once for its time in the lead's zone, listed, and sent once, for the lead's owner", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    await desk.pool.query("update leads set time_zone = $2 where id = $1", [lead.id, zone]);
    const clientRef = randomUUID();
    const [made, again] = await Promise.all([
      schedule(rep, lead, { clientRef }),
      schedule(rep, lead, { clientRef }),
    ]);
    expect(made.body).toMatchObject({ state: "waiting", timeZone: zone, writerName: rep.user.name });
    expect(again.body.id).toBe(made.body.id);
    expect(DateTime.fromISO(made.body.sendAt, { zone }).toFormat("yyyy-MM-dd HH:mm")).toBe(
      `${inDays(3)} 10:00`,
    );
    expect(await waiting(rep, lead)).toMatchObject([{ message: "Nos vemos mañana", state: "waiting" }]);
    expect((await rep.get("/api/scheduled-sms")).body).toMatchObject([
      { id: made.body.id, leadName: lead.name },
    ]);

    await turnTime(made.body.id);
    expect(await untilSettled(made.body.id)).toMatchObject({ state: "sent" });
    await turnTime(made.body.id);
    expect(await desk.atProvider(lead.phoneE164)).toMatchObject([{ body: "Nos vemos mañana" }]);
    expect(await desk.thread(rep, lead)).toMatchObject([{ senderName: rep.user.name }]);
    expect(await waiting(rep, lead)).toEqual([]);
    expect(await rep.post(`/api/scheduled-sms/${made.body.id}/cancel`)).toMatchObject({ status: 409 });
  });

  it("is rejected when its time is not allowed or past, its text empty or unfilled, or the lead another's", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const stopped = await desk.leadOf(rep);
    await desk.pool.query("update leads set text_opt_out = 'stop' where id = $1", [stopped.id]);
    expect((await schedule(rep, stopped)).body).toMatchObject({
      code: "contact_refused",
      reason: "opted_out",
    });
    expect((await schedule(rep, lead, { day: inDays(-2) })).body.code).toBe("invalid");
    expect((await schedule(rep, lead, { day: inDays(120) })).body.code).toBe("invalid");
    expect((await schedule(rep, lead, { time: "25:00" })).status).toBe(400);
    expect((await schedule(rep, lead, { message: " " })).body.code).toBe("message_empty");
    expect((await schedule(rep, lead, { message: "Hola {{company}}" })).body.code).toBe("message_unfilled");
    const other = await desk.signInRep();
    expect((await schedule(other, lead)).status).toBe(403);
    expect((await desk.portal.request("GET", "/api/scheduled-sms")).status).toBe(401);
    const { body } = await schedule(rep, lead);
    for (const act of ["cancel", "send"])
      expect((await other.post(`/api/scheduled-sms/${body.id}/${act}`)).status).toBe(403);
    expect((await other.get("/api/scheduled-sms")).body).toEqual([]);
    expect((await other.get(`/api/leads/${lead.id}/scheduled-sms`)).status).toBe(403);
    expect(await waiting(rep, lead)).toHaveLength(1);
  });

  it("is never sent after it was canceled", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const { id } = (await schedule(rep, lead)).body;
    expect((await rep.post(`/api/scheduled-sms/${id}/cancel`)).body).toMatchObject({ state: "canceled" });
    await turnTime(id);
    await sendDueSms(desk.portal.deps.scheduledSms);
    expect(await desk.atProvider(lead.phoneE164)).toEqual([]);
    expect(await stateOf(id)).toEqual({ state: "canceled", reason: null });
    expect((await rep.post(`/api/scheduled-sms/${id}/send`)).status).toBe(409);
  });

  it.each<
    [string, string, (lead: { id: number; phoneE164: string | null }, rep: Client) => Promise<unknown>]
  >([
    ["wrote", "lead_wrote", (lead) => desk.receive(lead.phoneE164, "Ya no, gracias")],
    [
      "was called",
      "lead_called",
      (lead, rep) =>
        desk.pool.query(
          `insert into call_logs (lead_id, user_id, confirmed, direction, call_type, duration_seconds, call_date)
           values ($1, $2, true, 'outbound', 'browser', 12, clock_timestamp())`,
          [lead.id, rep.user.id],
        ),
    ],
    [
      "was reassigned",
      "changed_hands",
      async (lead) =>
        desk.pool.query("update leads set assigned_to = $2 where id = $1", [
          lead.id,
          (await desk.signInRep()).user.id,
        ]),
    ],
    [
      "opted out of SMS",
      "opted_out",
      (lead) => desk.pool.query("update leads set text_opt_out = 'stop' where id = $1", [lead.id]),
    ],
  ])("is held with the reason when the lead %s meanwhile", async (_what, reason, happen) => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const { id } = (await schedule(rep, lead)).body;
    await happen(lead, rep);
    await turnTime(id);
    expect(await untilSettled(id)).toEqual({ state: "held", reason });
    expect(await desk.atProvider(lead.phoneE164)).toEqual([]);
  });

  it("that was held is sent by a user's decision, for the current owner, and still checked by the policy", async () => {
    const [rep, next] = [await desk.signInRep(), await desk.signInRep()];
    const lead = await desk.leadOf(rep);
    const { id } = (await schedule(rep, lead)).body;
    await desk.pool.query("update leads set assigned_to = $2 where id = $1", [lead.id, next.user.id]);
    await turnTime(id);
    await untilSettled(id);
    expect((await rep.post(`/api/scheduled-sms/${id}/send`)).status).toBe(403);
    expect(await waiting(next, lead)).toMatchObject([{ state: "held", reason: "changed_hands" }]);
    await desk.pool.query("update leads set text_opt_out = 'stop' where id = $1", [lead.id]);
    await next.post(`/api/scheduled-sms/${id}/send`);
    expect(await untilSettled(id)).toEqual({ state: "held", reason: "opted_out" });
    await desk.pool.query("update leads set text_opt_out = null where id = $1", [lead.id]);
    await next.post(`/api/scheduled-sms/${id}/send`);
    expect(await untilSettled(id)).toEqual({ state: "sent", reason: null });
    expect(await desk.thread(next, lead)).toMatchObject([{ senderName: next.user.name }]);
  });

  it("is held when the portal was down at its time, and when its sender's account is closed", async () => {
    const rep = await desk.signInRep();
    const [late, closed] = [await desk.leadOf(rep), await desk.leadOf(rep)];
    const [one, two] = [(await schedule(rep, late)).body.id, (await schedule(rep, closed)).body.id];
    await turnTime(one, "3 hours");
    expect(await untilSettled(one)).toEqual({ state: "held", reason: "late" });
    await desk.pool.query("update users set disabled_at = now() where id = $1", [rep.user.id]);
    await turnTime(two);
    expect(await untilSettled(two)).toEqual({ state: "held", reason: "account_closed" });
  });

  it("is sent once when a worker dies after the provider accepted it", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const { scheduledSms } = desk.portal.deps;
    const { sms } = scheduledSms;
    const { smsProvider } = sms;
    if (!smsProvider) throw new Error("texts are off");
    let deaths = 0;
    scheduledSms.sms = {
      ...sms,
      smsProvider: {
        ...smsProvider,
        sendSms: async (text) => {
          await smsProvider.sendSms(text);
          deaths += 1;
          throw new Error("killed");
        },
      },
    };
    const { id } = (await schedule(rep, lead)).body;
    await turnTime(id);
    await eventually("the worker to die", () => deaths === 1);
    scheduledSms.sms = sms;
    expect((await stateOf(id)).state).toBe("sending");
    await desk.pool.query("update messages set created_at = now() - interval '1 minute' where lead_id = $1", [
      lead.id,
    ]);
    await turnTime(id);
    expect(await untilSettled(id)).toEqual({ state: "sent", reason: null });
    expect(await desk.atProvider(lead.phoneE164)).toHaveLength(1);
  });
});

it("two processes send fifty scheduled SMS due at the same time, each once", async () => {
  const database = await createTestDatabase();
  const first = await openSmsHarness({ databaseUrl: database.url });
  const env = { ...first.env, PUBLIC_URL: first.portal.url };
  const second = await buildTestApp({ env, databaseUrl: database.url });
  const reps = [await first.signInRep(), await first.signInRep(), await first.signInRep()];
  const leads = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      buildLead(first.portal.deps.database, {
        // Sandbox phones with these last digits accept every SMS.
        phone: `(646) 555-${1000 + Math.floor(index / 5) * 10 + (index % 5)}`,
        assignedTo: reps[index % reps.length]?.user.id ?? null,
      }),
    ),
  );
  await first.pool.query(
    `insert into scheduled_sms (lead_id, user_id, owner_id, body, send_at, time_zone, since, client_ref, next_at)
     select id, assigned_to, assigned_to, 'Hola', now(), $2, now(), gen_random_uuid(), now() from leads where id = any($1)`,
    [leads.map(({ id }) => id), zone],
  );
  await eventually("all to be sent", async () => {
    const { rows } = await first.pool.query(
      "select count(*)::int as n from scheduled_sms where state = 'sent'",
    );
    return rows[0].n === 50;
  });
  const counts = await Promise.all(
    leads.map(async ({ phoneE164 }) => (await first.atProvider(phoneE164)).length),
  );
  expect(counts).toEqual(leads.map(() => 1));
  await second.close();
  await first.close();
  await database.drop();
});
