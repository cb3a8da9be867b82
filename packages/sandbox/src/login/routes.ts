import { createPublicKey, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { LOGIN_CLIENT_ID, LOGIN_CLIENT_SECRET } from "../defaults.ts";
import type { Faults } from "../faults.ts";
import { checkVerifier, isRegistered, OAuthError } from "../oauth.ts";
import { chooserPage, loginFaultPage, signedOutPage } from "./chooser-page.ts";
import { claimsOf, clientOfHint, idToken, KEY_ID } from "./id-token.ts";
import type { LoginData } from "./login-data.ts";
import type { Person } from "./people.ts";

type Params = Record<string, string | undefined>;
type Input = Pick<FastifyRequest, "headers" | "host">;

const COOKIE = "sandbox-login";
const html = "text/html; charset=utf-8";

/** The issuer has the host of the request, by name or by number. */
const issuerOf = ({ host }: Pick<FastifyRequest, "host">) => `http://${host}/login`;

/** The simulated login provider: OpenID Connect Core 1.0, the code flow with PKCE, Discovery, RP-Initiated Logout. */
export function loginRoutes(data: LoginData, faults: Faults, portalUrl: string | null) {
  return async (app: FastifyInstance): Promise<void> => {
    faults.guard(app, "login", (status) => ({
      error: "server_error",
      error_description: `Status ${status}`,
    }));
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
      error instanceof OAuthError
        ? reply.code(error.statusCode).send(error.body)
        : reply.code(error.statusCode ?? 500).send({ error: "server_error" }),
    );
    app.addHook("onSend", async (_request, reply) => {
      reply.header("cache-control", "no-store").header("x-frame-options", "DENY");
    });

    app.get("/.well-known/openid-configuration", async (request) => metadata(issuerOf(request)));

    app.get("/jwks", async () => {
      const { kty, n, e } = createPublicKey({ key: data.key(), format: "jwk" }).export({ format: "jwk" });
      return { keys: [{ kty, n, e, kid: KEY_ID, use: "sig", alg: "RS256" }] };
    });

    app.get<{ Querystring: Params }>("/authorize", async (request, reply) => {
      const { query } = request;
      const fault = faultOf(query, portalUrl);
      if (fault) return reply.code(400).type(html).send(loginFaultPage(fault));
      const signedIn = query.prompt === "login" ? undefined : data.person(cookieOf(request));
      if (signedIn)
        return reply.redirect(returnTo(request, query, { code: codeFor(data, query, signedIn) }), 302);
      if (query.prompt === "none")
        return reply.redirect(returnTo(request, query, { error: "login_required" }), 302);
      return reply.type(html).send(chooserPage(data.people(), request.url.split("?")[1] ?? ""));
    });

    app.post<{ Body: Params | null }>("/choose", async (request, reply) => {
      const query: Params = Object.fromEntries(new URLSearchParams(request.body?.request ?? ""));
      const person = data.person(request.body?.person);
      const fault = faultOf(query, portalUrl);
      if (fault) return reply.code(400).type(html).send(loginFaultPage(fault));
      if (!person) return reply.redirect(returnTo(request, query, { error: "access_denied" }), 302);
      reply.header(
        "set-cookie",
        `${COOKIE}=${encodeURIComponent(person.sub)}; Path=/login; HttpOnly; SameSite=Lax`,
      );
      return reply.redirect(returnTo(request, query, { code: codeFor(data, query, person) }), 302);
    });

    app.post<{ Body: Params | null }>("/token", async (request) => {
      const given = request.body ?? {};
      checkClient(given, request.headers.authorization);
      if (given.grant_type !== "authorization_code")
        throw new OAuthError("unsupported_grant_type", `Not taken: ${given.grant_type}`);
      const code = data.takeCode(given.code);
      const person = data.person(code?.sub);
      if (!code || !person || given.redirect_uri !== code.redirectUri)
        throw new OAuthError("invalid_grant", "The code is used, too old, or another client's.");
      checkVerifier(code.codeChallenge, given.code_verifier);
      const { token, expiresIn } = data.newAccessToken(person.sub);
      const fault = data.faults.shift();
      return {
        access_token: token,
        token_type: "Bearer",
        expires_in: expiresIn,
        scope: code.scope,
        id_token: idToken({ issuer: issuerOf(request), person, code, key: data.key(), fault }),
      };
    });

    app.get("/userinfo", async (request) => {
      const person = data.personOfAccess(request.headers.authorization?.replace(/^Bearer /i, "") ?? "");
      if (!person) throw new OAuthError("invalid_token", "The access token is not known, or too old.", 401);
      return { sub: person.sub, ...claimsOf(person, "profile email") };
    });

    app.get<{ Querystring: Params }>("/end-session", async ({ query }, reply) => {
      reply.header("set-cookie", `${COOKIE}=; Path=/login; HttpOnly; SameSite=Lax; Max-Age=0`);
      const { post_logout_redirect_uri: back, state, id_token_hint: hint } = query;
      if (!back || clientOfHint(hint) !== LOGIN_CLIENT_ID || !isRegistered(back, portalUrl))
        return reply.type(html).send(signedOutPage());
      const url = new URL(back);
      if (state !== undefined) url.searchParams.set("state", state);
      return reply.redirect(url.href, 302);
    });
  };
}

