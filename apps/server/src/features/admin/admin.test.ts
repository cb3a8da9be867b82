import * as contract from "@portal/contract/routes/admin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallHarness, eventually, openCallHarness } from "../../testing/call-harness.ts";
import { buildLead } from "../../testing/factories.ts";
import { buildTestApp, type Client } from "../../testing/test-app.ts";
import { zoneAt } from "../../testing/zone-at.ts";
import { callTimings } from "../telephony/types.ts";

let desk: CallHarness;
let admin: Client;
beforeAll(async () => {
  desk = await openCallHarness({ env: { MARKET: "US", ORG_TIME_ZONE: "America/New_York" } });
  // The scheduled tasks must not ask the provider about the calls of these tests, which it does not know. Set before any call exists,
  // because a running task keeps the timings it started with.
  desk.portal.deps.calls.timings = { ...callTimings, silenceMs: 3_600_000, detectionMs: 3_600_000 };
  admin = await desk.signInRep("answers", { role: "admin", name: "Admin" });
});
afterAll(() => desk.close());

const [awake, asleep] = [{ timeZone: zoneAt(14) }, { timeZone: zoneAt(3) }];
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);

it("all admin routes require an administrator", async () => {
  const rep = await desk.signInRep();
  for (const { path } of Object.values(contract).filter((of) => typeof of === "object" && "path" in of)) {
    expect((await desk.portal.request("GET", path)).status).toBe(401);
    expect((await rep.get(path)).status).toBe(403);
    expect((await admin.get(path)).status).toBe(200);
  }
});

describe("contacts refused by the contact policy", () => {
  const refusalsOf = async (rep: Client, more = "") =>
    (await admin.get(`/api/admin/refusals?limit=50&user=${rep.user.id}${more}`)).body;

  it("are recorded although the request is rejected, once for repeated clicks within a minute, and never for viewing", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", asleep);
    await rep.get(`/api/leads/${lead.id}`);
    await rep.get("/api/leads?limit=50");
    await rep.post("/api/dialer/preview", { source: { kind: "filter", status: "all" } });
    expect(await refusalsOf(rep)).toEqual([]);
    const call = () => rep.post("/api/make-call", { leadId: lead.id });
    const answers = await Promise.all([call(), call(), call()]);
    expect(answers.map(({ body }) => body.reason)).toEqual(Array(3).fill("outside_hours"));
    expect((await rep.post(`/api/leads/${lead.id}/sms`, { message: "Hola" })).status).toBe(409);
    const shared = { userId: rep.user.id, userName: rep.user.name, leadId: lead.id, leadName: lead.name };
    const refused = { ...shared, by: "person", reason: "outside_hours" };
    expect(await refusalsOf(rep)).toMatchObject([
      { ...refused, channel: "text" },
      { ...refused, channel: "call" },
    ]);

    const silent = await desk.leadOf(rep, "answers", { ...awake, phone: null });
    expect((await rep.post("/api/make-call", { leadId: silent.id })).body.code).toBe("lead_without_phone");
    expect(await refusalsOf(rep, "&reason=no_phone")).toMatchObject([{ leadId: silent.id }]);
    expect(await refusalsOf(rep, "&reason=")).toHaveLength(3);
    const strangers = await desk.signInRep();
    expect((await strangers.post("/api/make-call", { leadId: lead.id })).status).toBe(403);
    expect(await refusalsOf(strangers)).toEqual([]);
    await desk.pool.query("update contact_refusals set at = at - interval '61 seconds'");
    await call();
    expect(await refusalsOf(rep, "&reason=outside_hours")).toHaveLength(3);
    const first = await admin.get(`/api/admin/refusals?limit=2&user=${rep.user.id}`);
    expect(first.headers["x-total-count"]).toBe("4");
    const rest = await admin.get(
      `/api/admin/refusals?limit=2&user=${rep.user.id}&cursor=${first.headers["x-next-cursor"]}`,
    );
    expect([...first.body, ...rest.body]).toEqual(await refusalsOf(rep));
  });

  it("include leads that the auto-dialer skipped", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep, "answers", { ...awake, phone: null });
    await rep.post("/api/dialer/start", { source: { kind: "filter", status: "all" } });
    const [kept] = await eventually("the dialer's refusal", async () => {
      const rows = await refusalsOf(rep);
      return rows.length > 0 && rows;
    });
    expect(kept).toMatchObject({ by: "dialer", channel: "call", leadId: lead.id, reason: "no_phone" });
  });
});

