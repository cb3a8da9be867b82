import type { LoginError } from "@portal/contract/routes/auth";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildUser } from "../../../testing/factories.ts";
import { type Person, startLoginServer } from "../../../testing/login-server.ts";
import { buildTestApp, type TestApp } from "../../../testing/test-app.ts";
import { totpCode } from "../../../testing/totp.ts";
import { makePasswordLink } from "./change-password.ts";
import { signInWays } from "./list-sign-ins.ts";

const portal = "http://127.0.0.1:5999";
let login: Awaited<ReturnType<typeof startLoginServer>>;
let app: TestApp;
beforeAll(async () => {
  login = await startLoginServer(portal);
  app = await buildTestApp({ env: login.env });
});
afterAll(async () => {
  await app.close();
  await login.close();
});

const query = (text: string, values: unknown[] = []) => app.deps.database.db.$client.query(text, values);

/** A browser: cookies by host; requests to the portal go to the app. */
function openBrowser() {
  const jars = new Map<string, Map<string, string>>();

  function keep(jar: Map<string, string>, headers: string[]) {
    for (const header of headers) {
      const [pair = "", ...attributes] = header.split(";");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      const ended =
        value === "" || attributes.some((text) => /max-age=0|expires=thu, 01 jan 1970/i.test(text));
      if (ended) jar.delete(name);
      else jar.set(name, value);
    }
  }

  async function send(address: string, form?: Record<string, string>) {
    const url = new URL(address, portal);
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    if (url.origin === portal) {
      const answer = await app.app.inject({ url: url.pathname + url.search, headers: { cookie } });
      keep(jar, [answer.headers["set-cookie"] ?? []].flat());
      return { status: answer.statusCode, location: answer.headers.location ?? null, text: answer.body };
    }
    const answer = await fetch(url, {
      headers: { cookie },
      redirect: "manual",
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    keep(jar, answer.headers.getSetCookie());
    return { status: answer.status, location: answer.headers.get("location"), text: await answer.text() };
  }

  /** Follows redirects until one matches `ends`, and returns its address; fails if a page is returned before. */
  async function follow(start: string, ends: (url: URL) => boolean): Promise<URL> {
    let at = new URL(start, portal);
    for (let hops = 0; hops < 12; hops += 1) {
      const { status, location, text } = await send(at.href);
      if (!location) throw new Error(`${at.href} answered ${status}: ${text.slice(0, 300)}`);
      at = new URL(location, at);
      if (ends(at)) return at;
    }
    throw new Error("no end of redirects");
  }

  return {
    jar: () => jars.get(new URL(portal).host) ?? new Map<string, string>(),
    send,
    follow,
    /** Signs in up to the callback, which is not sent yet. */
    toCallback: () => follow("/api/login", (url) => url.pathname === "/api/login/callback"),
    /** Signs in completely; returns the portal's page at the end. */
    async signIn(from = "/") {
      const landed = await follow(
        `/api/login?from=${encodeURIComponent(from)}`,
        (url) => url.origin === portal && !url.pathname.startsWith("/api/"),
      );
      return landed.pathname + landed.search;
    },
    async user() {
      const { status, text } = await send("/api/current-user");
      return status === 200 ? (JSON.parse(text) as { id: number; email: string }) : null;
    },
  };
}

const failed = (code: LoginError) => `/?login_error=${code}`;

let count = 0;
/** An account with an email given by an administrator, and a person at the provider. */
async function pair(person: Partial<Person> = {}, user: Parameters<typeof buildUser>[1] = {}) {
  count += 1;
  const sub = `subject-${count}`;
  const account = await buildUser(app.deps.database, user);
  await query("update users set given_email = email where id = $1", [account.id]);
  login.people.set(sub, { email: account.email.toUpperCase(), email_verified: true, ...person });
  login.signIn(sub);
  return { sub, account };
}

describe("the external login provider", () => {
  it("does not bypass a second factor that the user set up here", async () => {
    const { account } = await pair();
    const first = openBrowser();
    await first.signIn();
    const cookie = `portal=${first.jar().get("portal")}`;
    const begun = await app.request("POST", "/api/second-factor/totp", {
      cookie,
      body: { password: account.password },
    });
    const { secret } = begun.body;
    await app.request("POST", "/api/second-factor/totp/confirm", {
      cookie,
      body: { code: totpCode(secret) },
    });
    const browser = openBrowser();
    expect(await browser.signIn("/calendar")).toBe("/calendar");
    expect(JSON.parse((await browser.send("/api/current-user")).text)).toMatchObject({
      code: "second_factor_needed",
    });
    expect([...browser.jar().keys()]).toEqual(["portal"]);
    const waiting = `portal=${browser.jar().get("portal")}`;
    const body = { code: totpCode(secret, 1) };
    const signedIn = await app.request("POST", "/api/second-factor/verify", { cookie: waiting, body });
    expect(signedIn).toMatchObject({ status: 200, body: { user: { id: account.id } } });
    // Signing out still redirects to the provider.
    const { rows } = await query(
      "select provider_token is not null as kept from sessions where user_id = $1 order by id desc limit 1",
      [account.id],
    );
    expect(rows).toEqual([{ kept: true }]);
  });

  it("is offered, and signs in a user whose address an administrator set", async () => {
    const { account } = await pair();
    const options = await app.request("GET", "/api/sign-in-options");
    expect(options.body).toEqual({ password: true, provider: { name: "Test Login" } });
    const browser = openBrowser();
    expect(await browser.signIn()).toBe("/");
    expect(await browser.user()).toMatchObject({ id: account.id });
    expect([...browser.jar().keys()]).toEqual(["portal", "portal-device"]);
    expect(await signInWays(app.deps, account.id)).toEqual({
      password: false,
      provider: { name: "Test Login", linked: true, canUnlink: true, passwordPage: null },
    });
    const passwords = { currentPassword: account.password, newPassword: "another-password-9" };
    const cookie = `portal=${browser.jar().get("portal")}`;
    const change = await app.request("PATCH", "/api/change-password", { cookie, body: passwords });
    expect(change.body.code).toBe("passwords_off");
    const { rows } = await query(
      "select action from audit_log where user_id = $1 and action like 'sign-in%' order by id",
      [account.id],
    );
    expect(rows.map(({ action }) => action)).toEqual(["sign-in-linked", "sign-in"]);
    const { body: signIns } = await app.request("GET", "/api/sign-ins", { cookie });
    expect(signIns).toMatchObject([{ by: "provider", refused: false, address: "127.0.0.1" }]);
  });

  it("identifies users by issuer and subject, whatever their address becomes, and sends administrators to /admin", async () => {
    const { sub, account } = await pair({}, { role: "admin" });
    expect(await openBrowser().signIn()).toBe("/admin");
    login.people.set(sub, { email: "married@example.com", email_verified: false });
    const browser = openBrowser();
    expect(await browser.signIn()).toBe("/admin");
    expect(await browser.user()).toMatchObject({ id: account.id });
    // The provider has since given the old address to somebody else.
    login.people.set("successor", { email: account.email, email_verified: true });
    login.signIn("successor");
    expect(await openBrowser().signIn()).toBe(failed("unknown_user"));
  });

  it("never matches an address that the user set themselves, or one that the provider did not verify", async () => {
    const victim = "boss@example.com";
    const { account, sub } = await pair({ email: victim });
    await query("update users set email = $2 where id = $1", [account.id, victim]);
    expect(await openBrowser().signIn()).toBe(failed("unknown_user"));
    for (const email_verified of [false, "true", undefined]) {
      login.people.set(sub, {
        email: account.email,
        ...(email_verified !== undefined && ({ email_verified } as Person)),
      });
      expect(await openBrowser().signIn()).toBe(failed("unknown_user"));
    }
    login.people.set(sub, { email: account.email, email_verified: true });
    expect(await openBrowser().signIn()).toBe("/");
  });

  it("links nobody when an address is used twice, and one of two concurrent users", async () => {
    const { account } = await pair();
    const other = await buildUser(app.deps.database);
    await query("update users set given_email = $2 where id = $1", [other.id, account.email]);
    expect(await openBrowser().signIn()).toBe(failed("unknown_user"));
    await query("update users set given_email = null where id = $1", [other.id]);
    const first = openBrowser();
    const second = openBrowser();
    const firstReturn = await first.toCallback();
    login.people.set("twin", { email: account.email, email_verified: true });
    login.signIn("twin");
    const secondReturn = await second.toCallback();
    const landed = await Promise.all([first.send(firstReturn.href), second.send(secondReturn.href)]);
    expect(landed.map(({ location }) => location).sort()).toEqual(["/", failed("unknown_user")]);
  });

  it("rejects a closed account, linked or not", async () => {
    const { account } = await pair();
    expect(await openBrowser().signIn()).toBe("/");
    await query("update users set disabled_at = now() where id = $1", [account.id]);
    const browser = openBrowser();
    expect(await browser.signIn()).toBe(failed("unknown_user"));
    expect(await browser.user()).toBeNull();
    const { account: unlinked } = await pair();
    await query("update users set disabled_at = now() where id = $1", [unlinked.id]);
    expect(await openBrowser().signIn()).toBe(failed("unknown_user"));
  });

  it("accepts each callback once, from the browser that started it", async () => {
    await pair();
    const browser = openBrowser();
    const back = await browser.toCallback();
    const kept = new Map(browser.jar());
    expect((await openBrowser().send(back.href)).location).toBe(failed("answer_invalid"));
    const stranger = openBrowser();
    await stranger.toCallback();
    expect((await stranger.send(back.href)).location).toBe(failed("answer_invalid"));
    expect((await browser.send(back.href)).location).toBe("/");
    // Repeats the callback: without its cookie, which has been deleted, and with it.
    expect((await browser.send(back.href)).location).toBe(failed("answer_invalid"));
    for (const [name, value] of kept) browser.jar().set(name, value);
    expect((await browser.send(back.href)).location).toBe(failed("answer_invalid"));
    const forged = await browser.toCallback();
    forged.searchParams.set("state", "another");
    expect((await browser.send(forged.href)).location).toBe(failed("answer_invalid"));
    const mixed = await browser.toCallback();
    mixed.searchParams.set("iss", "https://other.example.com");
    expect((await browser.send(mixed.href)).location).toBe(failed("answer_invalid"));
  });

  it("reports that the provider denied the sign-in", async () => {
    login.signIn(null);
    expect(await openBrowser().signIn("/calendar")).toBe(failed("provider_refused"));
  });

  it("returns to the previous page, never to another site", async () => {
    await pair();
    const browser = openBrowser();
    expect(await browser.signIn("/call-history?outcome=busy")).toBe("/call-history?outcome=busy");
    const others = [
      "https://evil.example.com/",
      "//evil.example.com",
      "/\\evil.example.com",
      "/x/..//evil.example.com",
    ];
    for (const from of [...others, "javascript:alert(1)", "/api/logout", "/%2e./api/logout"])
      expect(await browser.signIn(from)).toBe("/");
  });

  it("signs out at both, and ends the browser's previous session", async () => {
    const { account } = await pair();
    const browser = openBrowser();
    await browser.signIn();
    const before = browser.jar().get("portal");
    const asked = login.questions();
    await browser.signIn();
    expect(login.questions()).toBe(asked);
    expect(browser.jar().get("portal")).not.toBe(before);
    const { rows } = await query("select provider_token from sessions where user_id = $1", [account.id]);
    expect(rows).toHaveLength(1);
    expect(rows[0].provider_token).toMatch(/^v1:/);

    const page = await browser.send("/api/logout");
    expect(page.location).toContain(`${login.issuer}/session/end?`);
    const form = await browser.send(String(page.location));
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(form.text)?.[1] ?? "";
    const out = await browser.send(`${login.issuer}/session/end/confirm`, { xsrf, logout: "yes" });
    expect(out.location).toBe(`${portal}/`);
    expect(await browser.user()).toBeNull();
    await browser.signIn();
    expect(login.questions()).toBe(asked + 1);
    const byPassword = await app.signIn();
    expect((await byPassword.get("/api/logout")).headers.location).toBe("/");
  });

  it("is unlinked by the owner with the local password, or by an administrator, which ends its sessions", async () => {
    const admin = await app.signIn({ role: "admin" });
    const { account } = await pair();
    const [one, other] = [openBrowser(), openBrowser()];
    await one.signIn();
    await other.signIn();
    const cookie = `portal=${one.jar().get("portal")}`;
    const end = (currentPassword: string) =>
      app.request("POST", "/api/login-link/end", { cookie, body: { currentPassword } });
    expect((await end("wrong")).body.code).toBe("current_password_wrong");
    expect(await other.user()).not.toBeNull();
    expect((await end(account.password)).status).toBe(200);
    expect(await one.user()).toMatchObject({ id: account.id });
    expect(await other.user()).toBeNull();
    expect((await end(account.password)).body.code).toBe("not_found");
    expect(await signInWays(app.deps, account.id)).toMatchObject({
      password: true,
      provider: { linked: false, canUnlink: false },
    });

    // Another person has the address there now, and so gets the account.
    login.people.set("next", { email: account.email, email_verified: true });
    login.signIn("next");
    const third = openBrowser();
    expect(await third.signIn()).toBe("/");
    const path = `/api/team/${account.id}/login-link`;
    expect((await app.request("DELETE", path)).status).toBe(401);
    expect((await app.request("DELETE", path, { cookie })).status).toBe(403);
    expect((await admin.delete(`/api/team/${admin.user.id}/login-link`)).body.code).toBe("invalid");
    expect((await admin.delete(path)).body).toMatchObject({ linked: false, sessions: 0 });
    expect((await admin.delete(path)).status).toBe(200);
    expect([await one.user(), await third.user()]).toEqual([null, null]);
    const { rows } = await query(
      "select user_id, action, data->>'was' as was from audit_log where subject = $1 and action like '%unlinked' order by id",
      [`user:${account.id}`],
    );
    expect(rows).toMatchObject([
      { user_id: account.id, action: "sign-in-unlinked" },
      { user_id: admin.user.id, action: "member-unlinked", was: `next @ ${login.issuer}` },
    ]);
  });

  it("creates no session for a user who is unlinked during the sign-in", async () => {
    const { account } = await pair();
    await openBrowser().signIn();
    const browser = openBrowser();
    const back = await browser.toCallback();
    // The session cannot be written until the link has been deleted.
    const { pool } = app.deps.database;
    const unlink = await pool.connect();
    try {
      await unlink.query("begin");
      await unlink.query("lock table sessions in share row exclusive mode");
      const landing = browser.send(back.href);
      await vi.waitFor(async () => {
        const waiting = "select 1 from pg_locks where not granted and relation = 'sessions'::regclass";
        expect((await pool.query(waiting)).rowCount).toBe(1);
      }, 50_000);
      await unlink.query("delete from accounts where user_id = $1 and provider_id <> 'credential'", [
        account.id,
      ]);
      await unlink.query("delete from sessions where user_id = $1", [account.id]);
      await unlink.query("commit");
      expect((await landing).location).toBe(failed("unknown_user"));
    } finally {
      unlink.release();
    }
    expect((await query("select 1 from sessions where user_id = $1", [account.id])).rowCount).toBe(0);
  });

  it("removes no password when local passwords are disabled", async () => {
    const only = await buildTestApp({
      env: { ...login.env, LOCAL_PASSWORDS: "off" },
      databaseUrl: app.deps.env.databaseUrl,
    });
    try {
      const client = await app.signIn({ role: "admin" });
      const { email, password } = client.user;
      const { url } = await app.deps.database.transaction((tx) =>
        makePasswordLink(tx, { publicUrl: app.url, userId: client.user.id, createdBy: null }),
      );
      const token = new URL(url).hash.slice(1);
      const newPassword = "another-password-9";
      const off = { status: 409, body: { code: "passwords_off" } };
      const send = (path: string, body: object) => only.request("POST", path, { body });
      expect(await send("/api/login/local", { email, password })).toMatchObject(off);
      expect(await send("/api/admin/login", { email, password })).toMatchObject(off);
      expect(await send("/api/password-link/check", { token })).toMatchObject(off);
      expect(await send("/api/password-link", { token, newPassword })).toMatchObject(off);
      const change = { cookie: client.cookie, body: { currentPassword: password, newPassword } };
      expect(await only.request("PATCH", "/api/change-password", change)).toMatchObject(off);
      const unlink = { cookie: client.cookie, body: { currentPassword: password } };
      expect(await only.request("POST", "/api/login-link/end", unlink)).toMatchObject(off);
      expect((await only.request("GET", "/api/sign-in-options")).body.password).toBe(false);
    } finally {
      await only.close();
    }
  });

  it("reports that the provider is unavailable, and signs out without it", async () => {
    const { account } = await pair();
    const away = await startLoginServer(portal);
    const lost = await buildTestApp({ env: away.env, databaseUrl: app.deps.env.databaseUrl });
    try {
      await away.close();
      const { headers } = await lost.request("GET", "/api/login");
      expect(headers.location).toBe(failed("provider_unavailable"));
      const browser = openBrowser();
      await browser.signIn();
      const cookie = `portal=${browser.jar().get("portal")}`;
      expect((await lost.request("GET", "/api/logout", { cookie })).headers.location).toBe("/");
      const { rows } = await query("select 1 from sessions where user_id = $1", [account.id]);
      expect(rows).toHaveLength(0);
    } finally {
      await lost.close();
    }
  });

  it("is not found when none is configured", async () => {
    const client = await buildTestApp({ databaseUrl: app.deps.env.databaseUrl });
    expect((await client.request("GET", "/api/login")).status).toBe(404);
    expect((await client.request("GET", "/api/sign-in-options")).body).toEqual({
      password: true,
      provider: null,
    });
    await client.close();
  });
});