function metadata(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    end_session_endpoint: `${issuer}/end-session`,
    scopes_supported: ["openid", "email", "profile"],
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    claims_supported: ["sub", "name", "email", "email_verified"],
    authorization_response_iss_parameter_supported: true,
  };
}

/** The error that the provider shows on its own page, because it must not redirect with it; null if there is none. */
function faultOf(query: Params, portalUrl: string | null): string | null {
  if (query.client_id !== LOGIN_CLIENT_ID) return "The client is not known.";
  if (!isRegistered(query.redirect_uri ?? "", portalUrl)) return "The redirect address is not registered.";
  if (query.response_type !== "code") return "Only the code flow is offered.";
  if (!query.scope?.split(" ").includes("openid")) return "The scope openid is missing.";
  if (query.code_challenge && query.code_challenge_method !== "S256") return "Only S256 is taken.";
  return null;
}

/** The redirect with the response, the client's state and the issuer (RFC 9207). */
function returnTo(request: Input, query: Params, answer: Record<string, string>): string {
  const url = new URL(String(query.redirect_uri));
  const all = { ...answer, ...(query.state !== undefined && { state: query.state }), iss: issuerOf(request) };
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
  return url.href;
}

function codeFor(data: LoginData, query: Params, { sub }: Person): string {
  return data.newCode({
    sub,
    redirectUri: String(query.redirect_uri),
    nonce: query.nonce ?? null,
    codeChallenge: query.code_challenge ?? null,
    scope: String(query.scope),
  });
}

function cookieOf({ headers }: Input): string | undefined {
  const value = new RegExp(`(?:^|; )${COOKIE}=([^;]*)`).exec(headers.cookie ?? "")?.[1];
  return value && decodeURIComponent(value);
}

/** Checks the client's credentials in header or body (RFC 6749 §2.3.1). Errors: `OAuthError`. */
function checkClient(given: Params, authorization: string | undefined): void {
  const basic = /^Basic (.+)$/i.exec(authorization ?? "")?.[1];
  const [id, secret] = basic
    ? Buffer.from(basic, "base64").toString().split(":", 2).map(decodeURIComponent)
    : [given.client_id, given.client_secret];
  const sent = Buffer.from(secret ?? "");
  const wanted = Buffer.from(LOGIN_CLIENT_SECRET);
  if (id !== LOGIN_CLIENT_ID || sent.length !== wanted.length || !timingSafeEqual(sent, wanted))
    throw new OAuthError("invalid_client", "The client is not known, or its secret is another.", 401);
}
