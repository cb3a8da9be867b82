import * as openid from "openid-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { LOGIN_CLIENT_ID, LOGIN_CLIENT_SECRET } from "../defaults.ts";
import { temporarySandbox } from "../testing/temporary-sandbox.ts";
import { tokenFaults } from "./login-data.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const redirectUri = "http://localhost:5000/api/login/callback";
let sandbox: Awaited<ReturnType<typeof temporarySandbox>>;
let config: openid.Configuration;

beforeAll(async () => {
  sandbox = await temporarySandbox();
  config = await openid.discovery(
    new URL(`${sandbox.url}/login`),
    LOGIN_CLIENT_ID,
    undefined,
    openid.ClientSecretBasic(LOGIN_CLIENT_SECRET),
    { execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks] },
  );
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control("POST", "/reset"));

const secrets = { expectedState: "the-state", expectedNonce: "the-nonce", pkceCodeVerifier: "v".repeat(43) };

async function address(changes: Record<string, string> = {}): Promise<URL> {
  return openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid email profile",
    state: secrets.expectedState,
    nonce: secrets.expectedNonce,
    code_challenge: await openid.calculatePKCECodeChallenge(secrets.pkceCodeVerifier),
    code_challenge_method: "S256",
    ...changes,
  });
}

/** Chooses a person on the page, or cancels; returns the redirect and the cookie. */
async function choose(person: string | null) {
  const asked = await address();
  expect(await (await fetch(asked)).text()).toContain("luis@portal.test");
  const body = new URLSearchParams({ request: asked.search.slice(1), ...(person && { person }) });
  const answer = await fetch(`${sandbox.url}/login/choose`, { method: "POST", body, redirect: "manual" });
  return { back: new URL(String(answer.headers.get("location"))), cookie: answer.headers.getSetCookie()[0] };
}

const redeem = (back: URL, changed: Partial<typeof secrets> = {}) =>
  openid.authorizationCodeGrant(config, back, { ...secrets, ...changed });

describe("the login provider", () => {
  test("signs in the chosen person, remembers them, and signs them out", async () => {
    const { back, cookie } = await choose("login-ana");
    const answer = await redeem(back);
    const claimed = { sub: "login-ana", name: "Ana Torres", email: "ana@portal.test", email_verified: true };
    expect(answer.claims()).toMatchObject({ ...claimed, iss: `${sandbox.url}/login`, aud: "portal" });
    expect(await openid.fetchUserInfo(config, answer.access_token, "login-ana")).toMatchObject(claimed);

    const again = await fetch(await address(), {
      headers: { cookie: String(cookie?.split(";")[0]) },
      redirect: "manual",
    });
    const returned = new URL(String(again.headers.get("location")));
    expect((await redeem(returned)).claims()?.sub).toBe("login-ana");
    const out = await fetch(
      openid.buildEndSessionUrl(config, {
        id_token_hint: String(answer.id_token),
        post_logout_redirect_uri: "http://localhost:5000/",
      }),
      { redirect: "manual" },
    );
    expect(out.headers.get("location")).toBe("http://localhost:5000/");
    expect(out.headers.getSetCookie()[0]).toMatch(/sandbox-login=;.*Max-Age=0/);
  });

  test("accepts a code once, with its verifier, and from its own client only", async () => {
    const { back } = await choose("login-luis");
    await redeem(back);
    await expect(redeem(back)).rejects.toMatchObject({ error: "invalid_grant" });
    const { back: other } = await choose("login-luis");
    await expect(redeem(other, { pkceCodeVerifier: "w".repeat(43) })).rejects.toMatchObject({
      error: "invalid_grant",
    });
    const { back: third } = await choose("login-luis");
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: String(third.searchParams.get("code")),
      redirect_uri: redirectUri,
      client_id: LOGIN_CLIENT_ID,
      client_secret: "another",
    });
    expect((await fetch(`${sandbox.url}/login/token`, { method: "POST", body })).status).toBe(401);
  });

  test("redirects only to the portal's address; Cancel is a denial", async () => {
    for (const redirect_uri of [
      "https://evil.example.com/",
      "javascript:alert(1)",
      "http://localhost.evil.com/",
    ])
      expect((await fetch(await address({ redirect_uri }), { redirect: "manual" })).status).toBe(400);
    const { back } = await choose(null);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: "access_denied",
      state: "the-state",
    });
  });

  test.each(tokenFaults.filter((fault) => fault !== "unverified"))(
    "fails once on demand: %s",
    async (fault) => {
      await sandbox.control("POST", "/login/tokens", { fault });
      await expect(redeem((await choose("login-ana")).back)).rejects.toThrow();
      expect((await redeem((await choose("login-ana")).back)).claims()?.sub).toBe("login-ana");
    },
  );

  test("reports people as the control API sets them, and an unverified address on request", async () => {
    await sandbox.control("POST", "/login/people", { sub: "login-ana", email: "married@example.com" });
    expect((await redeem((await choose("login-ana")).back)).claims()).toMatchObject({
      email: "married@example.com",
      email_verified: true,
    });
    await sandbox.control("POST", "/login/tokens", { fault: "unverified" });
    expect((await redeem((await choose("login-ana")).back)).claims()?.email_verified).toBe(false);
    await sandbox.control("POST", "/fail", { vendor: "login", match: "token", status: 503 });
    await expect(redeem((await choose("login-ana")).back)).rejects.toThrow();
  });
});
