import { createHash, createPrivateKey, sign } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { crmConnections, crmOutbox } from "../../platform/db/schema/crm.ts";
import { auditLog } from "../../platform/db/schema/leads.ts";
import { fixedAccess } from "../../ports/crm.ts";
import { type Mailbox, mailboxLogin, openMailbox } from "../../testing/mailbox.ts";
import { startTestSandbox, type TestSandbox } from "../../testing/sandbox.ts";
import { buildTestApp, type Client, type Reply, type TestApp } from "../../testing/test-app.ts";
import { pushLead } from "../crm/push-changes.ts";
import { queueCrmChange } from "../crm-outbox/service.ts";
import { refreshDue } from "./refresh.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const locationId = "loc0000000000000001";
const otherLocationId = "loc0000000000000002";

let sandbox: TestSandbox;
let mailbox: Mailbox;
/** Only the app is configured, no private token. */
let desk: TestApp;
let admin: Client;

const appEnv = ({ url }: TestSandbox) => ({
  GHL_BASE_URL: `${url}/ghl`,
  GHL_CLIENT_ID: "65f0a1b2c3d4e5f601234567-sandbox",
  GHL_CLIENT_SECRET: "sandbox-ghl-secret",
  GHL_AUTHORIZE_URL: `${url}/ghl-marketplace/v2/oauth/chooselocation`,
  GHL_WEBHOOK_PUBLIC_KEY: "MCowBQYDK2VwAyEA8INz2Yeck/hei5UIztZwyF84I9ZOhBXrXeYynJtGKWQ=",
});

beforeAll(async () => {
  [sandbox, mailbox] = await Promise.all([startTestSandbox(), openMailbox()]);
  desk = await buildTestApp({
    jobs: true,
    listen: true,
    env: {
      ...appEnv(sandbox),
      SMTP_URL: `smtp://${mailboxLogin.user}:${mailboxLogin.password}@127.0.0.1:${mailbox.port}`,
      MAIL_FROM: "Lead Desk <desk@example.com>",
    },
  });
  admin = await desk.signIn({ role: "admin", email: "admin@portal.test" });
});
afterAll(async () => {
  await desk?.close();
  await sandbox?.close();
  await mailbox?.close();
});
beforeEach(async () => {
  await admin.delete("/api/crm/connection");
  await sandbox.control("POST", "/reset");
  await desk.deps.database.pool.query("delete from pacing where name = 'crm'");
  mailbox.emails.length = 0;
});

const connection = async (client = admin) => (await client.get("/api/crm/connection")).body;
const status = async () =>
  (await (desk.deps.crm as NonNullable<typeof desk.deps.crm>).listUsers({ once: true })).length;
const failNext = (rule: object) =>
  sandbox.control("POST", "/fail", { vendor: "ghl", match: "/oauth/token", ...rule });
const tokenRequests = async (grantType: string): Promise<{ status: number }[]> =>
  (await sandbox.control("GET", "/requests?vendor=ghl&path=/oauth/token")).requests.filter(
    ({ body }: { body: { grant_type: string } }) => body.grant_type === grantType,
  );
const row = async () => (await desk.deps.database.db.select().from(crmConnections))[0];

/** Makes the renewal of the token due. */
const dueToken = () =>
  desk.deps.database.pool.query("update crm_connections set refresh_at = now() - interval '1 second'");

/** Expires the access token by the portal's clock, so that the next request renews it. */
const endToken = () =>
  desk.deps.database.pool.query(
    "update crm_connections set expires_at = now() - interval '1 second', refresh_at = now() - interval '1 second'",
  );

/** Makes the current token older than a minute, so that a refusal triggers a renewal. */
const age = () =>
  desk.deps.database.pool.query(
    "update crm_connections set refreshed_at = refreshed_at - interval '2 minutes'",
  );