describe("the activity of everybody", () => {
  const stateOf = async (rep: Client, from = admin) => {
    const { body } = await from.get("/api/admin/live");
    return body.find(({ userId }: { userId: number }) => userId === rep.user.id);
  };

  it("follows the state of a call, the same in another process", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    expect(await stateOf(rep)).toEqual({
      userId: rep.user.id,
      state: "free",
      since: null,
      leadId: null,
      leadName: null,
      availability: { state: "available", until: null },
    });
    await admin.patch(`/api/team/${rep.user.id}/availability`, { away: true });
    expect(await stateOf(rep)).toMatchObject({ state: "free", availability: { state: "away", until: null } });
    await admin.patch(`/api/team/${rep.user.id}/availability`, { away: false });
    const requestedAt = ago(300);
    const callId = await desk.callRow(rep, lead, {
      call_sid: "CAlive",
      requested_at: requestedAt,
      state: "ringing_rep",
    });
    const ofLead = { leadId: lead.id, leadName: lead.name };
    const available = { state: "available", until: null };
    const common = { userId: rep.user.id, ...ofLead, availability: available };
    expect(await stateOf(rep)).toEqual({ ...common, state: "ringing", since: requestedAt.toISOString() });
    const [answeredAt, endedAt] = [ago(200), ago(120)];
    await desk.pool.query("update calls set state = 'in_progress', answered_at = $2 where id = $1", [
      callId,
      answeredAt,
    ]);
    expect(await stateOf(rep)).toEqual({ ...common, state: "checking", since: answeredAt.toISOString() });
    await desk.pool.query("update calls set answered_by = 'human' where id = $1", [callId]);
    const second = await buildTestApp({ env: desk.env, databaseUrl: desk.portal.deps.env.databaseUrl });
    try {
      const { body } = await second.request("GET", "/api/admin/live", { cookie: admin.cookie });
      const talking = body.find(({ userId }: { userId: number }) => userId === rep.user.id);
      expect(talking).toEqual({ ...common, state: "on_call", since: answeredAt.toISOString() });
    } finally {
      await second.close();
    }
    await desk.pool.query(
      "update calls set state = 'ended', result = 'answered', settled = true, ended_at = $2 where id = $1",
      [callId, endedAt],
    );
    await desk.pool.query(
      `insert into call_logs (lead_id, user_id, call_id, outcome, confirmed, call_type, duration_seconds, call_date, call_sid)
       values ($1, $2, $3, 'answered', false, 'browser', 80, $4, 'CAlive')`,
      [lead.id, rep.user.id, callId, requestedAt],
    );
    expect(await stateOf(rep)).toEqual({ ...common, state: "wrap_up", since: endedAt.toISOString() });
    const log = {
      leadId: lead.id,
      duration: "1:20",
      outcome: "answered",
      notes: "",
      callType: "browser",
      twilioCallSid: "CAlive",
    };
    expect((await rep.post("/api/call-logs", log)).status).toBe(200);
    const free = await stateOf(rep);
    expect(free).toMatchObject({ state: "free", leadId: null });
    expect(Date.parse(free.since)).toBeGreaterThan(endedAt.getTime());
    // A missing outcome does not keep the consultant from being free: free since five minutes after the end.
    await desk.pool.query("update call_logs set confirmed = false, confirmed_at = null where call_id = $1", [
      callId,
    ]);
    await desk.pool.query("update calls set ended_at = $2 where id = $1", [callId, ago(900)]);
    expect(Math.round((Date.now() - Date.parse((await stateOf(rep)).since)) / 1000)).toBeGreaterThanOrEqual(
      600,
    );
  });

  it("includes inbound calls and dialer sessions", async () => {
    const rep = await desk.signInRep();
    const lead = await desk.leadOf(rep);
    const { rows } = await desk.pool.query(
      `insert into inbound_calls (call_sid, from_number, lead_id, owner_id, stage) values ('CAin8d', $1, $2, $3, 'ringing_rep') returning id`,
      [lead.phoneE164, lead.id, rep.user.id],
    );
    expect(await stateOf(rep)).toMatchObject({ state: "ringing", leadId: lead.id });
    await desk.pool.query(
      "update inbound_calls set stage = 'talking', taken_by = owner_id, answered_at = now() where id = $1",
      [rows[0].id],
    );
    expect(await stateOf(rep)).toMatchObject({ state: "on_call", leadId: lead.id });
    await desk.pool.query(
      "update inbound_calls set stage = 'ended', result = 'answered', ended_at = now() where id = $1",
      [rows[0].id],
    );

    const callId = await desk.callRow(rep, lead, {
      state: "ended",
      settled: true,
      result: "answered",
      ended_at: ago(700),
    });
    const session = await desk.pool.query(
      `insert into dialer_sessions (user_id, status, phase, position, total, call_id, delay_seconds, "order", source, pause_reason)
       values ($1, 'paused', 'wrap_up', 0, 2, $2, 5, 'smart', '{"kind":"filter","status":"all"}', 'consultant') returning id`,
      [rep.user.id, callId],
    );
    const { id } = session.rows[0];
    // A session's wrap-up lasts until its outcome is given.
    expect(await stateOf(rep)).toMatchObject({ state: "wrap_up", leadId: lead.id });
    const pausedAt = ago(50);
    await desk.pool.query(
      "insert into dialer_steps (session_id, position, kind, at) values ($1, 0, 'pause', $2), ($1, 0, 'skip', now())",
      [id, pausedAt],
    );
    await desk.pool.query("update dialer_sessions set phase = 'waiting', call_id = null where id = $1", [id]);
    expect(await stateOf(rep)).toMatchObject({
      state: "paused",
      since: pausedAt.toISOString(),
      leadId: null,
    });
    await desk.pool.query("update dialer_sessions set status = 'stopped', ended_at = now() where id = $1", [
      id,
    ]);
    expect(await stateOf(rep)).toMatchObject({ state: "free" });
  });
});

