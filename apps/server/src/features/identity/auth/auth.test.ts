import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { buildUser } from "../../../testing/factories.ts";
import { buildTestApp, type TestApp } from "../../../testing/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
});
afterAll(() => app.close());

describe("sign-in", () => {
  it("requires both fields with the specified message", async () => {
    for (const body of [{}, { email: "a@example.com" }, { password: "x" }, { email: " ", password: "x" }]) {
      const answer = await app.request("POST", "/api/login/local", { body });
      expect(answer).toMatchObject({
        status: 400,
        body: { message: "Please enter both email and password" },
      });
    }
  });

  it("answers an unknown address and a wrong password the same way", async () => {
    const user = await buildUser(app.deps.database);
    const wrong = await app.request("POST", "/api/login/local", {
      body: { email: user.email, password: "wrong" },
    });
    const unknown = await app.request("POST", "/api/login/local", {
      body: { email: "nobody@example.com", password: "x" },
    });
    for (const answer of [wrong, unknown]) {
      expect(answer).toMatchObject({ status: 401, body: { message: "Invalid email or password" } });
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
  });

  it("sets an HttpOnly cookie and returns the user", async () => {
    const user = await buildUser(app.deps.database);
    const body = { email: user.email.toUpperCase(), password: user.password };
    const answer = await app.request("POST", "/api/login/local", { body });
    expect(answer).toMatchObject({
      status: 200,
      body: { user: { id: user.id, email: user.email, role: "consultant" } },
    });
    expect(answer.headers["set-cookie"]?.[0]).toMatch(/^portal=.*HttpOnly.*SameSite=Lax/i);
  });

  it("ends the session on the server at sign-out", async () => {
    const client = await app.signIn();
    expect((await client.get("/api/current-user")).status).toBe(200);
    const out = await client.get("/api/logout");
    expect(out.status).toBe(302);
    expect(await client.get("/api/current-user")).toMatchObject({
      status: 401,
      body: { message: "Unauthorized" },
    });
  });

  it("rejects the sixth wrong password with the waiting time, and the right one until then", async () => {
    const user = await buildUser(app.deps.database);
    const send = (password: string) =>
      app.request("POST", "/api/login/local", { body: { email: user.email, password } });
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await send("wrong")).status).toBe(401);
    const refused = await send(user.password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.body.message).toMatch(/Try again in \d+ minutes?/);
  });

  it("checks no more than five passwords of one account, also for concurrent requests", async () => {
    const user = await buildUser(app.deps.database);
    const send = (password: string) =>
      app.request("POST", "/api/login/local", { body: { email: user.email, password } });
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, index) => send(`guess-${index}`)));
    expect(guesses.map((answer) => answer.status).sort()).toEqual([
      ...Array<number>(5).fill(401),
      ...Array<number>(15).fill(429),
    ]);
  });

  it("does not count successful sign-ins, also concurrent ones", async () => {
    const { email, password } = await buildUser(app.deps.database);
    const send = () => app.request("POST", "/api/login/local", { body: { email, password } });
    const answers = await Promise.all(Array.from({ length: 8 }, send));
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
  });

  it("ends the browser's previous session", async () => {
    const client = await app.signIn();
    const again = await app.request("POST", "/api/login/local", {
      body: { email: client.user.email, password: client.user.password },
      cookie: client.cookie,
    });
    expect(again.status).toBe(200);
    expect((await client.get("/api/current-user")).status).toBe(401);
    const cookie = String(again.headers["set-cookie"]).split(";")[0] ?? "";
    expect((await app.request("GET", "/api/current-user", { cookie })).status).toBe(200);
  });

  it("ends the least recently used session at once above the limit, and nobody else's", async () => {
    const few = await buildTestApp({ env: { SESSIONS_PER_USER: "2" } });
    onTestFinished(() => few.close());
    const other = await few.signIn();
    const first = await few.signIn();
    const body = { email: first.user.email, password: first.user.password };
    const states = async (cookies: string[]) =>
      Promise.all(
        cookies.map(async (cookie) => (await few.request("GET", "/api/current-user", { cookie })).status),
      );
    const signInAgain = async () =>
      String((await few.request("POST", "/api/login/local", { body })).headers["set-cookie"]).split(";")[0] ??
      "";
    const second = await signInAgain();
    expect(await states([other.cookie, first.cookie, second])).toEqual([200, 200, 200]);
    const third = await signInAgain();
    expect(await states([other.cookie, first.cookie, second, third])).toEqual([200, 401, 200, 200]);
    const many = await Promise.all([signInAgain(), signInAgain(), signInAgain()]);
    expect((await states(many)).filter((status) => status === 200).length).toBeGreaterThan(0);
    const { rows } = await few.deps.database.pool.query(
      "select count(*)::int as n from sessions where user_id = $1",
      [first.user.id],
    );
    expect(rows[0].n).toBeLessThanOrEqual(2);
  });

  it("creates no session for a password that was changed during the check", async () => {
    const { id, email, password } = await buildUser(app.deps.database);
    const { password: hasher } = await app.deps.library.$context;
    const hash = await hasher.hash("quite-another-one");
    const send = (tried: string) =>
      app.request("POST", "/api/login/local", { body: { email, password: tried } });
    // The session cannot be written until the change has committed.
    const { pool } = app.deps.database;
    const change = await pool.connect();
    try {
      await change.query("begin");
      await change.query("lock table sessions in share row exclusive mode");
      const signIn = send(password);
      await vi.waitFor(async () => {
        const waiting = "select 1 from pg_locks where not granted and relation = 'sessions'::regclass";
        expect((await pool.query(waiting)).rowCount).toBe(1);
      }, 50_000);
      await change.query("update accounts set password = $2 where user_id = $1", [id, hash]);
      await change.query("delete from sessions where user_id = $1", [id]);
      await change.query("commit");
      expect((await signIn).status).toBe(401);
    } finally {
      change.release();
    }
    expect((await pool.query("select 1 from sessions where user_id = $1", [id])).rowCount).toBe(0);
    expect((await send("quite-another-one")).status).toBe(200);
  });

  it("does not sign out on a HEAD request", async () => {
    const client = await app.signIn();
    await app.app.inject({ method: "HEAD", url: "/api/logout", headers: { cookie: client.cookie } });
    expect((await client.get("/api/current-user")).status).toBe(200);
  });

  it("accepts an administrator on the admin route, and answers a consultant with a failure", async () => {
    const admin = await buildUser(app.deps.database, { role: "admin" });
    const rep = await buildUser(app.deps.database);
    const send = (email: string, password: string) =>
      app.request("POST", "/api/admin/login", { body: { email, password } });
    expect(await send(admin.email, admin.password)).toMatchObject({
      status: 200,
      body: { user: { role: "admin" } },
    });
    const wrong = await send(admin.email, "wrong");
    expect(wrong.status).toBe(401);
    expect(wrong.body.message).toMatch(/^Admin login failed/);
    const other = await send(rep.email, rep.password);
    expect(other.status).toBe(403);
    expect(other.body.message).toMatch(/^Admin login failed/);
    expect(other.headers["set-cookie"]).toBeUndefined();
  });

  it("answers the session check with 401, 403 or 200 by role", async () => {
    expect((await app.request("GET", "/api/admin/session-check")).status).toBe(401);
    const rep = await app.signIn();
    expect((await rep.get("/api/admin/session-check")).status).toBe(403);
    const admin = await app.signIn({ role: "admin" });
    expect(await admin.get("/api/admin/session-check")).toMatchObject({
      status: 200,
      body: { authenticated: true },
    });
  });
});