/** Answers HighLevel's page and returns the URL that the browser is redirected to. */
async function choose(
  installUrl: string,
  answer: { location?: string; decision?: string } = {},
): Promise<string> {
  const form = new URLSearchParams({
    request: new URL(installUrl).search.slice(1),
    location: answer.location ?? locationId,
    decision: answer.decision ?? "install",
  });
  const page = await fetch(`${sandbox.url}/ghl-marketplace/install`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  const { pathname, search } = new URL(String(page.headers.get("location")));
  return `${pathname}${search}`;
}

async function begin(client = admin): Promise<string> {
  const { body } = await client.post("/api/crm/install");
  // HighLevel's page accepts the request.
  expect((await fetch(body.installUrl)).status).toBe(200);
  return body.installUrl;
}

const connect = async (client = admin): Promise<Reply> => client.get(await choose(await begin(client)));

/** The code of an installation started at HighLevel, which comes without a state. */
async function codeOfTheirs(locationIds = locationId, scope = "contacts.readonly"): Promise<string> {
  const redirectUri = `${desk.url}/api/crm/install/callback`;
  const body = { redirectUri, locationId: locationIds, scope };
  return (await sandbox.control("POST", "/ghl/app/install", body)).code;
}

describe("an installation started in the portal", () => {
  it("connects once, for the session that started it, and stores the tokens encrypted", async () => {
    expect(await connection()).toMatchObject({
      way: "none",
      appConfigured: true,
      app: null,
      privateToken: null,
    });
    await expect(status()).rejects.toThrow("GoHighLevel is not connected yet.");

    const colleague = await desk.signIn({ role: "admin" });
    const back = await choose(await begin());
    expect((await colleague.get(back)).headers.location).toBe("/integrations?crm=failed");
    expect(await row()).toBeUndefined();
    const done = await admin.get(back);
    expect([done.status, done.headers.location]).toEqual([303, "/integrations?crm=connected"]);
    expect((await admin.get(back)).headers.location).toBe("/integrations?crm=failed");

    expect(await connection()).toMatchObject({
      way: "app",
      app: { locationId, locationName: "Sandbox Sales", lost: null, missingScopes: [] },
    });
    expect(await status()).toBe(4);
    expect((await row())?.tokens).toMatch(/^v1:/);
    const [entry] = await desk.deps.database.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, "crm-app-connected"))
      .orderBy(asc(auditLog.id));
    expect(entry).toMatchObject({ userId: admin.user.id, data: { locationId } });
  });

  it("rejects an invalid state, a denial, several locations and a different location", async () => {
    const forged = await admin.get("/api/crm/install/callback?state=made-up&code=x");
    expect(forged.headers.location).toBe("/integrations?crm=failed");
    const denied = await choose(await begin(), { decision: "deny" });
    expect((await admin.get(denied)).headers.location).toBe("/integrations?crm=denied");
    const both = await choose(await begin(), { location: `${locationId},${otherLocationId}` });
    expect((await admin.get(both)).headers.location).toBe("/integrations?crm=several");
    expect(await row()).toBeUndefined();

    await connect();
    const other = await choose(await begin(), { location: otherLocationId });
    expect((await admin.get(other)).headers.location).toBe("/integrations?crm=other-location");
    expect(await connection()).toMatchObject({ way: "app", app: { locationId } });
  });

  it("requires an administrator", async () => {
    const rep = await desk.signIn();
    expect((await rep.post("/api/crm/install")).status).toBe(403);
    const back = await choose(await begin());
    const html = { accept: "text/html" };
    const asRep = await desk.request("GET", back, { cookie: rep.cookie, headers: html });
    expect(asRep.headers.location).toBe("/integrations?crm=not-admin");
    const asNobody = await desk.request("GET", back, { headers: html });
    expect(asNobody.headers.location).toBe("/integrations?crm=signed-out");
    expect(await row()).toBeUndefined();
  });
});

