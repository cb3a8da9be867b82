import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policyTable } from "../../../platform/http/policy-table.ts";
import { buildTestApp, type Client, type Reply, type TestApp } from "../../../testing/test-app.ts";
import { totpCode } from "../../../testing/totp.ts";

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

const cookieOf = ({ headers }: Reply) => String(headers["set-cookie"]).split(";")[0] ?? "";
const rows = async (sql: string, values: unknown[] = []) =>
  (await app.deps.database.pool.query(sql, values)).rows;
const actionsOf = async ({ user }: Client) =>
  (
    await rows("select action from audit_log where user_id = $1 or subject = $2 order by id", [
      user.id,
      `user:${user.id}`,
    ])
  ).map(({ action }) => action);

/** Sets up an authenticator app and makes the confirming code valid once more, so that no test waits for the next one. */
async function setUp(client: Client): Promise<{ secret: string; recoveryCodes: string[] }> {
  const begun = await client.post("/api/second-factor/totp", { password: client.user.password });
  const { secret } = begun.body;
  const confirmed = await client.post("/api/second-factor/totp/confirm", { code: totpCode(secret) });
  expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200);
  await rows("update totp_secrets set last_step = null where user_id = $1", [client.user.id]);
  return { secret, recoveryCodes: confirmed.body.recoveryCodes };
}

/** Signs in with the password only; returns the cookie of the session that still needs its code. */
async function givePassword({ user }: Client): Promise<string> {
  const { email, password } = user;
  const answer = await app.request("POST", "/api/login/local", { body: { email, password } });
  expect(answer).toMatchObject({ status: 401, body: { code: "second_factor_needed" } });
  return cookieOf(answer);
}

const verify = (cookie: string, code: string) =>
  app.request("POST", "/api/second-factor/verify", { cookie, body: { code } });
const currentUser = (cookie: string) => app.request("GET", "/api/current-user", { cookie });

describe("setting up a second factor", () => {
  it("takes effect with a valid code, stores no readable secret, and ends other sessions", async () => {
    const client = await app.signIn();
    const { email, password } = client.user;
    const elsewhere = cookieOf(await app.request("POST", "/api/login/local", { body: { email, password } }));
    expect(await client.post("/api/second-factor/totp", { password: "wrong" })).toMatchObject({
      status: 400,
      body: { code: "current_password_wrong" },
    });
    const begun = await client.post("/api/second-factor/totp", { password });
    expect(begun.body.uri).toContain(`secret=${begun.body.secret}`);
    const wrong = await client.post("/api/second-factor/totp/confirm", { code: "000000" });
    expect(wrong).toMatchObject({ status: 400, body: { code: "code_wrong" } });
    expect((await app.request("POST", "/api/login/local", { body: { email, password } })).status).toBe(200);

    const code = totpCode(begun.body.secret);
    const confirmed = await client.post("/api/second-factor/totp/confirm", { code });
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10);
    expect((await currentUser(elsewhere)).status).toBe(401);
    expect((await client.get("/api/current-user")).status).toBe(200);
    expect((await client.get("/api/second-factor")).body).toEqual({
      pending: null,
      totp: true,
      passkeys: [],
      recoveryCodes: 10,
      confirmation: "password",
    });
    const kept = JSON.stringify([
      await rows("select * from totp_secrets"),
      await rows("select * from recovery_codes"),
    ]);
    expect(kept).not.toContain(begun.body.secret);
    expect(kept).not.toContain(confirmed.body.recoveryCodes[0].replaceAll("-", ""));
    expect(await actionsOf(client)).toContain("second-factor-set-up");
    // The code that confirmed the app cannot be used again.
    expect((await verify(await givePassword(client), code)).body.code).toBe("code_wrong");
    const again = await client.post("/api/second-factor/totp", { password });
    expect(again).toMatchObject({ status: 409, body: { code: "conflict" } });
  });
});