describe("requests", () => {
  it("require a session before the input is validated", async () => {
    const answer = await app.request("PATCH", "/api/profile", { body: { nonsense: true } });
    expect(answer.status).toBe(401);
  });

  it("are rejected for a write from another origin, and accepted without Origin", async () => {
    const client = await app.signIn();
    const send = (headers: Record<string, string>) =>
      app.request("PATCH", "/api/interface-settings", {
        cookie: client.cookie,
        headers,
        body: { theme: "dark" },
      });
    expect((await send({ origin: "https://evil.example.com" })).status).toBe(403);
    expect((await send({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await send({ origin: "null" })).status).toBe(403);
    expect((await send({ origin: app.url.replace("http:", "https:") })).status).toBe(403);
    expect((await send({ origin: app.url, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await send({ origin: app.url })).status).toBe(200);
    expect((await send({})).status).toBe(200);
  });

  it("are rate-limited per user on all routes except the event stream and those that end a call", async () => {
    const few = await buildTestApp({ listen: true, env: { USER_REQUESTS_PER_MINUTE: "60" } });
    onTestFinished(() => few.close());
    const [client, other] = [await few.signIn(), await few.signIn()];
    const statuses = new Set<number>();
    for (let sent = 0; sent < 60; sent += 1) statuses.add((await client.get("/api/current-user")).status);
    expect([...statuses]).toEqual([200]);
    const refused = await client.patch("/api/interface-settings", { theme: "dark" });
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await other.get("/api/current-user")).status).toBe(200);
    expect((await few.request("GET", "/api/sign-in-options", { cookie: client.cookie })).status).toBe(200);
    expect((await client.post("/api/calls/1/end", {})).status).toBe(404);
    expect((await client.post("/api/dialer/1/command", { command: "pause" })).status).not.toBe(429);
    const stream = await fetch(`${few.url}/api/events`, { headers: { cookie: client.cookie } });
    expect(stream.status).toBe(200);
    await stream.body?.cancel();
  });

  it("of unknown paths under /api are answered with JSON and a request id", async () => {
    const answer = await app.request("GET", "/api/nothing-here");
    expect(answer).toMatchObject({ status: 404, body: { message: "Not found", code: "not_found" } });
    expect(answer.headers["x-request-id"]).toBe(answer.body.requestId);
  });

  it("that the router rejects are answered like all errors", async () => {
    for (const path of [`/api/leads/${"1".repeat(300)}`, "/api/%zz"]) {
      const answer = await app.request("GET", path);
      expect(answer).toMatchObject({ status: 404, body: { message: "Not found", code: "not_found" } });
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  it("have a description for signed-in users only", async () => {
    expect((await app.request("GET", "/api/docs")).status).toBe(401);
    const client = await app.signIn();
    const { body } = await client.get("/api/docs");
    expect(Object.keys(body.paths)).toContain("/api/leads/{id}");
  });

  it("are rejected with form bodies and invalid JSON", async () => {
    const client = await app.signIn();
    const form = await app.app.inject({
      method: "PATCH",
      url: "/api/interface-settings",
      headers: { cookie: client.cookie, "content-type": "text/plain" },
      payload: "theme=dark",
    });
    expect(form.statusCode).toBe(415);
    const broken = await app.app.inject({
      method: "PATCH",
      url: "/api/interface-settings",
      headers: { cookie: client.cookie, "content-type": "application/json" },
      payload: '{"__proto__": {"role": "admin"}}',
    });
    expect(broken.statusCode).toBe(400);
    expect(broken.json().message).toBeTypeOf("string");
  });
});

describe("the account", () => {
  it("changes only the fields that are sent, and allows an empty phone", async () => {
    const client = await app.signIn();
    const named = await client.patch("/api/profile", { name: "  New Name " });
    expect(named).toMatchObject({ status: 200, body: { name: "New Name", email: client.user.email } });
    const phone = await client.patch("/api/profile", { personalPhoneNumber: "305.555.0142" });
    expect(phone.body.personalPhoneNumber).toBe("305.555.0142");
    const emptied = await client.patch("/api/profile", { personalPhoneNumber: "" });
    expect(emptied.body.personalPhoneNumber).toBeNull();
  });

  it("rejects a number that cannot be called, a used email address and fields of others", async () => {
    const client = await app.signIn();
    const other = await buildUser(app.deps.database);
    expect(await client.patch("/api/profile", { personalPhoneNumber: "12" })).toMatchObject({
      status: 400,
      body: { code: "phone_invalid" },
    });
    expect(await client.patch("/api/profile", { email: other.email.toUpperCase() })).toMatchObject({
      status: 409,
      body: { code: "email_taken" },
    });
    expect((await client.patch("/api/profile", { role: "admin" })).status).toBe(400);
    expect((await client.patch("/api/profile", { name: " " })).status).toBe(400);
    expect((await client.patch("/api/profile", { name: "a\u0000b" })).status).toBe(400);
  });

  it("changes the password with the current one, ends other sessions and rejects common passwords", async () => {
    const client = await app.signIn();
    const again = await app.request("POST", "/api/login/local", {
      body: { email: client.user.email, password: client.user.password },
    });
    const otherCookie = String(again.headers["set-cookie"]).split(";")[0];
    const change = (currentPassword: string, newPassword: string) =>
      client.patch("/api/change-password", { currentPassword, newPassword });
    expect((await change("wrong", "another-password-9")).body.code).toBe("current_password_wrong");
    expect((await change(client.user.password, "12345")).body.message).toBe(
      "Password must be at least 6 characters long.",
    );
    expect((await change(client.user.password, "password")).body.code).toBe("password_too_common");
    const { name, email } = client.user;
    for (const guessable of [
      email,
      `${email.split("@")[0]}1`,
      `${name} 2026!`,
      "Portal-Admin-1",
      "leaddesk99",
    ])
      expect((await change(client.user.password, guessable)).body.code).toBe("password_guessable");
    const long = "ñ".repeat(100);
    expect((await change(client.user.password, long)).status).toBe(200);
    expect((await client.get("/api/current-user")).status).toBe(200);
    expect((await app.request("GET", "/api/current-user", { cookie: otherCookie ?? "" })).status).toBe(401);
    const cut = await app.request("POST", "/api/login/local", {
      body: { email: client.user.email, password: "ñ".repeat(72) },
    });
    expect(cut.status).toBe(401);
    const whole = await app.request("POST", "/api/login/local", {
      body: { email: client.user.email, password: long },
    });
    expect(whole.status).toBe(200);
  });

  it("changes the password once for one current password of two concurrent requests", async () => {
    const owner = await app.signIn();
    const { email, password } = owner.user;
    const stolen = await app.request("POST", "/api/login/local", { body: { email, password } });
    const cookies = [owner.cookie, String(stolen.headers["set-cookie"]).split(";")[0] ?? ""];
    const changed = await Promise.all(
      cookies.map((cookie, index) => {
        const body = { currentPassword: password, newPassword: `another-password-${index}` };
        return app.request("PATCH", "/api/change-password", { cookie, body });
      }),
    );
    expect(changed.map(({ status }) => status).sort()).toEqual([200, 400]);
    const winner = changed.findIndex(({ status }) => status === 200);
    const signIn = (index: number) =>
      app.request("POST", "/api/login/local", { body: { email, password: `another-password-${index}` } });
    expect((await signIn(winner)).status).toBe(200);
    expect((await signIn(1 - winner)).status).toBe(401);
  });

  it("limits wrong current passwords without locking the sign-in", async () => {
    const client = await app.signIn();
    const guess = () =>
      client.patch("/api/change-password", { currentPassword: "wrong", newPassword: "another-password-9" });
    const answers = await Promise.all(Array.from({ length: 8 }, guess));
    expect(answers.map((answer) => answer.status).sort()).toEqual([400, 400, 400, 400, 400, 429, 429, 429]);
    const { email, password } = client.user;
    const signedIn = await app.request("POST", "/api/login/local", { body: { email, password } });
    expect(signedIn.status).toBe(200);
  });
});