describe("an installation started at HighLevel", () => {
  it("stores nothing until an administrator confirms the location's name, in one session and once", async () => {
    const code = await codeOfTheirs();
    const path = `/api/crm/install/callback?code=${code}`;
    const nobody = await desk.request("GET", path, { headers: { accept: "text/html" } });
    expect(nobody.headers.location).toBe(`/integrations?crmInstall=${code}`);
    expect((await admin.get(path)).headers.location).toBe(`/integrations?crmInstall=${code}`);
    expect(await tokenRequests("authorization_code")).toEqual([]);

    const found = (await admin.post("/api/crm/install/read", { code })).body;
    expect(found).toMatchObject({ result: "found", location: { id: locationId, name: "Sandbox Sales" } });
    expect(found.held).not.toContain("refreshToken");
    expect(await row()).toBeUndefined();
    expect((await connection()).way).toBe("none");

    const colleague = await desk.signIn({ role: "admin" });
    expect((await colleague.post("/api/crm/install/confirm", { held: found.held })).status).toBe(409);
    const forged = `${found.held.slice(0, -4)}AAAA`;
    expect((await admin.post("/api/crm/install/confirm", { held: forged })).status).toBe(409);
    const confirmed = await admin.post("/api/crm/install/confirm", { held: found.held });
    expect(confirmed.body).toMatchObject({ way: "app", app: { locationName: "Sandbox Sales" } });
    expect(confirmed.body.app.missingScopes).toContain("contacts.write");
    expect((await admin.post("/api/crm/install/confirm", { held: found.held })).status).toBe(409);
    expect(await status()).toBe(4);
  });

  it("reports several locations, and a used code", async () => {
    const look = async (code: string) => (await admin.post("/api/crm/install/read", { code })).body.result;
    const code = await codeOfTheirs(`${locationId},${otherLocationId}`);
    expect(await look(code)).toBe("several");
    expect(await look(code)).toBe("failed");
    await connect();
    expect(await look(await codeOfTheirs(otherLocationId))).toBe("other-location");
  });
});

