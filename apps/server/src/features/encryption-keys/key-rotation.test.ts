import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decrypt, type EncryptionKeys, encrypt, type StoredPurpose } from "../../domain/encryption.ts";
import { freePort, startServer } from "../../testing/server-process.ts";
import { buildTestApp, type Client, type TestApp } from "../../testing/test-app.ts";
import { createTestDatabase, type TestDatabase } from "../../testing/test-database.ts";
import { refreshDue } from "../crm-connection/refresh.ts";
import { syncAccount } from "../meetings/google-calendar/sync-account.ts";
import { listValues, storedKinds } from "./repository.ts";
import { describeKeyState, readKeyState, rewriteValues } from "./service.ts";

const [old, fresh] = ["an-old-key-".repeat(3), "a-fresh-key-".repeat(3)];
const onlyOld = { ENCRYPTION_KEY: old, SESSION_SECRET: old };
const both = {
  ...{ ENCRYPTION_KEY: fresh, ENCRYPTION_KEY_PREVIOUS: old },
  ...{ SESSION_SECRET: fresh, SESSION_SECRET_PREVIOUS: old },
};
const onlyFresh = { ENCRYPTION_KEY: fresh, SESSION_SECRET: fresh };
const oldKeys: EncryptionKeys = { current: old, previous: null };
const bothKeys: EncryptionKeys = { current: fresh, previous: old };
const freshKeys: EncryptionKeys = { current: fresh, previous: null };

let database: TestDatabase;
let pool: pg.Pool;
let person: Client;
let admin: Client;
let webhookKey: string;
let pushKey: string;
/** Stored values in plain text, by purpose. */
const secrets = new Map<string, string>();

const seal = (purpose: StoredPurpose, text: string) => {
  secrets.set(purpose, text);
  return encrypt(text, { encryptionKeys: oldKeys, purpose });
};

const open = (env: Record<string, string>, jobs = false) =>
  buildTestApp({ databaseUrl: database.url, env, jobs });

async function withApp<T>(env: Record<string, string>, work: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await open(env);
  return work(app).finally(() => app.close());
}

const me = async (app: TestApp, cookie: string) =>
  (await app.request("GET", "/api/current-user", { cookie })).status;

