import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deriveCall } from "../../../apps/server/src/features/telephony/outbound/machine.ts";
import { buildTestApp, type TestApp } from "../../../apps/server/src/testing/test-app.ts";
import { createTestDatabase, type TestDatabase } from "../../../apps/server/src/testing/test-database.ts";
import { temporarySandbox } from "../../sandbox/src/testing/temporary-sandbox.ts";
import { fillDemo } from "./fill.ts";
import { isUnused } from "./unused.ts";

const timeZone = "America/New_York";
const account = `2010-04-01/Accounts/AC${"1".padStart(32, "0")}`;
const authorization = `Basic ${Buffer.from(`AC${"1".padStart(32, "0")}:sandbox-auth-token`).toString("base64")}`;

let database: TestDatabase;
let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
let pool: pg.Pool;
let portal: TestApp;
let admin: (path: string) => Promise<Record<string, unknown>>;
let ana: typeof admin;
let post: (path: string) => Promise<Record<string, unknown>>;
let adminPost: typeof post;

const fill = (over: Partial<Parameters<typeof fillDemo>[0]> = {}) =>
  fillDemo({ databaseUrl: database.url, sandboxUrl: sandbox.url, timeZone, production: false, ...over });

// biome-ignore lint/suspicious/noExplicitAny: rows of any statement
const rows = async (sql: string): Promise<any[]> => (await pool.query(sql)).rows;
const count = async (sql: string): Promise<number> =>
  Number((await rows(`select count(*) as n ${sql}`))[0].n);
const sum = <Row>(list: Row[], of: (row: Row) => number) => list.reduce((total, row) => total + of(row), 0);

// biome-ignore lint/suspicious/noExplicitAny: the provider's responses, read by field
async function askTwilio(path: string): Promise<any> {
  return (await fetch(`${sandbox.url}/twilio/${account}/${path}`, { headers: { authorization } })).json();
}