describe("access tokens", () => {
  it("are refreshed once when they expire, for concurrent requests, and when rejected early", async () => {
    await sandbox.control("POST", "/ghl/app", { expiresIn: 0.05 });
    await connect();
    await sandbox.control("POST", "/ghl/app", { expiresIn: 86_399 });
    await vi.waitFor(async () => expect((await row())?.expiresAt.getTime()).toBeLessThan(Date.now()), 50_000);
    expect(await Promise.all(Array.from({ length: 12 }, status))).toEqual(Array(12).fill(4));
    expect(await tokenRequests("refresh_token")).toMatchObject([{ status: 200 }]);

    await age();
    await sandbox.control("POST", "/ghl/app", { endAccess: true });
    expect(await Promise.all(Array.from({ length: 5 }, status))).toEqual(Array(5).fill(4));
    expect(await tokenRequests("refresh_token")).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect((await connection()).way).toBe("app");
  });

  it("survive an outage of the token endpoint, and an app whose secret is rejected", async () => {
    await connect();
    await status();
    for (const [rule, kind] of [
      [{ status: 503 }, "unavailable"],
      [{ status: 403, html: true }, "unavailable"],
      [{ status: 401, body: { error: "invalid_client" } }, "auth"],
      [{ status: 403, body: { message: "Forbidden" } }, "unavailable"],
      [{ status: 401, body: { error: "unauthorized_client", error_description: "Not allowed" } }, "auth"],
    ] as const) {
      await failNext(rule);
      await endToken();
      await expect(status()).rejects.toMatchObject({ kind });
      const unrenewed = kind === "auth" ? "app-refused" : "unanswered";
      expect(await connection()).toMatchObject({ way: "none", app: { lost: null, unrenewed } });
      await dueToken();
      expect(await status()).toBe(4);
    }
  });

  it.each([
    ["the app's secret is refused", { status: 401, body: { error: "invalid_client" } }],
    ["the token endpoint is down for a long time", { status: 503 }],
  ])(
    "that expired while %s: administrators are notified, and pending changes use no attempt and are sent afterwards",
    async (_what, rule) => {
      const { database, jobs } = desk.deps;
      await connect();
      expect((await admin.post("/api/ghl/sync")).body).toMatchObject({ synced: 126 });
      await failNext({ ...rule, count: 1_000 });
      await dueToken();
      await refreshDue(desk.deps.crmConnection);
      // The access token is valid for some more hours; only a refused app is reported already.
      expect(await connection()).toMatchObject({ way: "app" });
      const alerts = async () => (await database.pool.query("select kind, since from admin_alerts")).rows;
      const raised = await alerts();
      expect(raised).toMatchObject(rule.status === 401 ? [{ kind: "crm_lost" }] : []);

      await endToken();
      const { rows } = await database.pool.query(
        "select id from leads l where not exists (select 1 from crm_outbox o where o.lead_id = l.id) order by id desc limit 1",
      );
      const leadId = rows[0].id;
      const change = { leadId, userId: admin.user.id, field: "name", value: "Waits Again" } as const;
      await database.transaction((tx) => queueCrmChange(tx, jobs, change));
      const context = { ...desk.deps, defaultCountry: "US" as const };
      for (let tries = 0; tries < 9; tries += 1) await pushLead(context, leadId);
      // A token that expires during a push.
      const began = { ...context, crmAccess: fixedAccess({ token: "ended", locationId }) };
      for (let tries = 0; tries < 9; tries += 1) await pushLead(began, leadId).catch(() => undefined);
      const changes = () => database.db.select().from(crmOutbox).where(eq(crmOutbox.leadId, leadId));
      expect(await changes()).toMatchObject([{ state: "pending", attempts: 0 }]);
      expect(await connection()).toMatchObject({ way: "none", app: { lost: null } });
      expect(await alerts()).toMatchObject([{ ...raised[0], kind: "crm_lost" }]);

      await sandbox.control("DELETE", "/fail");
      await dueToken();
      await refreshDue(desk.deps.crmConnection);
      await vi.waitFor(async () => expect(await changes()).toMatchObject([{ state: "sent" }]), 45_000);
      expect(await connection()).toMatchObject({ way: "app", app: { unrenewed: null } });
      expect(await alerts()).toEqual([]);
    },
  );

  it("count as rejected by the error code of the response, whatever its message", async () => {
    await connect();
    const error_description = "The refresh token is not of this client";
    await failNext({ status: 400, body: { error: "invalid_grant", error_description } });
    await endToken();
    await expect(status()).rejects.toThrow("GoHighLevel must be connected again.");
  });

  it("of a connection deleted meanwhile are neither stored nor counted against the next one", async () => {
    for (const isRefused of [false, true]) {
      await sandbox.control("DELETE", "/requests");
      await connect();
      await endToken();
      const match = "/oauth/token";
      await sandbox.control("POST", "/latency", { vendor: "ghl", match, ms: 30_000, count: 1 });
      const asked = status().catch(() => undefined);
      await vi.waitFor(async () => expect(await tokenRequests("refresh_token")).toHaveLength(1), 50_000);
      await admin.delete("/api/crm/connection");
      await connect();
      const made = await row();
      if (isRefused) await failNext({ status: 400, body: { error: "invalid_grant" } });
      await sandbox.control("DELETE", "/latency");
      await asked;
      expect(await row()).toEqual(made);
      expect(await status()).toBe(4);
      await admin.delete("/api/crm/connection");
    }
  });

  it("are refreshed in time although the worker that started the refresh was killed", async () => {
    await connect();
    const claim = (seconds: number) =>
      desk.deps.database.pool.query(
        `update crm_connections set refresh_at = now() - interval '1 second', claim = gen_random_uuid(),
           claimed_at = now() - make_interval(secs => $1)`,
        [seconds],
      );
    await claim(50);
    await refreshDue(desk.deps.crmConnection);
    expect(await tokenRequests("refresh_token")).toEqual([]);
    await claim(70);
    await refreshDue(desk.deps.crmConnection);
    expect(await tokenRequests("refresh_token")).toMatchObject([{ status: 200 }]);
    expect((await row())?.claim).toBeNull();
  });

  it("are not refreshed for a recording they may not read, and for other rejections once a minute", async () => {
    await connect();
    await age();
    const play = async () =>
      desk.deps.crm?.openRecording("msg1", { signal: AbortSignal.timeout(30_000) }).catch(({ kind }) => kind);
    const refuse = (message: string) =>
      failNext({ match: "/recording", status: 401, count: 2, body: { statusCode: 401, message } });
    await refuse("The token is not authorized for this scope.");
    expect([await play(), await play()]).toEqual(["auth", "auth"]);
    expect(await tokenRequests("refresh_token")).toEqual([]);
    for (let round = 0; round < 3; round += 1) {
      await refuse("Invalid JWT");
      expect(await play()).toBe("auth");
      await sandbox.control("DELETE", "/fail");
      expect(await status()).toBe(4);
    }
    expect(await tokenRequests("refresh_token")).toHaveLength(1);
  });

  it("whose refresh response was lost end the connection: administrators are notified, and changes wait for the next one", async () => {
    await connect();
    expect((await admin.post("/api/ghl/sync")).body).toMatchObject({ synced: 126 });
    await failNext({ afterAct: true, reset: true });
    await endToken();
    await expect(status()).rejects.toMatchObject({ kind: "unavailable" });
    // It is not known yet that the lost response had the last valid token.
    expect((await connection()).app.lost).toBeNull();
    await dueToken();
    await expect(status()).rejects.toThrow("GoHighLevel must be connected again.");
    expect(await connection()).toMatchObject({ way: "none", app: { lost: { reason: "refused" } } });
    await vi.waitFor(() => expect(mailbox.emails).not.toHaveLength(0), 50_000);
    expect(mailbox.emails[0]).toMatchObject({ subject: "The GoHighLevel app needs attention" });

    const { db } = desk.deps.database;
    const leadId = (await desk.deps.database.pool.query("select id from leads order by id limit 1")).rows[0]
      .id;
    const change = { leadId, userId: admin.user.id, field: "name", value: "Waits Patiently" } as const;
    await desk.deps.database.transaction((tx) => queueCrmChange(tx, desk.deps.jobs, change));
    const changes = () => db.select().from(crmOutbox).where(eq(crmOutbox.leadId, leadId));
    await vi.waitFor(async () => {
      const { rows } = await desk.deps.database.pool.query(
        "select 1 from jobs.job where name = 'crm-push' and state in ('created', 'active', 'retry')",
      );
      expect(rows).toEqual([]);
    }, 50_000);
    expect(await changes()).toMatchObject([{ state: "pending", attempts: 0 }]);

    await connect();
    await vi.waitFor(async () => expect(await changes()).toMatchObject([{ state: "sent" }]), 45_000);
    expect(await connection()).toMatchObject({ way: "app", app: { lost: null } });
  });
});

