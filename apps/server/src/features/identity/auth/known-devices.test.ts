import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { buildUser, type TestUser } from "../../../testing/factories.ts";
import { buildTestApp, type TestApp } from "../../../testing/test-app.ts";
import { makePasswordLink } from "./change-password.ts";
import { createDeviceCookies } from "./throttle.ts";

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp({ env: { TRUST_PROXY: "1" } });
});
afterAll(() => app.close());
afterEach(() => sql("delete from login_failures"));

const sql = (text: string, values: unknown[] = []) => app.deps.database.pool.query(text, values);

interface Try {
  email: string;
  password: string;
  from?: string;
  cookie?: string;
  portal?: TestApp;
}

function send({ email, password, from = "198.51.100.7", cookie, portal = app }: Try) {
  return portal.request("POST", "/api/login/local", {
    body: { email, password },
    headers: { "x-forwarded-for": from },
    ...(cookie && { cookie }),
  });
}

const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers["set-cookie"] ?? []].flat().map(String);

/** Signs in and out, and returns the browser's device cookie. */
async function knownBrowser(user: TestUser): Promise<string> {
  const answer = await send(user);
  expect(answer.status).toBe(200);
  const device = cookiesOf(answer).find((cookie) => cookie.startsWith("portal-device="));
  expect(device).toMatch(/Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
  return device?.split(";")[0] ?? "";
}

/** Records wrong passwords of the last moment, as other processes may have counted them. */
async function guessed(
  count: number,
  { email, from }: { email: (n: number) => string; from: (n: number) => string },
) {
  for (let n = 0; n < count; n += 1)
    await sql("insert into login_failures (account, address) values ($1, $2)", [
      createHash("sha256").update(email(n)).digest("hex"),
      from(n),
    ]);
}

describe("a known browser of the account", () => {
  it("can sign in while wrong passwords of others block unknown browsers", async () => {
    const user = await buildUser(app.deps.database);
    const cookie = await knownBrowser(user);
    await guessed(20, { email: () => user.email, from: (n) => `203.0.113.${n % 4}` });
    const stranger = await send(user);
    expect(stranger).toMatchObject({
      status: 429,
      body: { message: expect.stringMatching(/in 1[45] minutes/) },
    });
    expect(Number(stranger.headers["retry-after"])).toBeLessThanOrEqual(15 * 60);
    expect((await send({ ...user, cookie })).status).toBe(200);
    expect((await send({ ...user, cookie, from: "203.0.113.1" })).status).toBe(200);
  });

  it("can sign in from an office address blocked for guessing unknown accounts", async () => {
    const user = await buildUser(app.deps.database);
    const cookie = await knownBrowser(user);
    const office = "198.51.100.7";
    await guessed(50, { email: (n) => `nobody-${n}@example.com`, from: () => office });
    expect((await send(user)).status).toBe(429);
    expect((await send({ ...user, cookie })).status).toBe(200);
  });

  it("has its own five wrong passwords in fifteen minutes, over several processes, which block no other browser", async () => {
    const user = await buildUser(app.deps.database);
    const cookie = await knownBrowser(user);
    const other = await knownBrowser(user);
    const second = await buildTestApp({ databaseUrl: app.deps.env.databaseUrl });
    const wrong = { email: user.email, password: "wrong", cookie };
    const guesses = Array.from({ length: 10 }, () => send(wrong));
    expect((await Promise.all(guesses)).map(({ status }) => status).sort()).toEqual([
      ...Array<number>(5).fill(401),
      ...Array<number>(5).fill(429),
    ]);
    const refused = await send({ ...user, cookie, portal: second });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(15 * 60);
    expect((await send({ ...user, cookie: other, portal: second })).status).toBe(200);
    expect((await send(user)).status).toBe(200);
    await second.close();
  });

  it("is not recognized by a forged cookie, one of another account, or one from before a password change", async () => {
    const user = await buildUser(app.deps.database);
    const cookie = await knownBrowser(user);
    const others = await knownBrowser(await buildUser(app.deps.database));
    const signedIn = await app.signIn();
    await guessed(20, { email: () => user.email, from: (n) => `203.0.113.${n}` });
    const status = async (device: string) => (await send({ ...user, cookie: device })).status;
    const [name, entry = ""] = cookie.split("=");
    expect(await status(cookie)).toBe(200);
    expect(await status(others)).toBe(429);
    expect(await status(`${name}=${entry.replace(/\.[^.]{4}/, ".AAAA")}`)).toBe(429);
    expect(await status(`${name}=${others.split("=")[1]?.replace(/^\d+/, String(user.id))}`)).toBe(429);
    expect(await status(`${name}=${others.split("=")[1]}~${entry}`)).toBe(200);

    await guessed(20, { email: () => signedIn.user.email, from: (n) => `203.0.113.${n}` });
    const before = await knownBrowserOf(signedIn.cookie, signedIn.user);
    const { email, password } = signedIn.user;
    const newPassword = "quite-another-9";
    const change = await app.request("PATCH", "/api/change-password", {
      cookie: `${signedIn.cookie}; ${before}`,
      body: { currentPassword: password, newPassword },
    });
    const after =
      cookiesOf(change)
        .find((set) => set.startsWith("portal-device="))
        ?.split(";")[0] ?? "";
    expect((await send({ email, password: newPassword, cookie: before })).status).toBe(429);
    expect((await send({ email, password: newPassword, cookie: after })).status).toBe(200);
  });

  it("is recognized for 90 days, for the five accounts that signed in last", () => {
    const devices = createDeviceCookies({
      secrets: { current: "a secret of the tests", previous: null },
      secure: true,
    });
    expect(devices).toMatchObject({
      name: "__Host-portal-device",
      attributes: { path: "/", httpOnly: true, sameSite: "lax", secure: true },
    });
    const account = (userId: number) => ({ userId, passwordHash: `hash ${userId}` });
    let cookie: string | undefined;
    for (let userId = 1; userId <= 6; userId += 1) cookie = devices.grant(cookie, account(userId));
    const id = devices.find(cookie, account(6));
    expect(id).not.toBeNull();
    expect(devices.find(cookie, account(2))).not.toBeNull();
    expect(devices.find(cookie, account(1))).toBeNull();
    expect(devices.find(devices.grant(cookie, account(6)), account(6))).toBe(id);
    const later = (previous: string | null) =>
      createDeviceCookies({ secrets: { current: "another", previous }, secure: true });
    expect(later(null).find(cookie, account(6))).toBeNull();
    // During a rotation of the secret both are accepted.
    expect(later("a secret of the tests").find(cookie, account(6))).toBe(id);
    const granted = later("a secret of the tests").grant(cookie, account(6));
    expect(later(null).find(granted, account(6))).toBe(id);
    vi.useFakeTimers({ now: Date.now() + 91 * 86_400_000, toFake: ["Date"] });
    expect(devices.find(cookie, account(6))).toBeNull();
    vi.useRealTimers();
  });
});

/** The device cookie that the server would have set at an earlier sign-in. */
async function knownBrowserOf(cookie: string, { id }: TestUser): Promise<string> {
  const { rows } = await sql("select password from accounts where user_id = $1", [id]);
  expect(cookie).toMatch(/^portal=/);
  const { name, grant } = app.deps.devices;
  return `${name}=${grant(undefined, { userId: id, passwordHash: rows[0].password })}`;
}

describe("the list of sign-ins", () => {
  it("shows method and location, groups rejected ones so that they displace none, and includes only one's own", async () => {
    const client = await app.signIn();
    const { id, email, password } = client.user;
    const at = (userAgent: string, from: string, body: object) =>
      app.request("POST", "/api/login/local", {
        body,
        headers: { "x-forwarded-for": from, "user-agent": userAgent },
      });
    await at("Phone".repeat(100), "203.0.113.1", { email, password });
    await at("Thief", "203.0.113.2", { email, password: "wrong" });
    await at("Thief 2", "203.0.113.2", { email, password: "wrong" });
    await at("Thief", "203.0.113.2", { email: "nobody@example.com", password });
    const { url } = await app.deps.database.transaction((tx) =>
      makePasswordLink(tx, { publicUrl: app.url, userId: id, createdBy: null }),
    );
    await app.request("POST", "/api/password-link", {
      body: { token: url.split("#")[1], newPassword: "quite-another-one" },
      headers: { "x-forwarded-for": "203.0.113.3", "user-agent": "Tablet" },
    });
    const again = await at("Tablet", "203.0.113.3", { email, password: "quite-another-one" });
    const cookie = cookiesOf(again)[0]?.split(";")[0] ?? "";
    const { body } = await app.request("GET", "/api/sign-ins", { cookie });
    expect(body.map(({ id: _, at: __, ...facts }: { id: number; at: string }) => facts)).toEqual([
      { refused: false, by: "password", count: 1, address: "203.0.113.3", userAgent: "Tablet" },
      { refused: false, by: "link", count: 1, address: "203.0.113.3", userAgent: "Tablet" },
      { refused: true, by: "password", count: 2, address: "203.0.113.2", userAgent: "Thief 2" },
      { refused: false, by: "password", count: 1, address: "203.0.113.1", userAgent: "Phone".repeat(60) },
      { refused: false, by: "password", count: 1, address: "127.0.0.1", userAgent: expect.any(String) },
    ]);

    await sql(
      `insert into audit_log (action, subject, data) select 'sign-in-failed', $1, '{"address":"203.0.113.9","count":1}' from generate_series(1, 30)`,
      [`user:${id}`],
    );
    await sql(
      "update audit_log set at = now() - interval '91 days' where user_id = $1 and data->>'address' = '127.0.0.1'",
      [id],
    );
    const { body: crowded } = await app.request("GET", "/api/sign-ins", { cookie });
    expect(
      crowded.map(({ refused }: { refused: boolean }) => refused).filter((is: boolean) => is),
    ).toHaveLength(20);
    expect(crowded.filter(({ refused }: { refused: boolean }) => !refused)).toHaveLength(3);
    const other = await app.signIn();
    expect((await other.get("/api/sign-ins")).body).toHaveLength(1);
  });
});

describe("failed sign-ins in the audit log", () => {
  const entries = async (subject: string | null) =>
    (
      await sql(
        "select user_id, data from audit_log where action = 'sign-in-failed' and subject is not distinct from $1 order by id",
        [subject],
      )
    ).rows;

  it("are one entry for an account and an address, with a count", async () => {
    const user = await buildUser(app.deps.database);
    const guess = (from: string) => send({ email: user.email.toUpperCase(), password: "wrong", from });
    await Promise.all([guess("203.0.113.1"), guess("203.0.113.1"), guess("203.0.113.2")]);
    await guess("203.0.113.1");
    const found = await entries(`user:${user.id}`);
    expect(found.map(({ user_id, data }) => [user_id, data.address, data.count]).sort()).toEqual([
      [null, "203.0.113.1", 3],
      [null, "203.0.113.2", 1],
    ]);
    const admin = await app.signIn({ role: "admin" });
    const shown = await admin.get(`/api/admin/audit?limit=10&action=sign-in&subject=user:${user.id}`);
    expect(shown.body).toHaveLength(2);
  });

  it("store nothing that was typed for an unknown address, and are limited in number", async () => {
    const from = "203.0.113.77";
    await send({ email: "my-secret-password", password: "x", from });
    await send({ email: "nobody@example.com", password: "x", from });
    const mine = (await entries(null)).filter(({ data }) => data.address === from);
    expect(mine.map(({ data }) => [data.account, data.count])).toEqual([["unknown", 2]]);
    const { rows } = await sql("select count(*)::int as n from audit_log where data::text ~ 'secret|nobody'");
    expect(rows[0].n).toBe(0);
    await sql(
      `insert into audit_log (action, data) select 'sign-in-failed', jsonb_build_object('address', 'a' || n, 'count', 1)
       from generate_series(1, 200) n`,
    );
    for (const other of ["203.0.113.78", "203.0.113.79"])
      await send({ email: "n@example.com", password: "x", from: other });
    const gathered = (await entries(null)).filter(({ data }) => data.address === "other addresses");
    expect(gathered.map(({ data }) => data.count)).toEqual([2]);
  });
});