describe("signing in with a second factor", () => {
  it("requires a code, valid once, and allows nothing before it", async () => {
    const client = await app.signIn();
    const { secret } = await setUp(client);
    const waiting = await givePassword(client);
    for (const path of ["/api/current-user", "/api/leads", "/api/settings", "/api/events"])
      expect(await app.request("GET", path, { cookie: waiting })).toMatchObject({
        status: 401,
        body: { code: "second_factor_needed" },
      });
    const known = await app.request("GET", "/api/second-factor", { cookie: waiting });
    expect(known.body).toMatchObject({ pending: "code", totp: true, recoveryCodes: 0 });
    // A session that still needs its code cannot change the second factor either, and is not listed as a sign-in.
    for (const path of ["totp", "totp/confirm", "totp/end", "recovery-codes"])
      expect(
        await app.request("POST", `/api/second-factor/${path}`, { cookie: waiting, body: { code: "1" } }),
      ).toMatchObject({ status: 401 });
    expect((await client.get("/api/sessions")).body).toHaveLength(1);

    const code = totpCode(secret);
    const signedIn = await verify(waiting, code);
    expect(signedIn).toMatchObject({ status: 200, body: { user: { id: client.user.id } } });
    expect((await currentUser(cookieOf(signedIn))).status).toBe(200);
    expect((await currentUser(waiting)).status).toBe(401);
    expect((await verify(await givePassword(client), code)).body.code).toBe("code_wrong");
    const next = await verify(await givePassword(client), totpCode(secret, 1).replace(/(...)/, "$1 "));
    expect(next.status).toBe(200);
    const [entry] = await rows(
      "select data from audit_log where user_id = $1 and action = 'sign-in' order by id desc limit 1",
      [client.user.id],
    );
    expect(entry.data).toMatchObject({ by: "password", second: "totp" });
  });

  it("accepts a code once, also for concurrent requests", async () => {
    const client = await app.signIn();
    const { secret } = await setUp(client);
    const waiting = await Promise.all([givePassword(client), givePassword(client), givePassword(client)]);
    const code = totpCode(secret);
    const answers = await Promise.all(waiting.map((cookie) => verify(cookie, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it("starts one session for two valid codes of one sign-in, and keeps the other code valid", async () => {
    const client = await app.signIn();
    const { recoveryCodes } = await setUp(client);
    const waiting = await givePassword(client);
    const answers = await Promise.all(recoveryCodes.slice(0, 2).map((code) => verify(waiting, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await rows("select 1 from sessions where user_id = $1", [client.user.id])).toHaveLength(1);
    const left = "select 1 from recovery_codes where user_id = $1 and used_at is null";
    expect(await rows(left, [client.user.id])).toHaveLength(9);
  });

  it("accepts each recovery code once, ends other sessions, and new codes invalidate the old", async () => {
    const client = await app.signIn();
    const { recoveryCodes } = await setUp(client);
    const [first = "", second = ""] = recoveryCodes;
    const signedIn = await verify(await givePassword(client), first.toUpperCase().replaceAll("-", " "));
    expect(signedIn.status).toBe(200);
    expect((await client.get("/api/current-user")).status).toBe(401);
    expect((await verify(await givePassword(client), first)).body.code).toBe("code_wrong");
    const cookie = cookieOf(signedIn);
    expect((await app.request("GET", "/api/second-factor", { cookie })).body.recoveryCodes).toBe(9);
    const renewed = await app.request("POST", "/api/second-factor/recovery-codes", {
      cookie,
      body: { password: client.user.password },
    });
    expect(renewed.body.recoveryCodes).toHaveLength(10);
    expect((await verify(await givePassword(client), second)).body.code).toBe("code_wrong");
    expect((await verify(await givePassword(client), renewed.body.recoveryCodes[0])).status).toBe(200);
    expect(await actionsOf(client)).toEqual(
      expect.arrayContaining(["second-factor-code-used", "second-factor-codes-made", "sign-in-failed"]),
    );
  });

  it("checks five wrong codes, then rejects the right one until the wait is over", async () => {
    const client = await app.signIn();
    const { secret } = await setUp(client);
    const waiting = await givePassword(client);
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await verify(waiting, "000000")).body.code).toBe("code_wrong");
    const refused = await verify(waiting, totpCode(secret));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    await rows("delete from login_failures");
    expect((await verify(waiting, totpCode(secret))).status).toBe(200);
  });

  it("ends a sign-in that waits more than ten minutes, or whose password was changed", async () => {
    const client = await app.signIn();
    const { secret } = await setUp(client);
    const late = await givePassword(client);
    await rows(
      "update sessions set created_at = now() - interval '11 minutes' where second_factor_at is null",
    );
    expect((await verify(late, totpCode(secret))).body.code).toBe("unauthenticated");
    const waiting = await givePassword(client);
    await client.patch("/api/change-password", {
      currentPassword: client.user.password,
      newPassword: "quite-another-one",
    });
    expect((await verify(waiting, totpCode(secret))).body.code).toBe("unauthenticated");
  });

  it("requires no code once the app is removed, which requires the password and ends other sessions", async () => {
    const client = await app.signIn();
    const { secret } = await setUp(client);
    const elsewhere = cookieOf(await verify(await givePassword(client), totpCode(secret)));
    const refused = await client.post("/api/second-factor/totp/end", { code: totpCode(secret, 1) });
    expect(refused.body.code).toBe("current_password_wrong");
    const { email, password } = client.user;
    expect((await client.post("/api/second-factor/totp/end", { password })).status).toBe(200);
    expect((await currentUser(elsewhere)).status).toBe(401);
    expect((await app.request("POST", "/api/login/local", { body: { email, password } })).status).toBe(200);
    expect(await rows("select 1 from recovery_codes where user_id = $1", [client.user.id])).toEqual([]);
    expect(await actionsOf(client)).toContain("second-factor-removed");
  });
});

describe("a role that needs a second factor", () => {
  it("allows only the set-up without one, at once, and everything with one", async () => {
    const admin = await app.signIn({ role: "admin" });
    const client = await app.signIn();
    const consultants = { secondFactorRoles: ["consultant"] };
    expect((await client.patch("/api/organisation-settings", consultants)).status).toBe(403);
    expect((await client.get("/api/leads")).status).toBe(200);
    expect((await admin.patch("/api/organisation-settings", consultants)).body).toMatchObject(consultants);
    await expect.poll(async () => (await client.get("/api/leads")).status).toBe(401);

    const open = [
      "GET /api/second-factor",
      "POST /api/second-factor/totp",
      "POST /api/second-factor/totp/confirm",
      "POST /api/passkeys/options",
      "POST /api/passkeys",
    ];
    for (const [route, { access }] of Object.entries(policyTable)) {
      if (access !== "user" && access !== "admin") continue;
      const [method = "", path = ""] = route.split(" ");
      const url = path.replace(":integration", "twilio").replaceAll(/:\w+/g, "987654");
      const answer = await app.app.inject({
        method: method as "GET",
        url,
        headers: { cookie: client.cookie },
      });
      const isRefused = answer.statusCode === 401 && answer.json().code === "second_factor_setup_needed";
      expect([route, isRefused]).toEqual([route, !open.includes(route)]);
    }
    expect((await admin.get("/api/current-user")).status).toBe(200);
    // A new sign-in also has to set it up.
    const { email, password } = client.user;
    const again = cookieOf(await app.request("POST", "/api/login/local", { body: { email, password } }));
    expect((await currentUser(again)).body.code).toBe("second_factor_setup_needed");

    const { secret } = await setUp(client);
    expect((await client.get("/api/leads")).status).toBe(200);
    expect((await verify(await givePassword(client), totpCode(secret))).status).toBe(200);
    const [entry] = await rows("select data from audit_log where action = 'organisation-changed'");
    expect(entry.data.changes).toEqual({ secondFactorRoles: { before: [], after: ["consultant"] } });

    // A reset by an administrator ends all sessions, is audited, and requires the setup again.
    const path = `/api/team/${client.user.id}/second-factor`;
    expect((await client.delete(path)).status).toBe(403);
    expect((await admin.delete(`/api/team/${admin.user.id}/second-factor`)).status).toBe(400);
    expect((await admin.delete(path)).body).toMatchObject({ id: client.user.id, secondFactor: false });
    expect((await admin.delete(path)).status).toBe(404);
    expect((await client.get("/api/current-user")).body.code).toBe("unauthenticated");
    const anew = cookieOf(await app.request("POST", "/api/login/local", { body: { email, password } }));
    expect((await currentUser(anew)).body.code).toBe("second_factor_setup_needed");
    expect(await actionsOf(client)).toContain("member-second-factor-reset");
    expect(await actionsOf(admin)).toContain("member-second-factor-reset");

    await admin.patch("/api/organisation-settings", { secondFactorRoles: [] });
    await expect.poll(async () => (await currentUser(anew)).status).toBe(200);
  });
});