describe("an app beside a private token", () => {
  it("is used while it is connected, and the private token when it is not", async () => {
    const env = { ...appEnv(sandbox), GHL_PRIVATE_TOKEN: "pit-sandbox-token", GHL_LOCATION_ID: locationId };
    const both = await buildTestApp({ env: { ...env, PUBLIC_URL: desk.url } });
    try {
      const boss = await both.signIn({ role: "admin" });
      expect(await connection(boss)).toMatchObject({
        way: "private",
        noEvents: true,
        privateToken: { rotation: "fresh" },
      });
      const set = async (days: number) =>
        boss.patch("/api/crm/private-token", {
          since: new Date(Date.now() - days * 86_400_000).toISOString(),
        });
      expect((await set(85)).body.privateToken.rotation).toBe("near");
      expect((await set(91)).body.privateToken.rotation).toBe("over");
      expect((await set(-2)).status).toBe(400);
      expect((await connection(boss)).privateToken.rotation).toBe("over");

      const other = await choose(await begin(boss), { location: otherLocationId });
      expect((await boss.get(other)).headers.location).toBe("/integrations?crm=other-location");
      await connect(boss);
      expect(await connection(boss)).toMatchObject({ way: "app", noEvents: false });
      const users = async () => (await both.deps.crm?.listUsers({ once: true }))?.length;
      expect(await users()).toBe(4);
      await both.deps.database.pool.query(
        "update crm_connections set refreshed_at = refreshed_at - interval '2 minutes'",
      );
      await sandbox.control("POST", "/ghl/app", { endAccess: true, endRefresh: true });
      expect(await users()).toBe(4);
      expect(await connection(boss)).toMatchObject({ way: "private", app: { lost: { reason: "refused" } } });
    } finally {
      await both.close();
    }
  });
});

