import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } from "../defaults.ts";
import type { Faults } from "../faults.ts";
import { checkVerifier, isRegistered, OAuthError } from "../oauth.ts";
import { refusePage, showConsent } from "./consent-page.ts";
import type { AuthorizationCode, Grant, Params } from "./entities.ts";
import { googleFailure } from "./errors.ts";
import type { GoogleData } from "./google-data.ts";

const CODE_MS = 10 * 60_000;

/** Google's authorization server: consent, token, revocation. */
export function oauthRoutes(data: GoogleData, faults: Faults, portalUrl: string | null) {
  return async (app: FastifyInstance): Promise<void> => {
    faults.guard(app, "google", googleFailure);
    app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof OAuthError) return reply.code(error.statusCode).send(error.body);
      const status = error.statusCode ?? 500;
      return reply.code(status).send(googleFailure(status, request.url));
    });

    app.get<{ Querystring: Params }>("/o/oauth2/v2/auth", async ({ query }, reply) => {
      const fault = faultOf(query, portalUrl);
      reply.code(fault ? 400 : 200).type("text/html; charset=utf-8");
      reply.header("cache-control", "no-store").header("x-frame-options", "DENY");
      return fault ? refusePage(fault) : showConsent(query);
    });

    app.post<{ Body: Record<string, string | string[]> }>("/consent", async ({ body }, reply) => {
      const asked = Object.fromEntries(new URLSearchParams(String(body.request))) as Params;
      const fault = faultOf(asked, portalUrl);
      if (fault) return reply.code(400).type("text/html; charset=utf-8").send(refusePage(fault));
      const back = new URL(String(asked.redirect_uri));
      if (asked.state !== undefined) back.searchParams.set("state", asked.state);
      if (body.decision !== "allow") {
        back.searchParams.set("error", "access_denied");
        return reply.redirect(back.href, 302);
      }
      const scope = [body.scope ?? []].flat().join(" ");
      back.searchParams.set("code", newCode(data, asked, String(body.account).trim().toLowerCase(), scope));
      back.searchParams.set("scope", scope);
      return reply.redirect(back.href, 302);
    });

    app.post<{ Body: Params | null }>("/token", async ({ body }) => {
      const given = body ?? {};
      checkClient(given);
      if (given.grant_type === "authorization_code") return exchange(data, given);
      if (given.grant_type === "refresh_token") return refresh(data, given);
      throw new OAuthError("unsupported_grant_type", `Invalid grant_type: ${given.grant_type}`);
    });

    app.post<{ Querystring: Params; Body: Params | null }>("/revoke", async ({ query, body }) => {
      const token = query.token ?? body?.token ?? "";
      if (!data.revokeToken(token)) throw new OAuthError("invalid_token", "Token expired or revoked");
      return {};
    });
  };
}

/** The error that Google shows on its own page instead of asking for consent; null if there is none. */
function faultOf(query: Params, portalUrl: string | null): string | null {
  if (query.client_id !== GOOGLE_CLIENT_ID) return "Error 401: invalid_client";
  if (query.response_type !== "code") return "Error 400: unsupported_response_type";
  if (!isRegistered(query.redirect_uri ?? "", portalUrl)) return "Error 400: redirect_uri_mismatch";
  if (!query.scope) return "Error 400: invalid_scope";
  if (query.code_challenge && query.code_challenge_method !== "S256") return "Error 400: invalid_request";
  return null;
}

function newCode(data: GoogleData, asked: Params, account: string, scope: string): string {
  const code = `4/0A${randomBytes(32).toString("base64url")}`;
  const row: AuthorizationCode = {
    account,
    scope,
    redirectUri: String(asked.redirect_uri),
    codeChallenge: asked.code_challenge ?? null,
    // Only the first consent returns a refresh token, unless consent is requested again.
    offline:
      asked.access_type === "offline" &&
      (asked.prompt === "consent" || !data.grants().some((grant) => grant.account === account)),
    expiresAt: Date.now() + CODE_MS,
  };
  data.codes.set(code, row);
  return code;
}

function checkClient(given: Params): void {
  const secret = Buffer.from(given.client_secret ?? "");
  const wanted = Buffer.from(GOOGLE_CLIENT_SECRET);
  const known = secret.length === wanted.length && timingSafeEqual(secret, wanted);
  if (given.client_id !== GOOGLE_CLIENT_ID || !known)
    throw new OAuthError("invalid_client", "Unauthorized", 401);
}

function exchange(data: GoogleData, given: Params): unknown {
  const code = data.codes.get(given.code ?? "");
  if (!code || code.expiresAt < Date.now()) throw new OAuthError("invalid_grant", "Malformed auth code.");
  data.codes.delete(given.code ?? "");
  if (given.redirect_uri !== code.redirectUri) throw new OAuthError("redirect_uri_mismatch", "Bad Request");
  checkVerifier(code.codeChallenge, given.code_verifier);
  const grant = data.addGrant({ account: code.account, scope: code.scope }, code.offline);
  const withId = code.scope.split(" ").includes("openid");
  return {
    ...tokenAnswer(data, grant),
    ...(grant.refreshToken && { refresh_token: grant.refreshToken }),
    ...(withId && { id_token: idToken(grant) }),
  };
}

function refresh(data: GoogleData, given: Params): unknown {
  const grant = data.grantOfRefresh(given.refresh_token);
  if (!grant) throw new OAuthError("invalid_grant", "Token has been expired or revoked.");
  return tokenAnswer(data, grant);
}

function tokenAnswer(data: GoogleData, grant: Grant): Record<string, unknown> {
  const { token, expiresIn } = data.newAccessToken(grant.id);
  return { access_token: token, expires_in: expiresIn, scope: grant.scope, token_type: "Bearer" };
}

function idToken({ account, scope }: Grant): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: "https://accounts.google.com",
    azp: GOOGLE_CLIENT_ID,
    aud: GOOGLE_CLIENT_ID,
    sub: createHash("sha256").update(account).digest("hex").replace(/\D/g, "").slice(0, 21),
    ...(scope.split(" ").includes("email") && { email: account, email_verified: true }),
    iat: now,
    exp: now + 3_600,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", GOOGLE_CLIENT_SECRET).update(signed).digest("base64url")}`;
}