describe("online status", () => {
  const statsOf = async (rep: Client) => {
    const { body } = await admin.get("/api/admin/user-stats");
    return body.find(({ id }: { id: number }) => id === rep.user.id);
  };
  const forget = (rep: Client) =>
    desk.pool.query("update users set last_active_at = null, last_seen_at = null where id = $1", [
      rep.user.id,
    ]);

  it("counts what people do, not background requests of their browser", async () => {
    const rep = await desk.signInRep();
    await desk.portal.request("GET", "/api/leads", { cookie: rep.cookie, headers: { "x-portal-idle": "1" } });
    expect(await statsOf(rep)).toMatchObject({ isOnline: false, lastActivity: null });
    await rep.get("/api/leads");
    const active = await eventually("the activity", async () => {
      const stats = await statsOf(rep);
      return stats.lastActivity && stats;
    });
    expect(active.isOnline).toBe(true);
    // The last activity is updated at most once a minute.
    await rep.get("/api/leads");
    await rep.get("/api/leads?limit=5");
    expect((await statsOf(rep)).lastActivity).toBe(active.lastActivity);
    await desk.pool.query("update users set last_active_at = now() - interval '301 seconds' where id = $1", [
      rep.user.id,
    ]);
    expect(await statsOf(rep)).toMatchObject({ isOnline: false });
    const lead = await desk.leadOf(rep);
    await desk.callRow(rep, lead, { state: "in_progress", answered_at: ago(1_000) });
    const talking = await statsOf(rep);
    expect(Date.now() - Date.parse(talking.lastActivity)).toBeLessThan(60_000);
    expect(talking.isOnline).toBe(true);
  });

  it("includes a browser connected to another process, until it signs out", async () => {
    const rep = await desk.signInRep();
    const second = await buildTestApp({
      env: desk.env,
      databaseUrl: desk.portal.deps.env.databaseUrl,
      listen: true,
    });
    try {
      const stream = await fetch(`${second.url}/api/events`, { headers: { cookie: rep.cookie } });
      await eventually("the listening browser", async () => (await statsOf(rep)).isOnline);
      expect(await statsOf(rep)).toMatchObject({ lastActivity: null });
      const { activeUsers } = (await admin.get("/api/admin/system-stats")).body;
      await stream.body?.cancel();
      await rep.get("/api/logout");
      expect(await statsOf(rep)).toMatchObject({ isOnline: false });
      expect((await admin.get("/api/admin/system-stats")).body.activeUsers).toBe(activeUsers - 1);
    } finally {
      await second.close();
    }
    await forget(rep);
  });

  it("excludes closed accounts", async () => {
    const rep = await desk.signInRep();
    await desk.pool.query("update users set disabled_at = now() where id = $1", [rep.user.id]);
    expect(await statsOf(rep)).toBeUndefined();
  });
});