/** Sends a lead, signed with the source's key. */
function sendSigned(app: TestApp, eventId: string) {
  const body = { eventId, firstName: "Rosa", lastName: "Vega", phone: "+12125550123" };
  const signature = createHmac("sha256", webhookKey).update(JSON.stringify(body)).digest("hex");
  return app.request("POST", "/api/webhook/lead", { body, headers: { "x-webhook-signature": signature } });
}

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  // pg-boss creates its own schema.
  const app = await open(onlyOld, true);
  admin = await app.signIn({ role: "admin" });
  person = await app.signIn();
  webhookKey = (await admin.post("/api/webhook-sources/lead/key")).body.key;
  pushKey = (await person.get("/api/push")).body.publicKey;
  const { id } = person.user;
  await pool.query(
    `insert into crm_connections (location_id, tokens, expires_at, refresh_at)
     values ('loc0000000000000001', $1, now() + interval '1 day', now() + interval '1 day')`,
    [seal("crm app tokens", '{"accessToken":"a","refreshToken":"r"}')],
  );
  await pool.query("insert into google_accounts (user_id, scope, tokens) values ($1, 'calendar', $2)", [
    id,
    seal("google calendar tokens", '{"refreshToken":"g"}'),
  ]);
  await pool.query(
    `insert into google_consents (state_hash, user_id, session_id, code_verifier, expires_at)
     values ('hash', $1, (select min(id) from sessions), $2, now() + interval '1 hour')`,
    [id, seal("google consent verifier", "verifier")],
  );
  await pool.query("update sessions set provider_token = $1 where user_id = $2", [
    seal("login provider's proof", "proof"),
    id,
  ]);
  await pool.query("insert into totp_secrets (user_id, secret) values ($1, $2)", [
    id,
    seal(`second factor of user ${id}`, "secret"),
  ]);
  await pool.query(
    "insert into lead_webhook_sources (source, client_secret_encrypted) values ('hubspot', $1)",
    [seal("intake hubspot client secret", "client secret")],
  );
  await app.deps.database.transaction((tx) =>
    app.deps.jobs.enqueue(
      tx,
      "mail",
      { kind: "password-link", sealedUrl: seal("mailed password link", "https://portal.test/#link") },
      { startAfterSeconds: 3_600 },
    ),
  );
  await app.close();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it("during a key rotation values of the old key still work, new ones use the new key, and nothing is lost", async () => {
  await withApp(
    onlyOld,
    async ({
      deps: {
        database: { db },
      },
    }) => {
      const state = await readKeyState({ db, encryptionKeys: oldKeys });
      // Every kind of stored value: six, and two of webhooks.
      expect(state).toEqual({ isRotated: false, current: 9, previous: 0, unreadable: [] });
    },
  );

  // With only a third key nothing can be read; this is reported and nothing changes.
  await withApp(both, async (app) => {
    const { db } = app.deps.database;
    const all = () => Promise.all(storedKinds.map((kind) => listValues(db, kind)));
    const before = await all();
    const strange = { db, encryptionKeys: { current: "x".repeat(32), previous: null } };
    const state = await rewriteValues(strange);
    expect(state).toMatchObject({ current: 0, previous: 0 });
    expect(state.unreadable).toHaveLength(9);
    expect(describeKeyState(state)).toMatch(
      /^ENCRYPTION_KEY does not read what is stored: GoHighLevel's tokens \(1\).*ENCRYPTION_KEY_PREVIOUS/,
    );
    expect(await all()).toEqual(before);

    // Cookies of either secret and values of either key are accepted.
    expect(await me(app, person.cookie)).toBe(200);
    expect((await app.request("GET", "/api/push", { cookie: person.cookie })).body.publicKey).toBe(pushKey);
    expect((await sendSigned(app, "rotation-1")).status).toBe(200);
    expect(await readKeyState({ db, encryptionKeys: bothKeys })).toMatchObject({ current: 0, previous: 9 });
    const report = await app.request("GET", "/api/diagnostics/webhooks", { cookie: admin.cookie });
    expect(report.body.checks).toContainEqual(
      expect.objectContaining({ name: "storedSecrets", status: "warn", finding: "secrets_rotating" }),
    );

    const rewritten = await rewriteValues({ db, encryptionKeys: bothKeys });
    expect(rewritten).toEqual({ isRotated: true, current: 9, previous: 0, unreadable: [] });
    expect(describeKeyState(rewritten)).toContain("ENCRYPTION_KEY_PREVIOUS can be taken out");
    for (const kind of storedKinds)
      for (const { id, value } of await listValues(db, kind)) {
        const text = decrypt(value, { encryptionKeys: freshKeys, purpose: kind.purposeOf(id) });
        expect(text).not.toBeNull();
        const known = secrets.get(kind.purposeOf(id));
        if (known) expect(text).toBe(known);
      }
  });

  await withApp(onlyFresh, async (app) => {
    expect((await sendSigned(app, "rotation-2")).status).toBe(200);
    // A cookie of the old secret is no longer accepted; one created while both were accepted has the new signature.
    expect(await me(app, person.cookie)).toBe(401);
  });
});

it("a session of the old secret gets a cookie of the new one when it is renewed", async () => {
  const client = await withApp(onlyOld, (app) => app.signIn());
  const renewed = await withApp(both, async (app) => {
    await pool.query("update sessions set expires_at = expires_at - interval '1 hour' where user_id = $1", [
      client.user.id,
    ]);
    const { headers } = await app.request("GET", "/api/current-user", { cookie: client.cookie });
    return String(headers["set-cookie"]).split(";")[0] ?? "";
  });
  expect(renewed).toContain("portal=");
  await withApp(onlyFresh, async (app) => {
    expect(await me(app, renewed)).toBe(200);
    expect(await me(app, client.cookie)).toBe(401);
  });
});

