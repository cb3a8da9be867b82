import type { CheckName, DiagnosticCheck, Integration } from "@portal/contract/entities/diagnostics";
import { integrations } from "@portal/contract/entities/diagnostics";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../../testing/sandbox.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";

let sandbox: TestSandbox;
let app: TestApp;
let admin: Client;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await buildTestApp({ env: sandbox.env, listen: true });
  admin = await app.signIn({ role: "admin" });
});
afterAll(async () => {
  await app.close();
  await sandbox.close();
});
afterEach(async () => {
  await sandbox.control("DELETE", "/fail");
  await sql("delete from crm_outbox");
  await sql("delete from crm_sync_runs");
  await sql("delete from provider_events");
});

const sql = (text: string, values: unknown[] = []) => app.deps.database.pool.query(text, values);
const fail = (rule: object) => sandbox.control("POST", "/fail", rule);

async function diagnose(integration: Integration, client = admin) {
  const { status, body } = await client.get(`/api/diagnostics/${integration}`);
  expect(status).toBe(200);
  const check = (name: CheckName): DiagnosticCheck =>
    body.checks.find((check: DiagnosticCheck) => check.name === name);
  return { status: body.status, check, text: JSON.stringify(body) };
}

describe("access to the diagnostics", () => {
  it("is open to every signed-in user for the existing checks", async () => {
    expect((await app.request("GET", "/api/diagnostics/ghl")).status).toBe(401);
    expect((await admin.get("/api/diagnostics/fax")).status).toBe(400);
  });

  it("shows technical details to administrators only, and secrets to nobody", async () => {
    const { env } = app.deps;
    const consultant = await app.signIn();
    for (const integration of integrations) {
      const seen = await diagnose(integration, consultant);
      expect(seen.text).not.toMatch(/"detail":"/);
      const all = seen.text + (await diagnose(integration)).text;
      for (const secret of [
        env.providers.twilio?.authToken,
        env.providers.goHighLevel?.token,
        "+12125550100",
      ])
        expect(all).not.toContain(secret);
    }
    expect((await diagnose("twilio")).check("reachability").detail).toBe(app.url);
  });

  it("is never rejected: after thirty requests in a minute it returns the last report with its time", async () => {
    const hasty = await app.signIn();
    const moments: string[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const { status, body } = await hasty.get("/api/diagnostics/google");
      expect(status).toBe(200);
      moments.push(body.checkedAt);
    }
    expect(new Set(moments.slice(29)).size).toBe(1);
    expect((await admin.get("/api/diagnostics/google")).body.checkedAt).not.toBe(moments.at(-1));
  });
});

describe("the GoHighLevel checks", () => {
  it("run live: key, limits, connection", async () => {
    const { check } = await diagnose("ghl");
    expect(check("credentials")).toMatchObject({ status: "ok", finding: "accepted" });
    expect(check("rateLimit")).toMatchObject({ status: "ok", finding: "left", values: { of: 100 } });
    expect(check("rateLimit").values.dailyLeft).toBeGreaterThan(100_000);
    expect(check("reachability")).toMatchObject({ status: "ok", finding: "local_only" });
    expect(check("outbox")).toMatchObject({ status: "ok", finding: "nothing_waits" });
  });

  it("list users by the search, and by the deprecated endpoint when that is rejected", async () => {
    const paths = async () =>
      (await sandbox.control("GET", "/requests?vendor=ghl&path=/users/")).requests.map(
        ({ path }: { path: string }) => path,
      );
    await sandbox.control("DELETE", "/requests");
    await diagnose("ghl", await app.signIn({ role: "admin" }));
    expect(await paths()).toEqual(["/ghl/users/search"]);
    const other = await buildTestApp({ env: sandbox.env });
    await sandbox.control("POST", "/ghl/manners", { usersSearch: false });
    try {
      await sandbox.control("DELETE", "/requests");
      const { body } = await (await other.signIn({ role: "admin" })).get("/api/diagnostics/ghl");
      expect(body.checks[0]).toMatchObject({ name: "credentials", finding: "accepted" });
      expect(await paths()).toEqual(["/ghl/users/"]);
    } finally {
      await sandbox.control("POST", "/ghl/manners", { usersSearch: true });
      await other.close();
    }
  });

  it.each([
    [
      { status: 401, count: 2 },
      { status: "fail", finding: "refused" },
    ],
    [{ status: 503 }, { status: "fail", finding: "no_answer" }],
    [{ reset: true }, { status: "fail", finding: "no_answer" }],
    [
      { status: 200, html: true },
      { status: "fail", finding: "unexpected_answer" },
    ],
  ])("explain a failure %o, and continue with the other checks", async (rule, found) => {
    await fail({ vendor: "ghl", ...rule });
    const { status, check } = await diagnose("ghl");
    expect(status).toBe("fail");
    expect(check("credentials")).toMatchObject(found);
    expect(check("rateLimit")).toMatchObject({ status: "off", finding: "not_reported" });
    expect(check("outbox").status).toBe("ok");
  });

  it("report the age of the full sync regardless of the sync of changes, and pending deletions", async () => {
    const boss = await app.signIn({ role: "admin" });
    const wholeRead = async () => (await diagnose("ghl", boss)).check("wholeRead");
    const insert = (kind: string, state: string, hours: number) =>
      sql(
        `insert into crm_sync_runs (kind, state, started_at, finished_at)
         values ($1, $2, now() - $3 * interval '1 hour', now() - $3 * interval '1 hour')`,
        [kind, state, hours],
      );
    expect(await wholeRead()).toMatchObject({ status: "warn", finding: "never_synced" });
    await insert("all", "done", 40);
    await insert("all", "failed", 5);
    await insert("changes", "done", 0);
    expect(await wholeRead()).toMatchObject({ status: "warn", finding: "whole_read_late" });
    await insert("assigned", "done", 20);
    expect(await wholeRead()).toMatchObject({ status: "ok", finding: "whole_read" });
    await insert("all", "held", 1);
    expect(await wholeRead()).toMatchObject({ status: "fail", finding: "deletions_held" });
  });

  it("distinguish a used-up limit from a failure", async () => {
    await fail({ vendor: "ghl", status: 429 });
    const { check } = await diagnose("ghl");
    expect(check("credentials")).toMatchObject({ status: "warn", finding: "busy" });
    expect(check("rateLimit")).toMatchObject({ status: "warn", finding: "used_up" });
  });

  const withManners = async (manners: object, look: () => Promise<void>) => {
    await sandbox.control("POST", "/ghl/manners", manners);
    try {
      await look();
    } finally {
      await sandbox.control("POST", "/ghl/manners", { missingScopes: [] });
    }
  };

  it("report the scopes that a private token lacks, by live requests that change nothing", async () => {
    const boss = await app.signIn({ role: "admin" });
    await sandbox.control("DELETE", "/requests");
    expect((await diagnose("ghl", boss)).check("scopes")).toMatchObject({
      status: "ok",
      finding: "scopes_granted",
    });
    const { requests } = await sandbox.control("GET", "/requests?vendor=ghl");
    const changed = requests.filter(({ method, status }: { method: string; status: number }) =>
      method === "PUT" || method === "DELETE" ? status < 400 : false,
    );
    expect(changed).toEqual([]);
    const scopes = [
      "contacts.readonly",
      "contacts.write",
      "locations.readonly",
      "locations/customFields.readonly",
      "conversations/message.readonly",
      "users.readonly",
    ];
    for (const missingScopes of [...scopes.map((scope) => [scope]), scopes])
      await withManners({ missingScopes }, async () => {
        const { check } = await diagnose("ghl", boss);
        expect(check("scopes")).toMatchObject({
          status: "warn",
          finding: "scopes_missing",
          values: { count: missingScopes.length },
          detail: missingScopes.join("\n"),
        });
        // The key itself is accepted.
        expect(check("credentials")).toMatchObject({ status: "ok", finding: "accepted" });
      });
  });

  it.each([
    ["the location of another token", {}],
    ["a location where every read returns 404", { status: 404, count: 50 }],
  ])("distinguish a wrong location (%s) from a rejected key", async (_, rule) => {
    const { goHighLevel } = app.deps.env.providers;
    const env = {
      ...sandbox.env,
      GHL_PRIVATE_TOKEN: goHighLevel?.token,
      GHL_BASE_URL: goHighLevel?.baseUrl,
      GHL_LOCATION_ID: "loc_of_somebody_else",
    };
    const other = await buildTestApp({ env: "status" in rule ? sandbox.env : env });
    if ("status" in rule) await fail({ vendor: "ghl", ...rule });
    try {
      const { body } = await (await other.signIn({ role: "admin" })).get("/api/diagnostics/ghl");
      const of = (name: CheckName) => body.checks.find((check: DiagnosticCheck) => check.name === name);
      expect(of("credentials")).toMatchObject({ status: "fail", finding: "location_unknown" });
      expect(of("credentials").detail).toContain("GHL_LOCATION_ID");
      expect(of("scopes")).toMatchObject({ status: "off", finding: "not_reported" });
      expect(JSON.stringify(body)).not.toContain(goHighLevel?.token);
    } finally {
      await other.close();
    }
  });

  it("report the connection in use, and what it lacks", async () => {
    const boss = await app.signIn({ role: "admin" });
    const connection = async () => (await diagnose("ghl", boss)).check("connection");
    expect(await connection()).toMatchObject({ status: "ok", finding: "private_token_used" });
    const since = new Date(Date.now() - 100 * 86_400_000).toISOString();
    expect((await boss.patch("/api/crm/private-token", { since })).status).toBe(200);
    expect(await connection()).toMatchObject({ status: "warn", finding: "private_token_old", at: since });
    await sql(
      `insert into crm_connections (location_id, missing_scopes, expires_at, refresh_at)
       values ($1, '["users.readonly"]', now() + interval '1 day', now() + interval '1 day')`,
      [app.deps.env.providers.goHighLevel?.locationId],
    );
    expect(await connection()).toMatchObject({
      finding: "app_scopes_missing",
      values: { count: 1 },
      detail: "users.readonly",
    });
    await sql("update crm_connections set missing_scopes = '[]'");
    expect(await connection()).toMatchObject({ status: "ok", finding: "app_connected" });
    await sql("update crm_connections set renewal_failure = 'app-refused'");
    expect(await connection()).toMatchObject({ status: "warn", finding: "app_unrenewed" });
    // The private token is used in the meantime.
    await sql("update crm_connections set lost_at = now(), lost_reason = 'refused'");
    expect(await connection()).toMatchObject({ status: "warn", finding: "app_lost" });
    await sql("delete from crm_connections");
  });

  it("report the last sync and why it failed", async () => {
    const run = (state: string, minutesAgo: number, message: string | null) =>
      sql(
        `insert into crm_sync_runs (kind, state, message, finished_at)
         values ('all', $1, $2, now() - $3 * interval '1 minute')`,
        [state, message, minutesAgo],
      );
    expect((await diagnose("ghl")).check("lastSync").finding).toBe("never_synced");
    await run("done", 45, "Synced 3 leads");
    expect((await diagnose("ghl")).check("lastSync")).toMatchObject({ status: "warn", finding: "sync_late" });
    await run("done", 1, "Synced 3 leads");
    expect((await diagnose("ghl")).check("lastSync")).toMatchObject({ status: "ok", finding: "synced" });
    await run("failed", 0, "GoHighLevel refused the key (401).");
    const { check } = await diagnose("ghl");
    expect(check("lastSync")).toMatchObject({ status: "fail", detail: "GoHighLevel refused the key (401)." });
  });

  it("count changes not yet in the CRM, with the age of the oldest", async () => {
    const { rows } = await sql("insert into leads (name) values ('Inés Duarte') returning id");
    const change = (state: string, minutesAgo: number) =>
      sql(
        `insert into crm_outbox (lead_id, field, state, created_at)
         values ($1, 'status', $2, now() - $3 * interval '1 minute')`,
        [rows[0].id, state, minutesAgo],
      );
    await change("pending", 1);
    expect((await diagnose("ghl")).check("outbox")).toMatchObject({
      finding: "waiting",
      values: { count: 1 },
    });
    await change("failed", 3);
    expect((await diagnose("ghl")).check("outbox")).toMatchObject({
      status: "warn",
      finding: "changes_failed",
      values: { count: 1, failed: 1 },
    });
    await change("pending", 90);
    const { check } = await diagnose("ghl");
    expect(check("outbox")).toMatchObject({ status: "fail", finding: "stuck" });
    expect(Date.now() - Date.parse(check("outbox").at ?? "")).toBeGreaterThan(89 * 60_000);
  });
});

describe("the Twilio checks", () => {
  const event = (minutesAgo: number, worked: boolean, attempts = 1) =>
    sql(
      `insert into provider_events (source, event_key, kind, payload, received_at, processed_at, attempts)
       values ('twilio-sms', gen_random_uuid(), 'x', '{}', now() - $1 * interval '1 minute', case when $2 then now() end, $3)`,
      [minutesAgo, worked, attempts],
    );

  it("report that calls cannot be placed", async () => {
    const boss = await app.signIn({ role: "admin" });
    const { check: before } = await diagnose("twilio", boss);
    expect(before("calls")).toMatchObject({ status: "ok", finding: "calls_connect" });
    await sql("insert into call_alarms values ('+12125550100', now())");
    const { check, status } = await diagnose("twilio", await app.signIn());
    expect([status, check("calls").finding]).toEqual(["fail", "calls_not_connected"]);
    await sql("delete from call_alarms");
  });

  it("run live: keys, rate, webhooks of the number for calls and SMS", async () => {
    const { check, status } = await diagnose("twilio");
    expect(check("credentials")).toMatchObject({ status: "ok", finding: "accepted" });
    expect(check("rateLimit")).toMatchObject({ finding: "paced", values: { perSecond: 1, waiting: 0 } });
    expect(check("lastEvent")).toMatchObject({ status: "ok", finding: "none_received" });
    expect(check("numberWebhooks")).toMatchObject({ status: "warn", finding: "number_elsewhere" });
    expect(check("numberWebhooks").detail).toContain(`${app.url}/api/twilio/sms/inbound`);
    await fail({ vendor: "twilio", status: 401 });
    const refused = await diagnose("twilio");
    expect(refused.check("credentials")).toMatchObject({ status: "fail", finding: "refused" });
    expect(refused.check("numberWebhooks")).toMatchObject({ status: "off", finding: "not_reported" });
    expect(status).toBe("warn");
  });

  it("report what is pending and what was set aside", async () => {
    await event(200, true);
    expect((await diagnose("twilio")).check("lastEvent")).toMatchObject({
      status: "ok",
      finding: "received",
    });
    expect((await diagnose("twilio")).check("queue")).toMatchObject({
      status: "ok",
      finding: "nothing_waits",
    });
    await event(100, true, 20);
    expect((await diagnose("twilio")).check("queue")).toMatchObject({
      finding: "put_aside",
      values: { putAside: 1 },
    });
    await event(2, false);
    expect((await diagnose("twilio")).check("queue")).toMatchObject({ status: "warn", finding: "slow" });
    await event(15, false);
    expect((await diagnose("twilio")).check("queue")).toMatchObject({
      status: "fail",
      finding: "stuck",
      values: { count: 2 },
    });
  });

  it("and those of GoHighLevel end within 12 s without a response, and do not delay the others", async () => {
    await fail({ vendor: "twilio", hang: true });
    await fail({ vendor: "ghl", hang: true });
    const startedAt = performance.now();
    const [twilio, ghl, webhooks] = await Promise.all([
      diagnose("twilio"),
      diagnose("ghl"),
      diagnose("webhooks"),
    ]);
    expect(performance.now() - startedAt).toBeLessThan(12_000);
    expect(twilio.check("credentials")).toMatchObject({ status: "fail", finding: "no_answer" });
    expect(ghl.check("credentials")).toMatchObject({ status: "fail", finding: "no_answer" });
    expect([twilio.check("queue").status, ghl.check("outbox").status]).toEqual(["ok", "ok"]);
    expect(webhooks.check("queue").status).toBe("ok");
  }, 20_000);
});

describe("the checks of lead webhooks", () => {
  it("warn when anybody may send, and when only this machine can", async () => {
    const { status, check } = await diagnose("webhooks");
    expect(status).toBe("warn");
    expect(check("credentials")).toMatchObject({
      status: "warn",
      finding: "open_to_all",
      values: { count: 0 },
    });
    expect(check("reachability")).toMatchObject({ status: "warn", finding: "local_only" });
  });
});

it("warns in production without keys, and when the public address is not this server", async () => {
  const production = await buildTestApp({
    env: {
      NODE_ENV: "production",
      PUBLIC_URL: sandbox.url,
      SESSION_SECRET: "x".repeat(32),
      ENCRYPTION_KEY: "y".repeat(32),
      ADMIN_EMAIL: "admin@portal.test",
    },
  });
  const client = await production.signIn({ role: "admin" });
  for (const [integration, finding] of [
    ["ghl", "not_configured"],
    ["twilio", "not_configured"],
    ["google", "not_configured"],
    ["email", "not_used"],
  ] as const) {
    const { status, check } = await diagnose(integration, client);
    expect([status, check("credentials").finding]).toEqual(["off", finding]);
  }
  const webhooks = await diagnose("webhooks", client);
  expect(webhooks.check("credentials")).toMatchObject({ status: "off", finding: "no_keys" });
  expect(webhooks.check("reachability")).toMatchObject({ status: "fail", finding: "answered_by_another" });
  await production.close();
});