describe("the audit log", () => {
  it("is exported as filtered JSON lines for administrators only, which is itself audited", async () => {
    const rep = await desk.portal.signIn();
    const who = `user=${rep.user.id}`;
    const { status, body, headers } = await admin.get(`/api/admin/audit/export?${who}`);
    expect([status, headers["content-type"]]).toEqual([200, "application/jsonl; charset=utf-8"]);
    expect(headers["content-disposition"]).toBe('attachment; filename="audit.jsonl"');
    const lines = String(body)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const listed = (await admin.get(`/api/admin/audit?limit=100&${who}`)).body;
    expect(lines).toEqual(listed);
    expect(lines.map(({ action }: { action: string }) => action)).toEqual(["sign-in"]);
    expect((await rep.get("/api/admin/audit/export")).status).toBe(403);
    expect((await admin.get("/api/admin/audit/export?from=someday")).status).toBe(400);
    const [taken] = (await admin.get("/api/admin/audit?limit=1&action=audit-export")).body;
    expect(taken).toMatchObject({ action: "audit-export", userId: admin.user.id });
  });

  const ask = async (query: string) =>
    (await admin.get(`/api/admin/audit?limit=3&${query}`)).body as {
      id: number;
      action: string;
      subject: string;
    }[];

  it("is filtered by person, action, subject and days of the organization, page by page", async () => {
    const rep = await desk.signInRep();
    // A day with 23 hours in New York: 2026-03-08.
    const entries: [string, string, string | null][] = [
      ["2026-03-08T04:59:59.999Z", "lead-assigned", "lead:7"],
      ["2026-03-08T05:00:00Z", "lead-assigned", "lead:7"],
      ["2026-03-08T05:00:00Z", "lead-converted", "lead:77"],
      ["2026-03-09T03:59:59.999Z", "crm-sync", "crm-sync:7"],
      ["2026-03-09T04:00:00Z", "lead-assigned", null],
    ];
    await desk.pool.query("delete from audit_log where user_id = $1", [rep.user.id]);
    for (const [at, action, subject] of entries)
      await desk.pool.query("insert into audit_log (user_id, action, subject, at) values ($1, $2, $3, $4)", [
        rep.user.id,
        action,
        subject,
        at,
      ]);
    const who = `user=${rep.user.id}`;
    const day = `${who}&from=2026-03-08&to=2026-03-08`;
    expect((await ask(day)).map(({ action }) => action)).toEqual([
      "crm-sync",
      "lead-converted",
      "lead-assigned",
    ]);
    expect(await ask(`${day}&action=lead`)).toHaveLength(2);
    expect(await ask(`${day}&action=lead_`)).toHaveLength(0);
    // Several actions with one prefix, page by page in one order.
    const leadActs = await admin.get(`/api/admin/audit?limit=2&${who}&action=lead`);
    expect(leadActs.headers["x-total-count"]).toBe("4");
    const cursor = leadActs.headers["x-next-cursor"];
    const older = await admin.get(`/api/admin/audit?limit=2&${who}&action=lead&cursor=${cursor}`);
    expect([...leadActs.body, ...older.body].map(({ action }: { action: string }) => action)).toEqual([
      "lead-assigned",
      "lead-converted",
      "lead-assigned",
      "lead-assigned",
    ]);
    expect(await ask(`${who}&subject=lead:7`)).toHaveLength(2);
    expect(await ask(`${who}&subject=lead`)).toHaveLength(3);
    expect(await ask(`${who}&to=2026-03-07`)).toHaveLength(1);
    expect(await ask(`${who}&from=2026-03-09`)).toMatchObject([{ subject: null, userName: rep.user.name }]);
    const first = await admin.get(`/api/admin/audit?limit=3&${who}`);
    expect(first.headers["x-total-count"]).toBe("5");
    const rest = await admin.get(`/api/admin/audit?limit=3&${who}&cursor=${first.headers["x-next-cursor"]}`);
    const ids = [...first.body, ...rest.body].map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids).size).toBe(5);
    for (const wrong of ["from=2026-02-31", "from=0000-01-01", "user=x", "cursor=nonsense"])
      expect((await admin.get(`/api/admin/audit?limit=3&${wrong}`)).status).toBe(400);
  });
});

it("the health of the integrations is their last known state", async () => {
  const partsOf = async () => {
    const { body } = await admin.get("/api/admin/health");
    return Object.fromEntries(body.map((part: { part: string }) => [part.part, part]));
  };
  const lead = await buildLead(desk.portal.deps.database);
  const rep = await desk.signInRep();
  const asked = (await desk.sandbox.control("GET", "/requests")).requests?.length;
  expect(await partsOf()).toMatchObject({
    database: { state: "ok" },
    jobs: { state: "ok" },
    telephony: { failed: 0 },
    mail: { state: "off" },
  });
  expect((await desk.sandbox.control("GET", "/requests")).requests?.length).toBe(asked);
  const failure = "The provider refused the call.";
  await desk.callRow(rep, lead, {
    state: "ended",
    settled: true,
    result: "failed",
    failure,
    ended_at: new Date(),
  });
  expect((await partsOf()).telephony).toMatchObject({ state: "failing", failed: 1, lastFailure: failure });
  await desk.pool.query(
    "insert into provider_events (source, event_key, kind, payload, received_at) values ('twilio', 'late', 'x', '{}', now() + interval '1 s')",
  );
  expect((await partsOf()).telephony).toMatchObject({ state: "warning", failed: 1 });
  await desk.pool.query("delete from provider_events where event_key = 'late'");
  await desk.pool.query(
    "insert into crm_outbox (lead_id, field, value, state, error) values ($1, 'status', '\"new\"', 'failed', 'No such field')",
    [lead.id],
  );
  expect((await partsOf()).crm).toMatchObject({ state: "warning", failed: 1, lastFailure: "No such field" });
});
