import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LoginFailure, type LoginProvider } from "../../ports/login-provider.ts";
import { createOpenIdProvider } from "./login-provider.ts";

const own = generateKeyPairSync("rsa", { modulusLength: 2048 });
const other = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The issuer's responses in a test: claims and signature of the ID token, and statuses of its endpoints. */
const answers = {
  claims: {} as Record<string, unknown>,
  header: { alg: "RS256", kid: "own" } as Record<string, string>,
  key: own.privateKey,
  token: null as { status: number; body: object } | null,
  userInfo: {} as object,
};
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function idToken(): string {
  const text = `${part(answers.header)}.${part(answers.claims)}`;
  const signature =
    answers.header.alg === "none" ? "" : sign("sha256", Buffer.from(text), answers.key).toString("base64url");
  return `${text}.${signature}`;
}

let issuer = "";
let provider: LoginProvider;
let tokenRequests: { authorization: string | undefined; body: URLSearchParams }[] = [];
const server = createServer(async (request, response) => {
  let sent = "";
  for await (const chunk of request) sent += chunk;
  const pages: Record<string, () => [number, object]> = {
    "/.well-known/openid-configuration": () => [
      200,
      {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ["RS256"],
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
      },
    ],
    "/keys": () => [
      200,
      { keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "own", use: "sig", alg: "RS256" }] },
    ],
    "/userinfo": () => [200, answers.userInfo],
    "/token": () => {
      tokenRequests.push({ authorization: request.headers.authorization, body: new URLSearchParams(sent) });
      if (answers.token) return [answers.token.status, answers.token.body];
      return [200, { access_token: "access", token_type: "Bearer", expires_in: 60, id_token: idToken() }];
    },
  };
  const [status, body] = pages[request.url ?? ""]?.() ?? [404, {}];
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
});

const options = {
  clientId: "portal",
  clientSecret: "secret",
  name: "Hostile",
  passwordPage: null,
  redirectUri: "http://127.0.0.1:5999/api/login/callback",
  signedOutUri: "http://127.0.0.1:5999/",
};
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  provider = createOpenIdProvider({ ...options, issuer });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

/** Begins a sign-in and completes it with responses that are valid except for `changes`. */
async function attempt(changes: Partial<typeof answers> = {}, search: Record<string, string> = {}) {
  const { url, secrets } = await provider.begin();
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, sub: "person", aud: "portal", iat: now, exp: now + 60, nonce: secrets.nonce };
  Object.assign(answers, {
    header: { alg: "RS256", kid: "own" },
    key: own.privateKey,
    token: null,
    userInfo: { sub: "person" },
  });
  Object.assign(answers, changes, { claims: { ...claims, ...changes.claims } });
  tokenRequests = [];
  const query = new URLSearchParams({ code: "code", state: secrets.state, ...search });
  const outcome = await provider.finish(`?${query}`, secrets).catch((error: unknown) => {
    if (error instanceof LoginFailure) return error.code;
    throw error;
  });
  return { url: new URL(url), secrets, outcome };
}

describe("an OpenID Connect provider", () => {
  it("receives state, nonce and PKCE challenge, then the verifier with the client secret", async () => {
    const { url, secrets, outcome } = await attempt({
      claims: { email: "a@example.com", email_verified: true },
    });
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: "portal",
      redirect_uri: options.redirectUri,
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge_method: "S256",
    });
    expect(url.href).not.toContain(secrets.verifier);
    expect(tokenRequests[0]?.authorization).toMatch(/^Basic /);
    expect(tokenRequests[0]?.body.get("code_verifier")).toBe(secrets.verifier);
    expect(outcome).toMatchObject({ issuer, subject: "person", verifiedEmail: "a@example.com" });
  });

  it("verifies an email address only by email_verified true in the same source", async () => {
    const outcomeOf = async (claims: object, userInfo = {}) =>
      (await attempt({ claims: { ...claims }, userInfo })).outcome;
    expect(await outcomeOf({ email: "a@example.com" })).toMatchObject({ verifiedEmail: null });
    expect(
      await outcomeOf(
        { email: "a@example.com" },
        { sub: "person", email: "a@example.com", email_verified: true },
      ),
    ).toMatchObject({ verifiedEmail: null });
    expect(
      await outcomeOf({}, { sub: "person", email: "b@example.com", email_verified: true }),
    ).toMatchObject({
      verifiedEmail: "b@example.com",
    });
    expect(await outcomeOf({}, { sub: "somebody else", email: "b@example.com", email_verified: true })).toBe(
      "answer_invalid",
    );
  });

  it.each([
    ["a wrong nonce", { claims: { nonce: "another" } }],
    ["no nonce", { claims: { nonce: undefined } }],
    ["a token of another issuer", { claims: { iss: "https://other.example.com" } }],
    ["a token for another client", { claims: { aud: "somebody-else" } }],
    ["an expired token", { claims: { exp: 1_000_000_000 } }],
    ["a token signed by another key", { key: other.privateKey }],
    ["a token without a signature", { header: { alg: "none" } }],
    ["a used code", { token: { status: 400, body: { error: "invalid_grant" } } }],
  ])("rejects %s", async (_name, changes: Partial<typeof answers>) => {
    expect((await attempt(changes)).outcome).toBe("answer_invalid");
    expect(tokenRequests).toHaveLength(1);
  });

  it("requests no token when the state or the issuer of the response differs", async () => {
    expect((await attempt({}, { state: "another" })).outcome).toBe("answer_invalid");
    expect((await attempt({}, { iss: "https://other.example.com" })).outcome).toBe("answer_invalid");
    expect(tokenRequests).toHaveLength(0);
  });

  it("distinguishes a denial from an unavailable provider", async () => {
    expect((await attempt({}, { error: "access_denied" })).outcome).toBe("provider_refused");
    expect((await attempt({}, { error: "temporarily_unavailable" })).outcome).toBe("provider_unavailable");
    const client = { status: 401, body: { error: "invalid_client" } };
    expect((await attempt({ token: client })).outcome).toBe("provider_refused");
    expect((await attempt({ token: { status: 502, body: {} } })).outcome).toBe("provider_unavailable");
    const wrong = createOpenIdProvider({ ...options, issuer: `${issuer}/another` });
    await expect(wrong.begin()).rejects.toMatchObject({ code: "answer_invalid" });
  });
});