async function signIn(email: string, password: string) {
  const answer = await portal.request("POST", "/api/login/local", { body: { email, password } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const cookie = String(answer.headers["set-cookie"]).split(";")[0] ?? "";
  return {
    get: async (path: string) => (await portal.request("GET", path, { cookie })).body,
    post: async (path: string) => (await portal.request("POST", path, { cookie })).body,
  };
}

beforeAll(async () => {
  database = await createTestDatabase();
  sandbox = await temporarySandbox({ speed: 1 });
  pool = new pg.Pool({ connectionString: database.url });
  // The state after a killed start: the sandbox is filled, the database is not.
  await fill({ now: new Date(Date.now() - 86_400_000), seed: "killed" });
  const [{ email }] = await rows("select email from users order by id limit 1");
  expect(email).toBe("admin@portal.test");
  await pool.end();
  await database.drop();
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  // Of two concurrent starts one fills.
  expect((await Promise.all([fill(), fill()])).sort()).toEqual([false, true]);
  portal = await buildTestApp({
    databaseUrl: database.url,
    env: { SANDBOX_PORT: new URL(sandbox.url).port, ORG_TIME_ZONE: timeZone },
    jobs: true,
  });
  const boss = await signIn("admin@portal.test", "portal-admin");
  admin = boss.get;
  adminPost = boss.post;
  const consultant = await signIn("ana@portal.test", "portal-demo");
  ana = consultant.get;
  post = consultant.post;
});

afterAll(async () => {
  await portal?.close();
  await pool?.end();
  await sandbox?.close();
  await database?.drop();
});

describe("metrics of the demo data", () => {
  const since = {
    week: `>= ((now() at time zone '${timeZone}')::date - 6)::timestamp at time zone '${timeZone}'`,
    month: `>= ((now() at time zone '${timeZone}')::date - 29)::timestamp at time zone '${timeZone}'`,
    all: "is not null",
  };

  it.each(["week", "month", "all"] as const)("of the reports of %s match the rows", async (range) => {
    const calls = await count(`from call_logs where call_date ${since[range]}`);
    const answered = await count(`from call_logs where call_date ${since[range]} and outcome = 'answered'`);
    const [talk] = await rows(
      `select sum(duration_seconds)::int as s from call_logs where call_date ${since[range]}`,
    );
    const created = await count(`from leads where created_at ${since[range]}`);
    const converted = await count(`from clients where converted_at ${since[range]}`);
    const overview = await admin(`/api/reports/overview?range=${range}`);
    expect(overview).toMatchObject({
      totalCalls: { value: calls },
      answeredCalls: { value: answered },
      talkSeconds: { value: talk.s },
      leadsCreated: created,
      conversions: converted,
    });
    expect(calls).toBeGreaterThan(range === "week" ? 250 : 1_000);
    const report = (await admin(`/api/reports/calls?range=${range}`)) as {
      outcomes: { calls: number }[];
      hours: { calls: number }[];
    };
    expect(sum(report.outcomes, (one) => one.calls)).toBe(calls);
    expect(sum(report.hours, (one) => one.calls)).toBe(calls);
  });

  it("of the dashboard, clients, analytics, history and admin panel match the rows", async () => {
    const byStatus = Object.fromEntries(
      (await rows("select status, count(*)::int as n from leads group by 1")).map(({ status, n }) => [
        status,
        n,
      ]),
    );
    const stats = await admin("/api/dashboard-stats");
    expect(stats).toMatchObject({
      totalLeads: await count("from leads"),
      newLeads: byStatus.new,
      contactedLeads: byStatus.contacted,
      interestedLeads: byStatus.interested,
      notInterestedLeads: byStatus.not_interested,
      needsOutcome: 3,
    });
    const [value] = await rows("select sum(conversion_value)::float8 as total from clients");
    expect(await admin("/api/clients/stats")).toMatchObject({
      totalClients: await count("from clients"),
      totalValue: value.total,
    });
    const never = await count(
      "from leads l where not exists (select 1 from call_logs c where c.lead_id = l.id and c.direction = 'outbound')",
    );
    const outbound = await count("from call_logs where direction = 'outbound'");
    expect(await admin("/api/analytics/call-data")).toMatchObject({
      neverCalled: never,
      totalCalls: outbound,
    });
    expect(await admin("/api/call-logs/summary")).toMatchObject({
      totalCalls: await count("from call_logs"),
      voicemails: await count("from call_logs where outcome = 'voicemail'"),
    });
    expect(await admin("/api/admin/system-stats")).toMatchObject({
      totalLeads: await count("from leads"),
      totalCalls: outbound,
    });
    const users = (await admin("/api/admin/user-stats")) as unknown as Record<string, unknown>[];
    for (const user of users) {
      expect(user).toMatchObject({
        totalLeads: await count(`from leads where assigned_to = ${user.id}`),
        callsMade: await count(`from call_logs where direction = 'outbound' and user_id = ${user.id}`),
        leadsConverted: await count(`from clients where converted_by = ${user.id}`),
      });
    }
  });

  it("have the proportions of a real organization", async () => {
    const [rates] = await rows(`select avg((outcome = 'answered')::int)::float8 as answered,
      avg((outcome = 'voicemail')::int)::float8 as voicemail from call_logs`);
    expect(rates.answered).toBeGreaterThan(0.24);
    expect(rates.answered).toBeLessThan(0.37);
    expect(rates.voicemail).toBeGreaterThan(0.22);
    const days = await rows(`select count(*)::int as n from call_logs
      where extract(isodow from call_date at time zone '${timeZone}') < 6
        and (call_date at time zone '${timeZone}')::date < (now() at time zone '${timeZone}')::date
      group by (call_date at time zone '${timeZone}')::date`);
    expect(Math.min(...days.map(({ n }) => n))).toBeGreaterThan(45);
    expect(Math.max(...days.map(({ n }) => n))).toBeLessThan(130);
    expect(await count("from clients")).toBeGreaterThan(25);
    expect(await count("from meetings where starts_at > now()")).toBeGreaterThan(5);
  });
});

describe("consistency between the tables of the demo data", () => {
  const none = async (sql: string) => expect(await rows(sql), sql).toEqual([]);

  it("holds between facts, states and logs of calls", async () => {
    for (const call of await rows("select * from calls")) {
      const view = deriveCall({
        repLeg: call.rep_leg,
        leadLeg: call.lead_leg,
        leadRang: call.lead_ringing_at !== null,
        pressed: call.pressed,
        endRequested: false,
        dialStatus: call.dial_status,
        dialBridged: call.dial_bridged,
        dialDurationSeconds: call.dial_duration_seconds,
        leadLegDurationSeconds: call.lead_leg_duration_seconds,
        answeredBy: call.answered_by,
        leadSipCode: call.lead_sip_code,
        leadAlone: call.lead_alone,
      });
      const { state, result, duration_seconds: durationSeconds, settled } = call;
      expect({ state, result, durationSeconds, settled }).toEqual({
        state: view.state,
        result: view.result,
        durationSeconds: view.durationSeconds,
        settled: view.settled,
      });
    }
    await none(`select c.id from calls c left join call_logs l on l.call_id = c.id
      where (l.id is null) <> (c.result = 'rep_not_reached')
        or l.duration_seconds <> c.duration_seconds or l.call_sid <> c.call_sid or l.call_date <> c.requested_at limit 3`);
    await none("select id from calls where state <> 'ended' or not settled limit 3");
    await none("select id from inbound_calls where stage <> 'ended' limit 3");
  });

  it("has only meetings and follow-ups in the future, and no calls at night", async () => {
    const past = {
      calls: "greatest(requested_at, ended_at)",
      inbound_calls: "greatest(started_at, ended_at, settled_at)",
      call_logs: "greatest(call_date, confirmed_at)",
      messages: "greatest(created_at, read_at)",
      lead_events: "at",
      audit_log: "at",
      clients: "converted_at",
      crm_outbox: "sent_at",
      provider_events: "greatest(received_at, processed_at)",
      dialer_sessions: "greatest(ended_at, closed_at)",
      dialer_items: "greatest(dialled_at, settled_at)",
      dialer_steps: "at",
      leads:
        "greatest(created_at, updated_at, assigned_at, last_contacted_at, last_activity_at, crm_updated_at)",
      recordings: "created_at + make_interval(secs => duration_seconds)",
    };
    for (const [table, at] of Object.entries(past))
      await none(`select '${table}' as t, ${at} as at from ${table} where ${at} > now() limit 3`);
    for (const [table, at] of [
      ["calls", "c.requested_at"],
      ["inbound_calls", "c.started_at"],
    ])
      await none(`select c.id, ${at} from ${table} c join leads l on l.id = c.lead_id
        where extract(hour from ${at} at time zone split_part(l.time_zone, '&', 1)) not between 8 and 20
          or extract(hour from ${at} at time zone '${timeZone}') not between 8 and 20 limit 3`);
    await none(
      `select c.id from calls c join leads l on l.id = c.lead_id where c.requested_at < l.created_at limit 3`,
    );
  });

  it("holds between leads and their history", async () => {
    await none(`select l.id from leads l full join clients c on c.lead_id = l.id
      where (l.status = 'converted') <> (c.id is not null) or l.converted_at is distinct from c.converted_at limit 3`);
    await none(`select l.id from leads l where l.unread_messages <>
      (select count(*) from messages m where m.lead_id = l.id and m.direction = 'inbound' and m.read_at is null) limit 3`);
    await none(`select l.id from leads l where l.last_activity_at is distinct from greatest(
      (select max(requested_at) from calls where lead_id = l.id), (select max(started_at) from inbound_calls where lead_id = l.id),
      (select max(created_at) from messages where lead_id = l.id)) limit 3`);
    await none(`select l.id from leads l where (l.number_fault is not null) <> exists (select 1 from call_logs c
      where c.lead_id = l.id and c.outcome in ('wrong_number', 'disconnected')) limit 3`);
    await none(`select l.id from leads l where l.last_contacted_at is null and l.status <> 'new' limit 3`);
    await none(
      `select l.id from leads l join stopped_numbers s on s.number = l.phone_e164 where l.text_opt_out is null limit 3`,
    );
    await none(
      `select m.id from messages m join stopped_numbers s on s.number = m.to_number where m.created_at > s.changed_at limit 3`,
    );
    await none(
      `select c.id from calls c join leads l on l.id = c.lead_id where l.call_opt_out is not null limit 3`,
    );
    await none(
      `select c.id from calls c join stopped_numbers s on s.number = c.lead_number where c.requested_at > s.changed_at limit 3`,
    );
    await none(`select l.id from leads l where (l.assigned_to is null) <> (l.assigned_at is null) limit 3`);
    await none(`select i.id from imports i where i.imported <> (select count(*) from lead_events e
      where e.kind = 'created' and (e.data ->> 'importId')::int = i.id)
      or i.errors <> (select count(*) from import_failures f where f.import_id = i.id)
      or i.imported + i.skipped + i.errors <> i.total limit 3`);
    await none(
      `select c.id from calls c join users u on u.id = c.user_id where u.email = 'sofia@portal.test' and c.rep_line <> 'office' limit 3`,
    );
    await none(`select a.id from calls a join calls b on b.user_id = a.user_id and b.id <> a.id
      and b.requested_at between a.requested_at and a.ended_at limit 3`);
    await none(
      "select id from leads where created_at > (select min(at) from lead_events e where e.lead_id = leads.id) limit 3",
    );
  });

  it("includes open work for a new user", async () => {
    const unread = "from messages where direction = 'inbound' and read_at is null";
    expect(await count(`${unread} and lead_id is not null`)).toBe(3);
    expect(await count(`${unread} and lead_id is null and dismissed_at is null`)).toBe(2);
    expect(await count("from inbound_calls where settled_at is null and result <> 'answered'")).toBe(2);
    expect(await count("from call_logs where not confirmed")).toBe(3);
    expect(await ana("/api/sms/unread")).toMatchObject({ leads: 1, inbox: 2 });
    expect(await ana("/api/leads/duplicates?mine=yes")).toMatchObject([{ count: 2 }]);
    const inbox = (await ana("/api/sms/inbox")) as unknown as { from: string }[];
    expect(inbox.map(({ from }) => from)).toEqual(
      (
        await rows(`select from_number as n ${unread} and lead_id is null and dismissed_at is null
        order by created_at desc`)
      ).map(({ n }) => n),
    );
    expect(
      await count(
        `from leads where (next_follow_up_date at time zone '${timeZone}')::date = (now() at time zone '${timeZone}')::date`,
      ),
    ).toBeGreaterThan(8);
    const runs = await rows("select * from crm_sync_runs where watermark is not null");
    expect(runs).toEqual([]);
  });
});

describe("webhook deliveries in the demo data", () => {
  it("created the leads that they name, and are in several states", async () => {
    const none = async (sql: string) => expect(await rows(sql), sql).toEqual([]);
    await none(`select e.id from lead_events e where e.kind = 'created' and e.data ->> 'from' = 'webhook' and not exists (
      select 1 from lead_delivery_items i where i.lead_id = e.lead_id and i.outcome = 'created') limit 3`);
    await none(`select i.id from lead_delivery_items i join provider_events p on p.id = i.delivery_id
      left join leads l on l.id = i.lead_id where i.source <> p.kind or (i.outcome = 'created' and (
        l.created_at is distinct from p.received_at or position(right(l.phone, 4) in p.payload ->> 'body') = 0)) limit 3`);
    const states: string[] = [];
    for (const source of ["lead", "hubspot", "salesforce", "pipedrive"]) {
      const deliveries = (await admin(`/api/webhook-deliveries?source=${source}`)) as unknown as {
        state: string;
      }[];
      expect(deliveries.length, source).toBeGreaterThan(3);
      states.push(...deliveries.map(({ state }) => state));
    }
    expect(new Set(states)).toEqual(new Set(["done", "rejected", "failed"]));
  });

  it("are parsed the same when replayed", async () => {
    const before = await count("from leads");
    const ids = await rows(`select max(e.id)::int as id, i.outcome from provider_events e
      left join lead_delivery_items i on i.delivery_id = e.id group by e.kind, i.outcome`);
    for (const { id } of ids) await adminPost(`/api/webhook-deliveries/${id}/replay`);
    await expect
      .poll(() => count("from provider_events where source = 'lead-webhook' and processed_at is null"), {
        timeout: 45_000,
      })
      .toBe(0);
    expect(await count("from leads")).toBe(before);
    const after = await rows(`select e.id::int, i.outcome, i.reason from provider_events e
      left join lead_delivery_items i on i.delivery_id = e.id where e.id = any('{${ids.map(({ id }) => id).join()}}')`);
    for (const { id, outcome } of ids) {
      const now = after.filter((one) => one.id === id).map((one) => one.outcome);
      const same = outcome === "rejected" || outcome === "ignored";
      expect(now, `delivery ${id}, ${outcome}`).toEqual([
        same ? outcome : expect.stringMatching(/^(unchanged|updated)$/),
      ]);
    }
  });
});

describe("dialer sessions in the demo data", () => {
  it("match their calls and show their results", async () => {
    const sessions = await rows("select * from dialer_sessions order by id");
    expect(sessions.length).toBeGreaterThan(12);
    expect(new Set(sessions.map(({ status }) => status))).toEqual(new Set(["completed", "stopped"]));
    const none = async (sql: string) => expect(await rows(sql), sql).toEqual([]);
    await none(`select s.id from dialer_sessions s where s.total <> (select count(*) from dialer_items i where i.session_id = s.id)
      or s.position <> (select count(*) from dialer_items i where i.session_id = s.id and i.state <> 'waiting')
      or (s.status = 'completed') <> (s.position = s.total)
      or s.version <> (select count(*) from dialer_steps t where t.session_id = s.id) limit 3`);
    await none(`select i.session_id from dialer_items i join dialer_sessions s on s.id = i.session_id
      left join calls c on c.id = i.call_id where (i.state = 'done') <> (c.id is not null)
        or c.lead_id <> i.lead_id or c.user_id <> s.user_id or c.requested_at <> i.dialled_at or i.leased_at is not null
        or c.requested_at not between s.started_at and s.ended_at limit 3`);
    await none(`select a.id from dialer_sessions a join dialer_sessions b on b.user_id = a.user_id and b.id <> a.id
      and b.started_at between a.started_at and a.ended_at limit 3`);
    for (const { id, total } of [sessions[0], sessions.at(-1)]) {
      const [of] = await rows(`select count(*) filter (where l.id is not null)::int as dialled,
          coalesce(sum(l.duration_seconds), 0)::int as talk
        from dialer_items i left join call_logs l on l.call_id = i.call_id where i.session_id = ${id}`);
      expect(await admin(`/api/dialer/${id}/summary`)).toMatchObject({
        total,
        dialled: of.dialled,
        talkSeconds: of.talk,
      });
    }
  });
});

describe("the sandbox with demo data", () => {
  it("has the same calls, and recordings of matching length", async () => {
    const recordings = await rows("select * from recordings order by id");
    expect(recordings.length).toBeGreaterThan(1_000);
    for (const recording of [
      recordings[0],
      ...recordings.filter(({ kind }) => kind === "voicemail").slice(-3),
      recordings.at(-1),
    ]) {
      const there = await askTwilio(`Recordings/${recording.recording_sid}.json`);
      expect(there).toMatchObject({
        call_sid: recording.call_sid,
        status: "completed",
        duration: String(recording.duration_seconds),
      });
      const sound = await fetch(
        `${sandbox.url}/twilio/${account}/Recordings/${recording.recording_sid}.wav`,
        {
          headers: { authorization },
        },
      );
      // 8,000 samples of two bytes per second.
      expect((await sound.arrayBuffer()).byteLength).toBe(44 + recording.duration_seconds * 16_000);
    }
    const { texts, legs, recordings: sids } = await heldBySandbox();
    expect(new Set(sids)).toEqual(new Set(recordings.map(({ recording_sid: sid }) => sid)));
    const known = await rows(`select message_sid as sid, status from messages`);
    expect(new Map(texts)).toEqual(new Map(known.map(({ sid, status }) => [sid, status])));
    const called = await rows(`select call_sid as sid from calls union all select lead_call_sid from calls
      where lead_call_sid is not null union all select call_sid from inbound_calls`);
    const held = new Set(legs);
    expect(called.filter(({ sid }) => !held.has(sid))).toEqual([]);
    const desk = (await (await fetch(`${sandbox.url}/phones/state`)).json()) as {
      threads: { label: string | null }[];
      live: unknown[];
    };
    expect(desk.threads.length).toBeGreaterThan(5);
    expect(desk.threads.filter(({ label }) => label === null)).toEqual([]);
    expect(desk.live).toEqual([]);
  });

  it("has the same contacts: a sync imports what is pending once and changes nothing else", async () => {
    const before = new Map(
      (await rows("select id, to_jsonb(l) - 'crm_hash' as row from leads l")).map((one) => [one.id, one.row]),
    );
    expect(await post("/api/ghl/sync-leads")).toMatchObject({ running: false, errors: [] });
    const after = await rows("select id, to_jsonb(l) - 'crm_hash' as row from leads l");
    expect(after.filter(({ id }) => !before.has(id))).toHaveLength(12);
    const changed = after.filter(
      ({ id, row }) => before.has(id) && JSON.stringify(row) !== JSON.stringify(before.get(id)),
    );
    expect(changed.length).toBeGreaterThanOrEqual(1);
    expect(changed.length).toBeLessThanOrEqual(4);
    const [run] = await rows("select * from crm_sync_runs order by id desc limit 1");
    expect(run).toMatchObject({ created: 12, changed: changed.length, deleted: 0 });
    await post("/api/ghl/sync-leads");
    const [again] = await rows("select * from crm_sync_runs order by id desc limit 1");
    expect(again).toMatchObject({ created: 0, changed: 0, deleted: 0, errors: [] });
    expect(await post("/api/extract-all-recordings")).toMatchObject({ extractedCount: 0 });
  });
});

/** All data of the sandbox's telephony. */
async function heldBySandbox() {
  const all = async (path: string, name: string) => {
    // biome-ignore lint/suspicious/noExplicitAny: the provider's responses, read by field
    const found: any[] = [];
    let next: string | null = `${path}?PageSize=1000`;
    while (next) {
      const page = await askTwilio(next);
      found.push(...page[name]);
      next = page.next_page_uri ? (String(page.next_page_uri).split(`${account}/`)[1] ?? null) : null;
    }
    return found;
  };
  const texts = (await all("Messages.json", "messages")).map(({ sid, status }) => [sid, status] as const);
  const legs = (await all("Calls.json", "calls")).map(({ sid }) => sid as string);
  const recordings = (await all("Recordings.json", "recordings")).map(({ sid }) => sid as string);
  return { texts, legs, recordings };
}

describe("fillDemo", () => {
  it("refuses a database in use, and production", async () => {
    const before = await count("from calls");
    expect(await fill()).toBe(false);
    expect(await count("from calls")).toBe(before);
    await expect(fill({ production: true })).rejects.toThrow("production");
  });

  it("leaves the database empty where the sandbox refuses its part, so that the next start fills both", async () => {
    const other = await createTestDatabase();
    const lost = new URL(sandbox.url);
    lost.port = "9";
    await expect(fill({ databaseUrl: other.url, sandboxUrl: lost.origin })).rejects.toThrow();
    const client = new pg.Client({ connectionString: other.url });
    await client.connect();
    expect((await client.query("select count(*)::int as n from leads")).rows).toEqual([{ n: 0 }]);
    expect(await isUnused(client)).toBe(true);
    await client.end();
    await other.drop();
  });
});