it("a missing key loses nothing: push keys, calendars and the CRM work again once it is set", async () => {
  const strange = { ...onlyFresh, ENCRYPTION_KEY: "s".repeat(32) };
  const before = (await pool.query("select * from push_keys")).rows;
  const connections = async () => {
    const { rows } = await pool.query(
      `select disconnected_reason is null as google, lost_reason as crm from google_accounts, crm_connections
       where google_accounts.tokens is not null`,
    );
    return rows[0];
  };
  await withApp({ ...strange, SESSION_SECRET: fresh }, async (app) => {
    const client = await app.signIn();
    expect((await client.get("/api/push")).status).toBe(503);
    await syncAccount(app.deps.google, person.user.id);
    await app.deps.crmAccess?.key();
    expect(await connections()).toEqual({ google: false, crm: "key-changed" });
  });
  expect((await pool.query("select * from push_keys")).rows).toEqual(before);
  await withApp(onlyFresh, async (app) => {
    const client = await app.signIn();
    expect((await client.get("/api/push")).body.publicKey).toBe(pushKey);
    // Nothing here simulates Google; readable tokens are enough to be connected.
    await syncAccount(app.deps.google, person.user.id).catch(() => undefined);
    await refreshDue(app.deps.crmConnection);
    expect(await connections()).toEqual({ google: true, crm: null });
  });
});

it("re-encryption killed halfway leaves each value readable, and the next start continues", async () => {
  const many = 40;
  const purpose = "login provider's proof";
  const { rows: made } = await pool.query<{ id: number }>(
    `insert into sessions (token, user_id, expires_at, created_at, updated_at)
     select 'token-' || n, $1, now() + interval '1 day', now(), now() from generate_series(1, $2::int) n returning id`,
    [person.user.id, many],
  );
  for (const { id } of made)
    await pool.query("update sessions set provider_token = $1 where id = $2", [
      encrypt(`proof ${id}`, { encryptionKeys: oldKeys, purpose }),
      id,
    ]);
  const read = async (encryptionKeys: EncryptionKeys) => {
    const { rows } = await pool.query<{ id: number; provider_token: string }>(
      "select id, provider_token from sessions where token like 'token-%' order by id",
    );
    return rows.filter(
      (row) => decrypt(row.provider_token, { encryptionKeys, purpose }) === `proof ${row.id}`,
    ).length;
  };

  // The middle row is locked, so that the rewriting waits there until it is killed.
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from sessions where id = $1 for update", [made[many / 2]?.id]);
  const port = await freePort();
  const env = { ...both, PORT: String(port), DATABASE_URL: database.url, DEMO_HISTORY: "off" };
  const killed = startServer(env);
  for (let count = 0; count < many / 2; count = await read(freshKeys)) await sleep(20);
  await killed.kill();
  await holder.query("rollback");
  holder.release();
  // The statement that waited for the row may still complete in the database.
  const rewritten = await read(freshKeys);
  expect([many / 2, many / 2 + 1]).toContain(rewritten);
  expect(await read(bothKeys)).toBe(many);

  const next = startServer(env);
  await expect.poll(() => read(freshKeys), { timeout: 60_000 }).toBe(many);
  await expect.poll(next.output, { timeout: 60_000 }).toContain("ENCRYPTION_KEY_PREVIOUS can be taken out");
  expect(next.output()).not.toContain(old);
  await next.kill();

  const blind = startServer({
    ...env,
    ENCRYPTION_KEY: "b".repeat(32),
    ENCRYPTION_KEY_PREVIOUS: "c".repeat(32),
  });
  await expect
    .poll(blind.output, { timeout: 60_000 })
    .toMatch(/"level":50.*Neither ENCRYPTION_KEY nor ENCRYPTION_KEY_PREVIOUS reads what is stored/);
  await blind.kill();
  expect(await read(freshKeys)).toBe(many);
});