describe("an app of another location than the configured one", () => {
  it("is no longer used, and is replaced by an installation for the new location", async () => {
    const env = { ...appEnv(sandbox), GHL_LOCATION_ID: locationId, PUBLIC_URL: desk.url };
    const moved = await buildTestApp({ env });
    try {
      const boss = await moved.signIn({ role: "admin" });
      await connect(boss);
      await moved.deps.database.pool.query(
        "update crm_connections set location_id = $1, refresh_at = now() - interval '1 second'",
        [otherLocationId],
      );
      await refreshDue(moved.deps.crmConnection);
      expect(await tokenRequests("refresh_token")).toEqual([]);
      expect(await connection(boss)).toMatchObject({ way: "none", app: null });
      expect((await connect(boss)).headers.location).toBe("/integrations?crm=connected");
      expect(await connection(boss)).toMatchObject({ way: "app", app: { locationId } });
    } finally {
      await moved.close();
    }
  });
});

describe("INSTALL and UNINSTALL events", () => {
  const seed = createHash("sha256").update("sandbox GoHighLevel webhooks").digest();
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });

  async function sendEvent(event: object): Promise<number> {
    const body = JSON.stringify(event);
    const signature = sign(null, Buffer.from(body), key).toString("base64");
    const headers = { "content-type": "application/json", "x-ghl-signature": signature };
    const answer = await fetch(`${desk.url}/api/ghl/webhook`, { method: "POST", body, headers });
    await answer.body?.cancel();
    return answer.status;
  }

  async function untilWorked(): Promise<void> {
    await vi.waitFor(async () => {
      const { rows } = await desk.deps.database.pool.query(
        "select 1 from provider_events where source = 'gohighlevel' and processed_at is null",
      );
      expect(rows).toEqual([]);
    }, 50_000);
  }

  it("end the connection at once and request a new one; events of others and older ones change nothing", async () => {
    await connect();
    const event = { type: "UNINSTALL", appId: "65f0a1b2c3d4e5f601234567", locationId };
    const early = new Date(Date.now() - 60_000).toISOString();
    expect(await sendEvent({ ...event, locationId: otherLocationId, webhookId: "u1" })).toBe(200);
    expect(await sendEvent({ ...event, appId: "aaaaaaaaaaaaaaaaaaaaaaaa", webhookId: "u2" })).toBe(200);
    expect(await sendEvent({ ...event, timestamp: early, webhookId: "u3" })).toBe(200);
    await untilWorked();
    expect((await connection()).way).toBe("app");

    await sandbox.control("POST", "/ghl/webhook", { url: `${desk.url}/api/ghl/webhook` });
    await sandbox.control("POST", "/ghl/app/uninstall", {});
    await vi.waitFor(async () => expect((await connection()).app.lost?.reason).toBe("uninstalled"), 50_000);
    expect((await row())?.tokens).toBeNull();
    await expect(status()).rejects.toThrow("GoHighLevel must be connected again.");
    await vi.waitFor(() => expect(mailbox.emails).not.toHaveLength(0), 50_000);

    await codeOfTheirs();
    await vi.waitFor(async () => expect((await connection()).installedAt).not.toBeNull(), 50_000);
    await connect();
    expect(await connection()).toMatchObject({ way: "app", installedAt: null, app: { lost: null } });
    // Like the vendor's example, without timestamp and id: it may be about the earlier installation. The token endpoint decides.
    await sandbox.control("DELETE", "/requests");
    expect(await sendEvent(event)).toBe(200);
    await untilWorked();
    expect(await status()).toBe(4);
    expect(await tokenRequests("refresh_token")).toMatchObject([{ status: 200 }]);
    await sandbox.control("POST", "/ghl/app", { endRefresh: true });
    expect(await sendEvent({ ...event, companyId: "com0000000000000001" })).toBe(200);
    await untilWorked();
    await expect(status()).rejects.toThrow("GoHighLevel must be connected again.");
  });
});
